import { holdsAny } from '../holds-any.ts'
import {
  isOnTheWay,
  findPart,
  keyOf,
  pathOf,
  resolveValue,
  isStrictPattern,
  type CallValue,
  type ObjectValue,
  type ScriptFacts,
  type Value,
  constantOf,
  stringConstantOf,
  fieldOf,
  methodsBack,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { awaited } from '../../facts/conditions.ts'
import { isProof, type Constraint, type Proof, proves } from '../../conditions/constraint.ts'
import type { FunctionParts } from '../../conditions/parts.ts'
import { isFewCharacters } from '../../facts/regex/costly.ts'
import type { Conditions } from '../../conditions/walk.ts'
import type { FlowSchema, ProvedField } from '../check-types.ts'
import { checkedEdge } from '../solve/asked-edges.ts'
import { CLEAN, COPY, WRITE, ANY_FIELD } from '../types.ts'
import { PROMISING, SCHEMA_CLEANS, SCHEMA_LIBRARIES, JSON_SCHEMAS } from '../models/schemas.ts'
import { createPassedReader, type ProofReader } from './asserted.ts'
import type { FlowDraft } from '../graph/draft.ts'
import type { CheckingScript } from '../graph/input.ts'
import { moduleBehind } from '../calls/modules.ts'

const OF_LIST =
  /^(?:number|int|int32|float32|float64|bigint|boolean|bool|date|enum|nativeEnum|literal|valid|equal|only|oneOf|null|undefined)$/
const OF_FORM =
  /^(?:uuid|uuidv[4-8]|guid|cuid2?|ulid|nanoid|alphanum|hex|isoDate|datetime|creditCard|superRefine|custom|transform|check)$/
/** Ask a function whether a value fits. */
const ASKING = /^(?:refine|test)$/
const PATTERNS = /^(?:regex|pattern|matches)$/
const WRAPPING = /^(?:optional|nullable|nullish|readonly|array|promise|lazy)$/
const MAX_DEPTH = 4

/** The shape that a schema of the file describes; undefined: it is none, or nobody can tell. */
function shapeOf(given: Value, conditions: Conditions, depth = 0): Shape | undefined {
  if (depth > MAX_DEPTH) return undefined
  const [first, ...others] = [...methodsBack(resolveValue(given), schemaBehind)].map(({ call }) => call).toReversed()
  const path = first && pathOf(first.callee)
  if (first === undefined || path === undefined || !SCHEMA_LIBRARIES.test(path.join(' '))) return undefined
  const shape = others.reduce((inner, link) => refined(inner, link, conditions), baseOf(first, conditions, depth))
  return path[0] === PROMISING ? { ...shape, isOfYup: true } : shape
}

/** `z` of `z.coerce` in `z.coerce.number()`. */
function schemaBehind(given: Value): Value {
  const here = resolveValue(given)
  return here.kind === 'member' ? resolveValue(here.object) : here
}

function nameOf({ callee }: CallValue): string {
  return callee.kind === 'member' ? (callee.name ?? '') : ''
}

function baseOf(call: CallValue, conditions: Conditions, depth: number): Shape {
  const name = nameOf(call)
  const [argument] = call.args
  const inner = argument && resolveValue(argument)
  if (/^(?:object|strictObject|looseObject|keys)$/.test(name))
    return {
      proofs: [],
      fields: new Map(
        inner?.kind === 'object'
          ? inner.fields.flatMap(({ key, value }) =>
              key === undefined ? [] : [[key, shapeOf(value, conditions, depth + 1) ?? FORMED] as const],
            )
          : [],
      ),
    }
  if (WRAPPING.test(name) && argument !== undefined) {
    const shape = shapeOf(argument, conditions, depth + 1) ?? ANY
    return name === 'array' ? { proofs: [], item: shape } : shape
  }
  return refined(ANY, call, conditions)
}

/** The shape behind one more method of the chain. */
function refined(shape: Shape, call: CallValue, conditions: Conditions): Shape {
  const name = nameOf(call)
  const [argument] = call.args
  if (name === 'array') return argument === undefined ? { proofs: [], item: shape } : shape
  if (name === 'items' && argument !== undefined) return { proofs: [], item: shapeOf(argument, conditions) ?? ANY }
  if ((name === 'shape' || name === 'extend' || name === 'keys') && argument !== undefined) {
    const more = baseOf(
      { ...call, callee: { ...call.callee, ...(call.callee.kind === 'member' && { name: 'object' }) } },
      conditions,
      1,
    )
    return { proofs: [], fields: new Map([...(shape.fields ?? []), ...(more.fields ?? [])]) }
  }
  const isText = shape.fields === undefined && shape.item === undefined
  if (isText && /^(?:max|length)$/.test(name) && isFewCharacters(argument && constantOf(argument)))
    return { ...shape, proofs: [...shape.proofs, { kind: 'short' }] }
  if (OF_LIST.test(name)) return { ...shape, proofs: KNOWN.proofs }
  const asked = ASKING.test(name) ? call.args.findLast((given) => functionOf(given) !== undefined) : undefined
  if (asked !== undefined) return asking(shape, conditions.constraintsOfItems(asked))
  const isStrict = PATTERNS.test(name) && argument !== undefined && isStrictPattern(argument)
  return OF_FORM.test(name) || ASKING.test(name) || isStrict ? { ...shape, proofs: [...shape.proofs, ...FORMED.proofs] } : shape
}

/** What a function proves of the value that a schema asks it about, and of its fields. */
function asking(shape: Shape, constraints: readonly Constraint[]): Shape {
  if (shape.fields === undefined) return { ...shape, proofs: [...shape.proofs, ...provedByAsked(constraints)] }
  const fields = new Map(shape.fields)
  for (const { of, ...proof } of constraints) {
    const field = fields.get(of.slice(1))
    if (of.startsWith(' ') && field !== undefined && isProof(proof))
      fields.set(of.slice(1), { ...field, proofs: [...field.proofs, proof] })
  }
  return { ...shape, fields }
}

const GIVING = /^(?:parse|parseAsync|validateSync|validateAsync|cast|attempt)$/
const TELLING = /^(?:safeParse|safeParseAsync|validate|spa)$/

const NOTHING: readonly Proof[] = []

interface Validation {
  readonly call: CallValue
  readonly given: Value
  readonly shape: Shape
  /** It throws where the value does not fit; else its result says so. */
  readonly throws: boolean
}

/** `Order.parse(req.data)`, `schema.validate(order)`, `Joi.attempt(order, schema)`. */
function validationOf(call: CallValue, conditions: Conditions): Validation | undefined {
  const name = nameOf(call)
  const [first, second] = call.args
  if (call.callee.kind !== 'member' || first === undefined || (!GIVING.test(name) && !TELLING.test(name))) return undefined
  const isAttempt = name === 'attempt' && second !== undefined && SCHEMA_LIBRARIES.test((pathOf(call.callee) ?? []).join(' '))
  const shape = shapeOf(isAttempt ? second : call.callee.object, conditions)
  return shape && { call, given: first, shape, throws: GIVING.test(name) }
}

/** Connects what a schema gives with what it was given: as it is, but for the fields that it checks. Of a schema of another file that is known when files are joined. */
export function connectSchema(call: CallValue, result: number, draft: FlowDraft): boolean {
  const { graph, use } = draft
  const found = validationOf(call, draft.checks.parts.conditions)
  if (found === undefined) {
    connectImported(call, result, draft)
    return false
  }
  const { given, shape, throws } = found
  const from = graph.add(call)
  const to = graph.add(call)
  graph.connect(use(given), from, CLEAN, SCHEMA_CLEANS.join(' '))
  const edge = checkedEdge(provedBy(shape))
  if (edge !== 'gone') graph.connect(from, to, ...edge)
  connectGiven(to, result, throws, draft)
  // the `validate` of yup promises the value
  if (nameOf(call) === 'validate' && shape.isOfYup === true) graph.connect(to, result, COPY)
  return true
}

/** Connects what a function gets with what a package has compared with its schema before: `tool(run, { schema })`. What no schema of the file describes does not get there. */
export function connectFitting(schema: Value, from: number, to: number, { graph, checks }: FlowDraft): void {
  const { conditions } = checks.parts
  const given = resolveValue(schema)
  const shape = shapeOf(given, conditions) ?? (given.kind === 'object' ? shapeOfFields(given, conditions) : undefined)
  const edge = shape === undefined ? 'gone' : checkedEdge(provedBy(shape))
  if (edge !== 'gone') graph.connect(from, to, ...edge)
}

/** `{ limit: z.number() }`, or the same as a JSON schema. */
function shapeOfFields(given: ObjectValue, conditions: Conditions): Shape {
  if (fieldOf(given, 'properties') !== undefined) return jsonShapeOf(given)
  return {
    ...ANY,
    fields: new Map(
      given.fields.flatMap(({ key, value }) => (key === undefined ? [] : [[key, shapeOf(value, conditions) ?? KNOWN] as const])),
    ),
  }
}

function connectGiven(to: number, result: number, throws: boolean, { graph }: FlowDraft): void {
  if (throws) graph.connect(to, result, COPY)
  else for (const name of ['data', 'value']) graph.connect(to, result, WRITE, name)
}

/** `Order.parse(req.data)` where another file of the project has the schema. */
function connectImported(call: CallValue, result: number, draft: FlowDraft): void {
  const name = nameOf(call)
  const [given] = call.args
  if (call.callee.kind !== 'member' || given === undefined || (!GIVING.test(name) && !TELLING.test(name))) return
  const module = moduleBehind(call.callee.object)
  if (module === undefined || !module.source.startsWith('.')) return
  const { graph, use, checks } = draft
  const [from, between, to] = [graph.add(call), graph.add(call), graph.add(call)]
  graph.connect(use(given), from, CLEAN, SCHEMA_CLEANS.join(' '))
  graph.connect(from, between, COPY)
  graph.connect(between, to, COPY)
  const schema = { source: module.source, name: module.name || 'default' }
  checks.asked.push({ from, between, to, by: { schema }, forms: ['throws'], isBelieved: true, path: [], within: [] })
  connectGiven(to, result, GIVING.test(name), draft)
  if (name === 'validate' && AWAITED.test(draft.text.slice(Math.max(0, call.start - NEAR), call.start)))
    graph.connect(to, result, COPY)
}

/** The `validate` of yup promises the value, that of others tells of it at once. */
const AWAITED = /\bawait\s$/
const NEAR = 10

/** The schemas that a file exports. */
export function exportedSchemas({ exports }: ScriptFacts, text: string, { conditions }: FunctionParts): readonly FlowSchema[] {
  if (!mayHoldSchemas(text)) return []
  return exports.flatMap(({ name, value }) => {
    const exported = value && resolveValue(value)
    const fields = exported?.kind === 'object' && name === 'default' ? exported.fields : []
    return [[name, value] as const, ...fields.map((field) => [field.key, field.value] as const)].flatMap(([own, given]) => {
      const shape = given === undefined || own === undefined ? undefined : shapeOf(given, conditions)
      return shape === undefined || own === undefined ? [] : [{ name: own, proved: provedBy(shape) }]
    })
  })
}

function mayHoldSchemas(text: string): boolean {
  return holdsAny(text, SCHEMA_WORDS) && SCHEMAS.test(text)
}

const SCHEMA_WORDS: readonly string[] = ['zod', 'joi', 'yup', 'ajv']
const SCHEMAS = /\b(?:zod|joi|yup|ajv)\b/

/** Tells what schemas have made sure of a value that they were given before. */
export function createSchemaReader({
  facts,
  text,
  step,
  parts,
}: Pick<CheckingScript, 'facts' | 'text' | 'step' | 'parts'>): ProofReader | undefined {
  if (!mayHoldSchemas(text)) return undefined
  const own = facts.calls.flatMap((call) => {
    const found = validationOf(call, parts.conditions) ?? jsonValidation(call)
    return found === undefined ? [] : givenIn(found.given).map(({ key, path }) => ({ ...found, key, path }))
  })
  if (own.length === 0) return undefined
  const isPassed = createPassedReader(facts, step)
  return (value) => {
    const key = keyOf(value)
    if (key === undefined) return NOTHING
    step(own.length)
    for (const { call, key: given, path, shape, throws } of own) {
      if (call.end > value.start || value.end > call.function.end || (key !== given && !key.startsWith(`${given} `))) continue
      if (!isPassed(call.start, value)) continue
      const within = key
        .slice(given.length + 1)
        .split(' ')
        .filter(Boolean)
      return throws || isAsked(call, value, facts) ? provedAtPath(shape, [...path, ...within]) : NOTHING
    }
    return NOTHING
  }
}

function jsonValidation(call: CallValue): Validation | undefined {
  const found = jsonValidationOf(call)
  return found && { call, ...found, throws: false }
}

/** The value that is given, or those that stand in an object made for it: `schema.parse({ name, zip: req.data.zip })`. */
function givenIn(given: Value): readonly { readonly key: string; readonly path: readonly string[] }[] {
  const made = resolveValue(given)
  const fields = made.kind === 'object' ? made.fields : []
  const parts: readonly { readonly value: Value; readonly path: readonly string[] }[] = [
    { value: given, path: [] },
    ...fields.flatMap(({ key, value }) => (key === undefined ? [] : [{ value, path: [key] }])),
  ]
  return parts.flatMap(({ value, path }) => {
    const key = keyOf(value)
    return key === undefined ? [] : [{ key, path }]
  })
}

/** `if (error) return`, `if (!result.success) throw …`, on the way to the value. */
function isAsked(call: CallValue, value: Value, { guards }: ScriptFacts): boolean {
  const isAbout = (part: Value): boolean => {
    if (part === call) return true
    if (part.kind !== 'reference') return false
    const definitions = part.binding?.definitions ?? []
    return definitions.some((one) => one.value !== undefined && (one.value === call || awaited(one.value) === call))
  }
  return guards.some(
    (guard) => guard.test.end >= call.end && isOnTheWay(guard, value.start) && findPart(guard.test, isAbout) !== undefined,
  )
}

/**
 * What a schema makes sure of: of the value itself, of fields of it, of the items of a list.
 * Facts: zod 4, "Defining schemas"; joi 18, "API reference"; yup 1 (README); JSON Schema 2020-12, "Validation".
 */
export interface Shape {
  readonly proofs: readonly Proof[]
  readonly fields?: ReadonlyMap<string, Shape>
  readonly item?: Shape
  readonly isOfYup?: true
}

/** Any text. */
const ANY: Shape = { proofs: [] }
/** A text of a form. */
export const FORMED: Shape = { proofs: [{ kind: 'form' }] }
/** One of a list, a number and the like. */
export const KNOWN: Shape = { proofs: [{ kind: 'listed' }] }

/** What a function proves that a schema asks, `refine((text) => !text.includes('<'))`; where nobody understands it, it is believed. */
export function provedByAsked(constraints: readonly Constraint[]): readonly Proof[] {
  const own = constraints.flatMap(({ of, ...proof }) => (of === '' ? proof : []))
  // how long it is says nothing of what nobody understands
  const short = own.filter(({ kind }) => kind === 'short')
  const isTold = own.some((one) => isProof(one) && one.kind !== 'short') || !proves(own, 'open')
  return isTold ? own : [...short, ...FORMED.proofs]
}

/** What is proved field by field of a value that a schema has let through. */
function provedBy({ proofs, fields, item }: Shape, path: readonly string[] = []): readonly ProvedField[] {
  return [
    ...(proofs.length === 0 ? [] : [{ path, proofs }]),
    ...[...(fields ?? [])].flatMap(([name, shape]) => provedBy(shape, [...path, name])),
    ...(item === undefined ? [] : provedBy(item, [...path, ANY_FIELD])),
  ]
}

/** What is proved of these fields. Whatever a schema says of a value: its author has thought of what may come. */
export function provedAtPath(shape: Shape, path: readonly string[]): readonly Proof[] {
  let here: Shape | undefined = shape
  for (const name of path) {
    // what another file describes is believed
    if (here !== undefined && proves(here.proofs, 'listed')) break
    here = here?.fields?.get(name) ?? here?.item
  }
  return [...(here?.proofs ?? []), { kind: 'asked' }]
}

const OF_JSON_LIST = /^(?:number|integer|boolean|null)$/
/** Formats in which no text of one's choosing fits. */
const OF_JSON_FORM = /^(?:uuid|date|time|date-time|duration|ipv[46])$/

/** The schema that a call of ajv validates with, and the value: `ajv.validate(schema, order)`, `validate(order)` of `ajv.compile(schema)`. Fact: ajv 8, "API". */
function jsonValidationOf({ callee, args: [first, second] }: CallValue): { given: Value; shape: Shape } | undefined {
  if (first === undefined) return undefined
  if (second !== undefined && callee.kind === 'member' && callee.name === 'validate')
    return isOfLibrary(callee) ? { given: second, shape: jsonShapeOf(first) } : undefined
  const made = callee.kind === 'reference' ? resolveValue(callee) : callee
  const [schema] = made.kind === 'call' ? made.args : []
  const isCompiled = made.kind === 'call' && made.callee.kind === 'member' && made.callee.name === 'compile'
  return isCompiled && schema !== undefined && isOfLibrary(made.callee) ? { given: first, shape: jsonShapeOf(schema) } : undefined
}

function isOfLibrary(callee: Value): boolean {
  return JSON_SCHEMAS.test((pathOf(callee) ?? []).join(' '))
}

function jsonShapeOf(given: Value, depth = 0): Shape {
  const schema = resolveValue(given)
  if (schema.kind !== 'object') return KNOWN
  if (depth > MAX_DEPTH) return ANY
  const text = (name: string): string => {
    const value = fieldOf(schema, name)?.value
    return String((value && constantOf(value)) ?? '')
  }
  const [properties, items, pattern] = ['properties', 'items', 'pattern'].map((name) => fieldOf(schema, name)?.value)
  if (fieldOf(schema, 'enum') !== undefined || fieldOf(schema, 'const') !== undefined || OF_JSON_LIST.test(text('type')))
    return KNOWN
  const isOfForm = OF_JSON_FORM.test(text('format')) || (pattern !== undefined && isStrictText(pattern))
  const inner = properties && resolveValue(properties)
  return {
    ...(isOfForm ? FORMED : ANY),
    ...(inner?.kind === 'object' && {
      fields: new Map(
        inner.fields.flatMap(({ key, value }) => (key === undefined ? [] : [[key, jsonShapeOf(value, depth + 1)] as const])),
      ),
    }),
    ...(items !== undefined && { item: jsonShapeOf(items, depth + 1) }),
  }
}

/** A pattern is written as a text: `'^[a-z]+$'`. */
function isStrictText(value: Value): boolean {
  const pattern = stringConstantOf(value)
  return pattern !== undefined && isStrictPattern({ kind: 'regex', start: value.start, end: value.end, pattern, flags: '' })
}
