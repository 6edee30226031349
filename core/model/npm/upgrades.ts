import { packagesOf } from './packages-of.ts'
import type { PackageUpgrade } from '../../types.ts'
import major from 'semver/functions/major.js'
import minor from 'semver/functions/minor.js'
import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import type { LockedPackage, LockedPackages } from '../../parse/lock/index.ts'
import type { NpmProject } from './types.ts'

/** What to move so that a version goes, wherever a lock file has it. */
export interface Upgrade {
  readonly upgrade: PackageUpgrade
  /** The direct dependencies that bring it in and hold it; none where it moves by itself. The first one is that of `upgrade`. */
  readonly holders: readonly string[]
  /** How the first of them brings it in. */
  readonly path?: string
  /** Only development brings in what is held. */
  readonly isDevelopment?: boolean
}

/** `repaired`: the lowest version that is not affected. */
export type UpgradeFinder = (places: readonly LockedPackage[], repaired: string) => Upgrade | undefined

/**
 * A direct dependency and an override move by themselves, and so does what all of its requirers let move (npm documentation, "npm update"). Else only another
 * release of what requires it helps: the direct dependency at the head of its chain is named. Facts: semver.org, 8 (and 4 for major version zero).
 */
export function createUpgradeFinder({ file, packages }: LockedPackages, npm: NpmProject): UpgradeFinder {
  const manifests = packagesOf(file, npm)
  const overridden = new Set(manifests.flatMap(({ overrides }) => overrides.map(({ name }) => name)))
  const declared = new Map<string, string[]>()
  for (const { dependencies } of manifests)
    for (const { name, range } of dependencies) declared.set(name, [...(declared.get(name) ?? []), range])
  const isDirect = ({ name, version, direct }: LockedPackage): boolean =>
    direct || (declared.get(name) ?? []).some((range) => allows(range, version))
  const direct = new Map<string, LockedPackage>()
  for (const found of packages) if (isDirect(found) && !direct.has(found.name)) direct.set(found.name, found)

  return (places, repaired) => {
    const [place] = places
    if (place === undefined) return undefined
    const { name, version, range = version } = place
    const isOwn = places.some(isDirect) || overridden.has(name)
    if (isOwn) return alone({ package: name, from: range, to: repaired, direct: true, breaking: isBreaking(version, repaired) })
    const held = places.filter((place) => !isFree(place, repaired)).toSorted(byReach)
    // what development alone holds stays, and is of no use to what is deployed
    const isDeployed = places.some(({ scope }) => scope === 'production')
    const kept = isDeployed ? held.filter(({ scope }) => scope !== 'development') : held
    if (kept.length === 0)
      return alone({ package: name, from: version, to: repaired, direct: false, breaking: isBreaking(version, repaired) })
    const heads = kept.flatMap(({ path = '', scope }) => {
      const head = direct.get(headOf(path))
      return head === undefined ? [] : [{ head, path, isDevelopment: scope === 'development' }]
    })
    const [first] = heads
    if (first === undefined) return undefined
    const { head, path, isDevelopment } = first
    return {
      upgrade: { package: head.name, from: head.version, direct: true, breaking: true },
      holders: [...new Set(heads.map((one) => one.head.name))],
      path,
      isDevelopment,
    }
  }
}

function alone(upgrade: PackageUpgrade): Upgrade {
  return { upgrade, holders: [] }
}

/** Orders the places of a version: what production needs comes first, then what is brought in by the shortest chain. */
export function byReach(one: LockedPackage, other: LockedPackage): number {
  const length = ({ path = '' }: LockedPackage): number => path.split(' > ').length
  const isLate = ({ scope }: LockedPackage): number => (scope === 'development' ? 1 : 0)
  return isLate(one) - isLate(other) || length(one) - length(other)
}

/** Nobody ships it in an archive or lock file of his own, and all ranges by which it is required allow the other version. */
/** The direct dependency that a chain of packages begins with: `express` of `express > qs`. */
export function headOf(path: string): string {
  const end = path.indexOf(' > ')
  return end < 0 ? path : path.slice(0, end)
}

function isFree(place: LockedPackage, version: string): boolean {
  return place.wanted !== undefined && mayGet(place, version)
}

/** Whether an installation without this lock file may get another version: `ranges` are those of package.json files. */
export function mayGet({ heldBy, wanted = [] }: LockedPackage, version: string, ranges: readonly string[] = []): boolean {
  const all = [...wanted, ...ranges]
  return heldBy === undefined && all.length > 0 && all.every((range) => allows(range, version))
}

/** Whether a range of a package.json, written in whatever way, takes a version. */
export function allows(written: string, version: string): boolean {
  const range = written.replace(/^npm:(?:@[^@/]{1,214}\/)?[^@/]{1,214}@/, '')
  return range.length <= 200 && validRange(range) !== null && satisfies(version, range)
}

/** Below 1.0.0 each minor version may break. */
function isBreaking(from: string, to: string): boolean {
  return major(from) !== major(to) || (major(to) === 0 && minor(from) !== minor(to))
}
