import { constantOf, type FunctionFact, type Value } from '../../../facts/index.ts'
import type { Span } from '../../../types.ts'
import { isHandedOn, valueAsked, type PartScript } from './part-guards.ts'
import { concerns, type SentPart } from './sent-parts.ts'

/** Methods that texts have, and neither lists, objects nor numbers. Fact: ECMAScript 2025, "String.prototype". */
const OF_TEXTS =
  /^(?:trim|trimStart|trimEnd|toLowerCase|toUpperCase|split|replace|replaceAll|startsWith|endsWith|match|matchAll|charAt|charCodeAt|substring|substr|padStart|padEnd|normalize)$/

/** `req.query.name.trim` */
export function isOfTexts(value: Value): boolean {
  return value.kind === 'member' && OF_TEXTS.test(value.name ?? '')
}

/** A list or an object may be sent for it. Facts: Express 4, `req.query` (`?name=a&name=b` gives a list); express.json (any value). */
export function mayBeNoText(part: SentPart): boolean {
  return (part[0] === 'query' || part[0] === 'body') && part.length === 2 && part[1] !== '*'
}

/** All that a function does with the part in front of a place is to name it, and to ask whether it is there: `if (!name) return`. */
export function isTruthAlone(part: SentPart, at: Span, fact: FunctionFact, script: PartScript): boolean {
  const { partOf, isNamed } = script
  const values = script.valuesIn(fact).filter(({ start }) => start < at.start)
  if (values.some((value) => isHandedOn(value, part, partOf))) return false
  const tests = [
    ...script.guardsAround(fact).map(({ test }) => test),
    ...values.flatMap((value) => (value.kind === 'choice' ? [value] : [])),
  ]
  const harmless = new Set<Value>(tests.flatMap((test) => truthsOf(test)))
  return values.every((value) => {
    if (harmless.has(value) || isNamed(value)) return true
    const known = valueAsked(value, partOf)
    return known === undefined || known.length < 2 || !concerns(known, part)
  })
}

const MAX_DEPTH = 12

/** What a condition asks only to be there: `a` and `b` of `!a || !b`, of `a && b`, of `a === undefined`. */
function truthsOf(test: Value, depth = MAX_DEPTH): readonly Value[] {
  if (depth === 0) return []
  if (test.kind === 'choice') {
    const tests = test.test === undefined ? test.options : [test.test]
    return tests.flatMap((one) => truthsOf(one, depth - 1))
  }
  if (test.kind !== 'operation') return [test]
  if (test.operator === '!') return test.operands.flatMap((one) => truthsOf(one, depth - 1))
  const isEmptiness = /^[!=]==?$/.test(test.operator) && test.operands.some(isEmpty)
  return isEmptiness ? test.operands.flatMap((one) => truthsOf(one, depth - 1)) : []
}

/** `undefined`, `null`, `''` */
function isEmpty(value: Value): boolean {
  if (value.kind === 'reference') return value.binding === undefined && value.name === 'undefined'
  return value.kind === 'literal' && (constantOf(value) === '' || value.value === null)
}
