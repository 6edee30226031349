import { variablesEntry } from './environment.ts'
import { isCdsBelow } from './installed-version.ts'
import { linkKinds, wordLike } from './kinds.ts'
import { around, leafOf, mergeMembers, objectOf, toEntry, type Entry, type Members } from './merge.ts'
import { configurationFiles, localVariables, staticProfiles, type ConfiguredRoot } from './sources.ts'
import type { ProjectFile } from '../../files.ts'
import { stringOf } from '../../parse/data.ts'
import type { EnvironmentVariable } from '../deployment/index.ts'
import type { Configuration } from './types.ts'

/**
 * The configuration of a root. Lowest to highest: .cdsrc.yaml, .cdsrc.json, .cdsrc.js (where it is a literal), package.json (`cds`), .cdsrc-private.json, then variables: those of
 * the process, of default-env.json and of .env. What is meant for one's own machine (.cdsrc-private.json, default-env.json, .env) never counts
 * with the profile `production`: builds leave it out; they take package.json and .cdsrc.json from `srv`, where it has them. Profiles may stand at any level, in production the last one in the text wins.
 * Facts: @sap/cds 9.9.3, lib/env/cds-env.js, which test/model/cap/configuration-oracle.test.ts runs beside this.
 */
export function effectiveConfiguration(
  root: ConfiguredRoot,
  profiles: readonly string[],
  variables: readonly EnvironmentVariable[] = [],
): Configuration {
  const files = new Map(root.files.map((file) => [file.path, file]))
  const all = [...profiles, ...staticProfiles(root, files, profiles), ...(root.runtime === 'java' ? ['java'] : [])]
  if (!all.includes('production') && !all.includes('development')) all.push('development')
  const top: Members = builtIn()
  const important: (() => void)[] = []
  for (const { file, node } of configurationFiles(root, files, all)) {
    const entry = toEntry(node, { placeOf: ({ start, end }) => ({ file, span: { start, end } }) })
    mergeMembers(top, named(entry), { names: all, important })
  }
  for (const apply of important) apply()
  const environment = variablesEntry([
    ...variables,
    ...localVariables(root, files, all, new Set(variables.map(({ name }) => name))),
  ])
  mergeMembers(top, named(environment), { names: all })
  takePassport(top, root, files)
  linkKinds(top, all)
  preferStrategy(top, root, files, all)
  return {
    profiles: all,
    value: (...path) => find(top, path)?.setting,
    keys: (...path) =>
      [...((path.length === 0 ? top : find(top, path)?.members) ?? [])].flatMap(([key, { setting }]) => (setting ? [key] : [])),
  }
}

/**
 * `auth: { passport: { strategy: 'mock' } }`, the place before `requires.auth`, which it replaces as a whole up to @sap/cds 6.
 * Facts: @sap/cds 6.4.1, lib/env/compat.js (`set passport(v) { _.requires.auth = v }`).
 */
function takePassport(top: Members, root: ConfiguredRoot, files: ReadonlyMap<string, ProjectFile>): void {
  const passport = top.get('auth')?.members?.get('passport')
  if (passport?.members !== undefined && isCdsBelow(7, files, root)) top.get('requires')?.members?.set('auth', passport)
}

/**
 * `auth: { strategy: 'mock' }`, the name before `kind`: up to @sap/cds 6 it counts more than the kind, since 7 nothing reads it. Without the kind `mocked` there are no
 * predefined users, as with `basic`.
 * Facts: @sap/cds 5.9.8 and 6.8.4, libx/_runtime/auth/index.js (`config.strategy`) and strategies/mock.js; 7.9.5, 8.9.10 and 9.9.3, lib/auth or lib/srv/middlewares/auth (the kind
 * alone), run with such a configuration in production and development.
 */
function preferStrategy(
  top: Members,
  root: ConfiguredRoot,
  files: ReadonlyMap<string, ProjectFile>,
  profiles: readonly string[],
): void {
  const auth = top.get('requires')?.members?.get('auth')?.members
  const strategy = auth?.get('strategy')
  const name = stringOf(strategy?.setting?.node)
    ?.toLowerCase()
    .replace(/-auth$/, '')
  if (auth === undefined || strategy === undefined || name === undefined || !isCdsBelow(7, files, root)) return
  const isMocked = name === 'mock' || name === 'mocked'
  const isPreset = !profiles.includes('production') || stringOf(auth.get('kind')?.setting?.node)?.startsWith('mock') === true
  auth.set('kind', wordLike(strategy, isMocked ? (isPreset ? 'mocked' : 'basic') : name))
}

/** What of the built-in defaults decides how a project's own values are merged; it has no setting, so nobody sees it. */
function builtIn(): Members {
  const auth = objectOf(undefined, [['kind', leafOf(undefined)]])
  const requires = objectOf(undefined, [
    ['auth', auth],
    ['queue', leafOf(undefined)],
    ['middlewares', leafOf(undefined)],
  ])
  return new Map([['requires', requires]])
}

/** `requires: { x: 'kind' }` is `requires: { x: { kind } }`, at the top of a source alone. */
function named({ members = new Map<string, Entry>() }: Entry): Members {
  const requires = members.get('requires')?.members
  for (const [key, entry] of requires ?? [])
    if (entry.members === undefined && entry.setting?.node.kind === 'string')
      requires?.set(key, objectOf(around(entry), [['kind', entry]]))
  return members
}

function find(top: Members, path: readonly string[]): Entry | undefined {
  let here: Entry | undefined
  let members: Members | undefined = top
  for (const step of path) {
    here = members?.get(step)
    members = here?.members
  }
  return here
}
