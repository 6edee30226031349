import { groupAdvisories } from '../../advisories/repair.ts'
import { findGitIgnores, type GitIgnores } from '../../model/deployment/index.ts'
import { hasBunLock, type Dependency, type NpmPackage, type NpmProject } from '../../model/npm/index.ts'
import { folderOf, joinPath } from '../../paths.ts'
import type { LockedPackage } from '../../parse/lock/index.ts'
import type { Match, AssumedAdvisories } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** What a folder or the package manager itself resolves: no lock file is needed for it. */
const LOCAL = /^(?:file|link|workspace|portal):/

/**
 * A package whose dependencies no lock file pins. A workspace is covered by its root; an app without run-time dependencies needs none.
 * Facts: CAP documentation, "Node.js best practices" (deploy with a lock file); pnpm, "pnpm install" (--frozen-lockfile); Yarn 4, "yarn install"
 * (--immutable); Bun, "bun install" (--frozen-lockfile); Node.js, "Corepack" (packageManager).
 * Impact: code of whoever publishes the next release of a dependency, with nothing that holds it back.
 */
export const lockfileMissing: Rule = defineRule({
  id: 'npm/lockfile-missing',
  impact: 'takeover',
  reach: 'privileged',
  evidence: 'assumed',
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
      if (it.locks.length > 0 || first === undefined || isCoveredElsewhere(it, byFolder) || hasBunLock(it, files)) continue
      const grade = gradeOf(it, npm, ignored)
      const names =
        open
          .map(({ name }) => name)
          .slice(0, 3)
          .join(', ') + (open.length > 3 ? ', …' : '')
      const args = { names, file: it.file, ...it.manager, ...grade.args }
      const assumes = assume(declared.get(it.file) ?? [], known)
      const stated = { ...args, count: String(assumes.count), severity: assumes.severity }
      yield { at: { file: it.file, span: it.dependenciesSpan ?? first.nameSpan }, ...grade, args: stated, assumes }
    }
  },

  text: () => ({
    en: {
      title: 'Missing lock file for a deployed package',
      message: '{file}, which {by} deploys, has no lock file: its dependencies are not pinned ({names}).',
      why: 'Each build installs the latest versions that the ranges allow, even a malicious release published an hour ago. Nor can all advisories be checked: the risk score includes assumed vulnerabilities (number: {count}, maximum severity: {severity}).',
      fix: 'Run "{install}" in the folder of {file}, commit {lock}, and build with "{build}".',
      variants: {
        package: {
          title: 'Missing lock file',
          message: '{file} has no lock file: its dependencies are not pinned ({names}).',
        },
        ignored: {
          title: 'Lock file excluded by .gitignore',
          message:
            'The pattern "{pattern}" in {gitignore} excludes the lock file, so the dependencies in {file} are not pinned in the repository ({names}).',
          fix: 'Remove "{pattern}" from {gitignore}, run "{install}" in the folder of {file}, commit {lock}, and build with "{build}".',
        },
        off: {
          title: 'Lock file disabled by a setting',
          message:
            '"{lockSetting}=false" in {settings} prevents the creation of a lock file, so the dependencies in {file} are not pinned ({names}).',
          fix: 'Remove "{lockSetting}=false" from {settings}, run "{install}" in the folder of {file}, commit {lock}, and build with "{build}".',
        },
      },
    },
    fr: {
      title: 'Fichier de verrouillage absent pour un paquet déployé',
      message:
        '{file}, que {by} déploie, n’a pas de fichier de verrouillage : les versions de ses dépendances ne sont pas fixées ({names}).',
      why: 'Chaque build installe les dernières versions permises par les plages de versions, même une version malveillante publiée une heure plus tôt. Les avis de sécurité ne peuvent pas tous être vérifiés : le score de risque inclut des vulnérabilités présumées (nombre : {count}, gravité maximale : {severity}).',
      fix: 'Exécutez "{install}" dans le dossier de {file}, versionnez {lock} et construisez avec "{build}".',
      variants: {
        package: {
          title: 'Fichier de verrouillage absent',
          message: '{file} n’a pas de fichier de verrouillage : les versions de ses dépendances ne sont pas fixées ({names}).',
        },
        ignored: {
          title: 'Fichier de verrouillage exclu par .gitignore',
          message:
            'Le motif "{pattern}" dans {gitignore} exclut le fichier de verrouillage : le dépôt ne fixe pas les versions des dépendances de {file} ({names}).',
          fix: 'Retirez "{pattern}" de {gitignore}, exécutez "{install}" dans le dossier de {file}, versionnez {lock} et construisez avec "{build}".',
        },
        off: {
          title: 'Fichier de verrouillage désactivé par un réglage',
          message:
            '"{lockSetting}=false" dans {settings} empêche la création d’un fichier de verrouillage : les versions des dépendances de {file} ne sont pas fixées ({names}).',
          fix: 'Supprimez "{lockSetting}=false" de {settings}, exécutez "{install}" dans le dossier de {file}, versionnez {lock} et construisez avec "{build}".',
        },
      },
    },
  }),
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
  ignored: GitIgnores,
): Pick<Match, 'variant'> & { args: Record<string, string> } {
  const { lock, lockSetting } = it.manager
  const root = it.memberOf ?? it.folder
  const off = settings.find(({ key, value, place }) => {
    const folder = folderOf(place.file)
    return key === lockSetting && value === 'false' && (folder === it.folder || folder === root)
  })
  const [by] = it.deployedBy
  if (off !== undefined) return { variant: 'off', args: { settings: off.place.file } }
  // where its work ends, no pattern is known: the lock file is missing all the same
  const ignore = ignored.findPattern(joinPath(root, lock))
  if (ignore !== undefined) return { variant: 'ignored', args: { gitignore: ignore.file, pattern: ignore.pattern } }
  return by === undefined ? { variant: 'package', args: {} } : { args: { by } }
}
