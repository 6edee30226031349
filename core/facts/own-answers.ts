import { functionOfThis } from './callbacks.ts'
import { keyOf } from './keys.ts'
import type { CallValue, FunctionFact, Value } from './types.ts'
import { fieldOf, resolveValue } from './values.ts'

/** Whether a function of the file gives a promise: `async isKnown(name)`, `return fetch(address).then(…)`. */
export function givesPromise({ callee }: CallValue): boolean {
  const called = calledBy(callee)
  return called !== undefined && (called.isAsync || called.returns.some((answer) => settledAnswer(answer) !== answer))
}

/** What a promise gives: `list` of `load().then(() => list)`. */
export function settledAnswer(answer: Value): Value {
  if (answer.kind !== 'call' || answer.callee.kind !== 'member') return answer
  const [first] = answer.args
  const { name, object } = answer.callee
  if (name === 'resolve' && object.kind === 'reference' && object.name === 'Promise') return first ?? answer
  const last = name === 'then' && first?.kind === 'function' ? first.function.returns : []
  return last.length === 1 && last[0] !== undefined ? settledAnswer(last[0]) : answer
}

/**
 * A getter or a method without arguments that is asked about the fields of its object, `this.isKnown()`, `job.isKnown`: the function, what the keys of those fields begin with
 * outside, and inside of it.
 */
export function askedOfItself(
  test: Value,
): { readonly fact: FunctionFact; readonly outside: string; readonly inside: string } | undefined {
  const asked = test.kind === 'call' && test.args.length === 0 ? test.callee : test
  if (asked.kind !== 'member' || asked.name === undefined) return undefined
  const { object, name } = asked
  const own = resolveValue(object)
  const members =
    own.kind === 'this' ? membersAround(own.function) : own.kind === 'new' ? membersOf(resolveValue(own.callee)) : []
  const member = members.find((one) => one.name === name)?.value
  const fact = member?.kind === 'function' ? member.function : undefined
  if (fact === undefined || fact.returns.length === 0 || (fact.kind === 'getter') === (test.kind === 'call')) return undefined
  const outside = object.kind === 'this' ? THIS_KEY : keyOf(object)
  return outside === undefined ? undefined : { fact, outside, inside: THIS_KEY }
}

/** The key of `this`. */
const THIS_KEY = 'this '

function membersOf(made: Value): readonly { readonly name: string | undefined; readonly value: Value | undefined }[] {
  return made.kind === 'class' ? made.class.members : []
}

function membersAround(from: FunctionFact): ReturnType<typeof membersOf> {
  const { owner } = functionOfThis(from)
  return owner !== undefined && 'members' in owner ? owner.members : []
}

/** The function of the file that is called by its name or as a method of `this`. */
export function calledBy(callee: Value): FunctionFact | undefined {
  if (callee.kind === 'member' && callee.object.kind === 'this') {
    const { owner } = functionOfThis(callee.object.function)
    const members =
      owner === undefined ? [] : 'members' in owner ? owner.members : owner.fields.map(({ key, value }) => ({ name: key, value }))
    const member = members.find(({ name }) => name !== undefined && name === callee.name)?.value
    return member?.kind === 'function' ? member.function : undefined
  }
  if (callee.kind === 'member' && callee.object.kind === 'reference' && callee.name !== undefined) {
    // `Names.isPlain(name)` of a class, `checks.isPlain(name)` of an object
    const owner = resolveValue(callee.object)
    const member =
      owner.kind === 'class'
        ? owner.class.members.find(({ name, isStatic }) => isStatic && name === callee.name)?.value
        : fieldOf(owner, callee.name)?.value
    return member?.kind === 'function' ? member.function : undefined
  }
  const given = callee.kind === 'reference' ? resolveValue(callee) : undefined
  return given?.kind === 'function' ? given.function : undefined
}
