import { at, itemsOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { ProjectFile } from '../../files.ts'
import { joinPath } from '../../paths.ts'
import type { CapRoot } from './types.ts'
import type { EnvironmentVariable } from '../deployment/index.ts'

/** What of a root its configuration depends on. */
export type ConfiguredRoot = Pick<CapRoot, 'root' | 'runtime' | 'files'> & Partial<Pick<CapRoot, 'deployments'>>

type Files = ReadonlyMap<string, ProjectFile>

function dataOf(files: Files, path: string): DataNode | undefined {
  const content = files.get(path)?.content
  return content?.as === 'data' ? content.roots[0] : undefined
}

/** Those of `srv` stand in the place of the root's where `srv` is deployed. */
const OF_PART: ReadonlySet<string> = new Set(['package.json', '.cdsrc.json'])

/** Where a file of a root lies that holds in production. */
export function productivePath(
  files: Files,
  { root, deployments = [] }: Pick<ConfiguredRoot, 'root' | 'deployments'>,
  name: string,
): string {
  const own = joinPath(root, `srv/${name}`)
  const isReplaced = OF_PART.has(name) && files.has(own) && deployments.some(({ isPart }) => isPart === true)
  return isReplaced ? own : joinPath(root, name)
}

function pathOf(files: Files, root: ConfiguredRoot, name: string, profiles: readonly string[]): string {
  return profiles.includes('production') ? productivePath(files, root, name) : joinPath(root.root, name)
}

/** The part of a file that is configuration of CAP: `cds`, and in files of CAP's own also all of it. */
function configurationOf(files: Files, path: string, name: string): DataNode | undefined {
  const data = dataOf(files, path)
  const cds = at(data, 'cds')
  const isThere = cds !== undefined && (cds.kind === 'object' || cds.kind === 'array' || Boolean(cds.value))
  return isThere || name === 'package.json' ? cds : data
}

/** Files with configuration, the strongest last. */
export function* configurationFiles(
  root: ConfiguredRoot,
  files: Files,
  profiles: readonly string[],
): Generator<{ readonly file: string; readonly node: DataNode }> {
  const names = ['.cdsrc.yaml', '.cdsrc.json', '.cdsrc.js', 'package.json']
  if (!profiles.includes('production')) names.push('.cdsrc-private.json')
  for (const name of names) {
    const file = pathOf(files, root, name, profiles)
    const node = configurationOf(files, file, name)
    if (node !== undefined) yield { file, node }
  }
}

/** `"profile": "x"` and `"profiles": [...]` of package.json, else of .cdsrc.json, hold always. */
export function staticProfiles(root: ConfiguredRoot, files: Files, profiles: readonly string[]): string[] {
  for (const name of ['package.json', '.cdsrc.json']) {
    const configuration = configurationOf(files, pathOf(files, root, name, profiles), name)
    const many = at(configuration, 'profiles')
    if (many?.kind === 'array') return itemsOf(many).flatMap((item) => stringOf(item) ?? [])
    const one = stringOf(at(configuration, 'profile'))
    if (one !== undefined && one !== '') return [one]
  }
  return []
}

/** default-env.json, then .env of each profile, then .env: a variable that is there already stays what it is. */
export function localVariables(
  { root }: ConfiguredRoot,
  files: Files,
  profiles: readonly string[],
  known: ReadonlySet<string>,
): EnvironmentVariable[] {
  if (profiles.includes('production')) return []
  const names = ['default-env.json', ...profiles.flatMap((name) => (name === 'development' ? [] : `.${name}.env`)), '.env']
  const seen = new Set(known)
  const variables: EnvironmentVariable[] = []
  for (const name of names) {
    const file = joinPath(root, name)
    const own = new Map(membersOf(dataOf(files, file)).map(({ key, value }) => [key, value]))
    for (const [key, value] of own) {
      if (seen.has(key)) continue
      seen.add(key)
      variables.push({ name: key, value, place: { file, span: { start: value.start, end: value.end } } })
    }
  }
  return variables
}
