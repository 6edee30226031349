import {
  isOnTheWay,
  findPart,
  keyOf,
  pathOf,
  resolveValue,
  isStrictPattern,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { awaited } from '../../facts/conditions.ts'
import { PLAIN_VALUE } from '../field-marks.ts'
import type { FlowSchema } from '../check-types.ts'
import { schemaEdge } from '../schema-edges.ts'
import { ANY_FIELD, CLEAN, COPY, WRITE } from '../types.ts'
import { PROMISING, SCHEMA_CLEANS, SCHEMA_LIBRARIES, TRUSTED_MESSAGE } from '../models/schemas.ts'
import { isPassed } from './asserted.ts'
import type { FlowDraft } from './draft.ts'
import { jsonValidationOf } from './json-schemas.ts'
import { moduleBehind } from './modules.ts'
import { ANY, letsAt, type Shape } from './schema-shapes.ts'

const KNOWN =
  /^(?:number|int|int32|float32|float64|bigint|boolean|bool|date|enum|nativeEnum|literal|valid|equal|only|oneOf|null|undefined)$/
const OF_FORM =
  /^(?:uuid|uuidv[4-8]|guid|cuid2?|ulid|nanoid|alphanum|hex|isoDate|datetime|creditCard|refine|superRefine|custom|test|transform|check)$/
const PATTERNS = /^(?:regex|pattern|matches)$/
const WRAPPING = /^(?:optional|nullable|nullish|readonly|array|promise|lazy)$/
const MAX_LINKS = 20
const MAX_DEPTH = 4

/** The shape that a schema of the file describes; undefined: it is none, or nobody can tell. */
function shapeOf(given: Value, depth = 0): Shape | undefined {
  if (depth > MAX_DEPTH) return undefined
  const links: CallValue[] = []
  let here = resolveValue(given)
  for (let hops = 0; hops < MAX_LINKS && here.kind === 'call' && here.callee.kind === 'member'; hops++) {
    links.unshift(here)
    here = resolveValue(here.callee.object)
    // z.coerce.number()
    if (here.kind === 'member') here = resolveValue(here.object)
  }
  const [first, ...others] = links
  const path = first && pathOf(first.callee)
  if (first === undefined || path === undefined || !SCHEMA_LIBRARIES.test(path.join(' '))) return undefined
  const shape = others.reduce((inner, link) => refined(inner, link), baseOf(first, depth))
  return path[0] === PROMISING ? { ...shape, isOfYup: true } : shape
}

function nameOf({ callee }: CallValue): string {
  return callee.kind === 'member' ? (callee.name ?? '') : ''
}

function baseOf(call: CallValue, depth: number): Shape {
  const name = nameOf(call)
  const [argument] = call.args
  const inner = argument && resolveValue(argument)
  if (/^(?:object|strictObject|looseObject|keys)$/.test(name))
    return {
      lets: 'any',
      fields: new Map(
        inner?.kind === 'object'
          ? inner.fields.flatMap(({ key, value }) =>
              key === undefined ? [] : [[key, shapeOf(value, depth + 1) ?? { lets: 'form' }] as const],
            )
          : [],
      ),
    }
  if (WRAPPING.test(name) && argument !== undefined) {
    const shape = shapeOf(argument, depth + 1) ?? ANY
    return name === 'array' ? { lets: 'any', item: shape } : shape
  }
  return refined(ANY, call)
}

/** The shape behind one more method of the chain. */
function refined(shape: Shape, call: CallValue): Shape {
  const name = nameOf(call)
  const [argument] = call.args
  if (name === 'array') return argument === undefined ? { lets: 'any', item: shape } : shape
  if (name === 'items' && argument !== undefined) return { lets: 'any', item: shapeOf(argument) ?? ANY }
  if ((name === 'shape' || name === 'extend' || name === 'keys') && argument !== undefined) {
    const more = baseOf({ ...call, callee: { ...call.callee, ...(call.callee.kind === 'member' && { name: 'object' }) } }, 1)
    return { lets: 'any', fields: new Map([...(shape.fields ?? []), ...(more.fields ?? [])]) }
  }
  if (KNOWN.test(name)) return { ...shape, lets: 'known' }
  const isStrict = PATTERNS.test(name) && argument !== undefined && isStrictPattern(argument)
  return (OF_FORM.test(name) || isStrict) && shape.lets === 'any' ? { ...shape, lets: 'form' } : shape
}

/** The fields that a schema checks, as a move behind checks names them. */
function marksOf({ lets, fields, item }: Shape, path: string): readonly string[] {
  if (path !== '' && lets !== 'any') return [`${lets === 'known' ? '-' : '~'}${path}`]
  const inner = (name: string): string => (path === '' ? name : `${path}.${name}`)
  return [
    ...[...(fields ?? [])].flatMap(([name, shape]) => marksOf(shape, inner(name))),
    ...(item === undefined ? [] : marksOf(item, inner(ANY_FIELD))),
  ]
}

const GIVING = /^(?:parse|parseAsync|validateSync|validateAsync|cast|attempt)$/
const TELLING = /^(?:safeParse|safeParseAsync|validate|spa)$/

interface Validation {
  readonly call: CallValue
  readonly given: Value
  readonly shape: Shape
  /** It throws where the value does not fit; else its result says so. */
  readonly throws: boolean
}

/** `Order.parse(req.data)`, `schema.validate(order)`, `Joi.attempt(order, schema)`. */
function validationOf(call: CallValue): Validation | undefined {
  const name = nameOf(call)
  const [first, second] = call.args
  if (call.callee.kind !== 'member' || first === undefined || (!GIVING.test(name) && !TELLING.test(name))) return undefined
  const isAttempt = name === 'attempt' && second !== undefined && SCHEMA_LIBRARIES.test((pathOf(call.callee) ?? []).join(' '))
  const shape = isAttempt ? shapeOf(second) : shapeOf(call.callee.object)
  return shape && { call, given: first, shape, throws: GIVING.test(name) }
}

/** Connects what a schema gives with what it was given: as it is, but for the fields that it checks. Of a schema of another file that is known when files are joined. */
export function connectSchema(call: CallValue, result: number, draft: FlowDraft): boolean {
  const { graph, use } = draft
  const found = validationOf(call)
  if (found === undefined) {
    connectImported(call, result, draft)
    return false
  }
  const { given, shape, throws } = found
  const from = graph.add(call)
  const to = graph.add(call)
  graph.connect(use(given), from, CLEAN, SCHEMA_CLEANS.join(' '))
  const edge = schemaEdge({ lets: shape.lets, marks: marksOf(shape, '') })
  if (edge !== undefined) graph.connect(from, to, ...edge)
  connectGiven(to, result, throws, draft)
  // the `validate` of yup promises the value
  if (nameOf(call) === 'validate' && shape.isOfYup === true) graph.connect(to, result, COPY)
  return true
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
  const { graph, use, schemaCalls } = draft
  const [from, to] = [graph.add(call), graph.add(call)]
  graph.connect(use(given), from, CLEAN, SCHEMA_CLEANS.join(' '))
  schemaCalls.push({ from, to, module: { source: module.source, name: module.name || 'default' } })
  connectGiven(to, result, GIVING.test(name), draft)
  if (name === 'validate' && AWAITED.test(draft.text.slice(Math.max(0, call.start - NEAR), call.start)))
    graph.connect(to, result, COPY)
}

/** The `validate` of yup promises the value, that of others tells of it at once. */
const AWAITED = /\bawait\s$/
const NEAR = 10

/** The schemas that a file exports. */
export function exportedSchemas({ exports }: ScriptFacts, text: string): readonly FlowSchema[] {
  if (!SCHEMAS.test(text)) return []
  return exports.flatMap(({ name, value }) => {
    const exported = value && resolveValue(value)
    const fields = exported?.kind === 'object' && name === 'default' ? exported.fields : []
    return [[name, value] as const, ...fields.map((field) => [field.key, field.value] as const)].flatMap(([own, given]) => {
      const shape = given === undefined || own === undefined ? undefined : shapeOf(given)
      return shape === undefined || own === undefined ? [] : [{ name: own, lets: shape.lets, marks: marksOf(shape, '') }]
    })
  })
}

const SCHEMAS = /\b(?:zod|joi|yup|ajv)\b/

/** Tells what schemas have made sure of a value that they were given before: the rules for which it is harmless; undefined: none was given it. */
export function createSchemaReader(
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): (value: Value) => readonly string[] | 'clean' | undefined {
  if (!SCHEMAS.test(text)) return () => undefined
  const own = facts.calls.flatMap((call) => {
    const found = validationOf(call) ?? jsonValidation(call)
    return found === undefined ? [] : givenIn(found.given).map(({ key, path }) => ({ ...found, key, path }))
  })
  if (own.length === 0) return () => undefined
  return (value) => {
    const key = keyOf(value)
    if (key === undefined) return undefined
    step(own.length)
    for (const { call, key: given, path, shape, throws } of own) {
      if (call.end > value.start || value.end > call.function.end || (key !== given && !key.startsWith(`${given} `))) continue
      if (!isPassed(facts, call.start, value, step)) continue
      const within = key
        .slice(given.length + 1)
        .split(' ')
        .filter(Boolean)
      const lets = letsAt(shape, [...path, ...within])
      if (!throws && !isAsked(call, value, facts)) return []
      return lets === 'known' ? 'clean' : lets === 'form' ? [PLAIN_VALUE, TRUSTED_MESSAGE] : [TRUSTED_MESSAGE]
    }
    return undefined
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
