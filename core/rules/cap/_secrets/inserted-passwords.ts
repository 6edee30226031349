import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import type { Scripts } from '../../../extracts/scripts.ts'
import { resolveValue, type CallValue, type ObjectValue, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import {
  ACCOUNT_PASSWORD_KEYWORDS,
  createDevelopmentReader,
  isAccountPassword,
  isDeployedCode,
  runsInBrowser,
} from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { createSeedScriptReader, listBehind } from '../_callers/known-administrators.ts'
import { entityOf, intoOf } from '../_handlers/query-chains.ts'
import { comparedPasswords } from './plain-comparisons.ts'

/** A password in the code, in a row of an account that a query of CAP stores as it is. */
interface InsertedPassword extends Span {
  readonly column: string
  readonly entity: string
  readonly password: string
}

/** `INSERT.into(Members).entries([{ mail: '…', password: '…' }])`, also one by one in a loop. Fact: capire, "INSERT" and "UPSERT" (the database alone is asked: no handler hashes). */
export const insertedPasswords: Extract<InsertedPassword> = defineExtract({
  name: 'cap-inserted-passwords',
  keywords: ACCOUNT_PASSWORD_KEYWORDS,
  prefilter: (text) => /\b(?:IN|UP)SERT\b/.test(text),
  isFor: isDeployedCode,
  *collect({ path, facts, step }) {
    if (runsInBrowser(path, facts)) return
    const isForDevelopers = createDevelopmentReader(facts)
    for (const call of facts.calls) {
      const entity = insertedInto(call)
      if (entity === undefined || isForDevelopers(call)) continue
      for (const row of call.args.flatMap((given) => rowsOf(given, { facts, step }))) {
        step(row.fields.length)
        const field = row.fields.find(({ key }) => isAccountPassword(key ?? ''))
        const value = field && resolveValue(field.value)
        if (field?.key === undefined || value?.kind !== 'literal' || typeof value.value !== 'string' || !isWord(value)) continue
        if (!row.fields.some(({ key }) => ACCOUNT.test(key ?? ''))) continue
        yield { start: value.start + 1, end: value.end - 1, column: field.key, entity, password: value.value }
      }
    }
  },
})

/** The entity of `INSERT.into(Members).entries(rows)`, `UPSERT.into(Members, rows)`. */
function insertedInto({ callee, args }: CallValue): string | undefined {
  if (!('object' in callee)) return undefined
  const method = lastNameOf(callee)
  if (method === 'into' && args.length > 1 && isInsert(callee.object)) return entityOf(args[0])
  if (method !== 'entries') return undefined
  const into = intoOf(callee.object)
  return into !== undefined && 'object' in into.callee && isInsert(into.callee.object) ? entityOf(into.args[0]) : undefined
}

function isInsert(value: Value): boolean {
  return /^(?:IN|UP)SERT$/.test(lastNameOf(value) ?? '')
}

/** Rows that are written in the code: `{ … }`, a list of them, what a loop takes out of such a list. */
function rowsOf(given: Value, script: Parameters<typeof listBehind>[1]): readonly ObjectValue[] {
  const made = resolveValue(given)
  const list = 'binding' in made && made.binding !== undefined ? listBehind(made.binding, script) : made
  const rows = list === undefined ? [] : 'items' in list ? list.items.map(resolveValue) : [list]
  return rows.flatMap((row) => (row.kind === 'object' ? [row] : []))
}

/** What names an account beside its password. */
export const ACCOUNT: RegExp = /^(?:e?mail|user_?name|login|role|user_?id|name)$/i

/** A text that is written in the call itself, and is neither a hash nor filled in later. */
export function isWord(value: Value): boolean {
  return (
    value.kind === 'literal' &&
    typeof value.value === 'string' &&
    /^[^<{$][^<{]{3,60}$/.test(value.value) &&
    !/^[\da-f]{32,}$/i.test(value.value)
  )
}

/** Passwords in the code that a login of the project accepts: it compares the column with what the client sends. Needs `insertedPasswords`, `comparedPasswords` and `ownLoads`. */
export function* knownPasswords(scripts: Scripts): Generator<{ readonly file: string; readonly value: InsertedPassword }> {
  const found = scripts.get(insertedPasswords)
  if (found.length === 0) return
  const compared = scripts.get(comparedPasswords).map(({ value }) => value)
  const columns = new Set(compared.flatMap(({ column, entity }) => (entity === undefined ? column.toLowerCase() : [])))
  const asked = new Set(compared.map(({ column, entity }) => `${entity ?? ''} ${column.toLowerCase()}`))
  const isByHand = createSeedScriptReader(
    scripts,
    found.map(({ file }) => file),
  )
  for (const one of found) {
    const column = one.value.column.toLowerCase()
    if ((columns.has(column) || asked.has(`${one.value.entity} ${column}`)) && !isByHand(one.file)) yield one
  }
}
