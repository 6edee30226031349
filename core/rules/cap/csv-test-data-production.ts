import type { CsvCell, CsvTable } from '../../parse/csv.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Users with passwords, or people with their accounts, in the data that is deployed with the model.
 *  Facts: capire, "Providing Initial Data": what lies in data and csv beside the model is deployed to every database and overwrites what is there;
 *  test/data is not. RFC 2606 and 6761: which domains nobody has. */
export const csvTestDataProduction: Rule = defineRule({
  id: 'cap/csv-test-data-production',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [489],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/databases/initial-data',
  on: 'csv',

  *check({ path, content: { table } }) {
    if (/[._-](?:texts|i18n)\.csv$/i.test(path)) return
    const match = passwords(path, table) ?? people(path, table)
    if (match !== undefined) yield match
  },

  text: {
    en: {
      title: 'Users with passwords are deployed with the model',
      message: 'Column {column} of {file} holds passwords or their hashes.',
      why: 'CAP writes these rows to the productive database with every deployment: accounts whose passwords stand in the repository.',
      fix: 'Move the file to test/data, where only local runs and tests read it.',
      variants: {
        people: {
          title: 'Data of people are deployed with the model',
          message: 'Column {column} of {file} holds {count} addresses or numbers of people with their names.',
          why: 'Data of people lie in the repository, in every clone of it and in every database that it is deployed to, and nobody can delete them there.',
          fix: 'Move the file to test/data and make up its rows: names that nobody has, with addresses at example.com.',
        },
      },
    },
    fr: {
      title: 'Des utilisateurs avec mot de passe sont déployés avec le modèle',
      message: 'La colonne {column} de {file} contient des mots de passe ou leurs empreintes.',
      why: 'CAP écrit ces lignes dans la base productive à chaque déploiement : des comptes dont les mots de passe sont dans le dépôt.',
      fix: 'Déplacez le fichier dans test/data, que seuls les exécutions locales et les tests lisent.',
      variants: {
        people: {
          title: 'Des données personnelles sont déployées avec le modèle',
          message: 'La colonne {column} de {file} contient {count} adresses ou numéros de personnes avec leurs noms.',
          why: 'Des données personnelles se trouvent dans le dépôt, dans chacun de ses clones et dans chaque base où il est déployé, et personne ne peut les y effacer.',
          fix: 'Déplacez le fichier dans test/data et inventez ses lignes : des noms que personne ne porte, avec des adresses en example.com.',
        },
      },
    },
  },
})

const PASSWORD =
  /^(?:\w*_)?(?:user|login|initial|temp(?:orary)?|hashed|plain|encrypted)?_?(?:password|passwd|passwort|pwd)(?:_?(?:hash|hashed|value))?$/i
/** What a column of that name holds where it holds no password. */
const NO_PASSWORD =
  /^(?:|true|false|null|yes|no|x|\*+|-+|\d{1,3}|\d{4}-\d\d-\d\d.{0,40}|<[^>]{0,100}>|\$\{.{0,100}|changeme|tbd|n\/a)$/i

function passwords(file: string, table: CsvTable): Match | undefined {
  for (const [index, cell] of table.header.entries()) {
    if (!PASSWORD.test(cell.text.trim())) continue
    const isUsed = valuesOf(table, index).some((value) => value.length >= 4 && !NO_PASSWORD.test(value))
    if (isUsed) return { at: placeOf(file, cell), args: { column: cell.text.trim(), file } }
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

/** An address of a person at a domain that somebody has. */
const REAL_MAIL = /^[a-z][\w.+-]{1,60}@(?:[a-z\d-]{1,60}\.){1,4}[a-z]{2,12}$/i
const MADE_UP =
  /[@.](?:example|test|invalid|localhost|local|internal|demo|sample|dummy|fake|acme|contoso|foo|bar|itelo|domain|company|email|mailinator|yourcompany|mycompany|abc|xyz)(?:\.[a-z.]{2,12})?$|[@.](?:sap|bestrun|tc\.sap)$/i
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
