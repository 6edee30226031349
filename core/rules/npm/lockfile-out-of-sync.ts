import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import { managerOfLock, type Dependency, type NpmPackage } from '../../model/npm/index.ts'
import { isExactVersion, type LockedPackages } from '../../parse/lock/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A lock file that differs from its package.json: a dependency is absent, or locked to a version outside the range. `npm ci` refuses it,
 * `npm install` silently resolves anew. Facts: npm documentation, "npm ci"; yarn 1, entries of yarn.lock.
 * Impact: as without a lock file, for some versions; builds with "npm ci" fail.
 */
export const lockfileOutOfSync: Rule = defineRule({
  id: 'npm/lockfile-out-of-sync',
  impact: 'takeover',
  reach: 'privileged',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [353],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/v11/commands/npm-ci',
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
            args: {
              ...managerOfLock(locked, npm),
              file: it.file,
              package: name,
              range,
              lock: locked.file,
              version: fault.version ?? '',
            },
            ...(fault.version === undefined && { variant: 'absent' }),
            // one installation brings all of them back
            groupKey: `${it.file} ${locked.file}`,
          }
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Lock file out of sync with package.json',
      message: '{file} requires {package} {range}, but {lock} contains {version}.',
      why: '"{build}" refuses such a lock file, and "{install}" resolves the dependency anew: the build can then contain a version that was never locked or reviewed.',
      fix: 'Run "{install}" in the folder of {lock} and commit both files. Build with "{build}", which fails if they do not match.',
      variants: {
        absent: { message: '{file} requires {package} {range}, but {lock} has no matching entry.' },
      },
    },
    fr: {
      title: 'Fichier de verrouillage incohérent avec package.json',
      message: '{file} exige {package} {range}, mais {lock} contient {version}.',
      why: '"{build}" échoue dans ce cas, et "{install}" résout de nouveau la dépendance : le build peut alors contenir une version qui n’a été ni verrouillée ni revue.',
      fix: 'Exécutez "{install}" dans le dossier de {lock} et versionnez les deux fichiers. Construisez avec "{build}", qui échoue s’ils ne concordent pas.',
      variants: {
        absent: { message: '{file} exige {package} {range}, mais {lock} n’a pas d’entrée correspondante.' },
      },
    },
  }),
})

const ANY = /^(?:\*|x|X)?$/

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
  // as npm judges it: a prerelease is only what names one, or what names nothing
  return ANY.test(range) || satisfies(version, range, { loose: true }) ? undefined : { version }
}
