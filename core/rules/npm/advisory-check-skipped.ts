import { dayArgument } from '../../arguments.ts'
import { hasBunLock, type NpmPackage } from '../../model/npm/index.ts'
import { isExactVersion } from '../../parse/lock/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'

const DAY = 86_400_000
const OLD_DAYS = 30

/**
 * Reports that advisories were looked up incompletely, so that a report without findings is not mistaken for a project without vulnerabilities:
 * there was no online lookup and the bundled snapshot is old, or no version is known.
 * Impact: a limit of the report and no fault of what is deployed.
 */
export const advisoryCheckSkipped: Rule = defineRule({
  id: 'npm/advisory-check-skipped',
  impact: 'hygiene',
  confidence: 'high',
  cwe: [1395],
  since: '0.1.0',
  docs: 'https://google.github.io/osv.dev/post-v1-querybatch/',
  docsByVariant: {
    unresolved: 'https://docs.npmjs.com/cli/v11/configuring-npm/package-lock-json',
    unread: 'https://bun.com/docs/pm/lockfile',
  },
  on: 'project',

  *check(project): Generator<Match> {
    const { npm, packages, advisories, date } = project
    const [first] = packages
    const days = Math.floor((Date.parse(date.slice(0, 10)) - Date.parse(advisories.date)) / DAY)
    if (first !== undefined && days > OLD_DAYS)
      yield { at: { file: first.file }, args: { date: dayArgument(advisories.date), days: String(days) } }
    const count = countOpen(project)
    const manifest = npm.packages.find(needsPackages)
    if (manifest !== undefined && count > 0)
      yield {
        at: { file: manifest.file },
        args: { ...manifest.manager, count: String(count) },
        variant: hasBunLock(manifest, project.files) ? 'unread' : 'unresolved',
      }
  },

  text: () => ({
    en: {
      title: 'Old advisory snapshot used for the scan',
      message:
        'Packages were compared with the advisory snapshot of {date}, taken {days} days before this scan, without an online lookup.',
      why: 'Vulnerabilities published after that day are missing from this report.',
      fix: 'Unset PARAPET_ADVISORIES and scan again with access to api.osv.dev. Offline, set it to the absolute path of a new file that "parapet advisories fetch" wrote, or update the scanner.',
      variants: {
        unresolved: {
          title: 'Installed package versions unknown',
          message:
            'Neither a lock file nor exact versions show what is installed: the dependencies ({count}) are compared by version range, and only those whose entire range is vulnerable are reported.',
          why: 'Installed versions with vulnerabilities can remain undetected: the absence of advisories in this report says little.',
          fix: 'Run "{install}" in the folder of each package.json, commit {lock}, and scan again.',
        },
        unread: {
          title: 'Installed package versions unknown',
          message:
            'Bun’s lock file is not read: the dependencies ({count}) are compared by version range, and only those whose entire range is vulnerable are reported.',
          why: 'Installed versions with vulnerabilities can remain undetected: the absence of advisories in this report says little.',
          fix: 'Run "bun install --yarn", which also writes a yarn.lock, and scan again with this file. For a check without a scan, run "{audit}".',
        },
      },
    },
    fr: {
      title: 'Analyse fondée sur un ancien instantané des avis de sécurité',
      message:
        'Les paquets ont été comparés, sans consultation en ligne, à un instantané des avis de sécurité qui date du {date} ({days} jours avant cette analyse).',
      why: 'Les vulnérabilités publiées après cette date n’apparaissent pas dans ce rapport.',
      fix: 'Supprimez la variable PARAPET_ADVISORIES et relancez l’analyse avec un accès à api.osv.dev. Hors ligne, donnez à cette variable le chemin absolu d’un nouveau fichier écrit par "parapet advisories fetch", ou mettez à jour l’analyseur.',
      variants: {
        unresolved: {
          title: 'Versions installées inconnues',
          message:
            'Sans fichier de verrouillage ni version exacte, les versions installées sont inconnues : les dépendances ({count}) sont comparées aux avis de sécurité par plage de versions, et seules celles dont toute la plage est vulnérable sont signalées.',
          why: 'Des versions vulnérables peuvent être installées sans être détectées : l’absence d’avis de sécurité dans ce rapport ne prouve rien.',
          fix: 'Exécutez "{install}" dans le dossier de chaque package.json, versionnez {lock} et relancez l’analyse.',
        },
        unread: {
          title: 'Versions installées inconnues',
          message:
            'Le fichier de verrouillage de Bun n’est pas lu : les dépendances ({count}) sont comparées aux avis de sécurité par plage de versions, et seules celles dont toute la plage est vulnérable sont signalées.',
          why: 'Des versions vulnérables peuvent être installées sans être détectées : l’absence d’avis de sécurité dans ce rapport ne prouve rien.',
          fix: 'Exécutez "bun install --yarn", qui écrit aussi un fichier yarn.lock, et relancez l’analyse avec ce fichier. Pour un contrôle sans analyse, exécutez "{audit}".',
        },
      },
    },
  }),
})

function needsPackages({ dependencies }: NpmPackage): boolean {
  return dependencies.some(({ member, range }) => member === 'dependencies' && !/^(?:file|link|workspace|portal):/.test(range))
}

/** How many dependencies nothing resolves; 0 where anything was resolved. */
function countOpen({ npm, packages }: Project): number {
  if (packages.some((it) => it.lock !== undefined || it.packages.some(({ range }) => range === undefined))) return 0
  return npm.packages.flatMap(({ dependencies }) => dependencies).filter(({ range }) => !isExactVersion(range)).length
}
