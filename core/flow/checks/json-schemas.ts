import { constantOf, fieldOf, isStrictPattern, pathOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { JSON_SCHEMAS } from '../models/schemas.ts'
import { ANY, FORMED, KNOWN, type Shape } from './schema-shapes.ts'

const OF_LIST = /^(?:number|integer|boolean|null)$/
/** Formats in which no text of one's choosing fits. */
const OF_FORM = /^(?:uuid|date|time|date-time|duration|ipv[46])$/
const MAX_DEPTH = 4

/** The schema that a call of ajv validates with, and the value: `ajv.validate(schema, order)`, `validate(order)` of `ajv.compile(schema)`. Fact: ajv 8, "API". */
export function jsonValidationOf({ callee, args: [first, second] }: CallValue): { given: Value; shape: Shape } | undefined {
  if (first === undefined) return undefined
  if (second !== undefined && callee.kind === 'member' && callee.name === 'validate')
    return isOfLibrary(callee) ? { given: second, shape: shapeOf(first) } : undefined
  const made = callee.kind === 'reference' ? resolveValue(callee) : callee
  const [schema] = made.kind === 'call' ? made.args : []
  const isCompiled = made.kind === 'call' && made.callee.kind === 'member' && made.callee.name === 'compile'
  return isCompiled && schema !== undefined && isOfLibrary(made.callee) ? { given: first, shape: shapeOf(schema) } : undefined
}

function isOfLibrary(callee: Value): boolean {
  return JSON_SCHEMAS.test((pathOf(callee) ?? []).join(' '))
}

function shapeOf(given: Value, depth = 0): Shape {
  const schema = resolveValue(given)
  if (schema.kind !== 'object') return KNOWN
  if (depth > MAX_DEPTH) return ANY
  const text = (name: string): string => {
    const value = fieldOf(schema, name)?.value
    return String((value && constantOf(value)) ?? '')
  }
  const [properties, items, pattern] = ['properties', 'items', 'pattern'].map((name) => fieldOf(schema, name)?.value)
  if (fieldOf(schema, 'enum') !== undefined || fieldOf(schema, 'const') !== undefined || OF_LIST.test(text('type'))) return KNOWN
  const isOfForm = OF_FORM.test(text('format')) || (pattern !== undefined && isStrictText(pattern))
  const inner = properties && resolveValue(properties)
  return {
    ...(isOfForm ? FORMED : ANY),
    ...(inner?.kind === 'object' && {
      fields: new Map(
        inner.fields.flatMap(({ key, value }) => (key === undefined ? [] : [[key, shapeOf(value, depth + 1)] as const])),
      ),
    }),
    ...(items !== undefined && { item: shapeOf(items, depth + 1) }),
  }
}

/** A pattern is written as a text: `'^[a-z]+$'`. */
function isStrictText(value: Value): boolean {
  const pattern = constantOf(value)
  return typeof pattern === 'string' && isStrictPattern({ kind: 'regex', start: value.start, end: value.end, pattern, flags: '' })
}
