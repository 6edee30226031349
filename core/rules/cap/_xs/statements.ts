import {
  accessesOf,
  constantOf,
  pathOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { append } from '../../../lists.ts'

/** How much of a chain from a result back to the text of its statement is followed. */
const MAX_DEPTH = 6

/**
 * The text of the statement that a value of XS classic runs or came from, `?` where it is put together: of a prepared statement, of what executing it gives.
 * Facts: SAP HANA XS JavaScript API Reference, $.db.Connection (prepareStatement, prepareCall), $.db.PreparedStatement (executeQuery), $.db.CallableStatement (getResultSet).
 */
export function statementText(value: Value, depth = 0): string | undefined {
  const made = resolveValue(value)
  if (made.kind !== 'call' || made.callee.kind !== 'member' || depth > MAX_DEPTH) return undefined
  const [text] = made.args
  if (PREPARES.test(made.callee.name ?? '')) return text && writtenText(text)
  return GIVES_ROWS.test(made.callee.name ?? '') ? statementText(made.callee.object, depth + 1) : undefined
}

const PREPARES = /^prepare(?:Statement|Call)$/
const GIVES_ROWS = /^(?:executeQuery|getResultSet)$/

/** The text of a value, `?` for each part that is not known. */
export function writtenText(value: Value): string | undefined {
  const made = resolveValue(value)
  const text = constantOf(made)
  if (text !== undefined) return String(text)
  if (made.kind !== 'concat' && made.kind !== 'template') return undefined
  return made.parts.map((part) => String(constantOf(part) ?? '?')).join('')
}

/**
 * Whether `statement.execute()` of a prepared statement writes: its text says so, also one that a variable is given elsewhere, or is unknown and what it does is committed in the same function.
 * `executeQuery` runs what changes rows as well, and gives no rows of it.
 * Facts: SAP HANA XS JavaScript API Reference, $.db.PreparedStatement (execute runs any statement), $.db.Connection (commit: without it nothing is kept).
 */
export function executesWrite(
  { callee, args, function: around }: CallValue,
  { calls }: ScriptFacts,
  step: (count?: number) => void,
): boolean {
  if (!('object' in callee)) return false
  if (callee.name === 'executeQuery') {
    const [given] = args
    const [text = ''] = given === undefined ? preparedTexts(callee.object, step, lastText) : lastText(given, step)
    return WRITES.test(text) && calls.some((call) => lastNameOf(call.callee) === 'commit')
  }
  if (callee.name !== 'execute') return false
  const texts = preparedTexts(callee.object, step)
  if (texts.some((text) => WRITES.test(text))) return true
  if (texts.length === 0 || texts.some((text) => READS.test(text))) return false
  step(calls.length)
  return calls.some(({ callee: other, function: within }) => within === around && lastNameOf(other) === 'commit')
}

const WRITES = /^[\s(]{0,200}(?:insert|update|delete|upsert|merge|replace)\s/i
const READS = /^[\s(]{0,200}(?:select|with|call|set)\b/i

/** The texts that a prepared statement may have: one for each that a name in it is given, `?` for what is not known. */
export function preparedTexts(
  value: Value,
  step: (count?: number) => void,
  textsOf: typeof givenTexts = givenTexts,
): readonly string[] {
  return lastGiven(value, step).flatMap((made) => {
    const isPrepared = 'callee' in made && lastNameOf(made.callee) === 'prepareStatement'
    const [text] = isPrepared ? made.args : []
    return text === undefined ? [] : textsOf(text, step)
  })
}

/** The last value in front of a place that uses it: a name is often used again for the next statement. */
function lastGiven(value: Value, step: (count?: number) => void): readonly Value[] {
  return givenValues(value, step)
    .filter(({ end }) => end <= value.start || end === value.end)
    .slice(-1)
}

function lastText(value: Value, step: (count?: number) => void): readonly string[] {
  return lastGiven(value, step).map((one) => writtenText(one) ?? '?')
}

function givenTexts(value: Value, step: (count?: number) => void): readonly string[] {
  return givenValues(value, step).map((one) => writtenText(one) ?? '?')
}

/** What a value may be: of a name everything that it is given as a whole; no start, such as `null` or `''`. */
function givenValues(value: Value, step: (count?: number) => void): readonly Value[] {
  const definitions = 'binding' in value ? (value.binding?.definitions ?? []) : []
  if (definitions.length < 2) return [resolveValue(value)]
  step(definitions.length)
  return definitions.flatMap((one) => {
    const isWhole = one.path.length === 0 && one.operator === '='
    return one.value !== undefined && isWhole && !isStart(one.value) ? [resolveValue(one.value)] : []
  })
}

function isStart(value: Value): boolean {
  const text = constantOf(value)
  return text === '' || text === null
}

/** A script of XS classic answers. Fact: SAP HANA XS JavaScript API Reference, $.response (setBody). */
export function isSetBody({ callee }: CallValue): boolean {
  return pathOf(callee)?.join('.') === 'global:$.response.setBody'
}

/** Calls of functions of a script, by the function. */
export function callsByFunction({ calls }: ScriptFacts): ReadonlyMap<FunctionFact, readonly CallValue[]> {
  const found = new Map<FunctionFact, CallValue[]>()
  for (const call of calls) {
    const own = functionOf(call.callee)
    if (own !== undefined) append(found, own, call)
  }
  return found
}

/**
 * Tells what the request holds: a parameter, a field of its parsed body, also by way of functions of the script.
 * Fact: SAP HANA XS JavaScript API Reference, $.request (parameters, body).
 */
export function createRequestReader(
  callers: ReadonlyMap<FunctionFact, readonly CallValue[]>,
  step: (count?: number) => void,
): (value: Value) => boolean {
  const isSent = (value: Value, depth: number): boolean => {
    step()
    if (depth > MAX_DEPTH) return false
    if (accessesOf(value).some(({ root, steps }) => root === 'global:$' && steps[0] === 'request' && READ.test(steps[1] ?? '')))
      return true
    switch (value.kind) {
      case 'reference': {
        const { binding } = value
        if (binding?.kind === 'parameter') {
          const at = binding.function.parameters.indexOf(binding)
          return (callers.get(binding.function) ?? []).some(({ args }) => {
            const given = args[at]
            return given !== undefined && isSent(given, depth + 1)
          })
        }
        return binding?.definitions.some((one) => one.value !== undefined && isSent(one.value, depth + 1)) === true
      }
      case 'member':
        return isSent(value.object, depth + 1)
      case 'call':
        if (value.callee.kind === 'member' && SAME_TEXT.test(value.callee.name ?? ''))
          return isSent(value.callee.object, depth + 1)
        return PARSES.test(lastNameOf(value.callee) ?? '') && value.args.some((given) => isSent(given, depth + 1))
      default:
        return false
    }
  }
  return (value) => isSent(value, 0)
}

const READ = /^(?:parameters|body)$/
const SAME_TEXT = /^(?:trim|toString|toUpperCase|toLowerCase|replace)$/
const PARSES = /^(?:parse|String|Number|parseInt|decodeURIComponent)$/
