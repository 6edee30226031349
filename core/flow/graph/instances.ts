import { keyOf, type Guard, type ScriptFacts, type Value } from '../../facts/index.ts'
import type { FlowDraft } from './draft.ts'

/** Conditions that ask whether a value was made from a class. */
export function instanceGuards({ guards }: ScriptFacts, text: string): readonly Guard[] {
  return text.includes('instanceof') ? guards.filter(({ test }) => testedBy(test) !== undefined) : []
}

/** Whether what is read from a value is that of an object of the program: no client sends one. `value instanceof Markup ? value.text : escape(value)`. */
export function isOfInstance({ object, start }: Value & { readonly kind: 'member' }, draft: FlowDraft): boolean {
  return draft.instanceGuards.some(({ test, inside, exits, end, function: around }) => {
    const tested = testedBy(test)
    if (tested === undefined || keyOf(tested.value) === undefined || keyOf(tested.value) !== keyOf(object)) return false
    if (tested.holds) return inside.start <= start && start < inside.end
    return exits && end <= start && start < around.end
  })
}

/** The same of the option of a choice. */
export function isInstanceChosen(test: Value, option: Value, isFirst: boolean): boolean {
  const tested = option.kind === 'member' ? testedBy(test) : undefined
  if (tested === undefined || option.kind !== 'member' || tested.holds !== isFirst) return false
  const key = keyOf(tested.value)
  return key !== undefined && key === keyOf(option.object)
}

function testedBy(test: Value): { readonly value: Value; readonly holds: boolean } | undefined {
  if (test.kind !== 'operation') return undefined
  const [value, made] = test.operands
  if (value === undefined) return undefined
  // what was thrown is what it was, whatever its class
  if (test.operator === 'instanceof')
    return made?.kind === 'reference' && made.name.endsWith('Error') ? undefined : { value, holds: true }
  const inner = test.operator === '!' ? testedBy(value) : undefined
  return inner && { value: inner.value, holds: !inner.holds }
}
