import { groupAdvisories } from '../../advisories/repair.ts'
import { findGitIgnores, type IgnoreFiles } from '../../model/deployment/index.ts'
import type { Dependency, NpmPackage, NpmProject } from '../../model/npm/index.ts'
import type { LockedPackage } from '../../parse/lock/index.ts'
import type { Match, AssumedAdvisories } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** What a folder or the package manager itself resolves: no lock file is needed for it. */
const LOCAL = /^(?:file|link|workspace|portal):/

/**
 * A package whose dependencies no lock file fixes. A workspace is covered by its root; an app without run-time dependencies needs none.
 * Facts: CAP documentation, "Node.js best practices" (deploy with a lock file).
 * Severity: LOW, hygiene: harm needs a malicious release of a dependency first.
 */
export const lockfileMissing: Rule = defineRule({
  id: 'npm/lockfile-missing',
  severity: 'LOW',
  confidence: 'high',
  cwe: [1357],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/best-practices#deploy',
  on: 'project',

  *check({ npm, files, advisories }) {
    const known = groupAdvisories(advisories)
    const declared = new Map(npm.locked.map((locked) => [locked.file, locked.packages]))
    const ignored = findGitIgnores(files)
    const own = new Set(npm.packages.map(({ name }) => name))
    const byFolder = new Map(npm.packages.map((it) => [it.folder, it]))
    for (const it of npm.packages) {
      const open = it.dependencies.filter((dependency) => isOpen(dependency, own))
      const [first] = open
      if (it.locks.length > 0 || first === undefined || isCoveredElsewhere(it, byFolder)) continue
      const grade = gradeOf(it, npm, ignored)
      const folder = `${it.folder === '' ? '.' : it.folder}/`
      const names =
        open
          .map(({ name }) => name)
          .slice(0, 3)
          .join(', ') + (open.length > 3 ? ', …' : '')
      const args = { names, folder, ...grade.args }
      const assumes = assume(declared.get(it.file) ?? [], known)
      const stated = { ...args, count: String(assumes.count), severity: assumes.severity }
      yield { at: { file: it.file, span: it.dependenciesSpan ?? first.nameSpan }, ...grade, args: stated, assumes }
    }
  },

  text: {
    en: {
      title: 'Missing lock file for a deployed package',
      message: 'No lock file fixes the versions of {names} that {by} deploys from {folder}.',
      why: 'Each build installs the newest versions that the ranges allow, even a malicious release published an hour ago. Without exact versions, advisories can’t be looked up, so the risk score assumes {count}, up to severity {severity}.',
      fix: 'Run "npm install" in {folder}, commit the package-lock.json, and build with "npm ci".',
      variants: {
        package: {
          title: 'Missing lock file',
          message: 'No lock file fixes the versions of {names} that are installed in {folder}.',
        },
        ignored: {
          title: 'Lock file excluded by .gitignore',
          message: 'A .gitignore covers the lock file of {folder}: the versions of {names} are not fixed in the repository.',
          fix: 'Remove the pattern from .gitignore, run "npm install" in {folder}, commit the package-lock.json, and build with "npm ci".',
        },
        off: {
          title: 'Lock file disabled by package-lock=false',
          message: '"package-lock=false" in {settings}: no lock file fixes the versions of {names} installed in {folder}.',
          fix: 'Remove "package-lock=false" from {settings}, run "npm install" in {folder}, commit the package-lock.json, and build with "npm ci".',
        },
      },
    },
    fr: {
      title: 'Fichier de verrouillage absent pour un paquet déployé',
      message: 'Aucun fichier de verrouillage ne fixe les versions de {names} que {by} déploie depuis {folder}.',
      why: 'Chaque build installe les versions les plus récentes permises, même une version malveillante publiée une heure plus tôt. Sans versions exactes, aucun avis de sécurité ne peut être recherché : le score de risque en suppose donc {count}, de gravité {severity} au plus.',
      fix: 'Exécutez "npm install" dans {folder}, versionnez le package-lock.json et construisez avec "npm ci".',
      variants: {
        package: {
          title: 'Fichier de verrouillage absent',
          message: 'Aucun fichier de verrouillage ne fixe les versions de {names} installées dans {folder}.',
        },
        ignored: {
          title: 'Fichier de verrouillage exclu par .gitignore',
          message:
            'Un .gitignore couvre le fichier de verrouillage de {folder} : les versions de {names} ne sont pas fixées dans le dépôt.',
          fix: 'Retirez le motif de .gitignore, exécutez "npm install" dans {folder}, versionnez le package-lock.json et construisez avec "npm ci".',
        },
        off: {
          title: 'Fichier de verrouillage désactivé par package-lock=false',
          message:
            '"package-lock=false" dans {settings} : aucun fichier de verrouillage ne fixe les versions de {names} installées dans {folder}.',
          fix: 'Supprimez "package-lock=false" de {settings}, exécutez "npm install" dans {folder}, versionnez le package-lock.json et construisez avec "npm ci".',
        },
      },
    },
  },
})

/**
 * What may be installed: the advisories of the lowest versions that the ranges allow, and at least one of severity HIGH among the packages that they bring,
 * which nothing names.
 */
function assume(packages: readonly LockedPackage[], known: ReturnType<typeof groupAdvisories>): AssumedAdvisories {
  const worst = packages.flatMap(({ name, version, scope }) =>
    scope === 'development' ? [] : (known.get(`${name}@${version}`)?.[0]?.severity ?? []),
  )
  return { severity: worst.includes('CRITICAL') ? 'CRITICAL' : 'HIGH', count: worst.length + 1 }
}

function isOpen({ member, range, name }: Dependency, own: ReadonlySet<string | undefined>): boolean {
  return (member === 'dependencies' || member === 'optionalDependencies') && !LOCAL.test(range) && !own.has(name)
}

/** A workspace whose root has no lock file is reported at the root, if the root has dependencies of its own to mark. */
function isCoveredElsewhere({ memberOf }: NpmPackage, byFolder: ReadonlyMap<string, NpmPackage>): boolean {
  const root = memberOf === undefined ? undefined : byFolder.get(memberOf)
  return root !== undefined && (root.locks.length > 0 || root.dependencies.some(({ member }) => member === 'dependencies'))
}

function gradeOf(
  it: NpmPackage,
  { settings }: NpmProject,
  ignored: IgnoreFiles,
): Pick<Match, 'variant'> & { args: Record<string, string> } {
  const off = settings.find(({ key, value, place }) => {
    const folder = place.file.slice(0, Math.max(0, place.file.lastIndexOf('/')))
    return key === 'package-lock' && value === 'false' && (folder === it.folder || folder === (it.memberOf ?? it.folder))
  })
  const [by] = it.deployedBy
  if (off !== undefined) return { variant: 'off', args: { settings: off.place.file } }
  if (ignored.covers(it.folder === '' ? 'package-lock.json' : `${it.folder}/package-lock.json`))
    return { variant: 'ignored', args: {} }
  return by === undefined ? { variant: 'package', args: {} } : { args: { by } }
}
