import type { CsvCell, CsvTable } from '../../parse/csv.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isHashed, isPasswordColumn, isPasswordValue } from './_secrets/table-passwords.ts'

/**
 * Users with passwords, or people with their contact data, in the initial data that is deployed with the model.
 * Facts: capire, "Providing Initial Data": what lies in data and csv beside the model is deployed to every database and overwrites what is there;
 * test/data is not. RFC 2606 and 6761: reserved domains.
 * Impact: a login with a password of the repository, or data of people; whether these accounts and people exist outside of the development is guessed.
 */
export const csvTestDataProduction: Rule = defineRule({
  id: 'cap/csv-test-data-production',
  impact: 'takeover',
  reach: 'anyone',
  evidence: 'guessed',
  grades: { people: { impact: 'data' } },
  confidence: 'medium',
  cwe: [489],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/databases/initial-data#initial-vs-test-data',
  on: 'csv',
  // an account that a login of the project accepts
  yieldsTo: ['cap/known-administrator'],

  *check({ path, content: { table } }) {
    if (/[._-](?:texts|i18n)\.csv$/i.test(path)) return
    const match = passwords(path, table) ?? people(path, table)
    if (match !== undefined) yield match
  },

  text: () => ({
    en: {
      title: 'Passwords in initial database data',
      message: 'The initial data file {file} contains passwords in the column "{column}".',
      why: 'Anyone who can read the repository learns these passwords and can try to log in with the accounts. A deployment can also overwrite passwords that were changed in the database.',
      fix: 'Move {file} to test/data, which CAP deploys only in development, and change the passwords wherever they were deployed. Create production users without committed passwords, for instance in an identity provider.',
      variants: {
        hashes: {
          message: 'The initial data file {file} contains password hashes in the column "{column}".',
          why: 'Anyone who can read the repository can try to recover the passwords from these hashes and log in with the accounts. A deployment can also overwrite passwords that were changed in the database.',
        },
        people: {
          title: 'Personal data in initial database data',
          message: 'The initial data file {file} contains personal data of {count} named people in the column "{column}".',
          why: 'The data is copied into every clone of the repository and every database: anyone with access to the source code can read it, and it cannot be erased everywhere on request (GDPR).',
          fix: 'Delete the rows of these people from {file}; for tests, put fictitious rows into test/data. If the people are real, also delete their data from the Git history and from the databases.',
        },
      },
    },
    fr: {
      title: 'Mots de passe dans les données initiales de la base',
      message: 'Le fichier de données initiales {file} contient des mots de passe dans la colonne "{column}".',
      why: 'Toute personne pouvant lire le dépôt connaît ces mots de passe et peut tenter de se connecter avec ces comptes. Un déploiement peut en outre écraser des mots de passe modifiés dans la base.',
      fix: 'Déplacez {file} vers test/data, que CAP ne déploie qu’en développement, et changez les mots de passe partout où ils ont été déployés. Créez les utilisateurs de production sans mot de passe dans le dépôt, par exemple dans un fournisseur d’identité.',
      variants: {
        hashes: {
          message: 'Le fichier de données initiales {file} contient des empreintes de mots de passe dans la colonne "{column}".',
          why: 'Toute personne pouvant lire le dépôt peut tenter de retrouver les mots de passe à partir de ces empreintes et de se connecter avec ces comptes. Un déploiement peut en outre écraser des mots de passe modifiés dans la base.',
        },
        people: {
          title: 'Données personnelles dans les données initiales de la base',
          message:
            'Le fichier de données initiales {file} contient, dans la colonne "{column}", des données personnelles de {count} personnes identifiées par leur nom.',
          why: 'Ces données sont copiées dans chaque clone du dépôt et chaque base de données : toute personne ayant accès au code source peut les lire, et elles ne peuvent pas être effacées partout sur demande (RGPD).',
          fix: 'Supprimez de {file} les lignes de ces personnes ; pour les tests, placez des lignes fictives dans test/data. Si les personnes sont réelles, supprimez aussi leurs données de l’historique Git et des bases de données.',
        },
      },
    },
  }),
})

