import { createCodeReader, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { append } from '../../../lists.ts'
import { blankComments } from '../../../model/reach/index.ts'
import { isLogCall } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { isFixed } from './fixed-values.ts'

/** Of a query of whose row nothing is read but whether there is one. */
export interface Existence {
  /** An account may be there already: whoever finds one is refused. Without a look at the length, also what else hangs on a row. */
  readonly isAccount: boolean
  /** The route answers by constants, and does nothing else behind the query. */
  readonly isTold: boolean
  /** A state of the row is asked as well, `if (!user.verified)`, and nothing else of it is read. */
  readonly isOfState: boolean
}

interface Words {
  readonly code: string
  readonly places: ReadonlyMap<string, readonly number[]>
}

/** Whether nothing of the row that a query finds is read, `if (!found)`, and what becomes of that. Each function is read once: it may hold thousands of queries. */
export function createExistenceReader(
  text: string,
  facts: ScriptFacts,
  step: (count?: number) => void,
): (call: CallValue) => Existence {
  const words = createCodeReader(text, (written) => {
    step(written.length)
    return wordsIn(blankComments(written))
  })
  return (call) => {
    const { start, args, function: around } = call
    const last = args.at(-1)
    // db.query(statement, values, (error, rows) => …)
    const callback = last && functionOf(last)
    const stored = STORED_IN.exec(text.slice(Math.max(around.start, start - LONGEST_QUERY), start + 1))?.[1]
    const found = callback === undefined ? stored : callback.parameters[1]?.name
    if (found === undefined) return NOTHING
    const { code, places } = words(callback ?? around)
    const uses = (places.get(found) ?? []).slice(callback === undefined ? 0 : 1)
    step(uses.length)
    const kinds = uses.map((index) => useAt(code, index, found))
    if (kinds.includes('other')) return NOTHING
    const tests = kinds.flatMap((use) => (typeof use === 'object' ? [use] : []))
    const isOfState = tests.some((one) => one.ofState)
    if (isOfState) return { ...NOTHING, isOfState }
    const refuses = tests.length > 0 && tests.every(({ isRefused }) => isRefused) && MAKES_ROW.test(code)
    const isPlain = callback === undefined && tests.every(({ ofLength }) => !ofLength)
    const behind = `${words(around).code.slice(call.end - around.start)}\n${callback === undefined ? '' : code}`
    const isTold = !GIVES.test(behind) && isToldOnly(call, callback, facts, step)
    return { isAccount: refuses || isPlain || isTold, isTold, isOfState }
  }
}

const NOTHING: Existence = { isAccount: false, isTold: false, isOfState: false }

interface Test {
  readonly ofLength: boolean
  readonly ofState: boolean
  /** Whoever finds a row is refused: `if (rows.length > 0) return res.sendStatus(409)`. */
  readonly isRefused: boolean
}

/** What becomes of a name there: a test whether it is, or that it is given a value. */
function useAt(code: string, index: number, name: string): Test | 'stored' | 'other' {
  const before = code.slice(Math.max(0, index - LONGEST_FRONT), index)
  const behind = code.slice(index + name.length, index + name.length + LONGEST_TEST)
  // the key of an object: `{ user: req.body.user }`
  if (/(?:[{,]|^)\s{0,12}$/.test(before) && /^\s{0,4}:/.test(behind)) return 'stored'
  if (!/(?:!|\bif\s{0,4}\()\s{0,4}$/.test(before)) return /^\s{0,4}(?:=(?!=)|;)/.test(behind) ? 'stored' : 'other'
  const asked = /^(\??\.length(?:\s{0,4}[<>=!]{1,3}\s{0,4}\d{1,2})?)?\s{0,4}[)&|]/.exec(behind)
  if (asked === null) return OF_STATE.test(behind) ? { ofLength: false, ofState: true, isRefused: false } : 'other'
  return { ofLength: asked[1] !== undefined, ofState: false, isRefused: !/!\s{0,4}$/.test(before) && REFUSED.test(behind) }
}

/** Behind the query the route answers by constants, and may log an error; neither is anything else called, another function reached nor a value kept. */
function isToldOnly(
  query: CallValue,
  callback: FunctionFact | undefined,
  { calls }: ScriptFacts,
  step: (count?: number) => void,
): boolean {
  const around = query.function
  const isBehind = (span: Span): boolean =>
    (span.start >= query.end && isWithin(span, around)) || (callback !== undefined && isWithin(span, callback))
  step(calls.length)
  const behind = calls.filter(isBehind)
  const given = [around, ...(callback ? [callback] : [])].flatMap(({ returns }) => returns.filter(isBehind))
  const answers = behind.filter((call) => !isLogCall(call))
  return answers.length > 0 && [...answers, ...given].every((value) => isAnswer(value, around))
}

/** `res.status(401).json({ success: false })`, of the function that asks. */
function isAnswer(value: Value, around: FunctionFact): boolean {
  let here = value
  for (let left = MAX_CHAIN; left > 0; left--) {
    if (here.kind !== 'call' || here.callee.kind !== 'member') return false
    const { name = '', object } = here.callee
    if (!ANSWERS.test(name) || !here.args.every((given) => isFixed(given))) return false
    if ('binding' in object)
      return object.binding?.kind === 'parameter' && object.binding.function === around && /^_?res/.test(object.binding.name)
    here = object
  }
  return false
}

/** Where names stand in code, but for those of members. */
function wordsIn(code: string): Words {
  const places = new Map<string, number[]>()
  for (const { 0: word, index } of code.matchAll(/[A-Za-z_$][\w$]*/g)) {
    if (code[index - 1] !== '.') append(places, word, index)
  }
  return { code, places }
}

const OF_STATE =
  /^\??\.(?:is_?)?(?:verified|confirmed|activated?|enabled|disabled|blocked|locked|deleted|suspended)(?:_?at)?\s{0,4}[)&|]/i
const ANSWERS = /^(?:status|json|send|sendStatus)$/
const MAX_CHAIN = 3
/** A value that is kept. */
const GIVES = /(?<![=!<>])=(?![=>])|\+\+|--|\bthrow\b/
export const MAKES_ROW: RegExp = /\bINSERT\b|\.(?:create|insertOne|insertMany)\(|\bnew [A-Z]\w{0,60}\(/
const REFUSED =
  /^(?:\??\.length(?:\s{0,4}(?:>\s{0,4}0|>=\s{0,4}1|!==?\s{0,4}0))?)?\s{0,4}\)\s{0,40}(?:\{\s{0,40})?(?:return\s{1,4}\w{1,20}\.(?:json|send|status|sendStatus)\(|\w{1,20}\.(?:status|sendStatus)\(\s{0,4}4\d\d)/
/** `const user = await db.run(SELECT.one…`: the name of what a query finds. */
const STORED_IN =
  /(?:\b(?:const|let|var)\s{1,4}|[;{}]\s{0,40})([A-Za-z_$][\w$]{0,60})\s{0,4}=\s{0,4}(?:await\s{1,4})?[\w$.( ]{0,80}$/
const LONGEST_QUERY = 200
const LONGEST_FRONT = 12
const LONGEST_TEST = 160
