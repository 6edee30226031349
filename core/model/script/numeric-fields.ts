import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, valuesOf, type Binding, type Definition, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { runsInBrowser } from './runtime.ts'

/** Names of the fields that a script of a server gives to objects: with numbers by construction, and with anything else. */
interface NumericFields {
  readonly numbers: readonly string[]
  readonly others: readonly string[]
}

/** `{ balance: Math.round(sum * 100) / 100 }`, `row.total += Number(line.amount)`. */
export const numericFields: Extract<NumericFields> = defineExtract({
  name: 'server-numeric-fields',
  keywords: [],
  withFlow: true,
  *collect({ path, facts, step }) {
    if (runsInBrowser(path, facts)) return
    const numbers = new Set<string>()
    const others = new Set<string>()
    const add = (name: string | undefined, value: Value): void => {
      step()
      // `{ note: null }` and `{ title: 1 }` are beginnings, settings and names of columns
      if (name !== undefined && !isPlainConstant(value)) (isNumber(value) ? numbers : others).add(name)
    }
    for (const { value } of valuesOf(facts))
      if (value.kind === 'object') for (const { key, value: given } of value.fields) add(key, given)
    for (const { target, value } of facts.assignments) add(target.name, value)
    if (numbers.size > 0 || others.size > 0) yield { numbers: [...numbers], others: [...others] }
  },
})

/** The names that all scripts of servers give numbers alone. */
export function numericNames(fields: readonly NumericFields[]): ReadonlySet<string> {
  const names = new Set(fields.flatMap(({ numbers }) => numbers))
  for (const { others } of fields) for (const name of others) names.delete(name)
  return names
}

const MAX_DEPTH = 8
/** Operators whose result is a number or a boolean whatever they are given. Fact: ECMAScript, "Multiplicative Operators" and those around it. */
const COMPUTES = /^(?:[-*/%~!]|\*\*|<<|>>>?|[<>]=?|[!=]==?)$/
const COUNTS: ReadonlySet<string> = new Set(['Number', 'parseInt', 'parseFloat', 'Boolean'])
/** Facts: ECMAScript, "The Date Constructor" and its prototype. */
const OF_DATES = /^(?:now|getTime|get(?:UTC)?(?:Date|Day|Month|FullYear|Hours|Minutes|Seconds|Milliseconds))$/

function isPlainConstant(value: Value): boolean {
  const constant = constantOf(value.kind === 'operation' && value.operator === '-' ? (value.operands[0] ?? value) : value)
  return constant === null || typeof constant === 'number' || typeof constant === 'boolean'
}

/** Whether a value is a number, or nothing, by what it is made of. `seen`: names that are numbers, unless another part of the value is none. */
function isNumber(value: Value, seen: Set<Binding> = new Set(), depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  const asks = (one: Value): boolean => isNumber(one, seen, depth + 1)
  const constant = constantOf(value)
  if (constant !== undefined) return constant === null || typeof constant === 'number' || typeof constant === 'boolean'
  switch (value.kind) {
    case 'operation':
      return COMPUTES.test(value.operator)
    case 'concat':
      return value.parts.every(asks)
    case 'choice':
      return value.options.every(asks)
    case 'member':
      return value.name === 'length'
    case 'call': {
      const { callee } = value
      const name = lastNameOf(callee) ?? ''
      if (callee.kind === 'reference') return callee.binding === undefined && COUNTS.has(name)
      return (
        callee.kind === 'member' &&
        (OF_DATES.test(name) || (lastNameOf(callee.object) === 'Math' && callee.object.kind === 'reference'))
      )
    }
    case 'reference':
      if (value.binding === undefined || seen.has(value.binding)) return value.binding !== undefined
      seen.add(value.binding)
      return holdsNumbers(value.binding, asks)
    default:
      return false
  }
}

function holdsNumbers({ definitions }: Binding, asks: (value: Value) => boolean): boolean {
  return definitions.length > 0 && definitions.every((one) => isOfNumber(one, asks))
}

function isOfNumber({ kind, operator, value, path }: Definition, asks: (value: Value) => boolean): boolean {
  if ((kind !== 'init' && kind !== 'assign') || path.length > 0) return false
  return /^(?:\+\+|--|[-*/%]=)$/.test(operator) || (value !== undefined && asks(value))
}
