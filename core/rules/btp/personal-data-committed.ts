import type { CsvTable } from '../../parse/csv.ts'
import { folderOf } from '../../paths.ts'
import type { CredentialFile } from '../../secrets/index.ts'
import type { Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { findMails, type FoundMail } from './_found-mails.ts'

/** Fewer may be a team, or rows that somebody has made up. */
const FEWEST_PERSONS = 20
/** Somebody who makes rows up takes one provider, or two. */
const FEWEST_PROVIDERS = 3

/**
 * A list of persons in a data file of the project: many mail addresses of several providers that everybody may have one of. Of initial data of a CAP model
 * `cap/csv-test-data-production` tells a column of people that are named; what a .gitignore covers is in the folder of a developer alone.
 * Facts: GDPR, articles 4 (1) and 32; CycloneDX 1.6, `bomFormat`; SPDX 2.3, `spdxVersion`; README of license-checker (`licenses`, `repository`, `publisher`); README of @faker-js/faker 9 (`internet.email` takes gmail.com, yahoo.com and hotmail.com); Mockaroo, "Email Address": the number of
 * the row, to the base of 36, ends each name.
 * Impact: readers of the repository get the addresses; what they open besides, nothing says.
 */
export const personalDataCommitted: Rule = defineRule({
  id: 'btp/personal-data-committed',
  impact: 'bounded',
  reach: 'anyone',
  usage: 'deployed',
  isOfRepository: true,
  confidence: 'medium',
  cwe: [359, 540],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/User_Privacy_Protection_Cheat_Sheet.html',
  keywords: ['mail'],
  on: 'credentials',
  yieldsTo: ['cap/csv-test-data-production'],

  *check({ file }: CredentialFile) {
    const { path, kind, text, content } = file
    if (!DATA.test(path) || NO_DATA.test(path) || kind.language === 'lock') return
    file.budget.step(1 + text.length / 1000)
    if (listsPackages(text)) return
    const mails = findMails(text)
    const [first] = mails
    if (first === undefined || isOfFew(mails) || isMadeUp(mails)) return
    const mail = { start: first.start, end: first.start + first.name.length + 1 + first.host.length }
    yield {
      at: { file: path, span: (content.as === 'csv' ? columnOf(content.table, mail) : undefined) ?? mail },
      args: { file: path, count: String(mails.length) },
      groupKey: folderOf(path),
    }
  },

  text: () => ({
    en: {
      title: 'Personal data of many people in a data file',
      message: '{file} contains {count} different email addresses of several mail providers, as a list of real people has them.',
      why: 'Anyone who can read the repository, its forks or its history gets these addresses, for spam, phishing or guessing logins. Privacy law (GDPR) requires a reason to keep them, and they can hardly be erased from every clone.',
      fix: 'Delete {file} and remove it from the Git history too (git filter-repo); keep such data in the database alone. For tests, generate rows with addresses at example.com.',
    },
    fr: {
      title: 'Données personnelles de nombreuses personnes dans un fichier',
      message:
        '{file} contient {count} adresses e-mail différentes de plusieurs fournisseurs, comme une liste de personnes réelles.',
      why: 'Toute personne qui peut lire le dépôt, ses copies ou son historique obtient ces adresses, pour du spam, de l’hameçonnage ou des essais de connexion. Le RGPD exige une raison de les conserver, et on ne peut guère les effacer de chaque copie.',
      fix: 'Supprimez {file} et retirez-le aussi de l’historique Git (git filter-repo) ; ne conservez ces données que dans la base. Pour les tests, générez des lignes avec des adresses chez example.com.',
    },
  }),
})

const DATA = /\.(?:csv|tsv|json)$/i
/** Descriptors, and lists of those who work on a project. */
const NO_DATA = /(?:^|\/)(?:package|package-lock|npm-shrinkwrap|composer|contributors?|authors|maintainers|manifest)\.json$/i
/** Bills of materials. */
const BILL = /"(?:bomFormat|spdxVersion)"\s{0,4}:/
/** Where anybody may have an address. */
const PROVIDERS =
  /^(?:gmail|googlemail|yahoo|ymail|rocketmail|hotmail|outlook|live|msn|icloud|me|mac|aol|gmx|web|t-online|freenet|proton|protonmail|orange|free|wanadoo|laposte|sfr|libero|virgilio|bigpond|optusnet|rediffmail|mail|yandex|qq|163|126|naver|hanmail|uol|bol|terra|comcast|verizon|btinternet|sky|telenet|ziggo|bluewin)\.[a-z.]{2,6}$/
/** Of these generators take one. */
const OF_GENERATORS = /^(?:gmail|yahoo|hotmail)\.com$/

/** Addresses of companies and offices are no data of persons. */
function isOfFew(mails: readonly FoundMail[]): boolean {
  return mails.filter(({ host }) => PROVIDERS.test(host)).length < FEWEST_PERSONS
}

/** One or few providers, those that generators take, or names that end in the number of their row. */
function isMadeUp(mails: readonly FoundMail[]): boolean {
  const providers = new Set(mails.flatMap(({ host }) => (PROVIDERS.test(host) ? host : [])))
  if (providers.size < FEWEST_PROVIDERS || [...providers].every((host) => OF_GENERATORS.test(host))) return true
  const counted = mails.filter(({ name }, index) => name.endsWith(index.toString(36)) || name.endsWith(String(index + 1)))
  return counted.length * 2 > mails.length
}

/** A bill of materials, or the licenses of libraries: the addresses are those that their authors have published with them. */
function listsPackages(text: string): boolean {
  return BILL.test(text) || (/"licenses"\s{0,4}:/.test(text) && /"(?:publisher|repository|licenseFile)"\s{0,4}:/.test(text))
}

/** The head of the column that a cell stands in: where the other rule tells of one. */
function columnOf({ header, rows }: CsvTable, { start }: Span): Span | undefined {
  const row = rows.find((cells) => (cells.at(-1)?.end ?? 0) > start)
  const cell = header[row?.findIndex(({ end }) => end > start) ?? -1]
  return cell && { start: cell.start, end: cell.end }
}
