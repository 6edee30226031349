import subset from 'semver/ranges/subset.js'
import { SEVERITIES } from '../../scales.ts'
import { listNames } from '../../arguments.ts'
import { createRepairFinder, groupAdvisories, type RepairFinder } from '../../advisories/repair.ts'
import type { Advisory } from '../../advisories/types.ts'
import { advisoryLevel, atMost } from '../../grade/index.ts'
import { groupBy } from '../../lists.ts'
import { oncePer } from '../../once.ts'
import {
  allows,
  byReach,
  createUpgradeFinder,
  headOf,
  packagesOf,
  type NpmProject,
  type PackageManager,
} from '../../model/npm/index.ts'
import type { LockedPackage, LockedPackages } from '../../parse/lock/index.ts'
import type { AffectedPackage, GradeFacts, Localized, Match, PackageUpgrade, Place, Severity } from '../../types.ts'
import type { Project } from '../subjects.ts'
import { isRunningDriver } from './_database-driver.ts'
import { createUseReader, type PackageUse } from './_package-uses.ts'
import type { PackagePlace } from './_package-places.ts'

/** A package of the project in a version that advisories name. */
export interface Affected {
  readonly found: LockedPackage
  /** The worst first: that of the highest level here, then of the highest published one. */
  readonly advisories: readonly [Advisory, ...Advisory[]]
  /** What the project shows of the use that each of them is about. */
  readonly uses: ReadonlyMap<Advisory, PackageUse>
  /** The shortest chain that brings it in at this place; where only another place is held, that of the package to update. */
  readonly path: string
  /** The lowest version that ends all of it; undefined: none is known. */
  readonly repaired?: string
  readonly upgrade?: PackageUpgrade
  /** The direct dependencies that bring it in and hold it. */
  readonly holders: readonly string[]
  /** Where the project names it, besides the lock file. */
  readonly named: readonly Place[]
}

/** The affected packages of a lock file or package.json; a range only where every version that it allows is affected. Read for the first rule that asks. */
export function affectedIn(locked: LockedPackages, project: Project): readonly Affected[] {
  return project.once(createAffectedReader)(locked)
}

function createAffectedReader(project: Project): (locked: LockedPackages) => readonly Affected[] {
  const published = { known: groupAdvisories(project.advisories), findRepaired: createRepairFinder() }
  return oncePer((locked) => [...readAffected(locked, project, published)])
}

interface Published {
  readonly known: ReturnType<typeof groupAdvisories>
  readonly findRepaired: RepairFinder
}

function* readAffected(locked: LockedPackages, project: Project, { known, findRepaired }: Published): Generator<Affected> {
  const { advisories: answer, npm } = project
  const packages = locked.packages.map((one) => scopeDriver(one, locked, project))
  const useOf = createUseReader(locked, project)
  const findUpgrade = createUpgradeFinder(locked, npm)
  const namedAt = createNameReader(locked, npm)
  const isKnown = ({ name, version }: LockedPackage): boolean => known.has(`${name}@${version}`)
  for (const [version, places] of groupBy(packages.filter(isKnown), toVersion)) {
    const [nearest] = places.toSorted(byReach)
    const shortest = nearest?.path ?? nearest?.name ?? ''
    for (const found of places) {
      const { range } = found
      const all = known.get(version) ?? []
      const affecting = range === undefined ? all : all.filter(({ affected }) => isSubset(range, affected))
      const uses = new Map(affecting.map((advisory) => [advisory, useOf(found, advisory)]))
      const [worst, ...others] = orderByLevel(affecting, uses)
      if (worst === undefined) continue
      const repaired = findRepaired(found.version, all, answer.others?.get(found.name))
      const held = repaired === undefined ? undefined : findUpgrade(places, repaired)
      const { upgrade, holders = [] } = held ?? {}
      // how production gets it tells more than what development holds
      const isHeldLate = held?.isDevelopment === true && nearest?.scope !== 'development'
      const heldPath = isHeldLate ? undefined : held?.path
      // the chain that leads to this very place, unless that of another one tells what to update
      const isToldHere = found.path !== undefined && (heldPath === undefined || headOf(heldPath) === headOf(found.path))
      const path = (isToldHere ? found.path : heldPath) ?? shortest
      yield {
        found,
        advisories: [worst, ...others],
        uses,
        path,
        holders,
        named: found.direct ? namedAt(found) : [],
        ...(repaired !== undefined && { repaired }),
        ...(upgrade !== undefined && { upgrade }),
      }
    }
  }
}

