import type { NpmPackage } from '../../model/npm/index.ts'
import { isExactVersion } from '../../parse/lock/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'

const DAY = 86_400_000
const OLD_DAYS = 30

/**
 * Says that packages were not, or hardly, looked up, so that a report without findings is not taken for a project without weaknesses: the database was
 * not asked and the bundled snapshot is old, or nothing names a version.
 */
export const advisoryCheckSkipped: Rule = defineRule({
  id: 'npm/advisory-check-skipped',
  severity: 'INFO',
  confidence: 'high',
  cwe: [1395],
  since: '0.1.0',
  docs: 'https://google.github.io/osv.dev/post-v1-querybatch/',
  on: 'project',

  *check(project): Generator<Match> {
    const { npm, packages, advisories, date } = project
    const [first] = packages
    const days = Math.floor((Date.parse(date.slice(0, 10)) - Date.parse(advisories.date)) / DAY)
    if (first !== undefined && days > OLD_DAYS)
      yield { at: { file: first.file }, args: { date: advisories.date, days: String(days) } }
    const count = countOpen(project)
    const manifest = npm.packages.find(needsPackages)
    if (manifest !== undefined && count > 0)
      yield { at: { file: manifest.file }, args: { count: String(count) }, variant: 'unresolved' }
  },

  text: {
    en: {
      title: 'Packages were checked against an old list',
      message: 'The list of known weaknesses that packages were checked against is as of {date}, {days} days before this scan.',
      why: 'What became known since then is missing from this report.',
      fix: 'Scan again with access to the vulnerability database, or with a newer version of the scanner.',
      variants: {
        unresolved: {
          title: 'Packages were checked by their ranges alone',
          message:
            'No lock file and no exact version tells what is installed: of {count} dependencies only those are told of which every version that the range allows has a known weakness.',
          why: 'That this report names no weak package says little.',
          fix: 'Commit the lock file ("npm install" writes it) and scan again.',
        },
      },
    },
    fr: {
      title: 'Les paquets ont été comparés à une liste ancienne',
      message: 'La liste des failles connues utilisée date du {date}, soit {days} jours avant cette analyse.',
      why: 'Ce qui a été publié depuis manque dans ce rapport.',
      fix: 'Relancez l’analyse avec un accès à la base de vulnérabilités, ou avec une version plus récente de l’analyseur.',
      variants: {
        unresolved: {
          title: 'Les paquets n’ont été vérifiés que par leurs plages',
          message:
            'Aucun fichier de verrouillage ni version exacte n’indique ce qui est installé : sur {count} dépendances, seules sont signalées celles dont toutes les versions permises ont une faille connue.',
          why: 'Que ce rapport ne nomme aucun paquet faible ne veut pas dire grand-chose.',
          fix: 'Versionnez le fichier de verrouillage (« npm install » l’écrit) et relancez l’analyse.',
        },
      },
    },
  },
})

function needsPackages({ dependencies }: NpmPackage): boolean {
  return dependencies.some(({ member, range }) => member === 'dependencies' && !/^(?:file|link|workspace|portal):/.test(range))
}

/** How many dependencies nothing resolves; 0 where anything was resolved. */
function countOpen({ npm, packages }: Project): number {
  if (packages.some((it) => it.lock !== undefined || it.packages.some(({ range }) => range === undefined))) return 0
  return npm.packages.flatMap(({ dependencies }) => dependencies).filter(({ range }) => !isExactVersion(range)).length
}
