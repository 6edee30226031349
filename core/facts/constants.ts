import { isNothing } from './values.ts'
import type { Binding, Value } from './types.ts'

export type Constant = string | number | boolean | null

/** Values looked at for one answer: constants of real code need a few dozen. */
const MAX_VISITS = 2000
const MAX_TEXT = 10_000

/** The value that an expression always has: literals, `+`, templates, names with one such value, members of objects of literals.
 *  Undefined where it isn't sure, or longer than 10,000 characters. */
export function constantOf(value: Value): Constant | undefined {
  return fold(value, { left: MAX_VISITS }, 0)
}

/** The string that an expression always has, as above; undefined where there is none, or where it is a number, a boolean or `null`. */
export function stringConstantOf(value: Value | undefined): string | undefined {
  const constant = value && constantOf(value)
  return typeof constant === 'string' ? constant : undefined
}

/** Whether a value is `null`, also by a name, or written as `undefined`. */
export function isNullish(value: Value): boolean {
  const constant = constantOf(value)
  return constant === null || (constant === undefined && isNothing(value))
}

/** Names may lead in circles and sums may double; depth bounds the stack, the number of visits the time. */
const MAX_DEPTH = 100

function fold(value: Value, visits: { left: number }, depth: number): Constant | undefined {
  if (visits.left-- <= 0 || depth > MAX_DEPTH) return undefined
  switch (value.kind) {
    case 'literal':
      return value.value
    case 'template': {
      let text = value.texts[0] ?? ''
      for (const [index, part] of value.parts.entries()) {
        const constant = fold(part, visits, depth + 1)
        if (constant === undefined || text.length > MAX_TEXT) return undefined
        text += String(constant) + (value.texts[index + 1] ?? '')
      }
      return text
    }
    case 'concat':
      return foldSum(value.parts, visits, depth)
    case 'operation': {
      const [operand] = value.operands
      if (operand === undefined || value.operands.length !== 1) return undefined
      const constant = fold(operand, visits, depth + 1)
      if (constant === undefined) return undefined
      if (value.operator === '-') return -Number(constant)
      if (value.operator === '+') return Number(constant)
      return value.operator === '!' ? constant === '' || constant === 0 || constant === false || constant === null : undefined
    }
    case 'reference':
      return value.binding && foldBinding(value.binding, [], visits, depth)
    case 'member': {
      if (value.name === undefined) return undefined
      const object = value.object
      if (object.kind === 'object') return foldPath(object, [value.name], visits, depth)
      return object.kind === 'reference' && object.binding ? foldBinding(object.binding, [value.name], visits, depth) : undefined
    }
    default:
      return undefined
  }
}

function foldSum(parts: readonly Value[], visits: { left: number }, depth: number): Constant | undefined {
  let sum: Constant | undefined
  for (const [index, part] of parts.entries()) {
    const constant = fold(part, visits, depth + 1)
    if (constant === undefined) return undefined
    if (index === 0) sum = constant
    else if (typeof sum === 'string' || typeof constant === 'string') sum = String(sum) + String(constant)
    else sum = Number(sum) + Number(constant)
    if (typeof sum === 'string' && sum.length > MAX_TEXT) return undefined
  }
  return sum
}

function foldBinding(binding: Binding, path: readonly string[], visits: { left: number }, depth: number): Constant | undefined {
  // `const { a } = a` leads to itself without a value in between
  if (visits.left-- <= 0 || depth > MAX_DEPTH) return undefined
  const [definition] = binding.definitions
  if (binding.definitions.length !== 1 || definition?.value === undefined || definition.operator !== '=') return undefined
  if (definition.kind !== 'init' && definition.kind !== 'assign') return undefined
  if (binding.additions.length > 0 || binding.nested !== undefined) return undefined
  return foldPath(definition.value, [...definition.path, ...path], visits, depth)
}

function foldPath(value: Value, path: readonly string[], visits: { left: number }, depth: number): Constant | undefined {
  let here = value
  for (const [index, name] of path.entries()) {
    if (here.kind === 'reference') return here.binding && foldBinding(here.binding, path.slice(index), visits, depth + 1)
    if (here.kind === 'array') {
      const item = here.items[Number(name)]
      if (item === undefined) return undefined
      here = item
      continue
    }
    // a computed key or a spread may be that name too
    if (here.kind !== 'object' || here.fields.some((field) => field.key === undefined)) return undefined
    const field = here.fields.findLast((field) => field.key === name)
    if (field === undefined) return undefined
    here = field.value
  }
  return fold(here, visits, depth + 1)
}
