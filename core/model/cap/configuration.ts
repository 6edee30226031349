import { at, membersOf, stringOf, itemsOf, type DataNode } from '../../parse/data.ts'
import type { Place } from '../../types.ts'
import type { ProjectFile } from '../../files.ts'
import { joinPath } from '../ui5/paths.ts'
import { toOverlay } from './environment.ts'
import type { CapRoot, EnvironmentVariable } from './types.ts'

/** One value of the configuration, and where it comes from. */
export interface Setting {
  readonly node: DataNode
  readonly place: Place
  /** The innermost profile that it stands in: `production` of `[production]`. */
  readonly profile?: string
  /** The variable that sets it. */
  readonly variable?: string
}

/** `cds.env` as a runtime with some profiles would see it, without built-in defaults. */
export interface Configuration {
  readonly profiles: readonly string[]
  /** The value that counts at a path, `value('requires', 'auth', 'kind')`; an object's node is the last one merged. */
  value(...path: string[]): Setting | undefined
  /** Keys below a path. */
  keys(...path: string[]): readonly string[]
}

interface Entry {
  setting: Setting
  /** Undefined: a value without members. */
  members: Map<string, Entry> | undefined
}

interface Source {
  readonly profiles: readonly string[]
  readonly placeOf: (node: DataNode) => Place
  readonly variable?: string
  /** Merges of `[profile!]`, done behind everything else. */
  readonly important: (() => void)[]
}

/**
 * The configuration of a root. Lowest to highest: .cdsrc.yaml, .cdsrc.json, package.json (`cds`), .cdsrc-private.json, default-env.json, .env,
 * `variables`. What is meant for one's own machine (the third to last three) never counts with the profile `production`.
 * `requires: { x: 'kind' }` is `requires: { x: { kind } }`; profiles may stand at any level, in production the last one in the text wins.
 * Facts: @sap/cds 9.9.3, lib/env/cds-env.js; capire, "Configuring Applications" (sources, profiles, process environment).
 */
export function effectiveConfiguration(
  root: CapRoot,
  profiles: readonly string[],
  variables: readonly EnvironmentVariable[] = [],
): Configuration {
  const files = new Map(root.files.map((file) => [file.path, file]))
  const all = [...profiles, ...staticProfiles(root, files), ...(root.runtime === 'java' ? ['java'] : [])]
  if (!all.includes('production') && !all.includes('development')) all.push('development')
  const top = new Map<string, Entry>()
  const important: (() => void)[] = []
  for (const { file, node } of sourcesOf(root, files, all)) {
    merge(top, node, [], undefined, { profiles: all, placeOf: ({ start, end }) => ({ file, span: { start, end } }), important })
  }
  for (const apply of important) apply()
  for (const variable of [...localVariables(root, files, all), ...variables]) {
    const overlay = toOverlay(variable)
    if (overlay === undefined) continue
    const placeOf = (node: DataNode): Place => (overlay.exact ? placeIn(variable.place.file, node) : variable.place)
    merge(top, overlay.node, [], undefined, { profiles: all, placeOf, variable: variable.name, important: [] })
  }
  const find = (path: readonly string[]): Entry | undefined => {
    let here: Entry | undefined
    let members: Map<string, Entry> | undefined = top
    for (const step of path) {
      here = members?.get(step)
      members = here?.members
    }
    return here
  }
  return {
    profiles: all,
    value: (...path) => find(path)?.setting,
    keys: (...path) => [...((path.length === 0 ? top : find(path)?.members) ?? new Map<string, Entry>()).keys()],
  }
}

function placeIn(file: string, { start, end }: DataNode): Place {
  return { file, span: { start, end } }
}

/** The file's data, as far as it is configuration of CAP. */
function dataOf(files: ReadonlyMap<string, ProjectFile>, path: string): DataNode | undefined {
  const content = files.get(path)?.content
  return content?.as === 'data' ? content.roots[0] : undefined
}

