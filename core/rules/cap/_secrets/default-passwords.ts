import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { resolveValue, type CallValue, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createDevelopmentReader, isDeployedCode, isLoginPassword, runsInBrowser } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { KEEPS, wordOf } from '../_callers/known-administrators.ts'
import { createRowReader, hashingOf } from './password-rows.ts'
import { writtenColumns } from '../_rows/written-columns.ts'

/** A text whose hash becomes the password of each new account. */
export interface DefaultPassword extends Span {
  readonly password: string
  /** Of the column, as the code writes it. */
  readonly field: string
}

/** `req.data.passwordHash = await bcrypt.hash('…', 12)`, `INSERT.into(Users).entries({ password: hashed })` in scripts of servers. */
export const defaultPasswords: Extract<DefaultPassword> = defineExtract({
  name: 'cap-default-passwords',
  keywords: ['hash', 'Hash', 'scrypt', 'pbkdf2'],
  prefilter: (text) => /(?:hash|scrypt|pbkdf2|encrypt)\w{0,20}\(\s{0,9}["'`\w]/i.test(text) && /pass|pwd/i.test(text),
  isFor: isDeployedCode,
  *collect({ path, facts, step }) {
    if (runsInBrowser(path, facts)) return
    const isForDevelopers = createDevelopmentReader(facts)
    const isRow = createRowReader(facts)
    for (const call of facts.calls) {
      step()
      for (const { name, value } of columnsOf(call)) {
        const word = isLoginPassword(name) ? hashedWord(value) : undefined
        if (word !== undefined && !isForDevelopers(call)) yield { ...word, field: name }
      }
    }
    for (const { target, value } of facts.assignments) {
      step()
      const { name = '', object } = target
      if (!isLoginPassword(name) || !isRow(object)) continue
      const word = hashedWord(value)
      if (word !== undefined && !isForDevelopers(value)) yield { ...word, field: name }
    }
  },
})

function columnsOf(call: CallValue): readonly { readonly name: string; readonly value: Value }[] {
  const columns = writtenColumns(call)
  if (columns.length > 0 || !KEEPS.test(lastNameOf(call.callee) ?? '')) return columns
  return call.args.flatMap((given) => {
    const made = resolveValue(given)
    const rows = 'items' in made ? made.items.map(resolveValue) : [made]
    return rows.flatMap((row) =>
      'fields' in row ? row.fields.flatMap(({ key, value }) => (key === undefined ? [] : { name: key, value })) : [],
    )
  })
}

/** The literal in `await bcrypt.hash('…', 12)`; no text that is stored as it is. */
function hashedWord(value: Value): Omit<DefaultPassword, 'field'> | undefined {
  const hashing = hashingOf(value)
  const word = hashing && wordOf(hashing, 0)
  return word && { start: word.start, end: word.end, password: word.password }
}
