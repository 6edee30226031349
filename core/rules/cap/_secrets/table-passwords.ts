import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { parseCsv, type CsvCell } from '../../../parse/csv.ts'
import type { Span } from '../../../types.ts'

const PASSWORD =
  /^(?:\w*_)?(?:user|login|initial|temp(?:orary)?|hashed|plain|encrypted)?_?(?:password|passwd|passwort|pwd)(?:_?(?:hash|hashed|value))?$/i
/** Values of a password column that are no passwords. */
const NO_PASSWORD =
  /^(?:|true|false|null|yes|no|x|\*+|-+|\d{1,3}|\d{4}-\d\d-\d\d.{0,40}|<[^>]{0,100}>|\$\{.{0,100}|changeme|tbd|n\/a)$/i

const HASH = /^(?:\$[\w-]+\$|\{[\w-]+\}|pbkdf2)/i
const DIGEST = /^[a-f\d]+$/i
/** The same of 128, 160, 256, 384 and 512 bits in base64. */
const BASE64 = /^(?:[A-Za-z\d+/]{22}==|[A-Za-z\d+/]{27}=|[A-Za-z\d+/]{43}=|[A-Za-z\d+/]{64}|[A-Za-z\d+/]{86}==)$/
/** Names of columns that say that no password stands there as it is. */
const NOT_PLAIN = /hash|encrypt|digest|cipher/i

/** A column for passwords or their hashes, by its name. */
export function isPasswordColumn({ text }: CsvCell): boolean {
  return PASSWORD.test(text.trim())
}

/** A password or its hash, and no mark for one that is missing. */
export function isPasswordValue(value: string): boolean {
  return value.length >= 4 && !NO_PASSWORD.test(value)
}

/** `$2b$10$…`, `{SSHA}…`, digests of 128 bits or more as hexadecimal digits or in base64. */
export function isHashed(value: string): boolean {
  return HASH.test(value) || (value.length >= 32 && DIGEST.test(value)) || BASE64.test(value)
}

/** A column of initial data with passwords as they are; the span is that of its name. */
export interface StoredAccount extends Span {
  readonly column: string
  /** An account of the table is called like that of an administrator. */
  readonly isAdministrator: boolean
}

const ADMINISTRATORS = /^(?:[a-z]{1,20}[ ._-])?(?:admin|administrator|root|superuser|superadmin|sysadmin)(?:[ ._@-]|$)/i

/** Tables in the folders from which CAP deploys them. Fact: capire, "Providing Initial Data". */
export const storedAccounts: Extract<StoredAccount> = defineExtract({
  name: 'cap-stored-accounts',
  keywords: ['passw', 'pwd'],
  inTables: true,
  isFor: (path) => /(?:^|\/)(?:data|csv)\/[^/]{1,200}\.csv$/.test(path) && !/[._-](?:texts|i18n)\.csv$/i.test(path),
  *collectText(text) {
    const { header, rows } = parseCsv(text)
    for (const [index, cell] of header.entries()) {
      if (!isPasswordColumn(cell) || NOT_PLAIN.test(cell.text)) continue
      const accounts = rows.filter((row) => {
        const value = row[index]?.text.trim().slice(0, 300) ?? ''
        return isPasswordValue(value) && !isHashed(value)
      })
      if (accounts.length === 0) continue
      const isAdministrator = accounts.some((row) =>
        row.some(({ text: value }, at) => at !== index && ADMINISTRATORS.test(value.trim())),
      )
      yield { start: cell.start, end: cell.end, column: cell.text.trim(), isAdministrator }
    }
  },
})
