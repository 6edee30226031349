import {
  constantOf,
  fieldOf,
  methodsBack,
  pathOf,
  resolveValue,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isFewCharacters } from '../../../facts/regex/costly.ts'
import { regexOf } from '../../../facts/regular-expressions.ts'
import { isWithin } from '../../../facts/span-index.ts'

/** A regular expression that a schema or a chain of checks runs on what a program gets. */
export interface DeclaredPattern {
  readonly at: Value
  readonly pattern: string
  readonly flags: string
  /** What declares it: `pattern` of a chain, or the field of a schema. */
  readonly by: string
  /** It names a part of a request by itself. */
  readonly isOfRequest: boolean
}

/** Facts: zod 4, "Defining schemas"; joi 18, "string.pattern"; yup 1 (README, "string.matches"); express-validator 7, "matches"; class-validator 0.14 (README, "Matches"). */
const CHAINS = /^module:(?:zod|joi|@hapi\/joi|yup|express-validator)(?:\/|$)/
/** Of these, those that stop at the first fault. */
const STOPPING = /^module:(?:joi|@hapi\/joi)(?:\/|$)/
const REQUESTS = 'module:express-validator'
const ASKING = /^(?:regex|pattern|matches)$/
const LIMITING = /^(?:max|length|isLength)$/

/** The patterns that a script declares for the values of others. `step` counts what is looked at. */
export function* declaredPatterns(facts: ScriptFacts, step: (count?: number) => void): Generator<DeclaredPattern> {
  for (const call of facts.calls) {
    step()
    const name = lastNameOf(call.callee) ?? ''
    const [given] = call.args
    if (given === undefined) continue
    if (ASKING.test(name) && call.callee.kind === 'member') yield* inChain(call, given, name, step)
    else if (name === 'Matches' && pathOf(call.callee)?.[0] === 'module:class-validator') yield* toPattern(given, name, false)
    else if (call.kind === 'new' && name === 'Schema' && pathOf(call.callee)?.[0] === 'module:mongoose')
      yield* inSchema(given, facts, step)
  }
}

function* toPattern(at: Value, by: string, isOfRequest: boolean): Generator<DeclaredPattern> {
  const regex = regexOf(at)
  if (regex !== undefined) yield { at, ...regex, by, isOfRequest }
}

/**
 * `z.string().regex(/x/)`. A limit in front of it helps where the chain stops there: joi does, express-validator behind `bail()`; zod and yup go on.
 * Facts: zod 4.1 (run), yup 1.7 (index.js, `_runTests`), joi 17 (lib/validator.js, `abortEarly`), express-validator 7.3 (lib/chain/context-runner-impl.js).
 */
function* inChain(call: CallValue, given: Value, name: string, step: () => void): Generator<DeclaredPattern> {
  if (regexOf(given) === undefined) return
  let root = ''
  let [isLimited, mayStop, stops] = [false, false, false]
  for (const { call: link, object } of methodsBack(call, resolveValue)) {
    step()
    const method = lastNameOf(link.callee) ?? ''
    if (method === 'bail') mayStop = true
    if (LIMITING.test(method) && link.args.some(isShort)) {
      isLimited = true
      stops ||= mayStop
    }
    root = pathOf(object)?.[0] ?? pathOf(link.callee)?.[0] ?? root
  }
  if (isLimited && (stops || STOPPING.test(root))) return
  if (CHAINS.test(root)) yield* toPattern(given, name, root === REQUESTS)
}

/** `20`, `[20, 'too long']`, `{ max: 20 }`. */
function isShort(given: Value): boolean {
  const here = resolveValue(given)
  const limit = here.kind === 'array' ? here.items[0] : (fieldOf(here, 'max')?.value ?? here)
  return limit !== undefined && isFewCharacters(constantOf(limit))
}

const MAX_DEPTH = 6

/** `{ email: { type: String, match: /x/ } }`. Fact: Mongoose 8, "Validation". */
function* inSchema(
  given: Value,
  facts: ScriptFacts,
  step: (count?: number) => void,
  depth = 0,
  field = 'match',
): Generator<DeclaredPattern> {
  const schema = resolveValue(given)
  step()
  if (depth > MAX_DEPTH) return
  if (schema.kind === 'array') for (const item of schema.items) yield* inSchema(item, facts, step, depth + 1, field)
  if (schema.kind !== 'object') return
  const limit = (fieldOf(schema, 'maxlength') ?? fieldOf(schema, 'maxLength'))?.value
  const isLimited = limit !== undefined && isShort(limit)
  const isPath = fieldOf(schema, 'type') !== undefined
  for (const { key, value } of schema.fields) {
    if (isPath && isLimited && (key === 'match' || key === 'validate')) continue
    if (isPath && key === 'match') yield* toPattern(firstOf(value), field, false)
    else if (isPath && key === 'validate') yield* inValidator(value, field, facts, step)
    else if (value.kind !== 'spread') yield* inSchema(value, facts, step, depth + 1, key)
  }
}

function firstOf(value: Value): Value {
  const here = resolveValue(value)
  return here.kind === 'array' ? (here.items[0] ?? value) : value
}

/** `validate: { validator: (text) => /x/.test(text) }`, `validate: [(text) => …, 'message']`. */
function* inValidator(
  given: Value,
  field: string,
  facts: ScriptFacts,
  step: (count?: number) => void,
): Generator<DeclaredPattern> {
  const here = resolveValue(firstOf(given))
  const fact = functionOf(fieldOf(here, 'validator')?.value ?? here)
  const [text] = fact?.parameters ?? []
  if (fact === undefined || text === undefined) return
  step(facts.calls.length)
  for (const { callee, args, start, end } of facts.calls) {
    if (!isWithin({ start, end }, fact) || callee.kind !== 'member') continue
    const isText = (value: Value | undefined): boolean => value?.kind === 'reference' && value.binding === text
    const isRun = /^(?:test|exec)$/.test(callee.name ?? '') && isText(args[0])
    if (isRun) yield* toPattern(callee.object, field, false)
    else if (/^(?:match|search)$/.test(callee.name ?? '') && isText(callee.object) && args[0] !== undefined)
      yield* toPattern(args[0], field, false)
  }
}
