import type { PackageUpgrade } from '../../types.ts'
import major from 'semver/functions/major.js'
import minor from 'semver/functions/minor.js'
import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import type { LockedPackage, LockedPackages } from '../../parse/lock/index.ts'
import type { NpmProject } from './types.ts'

/** What to move so that a version goes, wherever a lock file has it; `repaired`: the lowest version that is not affected. */
export type UpgradeFinder = (places: readonly LockedPackage[], repaired: string) => PackageUpgrade | undefined

/**
 * A direct dependency and an override move by themselves, and so does what all of its requirers let move (npm documentation, "npm update"). Else only another
 * release of what requires it helps: the direct dependency at the head of its chain is named. Facts: semver.org, 8 (and 4 for major version zero).
 */
export function createUpgradeFinder({ file, packages }: LockedPackages, npm: NpmProject): UpgradeFinder {
  const manifests = npm.packages.filter((it) => it.file === file || it.locks.some((lock) => lock.file === file))
  const overridden = new Set(manifests.flatMap(({ overrides }) => overrides.map(({ name }) => name)))
  const declared = new Map<string, string[]>()
  for (const { dependencies } of manifests)
    for (const { name, range } of dependencies) declared.set(name, [...(declared.get(name) ?? []), range])
  const isDirect = ({ name, version, direct }: LockedPackage): boolean =>
    direct || (declared.get(name) ?? []).some((range) => allows(range, version))
  const direct = new Map<string, LockedPackage>()
  for (const found of packages) if (isDirect(found) && !direct.has(found.name)) direct.set(found.name, found)

  return (places, repaired) => {
    const [first] = places
    if (first === undefined) return undefined
    const { name, version, range = version } = first
    const isOwn = places.some(isDirect) || overridden.has(name)
    if (isOwn) return { package: name, from: range, to: repaired, direct: true, breaking: isBreaking(version, repaired) }
    const kept = places.find((place) => !isFree(place, repaired))
    if (kept === undefined)
      return { package: name, from: version, to: repaired, direct: false, breaking: isBreaking(version, repaired) }
    const parent = direct.get(kept.path?.split(' > ')[0] ?? '')
    return parent && { package: parent.name, from: parent.version, direct: true, breaking: true }
  }
}

/** Nobody ships it in an archive or lock file of his own, and all ranges by which it is required allow the other version. */
function isFree({ heldBy, wanted }: LockedPackage, version: string): boolean {
  return heldBy === undefined && wanted !== undefined && wanted.every((range) => allows(range, version))
}

function allows(written: string, version: string): boolean {
  const range = written.replace(/^npm:(?:@[^@/]{1,214}\/)?[^@/]{1,214}@/, '')
  return range.length <= 200 && validRange(range) !== null && satisfies(version, range)
}

/** Below 1.0.0 each minor version may break. */
function isBreaking(from: string, to: string): boolean {
  return major(from) !== major(to) || (major(to) === 0 && minor(from) !== minor(to))
}
