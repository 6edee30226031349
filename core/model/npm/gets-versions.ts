import subset from 'semver/ranges/subset.js'
import validRange from 'semver/ranges/valid.js'
import type { NpmProject } from './types.ts'
import { isBelow } from '../../paths.ts'

/**
 * Whether every version of a package that a file may get lies within the given ones: that of the lock file, else the range of the nearest package.json around it
 * that names the package. False where none does.
 */
export function getsVersionsWithin(file: string, name: string, versions: string, { packages }: NpmProject): boolean {
  const named = packages.flatMap((it) => {
    const range = it.dependencies.find((dependency) => dependency.name === name)?.range
    const isAround = isBelow(file, it.folder)
    return isAround && range !== undefined ? [{ it, range }] : []
  })
  const [nearest] = named.sort((a, b) => b.it.folder.length - a.it.folder.length)
  if (nearest === undefined) return false
  const locked = nearest.it.locks.flatMap(({ packages: all }) => all).find((it) => it.name === name && it.direct)
  const version = locked?.version ?? nearest.range
  return version.length <= 200 && validRange(version) !== null && subset(version, versions)
}