function passwords(file: string, table: CsvTable): Match | undefined {
  for (const [index, cell] of table.header.entries()) {
    if (!isPasswordColumn(cell)) continue
    const values = valuesOf(table, index).filter(isPasswordValue)
    if (values.length === 0) continue
    const match = { at: placeOf(file, cell), args: { column: cell.text.trim(), file } }
    return values.every(isHashed) ? { ...match, variant: 'hashes' } : match
  }
  return undefined
}

const FIRST_NAME = /^(?:first|given|fore|vor)_?name|^fname$/i
const LAST_NAME = /^(?:last|family|sur|nach)_?name|^lname$/i
const FULL_NAME = /^(?:full|display)?_?name$/i
const OF_PEOPLE = /(?:user|person|people|employee|customer|patient|contact|member|student|applicant|candidate)s?\.csv$/i
const MAIL = /^(?:\w*_)?e?_?mail(?:_?address|_?id)?$|^\w{0,20}email(?:address)?$/i
const NUMBER =
  /^(?:\w*_)?(?:iban|ssn|social_?security_?(?:number|no)|credit_?card_?(?:number|no)?|card_?number|passport_?(?:number|no))$/i

/** An address at a domain that may exist. */
const REAL_MAIL = /^[a-z][\w.+-]{1,60}@(?:[a-z\d-]{1,60}\.){1,4}[a-z]{2,12}$/i
const MADE_UP =
  /[@.](?:example|test|invalid|localhost|local|internal|demo|sample|dummy|fake|acme|contoso|bestrun|foo|bar|itelo|domain|company|email|mailinator|yourcompany|mycompany|abc|xyz)(?:\.[a-z.]{2,12})?$|[@.](?:sap|bestrun|tc\.sap)$/i
/** Of a firm, not of a person. */
const OF_A_FIRM =
  /^(?:info|sales|contact|support|office|hello|admin|service|mail|team|noreply|no-reply|test|user|demo|dummy|sample)[\w.+-]{0,10}@/i
const REAL_NUMBER =
  /^(?:[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,7}(?: ?[A-Z\d]{1,3})?|\d{3}-\d{2}-\d{4}|(?:\d[ -]?){13,19}|[A-Z]{1,2}\d{6,8})$/i

/** One may be the author of the file. */
const MIN_PEOPLE = 2

/** Rows of people: first and last names, and what reaches them. */
function people(file: string, table: CsvTable): Match | undefined {
  const has = (pattern: RegExp): boolean => table.header.some(({ text }) => pattern.test(text.trim()))
  const isNamed = (has(FIRST_NAME) && has(LAST_NAME)) || (has(FULL_NAME) && OF_PEOPLE.test(file))
  if (!isNamed) return undefined
  for (const [index, cell] of table.header.entries()) {
    const column = cell.text.trim()
    const isMail = MAIL.test(column)
    if (!isMail && !NUMBER.test(column)) continue
    const values = new Set(valuesOf(table, index).filter((value) => (isMail ? isOfPerson(value) : REAL_NUMBER.test(value))))
    if (values.size < MIN_PEOPLE) continue
    return { at: placeOf(file, cell), args: { column, file, count: String(values.size) }, variant: 'people' }
  }
  return undefined
}

function isOfPerson(mail: string): boolean {
  return REAL_MAIL.test(mail) && !MADE_UP.test(mail) && !OF_A_FIRM.test(mail)
}

function valuesOf({ rows }: CsvTable, index: number): string[] {
  return rows.map((row) => row[index]?.text.trim().slice(0, 300) ?? '')
}

function placeOf(file: string, { start, end }: CsvCell): Match['at'] {
  return { file, span: { start, end } }
}
