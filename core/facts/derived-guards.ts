import { append } from '../lists.ts'
import { constantOf } from './constants.ts'
import { pathOf } from './paths.ts'
import type { Binding, CallValue, FunctionFact, Guard, ScriptFacts, Value } from './types.ts'
import type { Span } from '../types.ts'
import { isWithin } from './span-index.ts'
import { isNothing } from './values.ts'

type Facts = Pick<ScriptFacts, 'guards' | 'calls' | 'imports' | 'partial'>

/** Conditions that no statement asks where it leaves: assertions, and what was noted before somebody asks whether there is a note. */
export function deriveGuards(facts: Facts, step: () => void): readonly Guard[] {
  return [...assertedIn(facts, step), ...notedIn(facts, step)]
}

const ASSERT = /^(?:node:)?(?:assert(?:\/strict)?|http-assert|tiny-invariant|invariant)$/

/** `assert(NAMES.has(name))` throws otherwise. Facts: Node.js 24, "Assert"; http-assert 1 (README). Of a module: `console.assert` and that of UI5 only tell. */
function assertedIn({ calls, imports, partial }: Facts, step: () => void): readonly Guard[] {
  if (!imports.some(({ source }) => ASSERT.test(source))) return []
  return calls.flatMap((call) => {
    step()
    const [root = '', name, ...more] = pathOf(call.callee) ?? []
    const test = root.startsWith('module:') && ASSERT.test(root.slice('module:'.length)) ? testOf(name ?? 'ok', call) : undefined
    if (test === undefined || more.length > 0) return []
    const { start, end } = call
    // what throws in a loop or where that is caught, says nothing behind it
    const around = partial.filter((span) => isWithin(call, span)).map((span) => span.end)
    const caughtAt = around.length === 0 ? {} : { caughtAt: Math.min(...around) }
    return [{ start, end, test, inside: { start: end, end }, exits: true, function: call.function, ...caughtAt }]
  })
}

/** What does not hold where an assertion throws. */
function testOf(name: string, { args: [first, second], start, end, function: within }: CallValue): Value | undefined {
  if (first === undefined) return undefined
  const negated = (test: Value): Value => ({ kind: 'operation', start, end, operator: '!', operands: [test] })
  if (name === 'ok' || name === 'default' || name === 'strict') return negated(first)
  if (second === undefined) return undefined
  if (/^(?:strictE|e|deepE|deepStrictE)qual$/.test(name))
    return { kind: 'operation', start, end, operator: '!==', operands: [first, second] }
  if (name !== 'match') return undefined
  const callee: Value = { kind: 'member', start, end, object: second, name: 'test', property: undefined, isOptional: false }
  return negated({ kind: 'call', start, end, callee, args: [first], texts: undefined, function: within })
}

/** Notes that one name gets in a function, and conditions that ask for one. */
const MAX_NOTES = 60

/**
 * `if (!NAMES.has(name)) problems.push('name')` above `if (problems.length > 0) return`, and `isKnown = true` above `if (!isKnown) return`: what follows the second condition runs
 * as if the first one had left.
 */
function notedIn({ guards }: Facts, step: () => void): readonly Guard[] {
  const asking = guards.flatMap((guard) => {
    const note = guard.exits ? askedNote(guard.test) : undefined
    return note === undefined || note.binding.function !== guard.function ? [] : [{ guard, ...note }]
  })
  if (asking.length === 0) return []
  const open = new Map<FunctionFact, Guard[]>()
  const wanted = new Set(asking.map(({ guard }) => guard.function))
  for (const guard of guards) if (!guard.exits && wanted.has(guard.function)) append(open, guard.function, guard)
  return asking.flatMap(({ guard, binding, isThere }) => {
    const cleared = isThere ? undefined : clearedAt(binding)
    const places = cleared ?? notesOf(binding, isThere)
    if (places === undefined) return []
    const isAsNoted = isThere || cleared !== undefined
    return (open.get(guard.function) ?? []).flatMap((one): readonly Guard[] => {
      step()
      if (one.inside.end > guard.start || !places.some((place) => isWithin(place, one.inside))) return []
      const { start, end } = guard
      const test: Value = isAsNoted ? one.test : { kind: 'operation', start, end, operator: '!', operands: [one.test] }
      return [{ ...guard, test }]
    })
  })
}

/** `problems.length > 0`, `error`: somebody asks whether there is one; `!isKnown`: whether there is none. */
function askedNote(test: Value): { readonly binding: Binding; readonly isThere: boolean } | undefined {
  const [first, second] = test.kind === 'operation' ? test.operands : []
  if (test.kind === 'operation' && test.operator === '!' && first?.kind === 'reference')
    return first.binding && { binding: first.binding, isThere: false }
  const isCount = test.kind === 'operation' && test.operator === '>' && second?.kind === 'literal' && second.value === 0
  const isDifferent = test.kind === 'operation' && /^!==?$/.test(test.operator) && isNothing(second)
  const asked = (isCount || isDifferent ? first : undefined) ?? test
  const named = asked.kind === 'member' && (asked.name === 'length' || asked.name === 'size') ? asked.object : asked
  return named.kind === 'reference' && named.binding !== undefined ? { binding: named.binding, isThere: true } : undefined
}

/** Where the name gets a note. `isThere`: any; otherwise the only one, before which it holds nothing. */
function notesOf({ kind, definitions, additions }: Binding, isThere: boolean): readonly Span[] | undefined {
  if (kind === 'parameter' || definitions.length + additions.length > MAX_NOTES) return undefined
  const notes = definitions.filter(({ kind: how, value }) => how === 'assign' && !isNothing(value))
  if (isThere) return [...notes, ...additions]
  const isEmpty = definitions.every((one) => one.kind === 'assign' || (one.kind === 'init' && isNothing(one.value)))
  return isEmpty && notes.length === 1 && notes[0]?.operator === '=' ? notes : undefined
}

/** Where a name that is true at first becomes false: `isComplete = false` above `if (!isComplete) return`. */
function clearedAt({ kind, definitions, additions }: Binding): readonly Span[] | undefined {
  const [first, ...others] = definitions
  if (kind === 'parameter' || additions.length > 0 || definitions.length > MAX_NOTES || others.length === 0) return undefined
  const isBoolean = (value: Value | undefined, wanted: boolean): boolean => value !== undefined && constantOf(value) === wanted
  if (first?.kind !== 'init' || !isBoolean(first.value, true)) return undefined
  return others.every((one) => one.kind === 'assign' && one.operator === '=' && isBoolean(one.value, false)) ? others : undefined
}
