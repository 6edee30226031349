import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  constantOf,
  stringConstantOf,
  resolveValue,
  type CallValue,
  type ScriptFacts,
  type Value,
  directCall,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { findCallbacks } from '../../../facts/callbacks.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** A statement that a driver sends to the database past CAP: its text, where an injection into it is reported too. */
export interface NativeSql extends Span {
  readonly call: string
}

const DRIVERS =
  /^module:(?:hdb|hdb-pool|@sap\/hana-client|@sap\/hdbext|@sap\/hdbext-promisfied|sap-hdbext-promisfied|pg|sqlite3|better-sqlite3|mysql2?|mssql|oracledb)(?:\/|$)/
const METHODS = /^(?:exec|execute|executeQuery|prepare|preparePromisified|statementExecPromisified|query|all|get|each|run)$/
const STATEMENT = /^\s*(?:select|insert|update|delete|upsert|merge|call|truncate|with)\b/i
/** Nothing of the application is in these. */
const OF_SYSTEM = /\bfrom\s+(?:dummy|sys\.|m_|"?public"?\."?m_|sqlite_|pg_|information_schema)|^\s*select\s+1\b/i

export const nativeSql: Extract<NativeSql> = defineExtract({
  name: 'cap-native-sql',
  keywords: ['hana-client', 'hdb', "'pg'", '"pg"', 'sqlite3', 'mysql', 'mssql', 'oracledb'],
  isFor: isDeployedCode,
  collect: ({ facts }) => [...findNativeSql(facts)],
})

function* findNativeSql(facts: ScriptFacts): Generator<NativeSql> {
  if (!facts.imports.some(({ source }) => DRIVERS.test(`module:${source}`))) return
  const callbacks = findCallbacks(facts)
  for (const written of facts.calls) {
    const { callee, args, kind } = directCall(written)
    if (kind !== 'call' || callee.kind !== 'member' || callee.name === undefined || args[0] === undefined) continue
    const text = textOf(args[0])
    if (text !== undefined && (OF_SYSTEM.test(text) || !STATEMENT.test(text))) continue
    const { start, end } = callee
    if (
      METHODS.test(callee.name) &&
      (isOfDriver(callee.object, facts, callbacks) || (text !== undefined && isConnection(callee.object)))
    )
      yield { start, end, call: callee.name }
  }
}

/** A connection that a driver made, also one that it hands to a callback. */
function isOfDriver(value: Value, facts: ScriptFacts, callbacks: ReturnType<typeof findCallbacks>): boolean {
  return accessesOf(value).some(({ root, binding, steps }) => {
    if (DRIVERS.test(root)) return true
    const callback = binding?.definitions[0]?.kind === 'parameter' ? callbacks.get(binding.function) : undefined
    // a statement that was prepared has been reported there
    if (callback !== undefined && isDriverCall(callback.call))
      return lastNameOf(callback.call.callee)?.startsWith('prepare') !== true
    if (root !== 'this' || steps.length === 0) return false
    return facts.assignments.some(
      ({ target, value: given }) =>
        target.name === steps[0] &&
        target.object.kind === 'this' &&
        accessesOf(given).some((access) => DRIVERS.test(access.root)),
    )
  })
}

/** `client` in a file that loads a driver: handed over by a function of the file. */
function isConnection(value: Value): boolean {
  return value.kind === 'reference' && /^(?:client|connection|conn|pool|db)$/.test(value.name)
}

function isDriverCall({ callee }: CallValue): boolean {
  return accessesOf(callee).some(({ root }) => DRIVERS.test(root))
}

/** What stands at the beginning of a text. */
function textOf(value: Value): string | undefined {
  const here = resolveValue(value)
  if (here.kind === 'template') return here.texts.join('?')
  if (here.kind === 'concat') return here.parts.map((part) => String(constantOf(part) ?? '?')).join('')
  return stringConstantOf(here)
}
