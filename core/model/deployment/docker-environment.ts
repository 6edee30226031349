import type { ProjectFile } from '../../files.ts'
import type { EnvironmentVariable } from './types.ts'

/** A descriptor's text has no more variables than that; the rest of a hostile one is not looked at. */
const MAX_VARIABLES = 1000

/** `ENV KEY=value OTHER="x y"` and `ENV KEY value` of a Dockerfile; of all stages, a later one counts more. */
export function readDockerVariables({ path, content }: ProjectFile): EnvironmentVariable[] {
  const text = content.as === 'text' ? (content.text ?? '') : ''
  const variables: EnvironmentVariable[] = []
  for (const { 0: line, index } of text.matchAll(/^[ \t]{0,20}ENV[ \t](?:[^\r\n\\]|\\(?:\r?\n|[^\r\n])){0,10000}/gim)) {
    if (variables.length >= MAX_VARIABLES) break
    const from = index + line.toUpperCase().indexOf('ENV') + 4
    const rest = text.slice(from, index + line.length)
    const spaced = /^[ \t]*(\w{1,200})[ \t]+([^\s=][^\r\n]*)$/.exec(rest)
    const found = spaced === null ? rest.matchAll(/(\w{1,200})=("[^"]*"|'[^']*'|[^\s"']*)/g) : [spaced]
    for (const match of found) {
      const [whole, name = '', raw = ''] = match
      const quoted = /^["']/.test(raw) ? 1 : 0
      const value = raw.slice(quoted, raw.length - quoted).trimEnd()
      const start = from + (match.index ?? 0) + whole.length - raw.length + quoted
      const span = { start, end: start + value.length }
      variables.push({ name, value: { kind: 'string', value, ...span }, place: { file: path, span } })
    }
  }
  return variables
}
