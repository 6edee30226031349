import { accessesOf, findPart, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { receiverOf } from '../../facts/asked-values.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isXsScript, leadingTextOf } from '../../model/script/index.ts'
import type { FlowDraft } from '../graph/draft.ts'

/**
 * Tables that the exit of an OData service gets: the row that a client sends (`after`), and that which it replaces (`before`).
 * Fact: SAP HANA Developer Guide for XS classic, "Custom Exits for OData Write Requests" (param.connection, afterTableName, beforeTableName).
 */
const SENT = 'afterTableName'
const EXIT_TABLES: ReadonlySet<string | undefined> = new Set([SENT, 'beforeTableName'])

const READING = /^\s*(?:select|with)\b/i
/** What sequences and aggregate functions give are numbers; the table DUMMY holds one row of the database's own. */
const NO_DATA = /\bnextval\b|\bfrom "?dummy\b|\b(?:count|max|min|sum|avg) ?\(/i

/** Adds what scripts of XS classic read from the database: rows that clients sent before, and in exits of OData services that which one sends now. */
export function addResultSets({ facts, path, text, ends: { sources }, use, show, step }: FlowDraft): void {
  if (!isXsScript(path)) return
  step(facts.calls.length)
  const prepared = facts.calls.filter(({ callee }) => lastNameOf(callee) === 'prepareStatement')
  const places = new Map<Value, number>(prepared.map((call, place) => [call, place]))
  for (const call of facts.calls) {
    const statement = lastNameOf(call.callee) === 'executeQuery' ? statementOf(call, prepared, places) : undefined
    if (statement === undefined || !READING.test(leadingTextOf(statement).text)) continue
    const isSent = findPart(statement, (part) => lastNameOf(part) === SENT && isOfParameter(part)) !== undefined
    const written = resolveValue(statement)
    if (!isSent && NO_DATA.test(text.slice(written.start, written.end))) continue
    const node = use(call)
    sources.push({ node, origin: isSent ? 'request' : 'stored', weak: false })
    show(node, call)
  }
}

/** `param.afterTableName`: a name that the server makes. */
export function isExitTable(value: Value & { readonly kind: 'member' }, path: string): boolean {
  return EXIT_TABLES.has(value.name) && isXsScript(path) && isOfParameter(value)
}

function isOfParameter(value: Value): boolean {
  return accessesOf(value).some(({ binding, steps }) => steps.length === 1 && binding?.definitions[0]?.parameter !== undefined)
}

/** The text of `connection.executeQuery(text)`, and of `connection.prepareStatement(text).executeQuery()`: of a name that is given several statements the last one before. */
function statementOf(call: CallValue, prepared: readonly CallValue[], places: ReadonlyMap<Value, number>): Value | undefined {
  const [written] = call.args
  const receiver = receiverOf(call)
  if (written !== undefined || receiver === undefined) return written
  let last = -1
  findPart(receiver, (part) => {
    const place = part.end < call.end ? (places.get(part) ?? -1) : -1
    last = Math.max(last, place)
    return false
  })
  return prepared[last]?.args[0]
}
