import minVersion from 'semver/ranges/min-version.js'
import validRange from 'semver/ranges/valid.js'
import type { ProjectFile } from '../../files.ts'
import { at, membersOf, stringOf } from '../../parse/data.ts'
import {
  isExactVersion,
  isPackageName,
  type LockedPackage,
  type LockedPackages,
  type PackageScope,
} from '../../parse/lock/index.ts'
import type { NpmPackage } from './types.ts'

const MEMBERS: readonly (readonly [string, PackageScope])[] = [
  ['dependencies', 'production'],
  ['optionalDependencies', 'production'],
  ['devDependencies', 'development'],
]
const MAX_RANGE = 200

/**
 * What a package.json names and no lock file that tells for it resolves: exact pins, and ranges, which a rule may judge only where every version
 * that they allow is affected. Packages of the project itself are left out.
 */
export function findDeclared(files: ReadonlyMap<string, ProjectFile>, packages: readonly NpmPackage[]): LockedPackages[] {
  const own = new Set<string>()
  const manifests: ProjectFile[] = []
  for (const file of files.values()) {
    if (file.kind.role !== 'package' || file.content.as !== 'data') continue
    const name = stringOf(at(file.content.roots[0], 'name'))
    if (name !== undefined) own.add(name)
    if (!file.kind.test) manifests.push(file)
  }
  const names = new Map<LockedPackages, ReadonlySet<string>>()
  for (const locked of packages.flatMap(({ locks }) => locks))
    if (!names.has(locked)) names.set(locked, new Set(locked.packages.map(({ name }) => name)))
  const locksOf = new Map(packages.map(({ file, locks }) => [file, locks]))
  return manifests.flatMap((file) => {
    const isLocked = (name: string): boolean =>
      (locksOf.get(file.path) ?? []).some((locked) => names.get(locked)?.has(name) === true)
    const named = declaredIn(file).filter(({ name }) => !own.has(name) && !isLocked(name))
    return named.length === 0 ? [] : [{ file: file.path, packages: named }]
  })
}

function declaredIn({ content }: ProjectFile): LockedPackage[] {
  if (content.as !== 'data') return []
  return MEMBERS.flatMap(([member, scope]) =>
    membersOf(at(content.roots[0], member)).flatMap(({ key, value }): LockedPackage[] => {
      const text = stringOf(value) ?? ''
      const [, alias, rest] = /^npm:((?:@[^@/]{1,214}\/)?[^@/]{1,214})@(.{1,200})$/.exec(text) ?? []
      const [name, range] = [alias ?? key, (rest ?? text).trim()]
      if (!isPackageName(name) || range === '' || range.length > MAX_RANGE) return []
      const place = { start: value.start, end: value.end, scope, direct: true, path: name, isPrivate: false }
      const exact = range.replace(/^[=v]{1,2}/, '')
      if (isExactVersion(exact)) return [{ name, version: exact, ...place }]
      const version = lowestOf(range)
      return version === undefined ? [] : [{ name, version, range, ...place }]
    }),
  )
}

/** The lowest version that a range allows; undefined: a tag, an address, a folder. */
function lowestOf(range: string): string | undefined {
  return validRange(range) === null ? undefined : minVersion(range)?.version
}
