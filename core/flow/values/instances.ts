import { keyOf, resolveValue, type Guard, type ScriptFacts, type Value } from '../../facts/index.ts'
import { ANY_FIELD } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { isAround } from '../../facts/span-index.ts'

/** Conditions that ask whether a value was made from a class. */
export function instanceGuards({ guards }: ScriptFacts, text: string): readonly Guard[] {
  return text.includes('instanceof') ? guards.filter(({ test }) => testedBy(test) !== undefined) : []
}

/** Whether what is read from a value is that of an object of the program: no client sends one. `value instanceof Markup ? value.text : escape(value)`. */
export function isOfInstance({ object, start }: Value & { readonly kind: 'member' }, draft: FlowDraft): boolean {
  return draft.checks.instanceGuards.some(({ test, inside, exits, end, function: around }) => {
    const tested = testedBy(test)
    if (tested === undefined || keyOf(tested.value) === undefined || keyOf(tested.value) !== keyOf(object)) return false
    if (tested.holds) return isAround(inside, start)
    return exits && end <= start && start < around.end
  })
}

/** The same of the option of a choice: what is read, and of what. The object itself is shown as the text that it gives of itself. */
export function readOfInstance(
  test: Value,
  option: Value,
  isFirst: boolean,
): { readonly object: Value; readonly field: string } | undefined {
  const tested = option.kind === 'member' || option.kind === 'reference' ? testedBy(test) : undefined
  const key = tested?.holds === isFirst ? keyOf(tested.value) : undefined
  if (tested === undefined || key === undefined) return undefined
  if (option.kind === 'member' && keyOf(option.object) === key) return { object: option.object, field: option.name ?? ANY_FIELD }
  const field = keyOf(option) === key ? shownField(tested.made) : undefined
  return field === undefined ? undefined : { object: option, field }
}

/** `text` of `class Markup { toString() { return this.text } }`. */
function shownField(made: Value | undefined): string | undefined {
  const found = made === undefined ? undefined : resolveValue(made)
  if (found?.kind !== 'class') return undefined
  const method = found.class.members.find(({ name, isStatic }) => name === 'toString' && !isStatic)?.value
  const [returned] = method?.kind === 'function' && method.function.returns.length === 1 ? method.function.returns : []
  return returned?.kind === 'member' && returned.object.kind === 'this' ? returned.name : undefined
}

function testedBy(test: Value): { readonly value: Value; readonly made: Value | undefined; readonly holds: boolean } | undefined {
  if (test.kind !== 'operation') return undefined
  const [value, made] = test.operands
  if (value === undefined) return undefined
  // what was thrown is what it was, whatever its class
  if (test.operator === 'instanceof')
    return made?.kind === 'reference' && made.name.endsWith('Error') ? undefined : { value, made, holds: true }
  const inner = test.operator === '!' ? testedBy(value) : undefined
  return inner && { ...inner, holds: !inner.holds }
}
