import {
  authStrategyOf,
  cdsWithin,
  effectiveConfiguration,
  isForDevelopment,
  isOpenToAll,
  profilesOf,
  servedServices,
  type CapRoot,
  type Configuration,
} from '../../../model/cap/index.ts'
import { isForTesting, type FolderDeployment, type EnvironmentVariable } from '../../../model/deployment/index.ts'
import type { NpmProject } from '../../../model/npm/index.ts'
import { booleanOf, membersOf, stringOf } from '../../../parse/data.ts'
import { isWithin } from '../../../facts/span-index.ts'
import type { Exposure, GradeFacts, Match, Place } from '../../../types.ts'
import { userReads } from '../_model/open-services.ts'

/** A strategy for development where a root is deployed. */
export interface DevelopmentAuth extends Match {
  /** No user is configured for it, and it has none of its own: nobody can log in. */
  readonly isLocked: boolean
  /** A descriptor of a landscape for tests says so. */
  readonly isForTests: boolean
  /** The configuration has users for it. */
  readonly hasUsers: boolean
  /** Of a landscape for tests the data counts as that of a demonstration. */
  readonly exposure: Exposure
}

/**
 * Strategies for development that hold where a root is deployed, once for each place, with what differs from place to place of their grade. Variants: `local` (nothing deploys it), `profile`, `variable`
 * and `development` (the profile of the deployment brings it). `isLeftOut`: other parts of the project are deployed.
 */
export function* developmentAuth(root: CapRoot, isLeftOut: boolean): Generator<DevelopmentAuth> {
  // a Java application is configured in its application.yaml
  if (root.test || root.runtime === 'java') return
  const seen = new Set<string>()
  const deployments: readonly (FolderDeployment | undefined)[] = root.deployments.length > 0 ? root.deployments : [undefined]
  for (const deployment of deployments) {
    const match = judge(root, deployment?.variables ?? [], isLeftOut)
    if (match === undefined) continue
    const place = `${match.at.file} ${match.at.span?.start}`
    // a descriptor of a landscape for tests
    const isForTests = (match.variant === 'variable' || match.variant === 'development') && isForTesting(match.at.file)
    if (!seen.has(place))
      yield {
        ...match,
        isForTests,
        exposure: { reach: 'anyone', by: match.at, ...(isForTests && { isDemo: true }) },
        // the landscape is deployed, whatever the name of its descriptor
        ...(isForTests && { usage: 'deployed' }),
      }
    seen.add(place)
  }
}

/** The strategy of one deployment. */
function judge(
  root: CapRoot,
  variables: readonly EnvironmentVariable[],
  isLeftOut: boolean,
): Omit<DevelopmentAuth, 'isForTests' | 'exposure'> | undefined {
  const profiles = profilesOf(variables)
  const configuration = effectiveConfiguration(root, profiles, variables)
  const { kind: declared, setting, custom } = authStrategyOf(configuration)
  // what holds without any declaration
  const kind = declared ?? (profiles.includes('production') ? 'jwt' : 'mocked')
  if (custom || !isForDevelopment(kind)) return undefined
  const isLocked = kind === 'basic' && hasNoUsers(configuration)
  // which users there are, with which roles, an attacker has to find out
  const facts: GradeFacts = isLocked ? { impact: 'defence' } : kind === 'dummy' ? {} : { evidence: 'assumed' }
  const hasUsers = membersOf(configuration.value('requires', 'auth', 'users')?.node).length > 0
  const chosen = variables.findLast((variable) => choosesProfile(variable, setting?.profile))
  if (chosen !== undefined && setting?.variable === undefined) {
    const args = { kind, file: chosen.place.file, variable: chosen.name, profile: stringOf(chosen.value) ?? '' }
    return { at: chosen.place, args, ...facts, isLocked, hasUsers, variant: 'development' }
  }
  if (setting === undefined) return undefined
  const { place, profile, variable } = setting
  const name = authPathOf(configuration, place).join('.')
  const key = place.file.endsWith('package.json') ? `cds.${name}` : name
  const args = { kind, key, file: place.file, profile: profile ?? '', variable: variable ?? '' }
  if (variable !== undefined) return { at: place, args, ...facts, isLocked, hasUsers, variant: 'variable' }
  if (profile !== undefined) return { at: place, args, ...facts, isLocked, hasUsers, variant: 'profile' }
  if (root.deployed) return { at: place, args, ...facts, isLocked, hasUsers }
  const local = kind.startsWith('mock') && { variant: 'local' }
  // demos and libraries beside what is deployed run where their authors do; a project without any descriptor is the application itself
  return { at: place, args, ...facts, evidence: isLeftOut ? 'guessed' : 'assumed', isLocked, hasUsers, ...local }
}

/** Where a setting of the authentication is written: at `requires.auth`, or at `auth.passport`, the place before it. */
export function authPathOf(configuration: Configuration, { file, span }: Place): readonly string[] {
  const old = configuration.value('auth', 'passport')?.place
  const isOld = old?.file === file && old.span !== undefined && span !== undefined && isWithin(span, old.span)
  return isOld ? ['auth', 'passport'] : ['requires', 'auth']
}

/** Whether this variable is why the profile holds; without one, why production does not. */
function choosesProfile({ name, value }: EnvironmentVariable, profile: string | undefined): boolean {
  if (name !== 'NODE_ENV' && name !== 'CDS_ENV') return false
  const names = new Set((stringOf(value) ?? '').split(',').map((part) => part.trim()))
  return profile === undefined ? name === 'NODE_ENV' && !names.has('production') : profile !== 'production' && names.has(profile)
}

/** Fact: @sap/cds 9.9.3, lib/env/cds-requires.js (`basic-auth` has no users of its own). A module may compute what is not read. */
function hasNoUsers(configuration: Configuration): boolean {
  const users = configuration.value('requires', 'auth', 'users')
  const kind = configuration.value('requires', 'auth', 'kind')
  return membersOf(users?.node).length === 0 && ![users, kind].some((setting) => /\.[cm]?[jt]s$/.test(setting?.place.file ?? ''))
}

/** Any user of a strategy that takes every name opens a service that asks for no more than a login. */
export function isOpenedByAnyName(root: CapRoot, kind: string | undefined): boolean {
  return kind?.startsWith('mock') === true && servedServices(root).some(({ access }) => access.kind === 'authenticated')
}

/**
 * With this kind, services that say nothing take callers without a login in production, and without it they would not: neither is the default switched off, nor does an old
 * version of CAP ask nobody anyway.
 */
export function opensByDefault(root: CapRoot, kind: string | undefined, npm: NpmProject): boolean {
  const switches = root.productive().map((one) => one.value('requires', 'auth', 'restrict_all_services')?.node)
  const isSwitchedOff = switches.some((node) => booleanOf(node) === false)
  return (kind === 'dummy' || kind?.startsWith('mock') === true) && !isSwitchedOff && !cdsWithin(root, npm, '<6.0.0-0')
}

/** The users of the configuration are the way in: which they are, and with which roles, tells more than the strategy. Needs the extract `userReads`. */
export function areUsersTold(root: CapRoot, kind: string | undefined): boolean {
  if (!root.deployed || isOpenedByAnyName(root, kind)) return false
  // no service asks for a role and no code for the user: the login opens nothing else
  return !isOpenToAll(root) || root.scripts.get(userReads).length > 0
}
