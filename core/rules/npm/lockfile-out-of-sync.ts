import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import type { Dependency, NpmPackage } from '../../model/npm/index.ts'
import { isExactVersion, type LockedPackages } from '../../parse/lock/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A lock file that is not of its package.json: a dependency that it does not have, or has in a version outside of the range. `npm ci` refuses it,
 * `npm install` silently resolves anew. Facts: npm documentation, "npm ci"; yarn 1, entries of yarn.lock.
 */
export const lockfileOutOfSync: Rule = defineRule({
  id: 'npm/lockfile-out-of-sync',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [353],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/commands/npm-ci',
  on: 'project',

  *check({ npm }) {
    const own = new Set(npm.packages.map(({ name }) => name))
    const byFolder = new Map(npm.packages.map((it) => [it.folder, it]))
    for (const it of npm.packages) {
      const overridden = new Set(
        [...it.overrides, ...(byFolder.get(it.memberOf ?? it.folder)?.overrides ?? [])].map(({ name }) => name),
      )
      for (const locked of it.locks) {
        const told = toLocked(locked, it)
        if (told === undefined) continue
        for (const dependency of it.dependencies) {
          const { name, range, member, start, end } = dependency
          if (member === 'peerDependencies' || member === 'optionalDependencies' || overridden.has(name) || own.has(name))
            continue
          const fault = compare(dependency, told)
          if (fault === undefined) continue
          yield {
            at: { file: it.file, span: { start, end } },
            args: { package: name, range, lock: locked.file, version: fault.version ?? '' },
            ...(fault.version === undefined && { variant: 'absent' }),
            // one installation brings all of them back
            sameAs: `${it.file} ${locked.file}`,
          }
        }
      }
    }
  },

  text: {
    en: {
      title: 'The lock file does not fit the package.json',
      message: '{package}: package.json wants {range}, {lock} has {version}.',
      why: 'What is installed is then decided at build time, not by the file that was reviewed.',
      fix: 'Run "npm install" and commit both files; build with "npm ci", which refuses a lock file that does not fit.',
      variants: {
        absent: { message: '{package}: package.json wants {range}, {lock} does not have it.' },
      },
    },
    fr: {
      title: 'Le fichier de verrouillage ne correspond pas au package.json',
      message: '{package} : package.json demande {range}, {lock} contient {version}.',
      why: 'Ce qui est installé se décide alors au moment de la construction, et non par le fichier relu.',
      fix: 'Exécutez « npm install » et versionnez les deux fichiers ; construisez avec « npm ci », qui refuse un fichier qui ne correspond pas.',
      variants: {
        absent: { message: '{package} : package.json demande {range}, {lock} ne le contient pas.' },
      },
    },
  },
})

/** What a lock file says about one folder. */
interface Locked {
  readonly descriptors?: ReadonlySet<string>
  readonly versions?: ReadonlyMap<string, string | undefined>
}

function toLocked({ file, lock }: LockedPackages, { folder }: NpmPackage): Locked | undefined {
  if (lock?.descriptors !== undefined) return { descriptors: lock.descriptors }
  const top = file.slice(0, Math.max(0, file.lastIndexOf('/') + 1))
  const importer = lock?.importers?.find((candidate) => `${top}${candidate.folder}`.replace(/\/$/, '') === folder)
  return importer === undefined ? undefined : { versions: importer.versions }
}

function compare({ name, range }: Dependency, { descriptors, versions }: Locked): { readonly version?: string } | undefined {
  if (range.length > 200 || validRange(range) === null) return undefined
  if (descriptors !== undefined) return descriptors.has(`${name}@${range}`) ? undefined : {}
  if (versions === undefined) return undefined
  if (!versions.has(name)) return {}
  const version = versions.get(name)
  if (version === undefined || !isExactVersion(version)) return undefined
  return satisfies(version, range, { includePrerelease: true, loose: true }) ? undefined : { version }
}
