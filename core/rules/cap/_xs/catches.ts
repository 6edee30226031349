import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { accessesOf, isConstant, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import type { Span } from '../../../types.ts'

/**
 * Blocks of `catch` in scripts of XS classic that get exceptions of fixed statements alone: their texts stand in the code, whatever values they are given as parameters.
 * Facts: SAP HANA XS JavaScript API Reference, $.db.Connection (prepareStatement, prepareCall), $.hdb.Connection (executeQuery, executeUpdate, loadProcedure).
 */
export const fixedCatches: Extract<Span> = defineExtract({
  name: 'cap-xs-fixed-catches',
  keywords: ['catch'],
  isFor: (path) => /\.xsjs(?:lib)?$/i.test(path),
  prefilter: (text) => STATEMENT_CALL.test(text),
  *collect({ facts, text, step }) {
    const isFixed = createFixedReader(facts, text, step)
    for (const { tried, start, end } of facts.partial)
      if (tried !== undefined && !text.slice(start, end).includes('.stack') && isFixed(tried)) yield { start, end }
  },
})

const STATEMENT_CALL = /\.(?:prepareStatement|prepareCall|executeQuery|executeUpdate|loadProcedure)\s{0,10}\(/
/** Calls that are given the text of a statement first. */
const STATEMENTS: ReadonlySet<string> = new Set([
  'prepareStatement',
  'prepareCall',
  'executeQuery',
  'executeUpdate',
  'loadProcedure',
])
/** What belongs to the server below `$`; other names there are libraries that were imported. Fact: SAP HANA XS JavaScript API Reference. */
const OWN_API: ReadonlySet<string> = new Set([
  'db',
  'hdb',
  'request',
  'response',
  'session',
  'trace',
  'util',
  'net',
  'security',
  'web',
  'text',
])
const MAX_DEPTH = 4

/** Tells whether what is tried, with the functions of the script that it calls, runs fixed statements and nothing of which the script does not tell what it throws. */
function createFixedReader({ calls }: ScriptFacts, text: string, step: (count?: number) => void): (tried: Span) => boolean {
  const known = new Map<Span, boolean>()
  const isFixed = (part: Span, depth: number): boolean => {
    const before = known.get(part)
    if (before !== undefined) return before
    known.set(part, true)
    step(1 + (calls.length >> 3))
    const answer =
      !/\bthrow\b/.test(text.slice(part.start, part.end)) &&
      calls.every((call) => !isWithin(call, part) || isFixedCall(call, depth))
    known.set(part, answer)
    return answer
  }
  const isFixedCall = (call: CallValue, depth: number): boolean => {
    const { callee, args } = call
    const own = ownFunctions(callee)
    if (own.length > 0) return depth < MAX_DEPTH && own.every((one) => isFixed(one, depth + 1))
    const [statement] = args
    if (STATEMENTS.has(lastNameOf(callee) ?? '') && statement !== undefined) return isConstant(statement)
    if (!('object' in callee)) return call.kind === 'new' || BUILT_IN.has(lastNameOf(callee) ?? '')
    return accessesOf(callee).every(
      ({ root, steps: [first = '', ...more] }) =>
        !root.startsWith('module:') && (root !== 'global:$' || (OWN_API.has(first) && !more.includes('import'))),
    )
  }
  return (tried) => isFixed(tried, 0)
}

/** What a name of the script calls; a function that is declared twice may be either. */
function ownFunctions(callee: Value): readonly FunctionFact[] {
  const one = functionOf(callee)
  if (one !== undefined) return [one]
  const values = callee.kind === 'reference' ? (callee.binding?.definitions.map(({ value }) => value) ?? []) : []
  return values.every((value) => value?.kind === 'function')
    ? values.flatMap((value) => (value?.kind === 'function' ? value.function : []))
    : []
}

/** Functions of the language. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'parseInt',
  'parseFloat',
  'Number',
  'String',
  'Boolean',
  'Date',
  'Array',
  'Object',
  'isNaN',
  'encodeURIComponent',
  'decodeURIComponent',
  'encodeURI',
  'decodeURI',
  'escape',
  'unescape',
])
