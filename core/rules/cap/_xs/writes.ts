import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import {
  accessesOf,
  constantOf,
  excerptOf,
  pathOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import type { Span } from '../../../types.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { executesWrite } from './statements.ts'

/** Calls of functions followed back from a write. */
const MAX_CALLERS = 6
/** A procedure that reads by its name. */
const READS = /^(?:get|read|fetch|find|list|search|count|is|has|check|select|query|calculate|validate)(?:[A-Z_]|$)/

/** A script of XS classic that writes for GET, too; or one that reads or sets cookies, and so may keep sessions of its own. */
type XsGet =
  | { readonly kind: 'cookies' }
  | {
      readonly kind: 'write'
      readonly at: Span
      readonly effect: string
      /** `connection.prepareStatement($.request.parameters.get('sql'))`, where the whole statement comes from the request. */
      readonly chosen: string | undefined
    }

export const xsGets: Extract<XsGet> = defineExtract({
  name: 'cap-xs-gets',
  keywords: ['executeUpdate', 'executeBatch', '.execute(', 'executeQuery', 'loadProcedure', 'prepareCall', '.cookies'],
  isFor: (path) => /\.xsjs(?:lib)?$/i.test(path),
  *collect({ facts, path, text, step }) {
    if (/\b(?:request|response)\.cookies\b/.test(text)) yield { kind: 'cookies' }
    if (!/\.xsjs$/i.test(path) || !text.includes('request.parameters') || /request\.method\b/.test(text)) return
    const write = findXsWrite(facts, step)
    if (write === undefined) return
    const { start, end } = write
    step(facts.calls.length)
    const chosen = facts.calls.find(isChosenStatement)
    const effect = excerptOf(text, write)
    yield { kind: 'write', at: { start, end }, effect, chosen: chosen && excerptOf(text, chosen) }
  },
})

function isChosenStatement({ callee, args: [statement] }: CallValue): boolean {
  if (statement === undefined || !/^(?:prepareStatement|executeUpdate)$/.test(lastNameOf(callee) ?? '')) return false
  return accessesOf(statement).some(({ root, steps }) => root === 'global:$' && steps.join('.') === 'request.parameters.get.()')
}

/**
 * The first write of a script of XS classic that needs no body of a request: a link has none. A procedure that is called and committed is one.
 * Facts: SAP HANA XS JavaScript API Reference, $.db.PreparedStatement (executeUpdate), $.db.CallableStatement, $.hdb.Connection (loadProcedure, commit: without it nothing is kept).
 */
function findXsWrite(facts: ScriptFacts, step: (count?: number) => void): CallValue | undefined {
  const bodies = facts.calls.filter(({ callee }) => pathOf(callee)?.join('.').startsWith('global:$.request.body.'))
  return facts.calls.find((call) => {
    step()
    if (!isWrite(call, facts, step)) return false
    return bodies.length === 0 || isWithoutBody(call, call.function, bodies, facts, step, 0)
  })
}

/** Whether a call changes rows. Facts: as of `findXsWrite`; $.db.PreparedStatement (executeBatch). */
export function isWrite(call: CallValue, facts: ScriptFacts, step: (count?: number) => void): boolean {
  return isStatement(call) || executesWrite(call, facts, step) || isCommitted(call, facts, step)
}

/** `statement.executeUpdate()`, `connection.executeUpdate('DELETE …')`. */
function isStatement({ callee }: CallValue): boolean {
  return 'object' in callee && /^execute(?:Update|Batch)$/.test(lastNameOf(callee) ?? '')
}

/** `var reset = connection.loadProcedure('…::reset'); reset(); connection.commit()`; the same of `prepareCall`. */
function isCommitted({ callee, function: around }: CallValue, { calls }: ScriptFacts, step: (count?: number) => void): boolean {
  const isRun = 'object' in callee && /^execute$/.test(callee.name ?? '')
  const made = resolveValue(isRun ? callee.object : callee)
  if (!('callee' in made) || lastNameOf(made.callee) !== (isRun ? 'prepareCall' : 'loadProcedure')) return false
  if (made.args.some((argument) => readsByName(String(constantOf(argument) ?? '')))) return false
  step(calls.length)
  return calls.some(({ callee: other, function: within }) => within === around && lastNameOf(other) === 'commit')
}

/** `db::getFree`, `"SHOP"."GET_FREE"`. */
function readsByName(procedure: string): boolean {
  const name = procedure.replaceAll('"', '').split(/[:.]/).at(-1) ?? ''
  return READS.test(name) || READS.test(name.toLowerCase())
}

/** Whether a place is reached without one of the calls that read the body: they stand in other branches, and so do those on the way of its callers. */
function isWithoutBody(
  at: Span,
  around: FunctionFact,
  bodies: readonly CallValue[],
  facts: ScriptFacts,
  step: (count?: number) => void,
  depth: number,
): boolean {
  const { guards, calls } = facts
  step(guards.length * bodies.length + calls.length)
  const isBeside = (body: CallValue): boolean =>
    guards.some(({ inside }) => isWithin(body, inside) && (at.start < inside.start || inside.end < at.end))
  if (bodies.some((body) => body.function === around && !isBeside(body))) return false
  if (around.kind === 'file') return true
  const callers = calls.filter(({ callee }) => functionOf(callee) === around)
  return depth < MAX_CALLERS && callers.some((caller) => isWithoutBody(caller, caller.function, bodies, facts, step, depth + 1))
}
