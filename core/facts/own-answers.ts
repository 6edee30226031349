import { functionOfThis } from './callbacks.ts'
import { keyOf, keyOfName } from './keys.ts'
import type { FunctionFact, Value } from './types.ts'
import { resolveValue } from './values.ts'

/** What a predicate of the file answers about its parameter: `isColour(name)`, `this._isKnown(name)`. */
export function answersOf(test: Value, key: string): { readonly answers: readonly Value[]; readonly key: string } | undefined {
  if (test.kind !== 'call') return undefined
  const at = test.args.findIndex((argument) => keyOf(argument) === key)
  const called = at < 0 ? undefined : calledBy(test.callee)
  const parameter = called?.parameters[at]
  if (called === undefined || parameter === undefined || called.returns.length === 0) return undefined
  const own = keyOfName(parameter)
  return own === undefined ? undefined : { answers: called.returns, key: own }
}

function calledBy(callee: Value): FunctionFact | undefined {
  if (callee.kind === 'member' && callee.object.kind === 'this') {
    const { owner } = functionOfThis(callee.object.function)
    const members =
      owner === undefined ? [] : 'members' in owner ? owner.members : owner.fields.map(({ key, value }) => ({ name: key, value }))
    const member = members.find(({ name }) => name !== undefined && name === callee.name)?.value
    return member?.kind === 'function' ? member.function : undefined
  }
  const given = callee.kind === 'reference' ? resolveValue(callee) : undefined
  return given?.kind === 'function' ? given.function : undefined
}
