import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import {
  constantOf,
  directParts,
  excerptOf,
  type Binding,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { append } from '../../../lists.ts'
import type { Span } from '../../../types.ts'
import { isAccountPassword } from '../../../model/script/index.ts'
import { callsByFunction, isSetBody, statementText } from './statements.ts'

/** A password of a user that a script of XS classic reads from a row and answers. */
export interface AnsweredPassword {
  readonly at: Span
  readonly value: string
  readonly column: string
  /** The script asks for a privilege. */
  readonly isChecked: boolean
  /** The script knows who calls, or hashes something: whose password it is, and whether in clear, is not known. */
  readonly isUnsure: boolean
}

/**
 * `record.PASSWORD = rows.getString(2)`, where the record becomes a part of `$.response.setBody(…)`. What the caller had to send to get the row is no news.
 * Facts: SAP HANA XS JavaScript API Reference, $.db.ResultSet (getString, by the position of the column), $.response (setBody).
 */
export const answeredPasswords: Extract<AnsweredPassword> = defineExtract({
  name: 'cap-xs-answered-passwords',
  keywords: ['password', 'passwd', 'pwd', 'passwort', 'senha', 'contrasena'],
  isFor: (path) => /\.xsjs$/i.test(path),
  prefilter: (text) => text.includes('setBody') && /\.getN?String\(/.test(text),
  *collect({ facts, text, step }) {
    const passwords = readPasswords(facts, step)
    if (passwords.size === 0) return
    const isChecked = /AppPrivilege|SystemPrivilege/.test(text)
    const isUnsure = UNSURE.test(text)
    for (const { start, end } of answeredValues(facts, step)) {
      const column = passwords.get(start)
      if (column === undefined) continue
      passwords.delete(start)
      yield { at: { start, end }, value: excerptOf(text, { start, end }), column, isChecked, isUnsure }
    }
  },
})

const UNSURE = /\bgetUsername\b|(?:hash|sha\d|md5|bcrypt|crypt)\w{0,20}\s{0,4}[.(]/i

/** Where a script reads a column of passwords from a row, with its name. */
function readPasswords({ calls, assignments }: ScriptFacts, step: (count?: number) => void): Map<number, string> {
  step(calls.length + assignments.length)
  const fields = new Map(assignments.map(({ target, value }) => [value.start, target.name] as const))
  const found = new Map<number, string>()
  for (const { callee, args, start } of calls) {
    const [position] = args
    if (callee.kind !== 'member' || position === undefined || !/^getN?String$/.test(callee.name ?? '')) continue
    const statement = statementText(callee.object)
    if (statement === undefined || ASKED.test(statement)) continue
    const columns = columnsOf(statement)
    const column = columns === undefined ? fields.get(start) : columns[Number(constantOf(position)) - 1]
    if (column !== undefined && isAccountPassword(column)) found.set(start, column)
  }
  return found
}

/** The row is looked up by the password. */
const ASKED = /\b(?:password|passwd|pwd|passwort|senha|contrasena)["\\]{0,2}\s{0,9}(?:=|like)/i

/** The columns that a statement reads by name; undefined: all of a table, or what a procedure gives. */
function columnsOf(statement: string): readonly string[] | undefined {
  const [, list] =
    /^\s{0,200}select\s{1,20}(?:distinct\s{1,20}|top\s{1,20}\d{1,9}\s{1,20})?([^()]{1,4000}?)\sfrom\s/i.exec(statement) ?? []
  if (list === undefined) return /^\s{0,200}(?:\{\s{0,9})?call\s/i.test(statement) ? undefined : []
  if (list.includes('*')) return undefined
  return list.split(',').map((column) => column.match(/\w{1,100}/g)?.at(-1) ?? '')
}

/** All values that may become a part of what a script answers. */
function* answeredValues(facts: ScriptFacts, step: (count?: number) => void): Generator<Value> {
  const callers = callsByFunction(facts)
  const given = givenTo(facts.calls)
  const seen = new Set<Binding | Value>()
  const open: Value[] = facts.calls.flatMap((call) => (isSetBody(call) ? call.args : []))
  // a script may hold more values than a call takes arguments
  const push = (values: Iterable<Value>): void => {
    for (const value of values) open.push(value)
  }
  const enter = (binding: Binding | undefined): void => {
    if (binding === undefined || seen.has(binding)) return
    seen.add(binding)
    push(binding.definitions.flatMap(({ value }) => value ?? []))
    push(binding.additions)
    push(binding.nested ?? [])
    const at = binding.kind === 'parameter' ? binding.function.parameters.indexOf(binding) : -1
    if (at >= 0) push((callers.get(binding.function) ?? []).flatMap(({ args }) => args[at] ?? []))
    // what a function puts into it
    for (const { call, position } of given.get(binding) ?? []) enter(functionOf(call.callee)?.parameters[position])
  }
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (seen.has(value)) continue
    seen.add(value)
    step()
    yield value
    if (value.kind === 'reference') enter(value.binding)
    else if (value.kind === 'call') push(functionOf(value.callee)?.returns ?? value.args)
    else push(directParts(value))
  }
}

/** Names that functions of the script are given, with the positions. */
function givenTo(
  calls: readonly CallValue[],
): ReadonlyMap<Binding, readonly { readonly call: CallValue; readonly position: number }[]> {
  const found = new Map<Binding, { call: CallValue; position: number }[]>()
  for (const call of calls) {
    if (functionOf(call.callee) === undefined) continue
    for (const [position, value] of call.args.entries()) {
      if (value.kind !== 'reference' || value.binding === undefined) continue
      append(found, value.binding, { call, position })
    }
  }
  return found
}
