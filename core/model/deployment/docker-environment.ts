import type { ProjectFile } from '../../files.ts'
import { findDockerfiles, runningStages } from './docker.ts'
import type { EnvironmentVariable } from './types.ts'

/** A descriptor's text has no more variables than that; the rest of a hostile one is not looked at. */
const MAX_VARIABLES = 1000

/** `ENV KEY=value OTHER="x y"` and `ENV KEY value` of a Dockerfile, of the stages that run; a later one counts more. */
export function readDockerVariables(file: ProjectFile): EnvironmentVariable[] {
  const stages = findDockerfiles(new Map([[file.path, file]])).flatMap((dockerfile) => runningStages(dockerfile))
  const variables: EnvironmentVariable[] = []
  for (const { name: instruction, arguments: rest, argumentStart } of stages
    .toReversed()
    .flatMap((stage) => stage.instructions)) {
    if (variables.length >= MAX_VARIABLES) break
    if (instruction !== 'ENV') continue
    const spaced = /^(\w{1,200})[ \t]+([^\s=][^\r\n]*)$/.exec(rest)
    const found = spaced === null ? rest.matchAll(/\b(\w{1,200})=("[^"]*"|'[^']*'|[^\s"']*)/g) : [spaced]
    for (const match of found) {
      const [whole, name = '', raw = ''] = match
      const quoted = /^["']/.test(raw) ? 1 : 0
      const value = raw.slice(quoted, raw.length - quoted).trimEnd()
      const start = argumentStart + (match.index ?? 0) + whole.length - raw.length + quoted
      const span = { start, end: start + value.length }
      variables.push({ name, value: { kind: 'string', value, ...span }, place: { file: file.path, span } })
    }
  }
  return variables
}