/** The driver of the database that a deployed app runs on is no package of development. */
function scopeDriver(found: LockedPackage, { file }: LockedPackages, project: Project): LockedPackage {
  if (found.scope !== 'development' || !found.direct) return found
  const isRunning = packagesOf(file, project.npm).some((own) => isRunningDriver(found.name, own, project))
  return isRunning ? { ...found, scope: 'production' } : found
}

/** The ranges of the package.json files that a lock file is for, by which a version of it is installed. */
function createNameReader({ file, lock }: LockedPackages, npm: NpmProject): (found: LockedPackage) => readonly Place[] {
  const own = lock === undefined ? [] : packagesOf(file, npm)
  const named = groupBy(
    own.flatMap((it) => it.dependencies.map((dependency) => ({ file: it.file, ...dependency }))),
    ({ name }) => name,
  )
  return ({ name, version }) =>
    (named.get(name) ?? [])
      .filter(({ member, range }) => member !== 'peerDependencies' && (range === version || allows(range, version)))
      .slice(0, MAX_NAMED)
      .map(({ file: where, start, end }) => ({ file: where, span: { start, end } }))
}

const MAX_NAMED = 10

/** Whether all versions of a range are affected; of one that begins with a prerelease, `^1.4.5-lts.1`, those that are in order between its ends. Fact: semver (README, "Prerelease Tags"). */
function isSubset(range: string, affected: string): boolean {
  return subset(range, affected) || subset(range, affected, { includePrerelease: true })
}

/** By the level that each has here; those of equal levels stay in their order. */
function orderByLevel(advisories: readonly Advisory[], uses: Affected['uses']): Advisory[] {
  return advisories.toSorted((one, other) => rankOf(one, uses.get(one)) - rankOf(other, uses.get(other)))
}

function rankOf({ severity }: Advisory, use: PackageUse = 'shown'): number {
  if (use === 'shown' || use === 'unknown') return SEVERITIES.indexOf(severity) + (use === 'shown' ? 0 : 1)
  if (use === 'idle-tab') return SEVERITIES.indexOf(atMost(advisoryLevel(severity, 'tab'), 'LOW'))
  return SEVERITIES.indexOf(advisoryLevel(severity, use === 'absent' ? 'unused' : use === 'unbundled' ? 'offline' : use))
}

function toVersion({ name, version }: LockedPackage): string {
  return `${name}@${version}`
}

/** What every finding about a package version says: place, arguments, identity. */
export function toAdvisoryMatch(
  file: string,
  manager: PackageManager,
  { found, advisories, path, repaired = '', upgrade, holders, named }: Affected,
): Match & { readonly args: Record<string, string> } {
  const [first] = advisories
  const folder = file.slice(0, file.lastIndexOf('/') + 1)
  const version = found.range ?? found.version
  return {
    at: { file, span: { start: found.start, end: found.end } },
    args: {
      ...manager,
      package: found.name,
      version,
      count: String(advisories.length),
      ...advisoryArgs(first),
      parent: upgrade?.package ?? '',
      parents: listNames(holders),
      fixed: repaired,
      head: headOf(path),
      path,
    },
    affected: { ...listAffected(found.name, version, advisories), ...(upgrade !== undefined && { upgrade }) },
    confidence: found.range === undefined ? 'high' : 'medium',
    identity: `${found.name}@${version}`,
    formerly: advisories.map((advisory) => ({ ruleId: ruleOf(advisory), key: advisory.id })),
    ...(named.length > 0 && { alsoAt: named }),
    // two lock files in one folder tell the same installation
    groupKey: `${folder} ${found.name}@${version}`,
  }
}

/** What texts say of an advisory: its titles stand behind a colon. */
export function advisoryArgs({ id, title, affected }: Advisory): Record<'id' | 'title' | 'titre' | 'affected', string> {
  return { id, title: toEnglishClause(title.en), titre: toClause(title), affected }
}

/** A title behind a colon; names, abbreviations and Titles Of Their Own keep their capitals. */
function toEnglishClause(title: string): string {
  return /^\p{Lu}\p{Ll}*(?:[- ]\P{Lu}|$)/u.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title
}

/** A French title behind a colon, where French goes on in lower case; one that is not translated, or begins with an abbreviation, stays as it is. */
function toClause({ en, fr }: Localized<string>): string {
  return fr !== en && /^\p{Lu}(?:\p{Ll}|[\u2019 ])/u.test(fr) ? fr.charAt(0).toLowerCase() + fr.slice(1) : fr
}

