import { functionOf } from '../facts/callbacks.ts'
import {
  constantOf,
  keyOf,
  keyOfName,
  pathOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type Value,
} from '../facts/index.ts'
import { methodOf, type Asked, type MethodCall } from './asked.ts'
import { namesCompared } from './atoms/lists.ts'
import { promises } from './atoms/predicates.ts'
import { isAllowed, type Constraint } from './constraint.ts'
import { keysOf } from './pattern-texts.ts'

/** What a function proves about what it knows where it answers with true, or with false. */
export type Answers = (fact: FunctionFact, holds: boolean) => readonly Constraint[]

/** What a condition that asks for the items of a list proves: `names.every(isPlain)`, `!names.some((name) => REFUSED.has(name))`, `names.filter((name) => !NAMES.has(name)).length === 0`. */
export function constraintsOfItems(asked: Asked, answersOf: Answers): readonly Constraint[] {
  const found = foundIn(asked)
  if (found === undefined) return []
  const { call, isAny } = found
  const [callback] = call.args
  const { name, object } = call
  // PARTNERS.some((partner) => new URL(address).origin === partner.origin), NAMES.filter((one) => one === name).length > 0
  if (name !== 'every' && isAny) {
    const fact = functionOf(callback)
    const answered = fact === undefined || name === 'filter' ? [] : answersOf(fact, true)
    const compared = name === 'filter' ? namesCompared(callback) : []
    return [...answered, ...compared.map((of): Constraint => ({ kind: 'listed', of }))]
  }
  const isEvery = name === 'every'
  if (callback === undefined || isEvery !== isAny) return []
  const text = textOf(object)
  const list = keyOf(object)
  const ofItem = ofEachItem(callback, isEvery, answersOf)
  if (text !== undefined) {
    const isKnown = ofItem.some((one) => one.of === '' && isAllowed(one))
    return keysOf(text, true).map((of) => ({ kind: isKnown ? 'form' : 'open', of }))
  }
  return list === undefined ? [] : ofItem.map((one) => ({ ...one, of: `${list}${one.of === '' ? '' : ' []'}${one.of}` }))
}

/** The text of which a list has the characters: `[...text]`, `text.split('')`, `Array.from(text)`. */
function textOf(list: Value): Value | undefined {
  if (list.kind === 'array') {
    const [only, other] = list.items
    return only?.kind === 'spread' && other === undefined ? only.value : undefined
  }
  const method = methodOf(list)
  const [first] = method?.args ?? []
  if (method?.name === 'split') return first !== undefined && constantOf(first) === '' ? method.object : undefined
  return method?.name === 'from' && pathOf(list)?.[0] === 'global:Array' ? first : undefined
}

/** What holds of each item of which a callback gives true, or false: the keys are those that lead from the item. */
export function ofEachItem(callback: Value, holds: boolean, answersOf: Answers): readonly Constraint[] {
  const fact = functionOf(callback)
  if (fact === undefined) return holds && promises(callback) ? [{ kind: 'listed', of: '' }] : []
  const [item] = fact.parameters
  const own = item && keyOfName(item)
  if (own === undefined) return []
  return answersOf(fact, holds).flatMap(({ of, ...proof }) =>
    of === own || of.startsWith(`${own} `) ? [{ ...proof, of: of.slice(own.length) }] : [],
  )
}

/** The call that looks for items, and whether it has found some; for `every`: whether all are as asked. */
function foundIn({ test, holds }: Asked): { readonly call: MethodCall; readonly isAny: boolean } | undefined {
  const isNumber = test.kind === 'operation' && (test.operator === '>' || /^[!=]==?$/.test(test.operator))
  const [first, second] = isNumber ? test.operands : []
  if (isNumber && (second === undefined || constantOf(second) !== 0)) return undefined
  const isAny = isNumber && test.operator.startsWith('==') ? !holds : holds
  const asked = first ?? test
  const isCounted = asked.kind === 'member' && asked.name === 'length'
  const given = isCounted ? resolveValue(asked.object) : asked
  const call: CallValue | undefined = given.kind === 'call' ? given : undefined
  const method = call && methodOf(call)
  if (method === undefined || !(isCounted ? /^filter$/ : /^(?:every|some|find)$/).test(method.name)) return undefined
  return { call: method, isAny }
}
