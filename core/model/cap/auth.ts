import { at, stringOf } from '../../parse/data.ts'
import { elementsOf } from '../../parse/markup.ts'
import { isForTesting } from '../deployment/index.ts'
import { effectiveConfiguration } from './configuration.ts'
import { profilesOf } from './environment.ts'
import type { CapRoot, Configuration, Setting } from './types.ts'

/** How callers are authenticated with a configuration. */
export interface AuthStrategy {
  /** Without the ending `-auth`; undefined: nothing says, so the default of the profile holds (production: jwt, development: mocked). */
  readonly kind?: string
  /** What sets the kind. */
  readonly setting?: Setting
  /** A middleware of the project's own, which counts more than the kind. */
  readonly custom: boolean
}

/** Facts: @sap/cds 9.9.3, lib/env/cds-requires.js (kinds), lib/srv/middlewares/auth (impl before kind). */
export function authStrategyOf(configuration: Configuration): AuthStrategy {
  const custom = stringOf(configuration.value('requires', 'auth', 'impl')?.node) !== undefined
  const setting = configuration.value('requires', 'auth', 'kind')
  const kind = stringOf(setting?.node)?.replace(/-auth$/, '')
  return kind === undefined ? { custom } : { kind, setting, custom }
}

/** Kinds that let everybody in, or everybody with a password that stands in a file. */
export function isForDevelopment(kind: string): boolean {
  return ['dummy', 'mocked', 'mock', 'basic'].includes(kind)
}

/**
 * Where a root is deployed, its authentication lets any caller pass: `dummy` as a user with every role, `mocked` under any name and without a password (its users
 * include `*`), so with no role of the project's own. What a descriptor of a landscape for tests sets holds for its data alone.
 * Facts: @sap/cds 9.9.3, lib/srv/middlewares/auth; lib/env/cds-requires.js. Without any kind, a profile that isn't production has `mocked`.
 */
export function anybodysAuth(root: CapRoot): 'dummy' | 'mocked' | undefined {
  if (root.test || root.runtime === 'java') return undefined
  const kinds = root.deployments.flatMap(({ file, variables }) => {
    const profiles = profilesOf(variables)
    const { kind, setting, custom } = authStrategyOf(effectiveConfiguration(root, profiles, variables))
    const chosen = variables.findLast(({ name }) => name === 'NODE_ENV' || name === 'CDS_ENV')
    return custom || isForTesting(setting?.place.file ?? chosen?.place.file ?? file)
      ? []
      : (kind ?? (profiles.includes('production') ? 'jwt' : 'mocked'))
  })
  if (kinds.includes('dummy')) return 'dummy'
  return kinds.some((kind) => kind === 'mocked' || kind === 'mock') ? 'mocked' : undefined
}

/** Policies of the Authorization Management Service decide, outside of the model: its package, its Java module, or its DCL files are there. */
export function hasPolicies({ files }: CapRoot): boolean {
  return files.some(({ path, kind, content }) => {
    if (/\.dcl$/i.test(path)) return true
    if (kind.role === 'package' && content.as === 'data')
      return ['@sap/ams', '@sap/ams-dev'].some((name) => at(content.roots[0], 'dependencies', name) !== undefined)
    if (kind.role !== 'pom' || content.as !== 'markup') return false
    for (const { localName, texts } of elementsOf(content.document))
      if (localName === 'groupId' && texts.some(({ text }) => text.trim() === 'com.sap.cloud.security.ams')) return true
    return false
  })
}

/**
 * Policies filter rows of the services by elements that are mapped to attributes. Otherwise they only assign the roles that `@requires` and `@restrict` ask for, and an
 * element without an annotation is as open as without them. Fact: @sap/ams 3.9.0, README, "CAP integration" (`user.is`, `@ams.attributes`).
 */
export function filtersByPolicies(root: CapRoot): boolean {
  const isMapped = (names: Iterable<string>): boolean => [...names].some((name) => name.startsWith('ams.'))
  return (
    hasPolicies(root) &&
    root.services.some(({ elements }) =>
      elements.some(
        ({ annotations, members }) =>
          isMapped(annotations.keys()) || members().some((member) => isMapped(member.annotations.keys())),
      ),
    )
  )
}
