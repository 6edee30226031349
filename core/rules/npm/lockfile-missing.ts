import { findGitIgnores, type IgnoreFiles } from '../../model/deployment/index.ts'
import type { Dependency, NpmPackage, NpmProject } from '../../model/npm/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** What a folder or the package manager itself resolves: no lock file is needed for it. */
const LOCAL = /^(?:file|link|workspace|portal):/

/**
 * A package whose dependencies nothing fixes. A workspace is covered by its root, an app without dependencies at run time has nothing to fix.
 * Facts: CAP documentation, "Node.js best practices" (deploy with a lock file).
 */
export const lockfileMissing: Rule = defineRule({
  id: 'npm/lockfile-missing',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [1357],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/best-practices#deploy',
  on: 'project',

  *check({ npm, files }) {
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
      yield { at: { file: it.file, span: it.dependenciesSpan ?? first.nameSpan }, ...grade, args }
    }
  },

  text: {
    en: {
      title: 'No lock file for a deployed package',
      message: 'No lock file tells which versions of {names} are deployed ({by} deploys {folder}).',
      why: 'Every build takes the newest versions that the ranges allow, a hostile release of an hour ago included, and nobody can say afterwards what ran.',
      fix: 'Run "npm install", commit package-lock.json beside this package.json, and build with "npm ci".',
      variants: {
        package: {
          title: 'No lock file',
          message: 'No lock file tells which versions of {names} are installed in {folder}.',
        },
        ignored: {
          title: 'The lock file is left out of the repository',
          message: 'A .gitignore covers the lock file of {folder}: nothing tells which versions of {names} are installed.',
          fix: 'Remove the pattern from .gitignore, run "npm install", commit package-lock.json, and build with "npm ci".',
        },
        off: {
          title: 'Lock files are switched off',
          message: '"package-lock=false" in {settings}: nothing tells which versions of {names} are installed in {folder}.',
          fix: 'Remove "package-lock=false", run "npm install", commit package-lock.json, and build with "npm ci".',
        },
      },
    },
    fr: {
      title: 'Pas de fichier de verrouillage pour un paquet déployé',
      message: 'Aucun fichier de verrouillage n’indique quelles versions de {names} sont déployées ({by} déploie {folder}).',
      why: 'Chaque construction prend les versions les plus récentes permises, y compris une version hostile publiée il y a une heure, et personne ne peut dire ensuite ce qui a été exécuté.',
      fix: 'Exécutez « npm install », versionnez package-lock.json à côté de ce package.json, et construisez avec « npm ci ».',
      variants: {
        package: {
          title: 'Pas de fichier de verrouillage',
          message: 'Aucun fichier de verrouillage n’indique quelles versions de {names} sont installées dans {folder}.',
        },
        ignored: {
          title: 'Le fichier de verrouillage est exclu du dépôt',
          message:
            'Un .gitignore couvre le fichier de verrouillage de {folder} : rien n’indique quelles versions de {names} sont installées.',
          fix: 'Retirez le motif de .gitignore, exécutez « npm install », versionnez package-lock.json, et construisez avec « npm ci ».',
        },
        off: {
          title: 'Les fichiers de verrouillage sont désactivés',
          message:
            '« package-lock=false » dans {settings} : rien n’indique quelles versions de {names} sont installées dans {folder}.',
          fix: 'Supprimez « package-lock=false », exécutez « npm install », versionnez package-lock.json, et construisez avec « npm ci ».',
        },
      },
    },
  },
})

function isOpen({ member, range, name }: Dependency, own: ReadonlySet<string | undefined>): boolean {
  return (member === 'dependencies' || member === 'optionalDependencies') && !LOCAL.test(range) && !own.has(name)
}

/** A workspace whose root has no lock file is told there, where the root has dependencies of its own to be told by. */
function isCoveredElsewhere({ memberOf }: NpmPackage, byFolder: ReadonlyMap<string, NpmPackage>): boolean {
  const root = memberOf === undefined ? undefined : byFolder.get(memberOf)
  return root !== undefined && (root.locks.length > 0 || root.dependencies.some(({ member }) => member === 'dependencies'))
}

function gradeOf(
  it: NpmPackage,
  { settings }: NpmProject,
  ignored: IgnoreFiles,
): Pick<Match, 'severity' | 'variant'> & { args: Record<string, string> } {
  const off = settings.find(({ key, value, place }) => {
    const folder = place.file.slice(0, Math.max(0, place.file.lastIndexOf('/')))
    return key === 'package-lock' && value === 'false' && (folder === it.folder || folder === (it.memberOf ?? it.folder))
  })
  const [by] = it.deployedBy
  const isDeployed =
    by !== undefined || it.scripts.some(({ name, command }) => name === 'start' && !/\bui5\b|\bfiori\b/.test(command))
  const severity = isDeployed ? 'MEDIUM' : 'LOW'
  if (off !== undefined) return { severity, variant: 'off', args: { settings: off.place.file } }
  if (ignored.covers(it.folder === '' ? 'package-lock.json' : `${it.folder}/package-lock.json`))
    return { severity, variant: 'ignored', args: {} }
  return by === undefined ? { severity, variant: 'package', args: {} } : { severity, args: { by } }
}