/** A package version as its finding lists it. */
export function listAffected(name: string, version: string, advisories: readonly Advisory[]): AffectedPackage {
  return {
    name,
    version,
    advisories: advisories.map(({ id, aliases, severity, title, fixed }) => ({
      id,
      aliases,
      severity,
      title,
      ...(fixed !== undefined && { fixed }),
    })),
  }
}

type AdvisoryRule = 'npm/known-malware-version' | 'npm/known-vulnerability' | 'npm/sap-advisory-not-in-osv'

/** What one rule reports of a version; undefined: nothing. What is malicious is to be removed, whatever else is known of it. */
export function partOf(rule: AdvisoryRule, it: Affected): Affected | undefined {
  const malicious = it.advisories.filter(({ malware }) => malware)
  const rest = it.advisories.filter(({ malware }) => !malware)
  if (malicious.length > 0 && rule !== 'npm/known-malware-version') return undefined
  // that it is malicious tells more than what it was vulnerable to
  const [worst, ...others] =
    malicious.length > 0 ? [...malicious, ...rest] : rest.filter((advisory) => toldBy(advisory, it) === rule)
  return worst === undefined ? undefined : { ...it, advisories: [worst, ...others] }
}

/** What no version repairs is the concern of one rule, whoever says it: no update helps. */
function toldBy(advisory: Advisory, { repaired }: Affected): AdvisoryRule {
  return repaired === undefined && !advisory.malware ? 'npm/known-vulnerability' : ruleOf(advisory)
}

function ruleOf(advisory: Advisory): AdvisoryRule {
  if (advisory.malware) return 'npm/known-malware-version'
  return isOfSapAlone(advisory) ? 'npm/sap-advisory-not-in-osv' : 'npm/known-vulnerability'
}

/** Whether an advisory is one of SAP that databases of reviewed advisories don't have with its versions: it has no id of theirs. */
function isOfSapAlone({ id, package: name }: Advisory): boolean {
  return !id.startsWith('GHSA-') && name.startsWith('@sap/')
}

/** Whether only development, building or deployment needs a package: no part of it comes into what runs. */
export function isOffline({ scope }: Pick<LockedPackage, 'scope'>, use: PackageUse | undefined, place: PackagePlace): boolean {
  return scope === 'development' || place === 'build' || use === 'unbundled'
}

function isAboveLow(severity: Severity): boolean {
  return atMost(severity, 'LOW') !== severity
}

/**
 * The level of the worst advisory; what only development, building and deploying need is LOW at most, and so is what nothing runs: a part that is never started,
 * what nothing loads of one that isn't deployed, an entry that no root of the lock file leads to. One lower: what nothing loads elsewhere, what is turned off, what nothing uses as the
 * advisory says, what only a part needs that nothing deploys, what only servers load that nothing starts, what another package calls with data that the project doesn't tell;
 * and a build without this lock file may get a fixed version. What can only stop the tab of a page's user is one lower, and LOW at most where nothing uses the package so.
 * Two lower, down to LOW: what a part that nothing deploys needs, and nothing uses as the advisory says.
 */
export function levelOf({ found: { scope, isOrphan }, advisories: [first], uses }: Affected, place: PackagePlace): GradeFacts {
  const { severity: advisory } = first
  const use = uses.get(first)
  if (isOffline({ scope }, use, place)) return { advisory, circumstance: 'offline' }
  if (isOrphan === true) return { advisory, evidence: 'guessed' }
  const isIdle = use === 'unloaded' || use === 'off'
  if (place === 'stopped' || (place === 'elsewhere' && isIdle)) return { advisory, circumstance: 'idle', usage: 'unused' }
  if (isIdle) return { advisory, circumstance: use }
  if (place === 'unlocked') return { advisory, circumstance: 'unlocked', ...(use !== 'shown' && { evidence: 'assumed' }) }
  if (place === 'elsewhere') {
    const isLower = use !== 'shown' && use !== 'tab' && isAboveLow(advisoryLevel(advisory, 'undeployed'))
    return { advisory, circumstance: 'undeployed', usage: 'unused', ...(isLower && { evidence: 'assumed' }) }
  }
  if (use === 'tab' || use === 'idle-tab') {
    const isLower = use === 'idle-tab' && isAboveLow(advisoryLevel(advisory, 'tab'))
    return { advisory, circumstance: 'tab', ...(isLower && { evidence: 'assumed' }) }
  }
  if (place === 'exercise' && use !== 'absent') return { advisory, evidence: 'assumed', usage: 'unused' }
  return { advisory, ...(use === 'absent' ? { circumstance: 'unused' } : use === 'unknown' && { evidence: 'assumed' }) }
}