function* sourcesOf(
  { root }: CapRoot,
  files: ReadonlyMap<string, ProjectFile>,
  profiles: readonly string[],
): Generator<{ file: string; node: DataNode }> {
  const names = ['.cdsrc.yaml', '.cdsrc.yml', '.cdsrc.json', '.cdsrc', 'package.json']
  if (!profiles.includes('production')) names.push('.cdsrc-private.json', '.cdsrc-private.yaml')
  for (const name of names) {
    const file = joinPath(root, name)
    const data = dataOf(files, file)
    const cds = at(data, 'cds')
    const node = name === 'package.json' ? cds : (cds ?? data)
    if (node !== undefined) yield { file, node }
  }
}

/** `"profile": "x"` and `"profiles": [...]` of package.json, else of .cdsrc.json, hold always. */
function staticProfiles({ root }: CapRoot, files: ReadonlyMap<string, ProjectFile>): string[] {
  for (const name of ['package.json', '.cdsrc.json']) {
    const data = dataOf(files, joinPath(root, name))
    const cds = at(data, 'cds') ?? (name === 'package.json' ? undefined : data)
    const many = at(cds, 'profiles')
    if (many !== undefined) return itemsOf(many).flatMap((item) => stringOf(item) ?? [])
    const one = stringOf(at(cds, 'profile'))
    if (one !== undefined) return [one]
  }
  return []
}

/** default-env.json and .env: variables of one's own machine; builds leave them out. */
function localVariables(
  { root }: CapRoot,
  files: ReadonlyMap<string, ProjectFile>,
  profiles: readonly string[],
): EnvironmentVariable[] {
  if (profiles.includes('production')) return []
  const variables = new Map<string, EnvironmentVariable>()
  for (const name of ['.env', 'default-env.json']) {
    const file = joinPath(root, name)
    for (const { key, value } of membersOf(dataOf(files, file)))
      variables.set(key, { name: key, value, place: placeIn(file, value) })
  }
  return [...variables.values()]
}

function merge(
  into: Map<string, Entry>,
  node: DataNode,
  path: readonly string[],
  profile: string | undefined,
  source: Source,
): void {
  const profiled: { name: string; apply: () => void }[] = []
  for (const { key, value } of membersOf(node)) {
    if (!key.startsWith('[')) {
      set(into, key, value, path, profile, source)
      continue
    }
    const isImportant = key.endsWith('!]')
    const name = key.slice(1, isImportant ? -2 : -1)
    if (!source.profiles.includes(name) || value.kind !== 'object') continue
    const apply = (): void => merge(into, value, path, name, source)
    if (isImportant) source.important.push(apply)
    else profiled.push({ name, apply })
  }
  if (!source.profiles.includes('production')) {
    const rank = ({ name }: { name: string }): number => source.profiles.indexOf(name)
    profiled.sort((a, b) => rank(b) - rank(a))
  }
  for (const { apply } of profiled) apply()
}

function set(
  into: Map<string, Entry>,
  key: string,
  value: DataNode,
  path: readonly string[],
  profile: string | undefined,
  source: Source,
): void {
  const setting: Setting = { node: value, place: source.placeOf(value), profile, variable: source.variable }
  const before = into.get(key)
  if (value.kind === 'object') {
    const members = before?.members ?? new Map<string, Entry>()
    into.set(key, { setting, members })
    merge(members, value, [...path, key], profile, source)
    return
  }
  const isService = path.length === 1 && path[0] === 'requires'
  if (isService && value.kind === 'string') {
    const members = before?.members ?? new Map<string, Entry>()
    members.set('kind', { setting, members: undefined })
    into.set(key, { setting, members })
  } else if (value.kind === 'boolean' && value.value === true && before?.members?.has('kind') === true) {
    // `true` switches on what is there
  } else {
    into.set(key, { setting, members: undefined })
  }
}
