import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf, constantOf, stringConstantOf, resolveValue, type CallValue, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isDeveloperFile, isOfUi5App, isPasswordName } from '../../../model/script/index.ts'
import { parseCsv } from '../../../parse/csv.ts'
import type { Span } from '../../../types.ts'
import { isHashed, isPasswordColumn } from './table-passwords.ts'

const CIPHERS = /^(?:create(?:C|Dec)ipher(?:iv)?|createHmac|importKey|deriveKey)$/
const HASHES = /(?<!create)hash|verif|compar|timingSafeEqual/i
/** Of functions whose result is a key. */
const OF_KEYS = /key|derive|crypt|cipher|vault|backup/i

/** The salt of a hash of passwords that is the same for all of them. */
export const constantSalts: Extract<Span> = defineExtract({
  name: 'cap-constant-salts',
  keywords: ['scrypt', 'pbkdf2'],
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  collect({ facts, text }) {
    // what is derived for a cipher is a key, which protects no password; nor is anything compared or stored where nothing says so
    if (!HASHES.test(text) || facts.calls.some(({ callee }) => CIPHERS.test(lastNameOf(callee) ?? ''))) return []
    const salts = facts.calls.flatMap((call) => saltOf(call) ?? [])
    // beside salts of their own a constant one is for users who are not there, so that the answer takes as long
    return salts.every(isWritten) ? salts.map(({ start, end }) => ({ start, end })) : []
  },
})

/** Tables of the data that CAP deploys, with hashes of passwords. */
export const hashTables: Extract<true> = defineExtract({
  name: 'cap-hash-tables',
  keywords: ['passw', 'pwd'],
  inTables: true,
  isFor: (path) => /(?:^|\/)(?:data|csv)\/[^/]{1,200}\.csv$/.test(path),
  *collectText(text) {
    const { header, rows } = parseCsv(text)
    const columns = header.flatMap((cell, index) => (isPasswordColumn(cell) ? index : []))
    if (columns.some((index) => rows.some((row) => isHashed(row[index]?.text.trim() ?? '')))) yield true
  },
})

/** `scryptSync(password, salt, 64)`, of a password that a user enters. Facts: Node.js 24, "Crypto", `scrypt` and `pbkdf2`. */
function saltOf({ callee, args: [password, salt], function: { name: around } }: CallValue): Value | undefined {
  if (password === undefined || salt === undefined || !/^(?:scrypt|pbkdf2)(?:Sync)?$/.test(lastNameOf(callee) ?? ''))
    return undefined
  if (OF_KEYS.test(around)) return undefined
  const entered = resolveValue(password)
  const name = lastNameOf(entered) ?? lastNameOf(password)
  // a setting, of which one key is made
  const isSetting = constantOf(entered) !== undefined || /^[A-Z\d_]+$/.test(name ?? '') || isRead(password)
  return name !== undefined && isPasswordName(name) && !isSetting ? salt : undefined
}

/** `cds.env.requires.vault.password`, `process.env.PASSWORD`, and what another file of the project says. */
function isRead(password: Value): boolean {
  return accessesOf(password).some(
    ({ root, steps }) => !steps.includes('()') && (root.startsWith('module:.') || steps.includes('env')),
  )
}

/** A text of the code, also as bytes. */
function isWritten(salt: Value): boolean {
  const here = resolveValue(salt)
  const [bytes] = 'args' in here && lastNameOf(here.callee) === 'from' ? here.args : []
  const text = stringConstantOf(bytes ?? here)
  return text !== undefined && text !== ''
}
