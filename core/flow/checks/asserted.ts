import {
  createSpanIndex,
  findPart,
  keyOf,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { groupBy } from '../../lists.ts'
import type { Span } from '../../types.ts'
import type { Proof } from '../../conditions/constraint.ts'
import type { CheckingScript } from '../graph/input.ts'
import { provedAt } from './proofs.ts'
import { isAround } from '../../facts/span-index.ts'
import { lastName } from '../../paths.ts'

/** Of what leaves: it refuses. */
export const REFUSING: RegExp = /\bthrow\b|\breject\b/

/** Of a script in which nothing of that kind proves anything, there is none. */
export type ProofReader = (value: Value) => readonly Proof[]

/** What a function of the file has made sure of a value that it was handed before, or else thrown: `assertInside(file)`. */
export function createAssertedReader(script: CheckingScript): ProofReader | undefined {
  const { facts, text, step, parts } = script
  const throwing = parts.throwing()
  if (throwing.size === 0) return undefined
  const methods = groupBy(
    [...throwing].filter(({ owner }) => owner !== undefined),
    ({ name }) => lastName(name),
  )
  const calledBy = (callee: Value): readonly FunctionFact[] => {
    const fact = functionOf(callee)
    if (fact !== undefined) return throwing.has(fact) ? [fact] : []
    return callee.kind === 'member' && callee.object.kind === 'this' ? (methods.get(callee.name ?? '') ?? []) : []
  }
  step(facts.calls.length)
  const asserted = facts.calls.flatMap(({ callee, args, start, end, function: around }) =>
    calledBy(callee).flatMap((fact) =>
      fact.isAsync && isDropped({ start, end }, text)
        ? []
        : args.flatMap((argument, index) => {
            const proofs = argument.kind === 'reference' || argument.kind === 'member' ? provedAtEnd(fact, index, script) : []
            return proofs.length === 0 ? [] : [{ start, end, around, proofs, written: text.slice(argument.start, argument.end) }]
          }),
    ),
  )
  if (asserted.length === 0) return undefined
  const before = createEarlierFinder(asserted, text, step)
  const isPassed = createPassedReader(facts, step)
  return (value) => {
    if (value.kind !== 'reference' && value.kind !== 'member') return []
    return before(value).flatMap(({ start, proofs }) => (isPassed(start, value) ? proofs : []))
  }
}

/** Finds what was handed over before a value is read, by how it is written, in the function around. */
function createEarlierFinder<Item extends { readonly end: number; readonly around: FunctionFact; readonly written: string }>(
  handed: readonly Item[],
  text: string,
  step: (count?: number) => void,
): (value: Value) => readonly Item[] {
  const byText = new Map(
    [...groupBy(handed, ({ written }) => written)].map(([written, own]) => [
      written,
      createSpanIndex(own, ({ around }) => around),
    ]),
  )
  const longest = handed.reduce((most, { written }) => Math.max(most, written.length), 0)
  return (value) => {
    if (value.end - value.start > longest) return []
    const own = byText.get(text.slice(value.start, value.end))?.(value.start) ?? []
    step(own.length)
    return own.filter(({ end, around }) => end <= value.start && value.end <= around.end)
  }
}

const CHECKING = /^(?:validate|assert|ensure|verify|check|parseStrict|strictParse)(?:$|[A-Z_])/

/** Whether a value was handed to a check as a statement before, `validateName(x)`: it may throw, which another file knows. */
export function createHandedReader(facts: ScriptFacts, text: string, step: (count?: number) => void): (value: Value) => boolean {
  const checks = facts.calls.flatMap(({ callee, args, end, function: around }) =>
    CHECKING.test(lastNameOf(callee) ?? '')
      ? args.map((argument) => ({ end, around, written: text.slice(argument.start, argument.end) }))
      : [],
  )
  if (checks.length === 0) return () => false
  const before = createEarlierFinder(checks, text, step)
  return (value) => before(value).length > 0
}

/**
 * Tells whether what stands at a place has run wherever a value is read behind it: no `try` and no condition stands around it alone, but one about the value. What
 * stands around a place is looked up: a large script has thousands of conditions, and asks for each of its values.
 */
export function createPassedReader(
  { guards, partial }: Pick<ScriptFacts, 'guards' | 'partial'>,
  step: (count?: number) => void,
): (at: number, value: Value) => boolean {
  let guardsAround: ((offset: number) => readonly Guard[]) | undefined
  let partialAround: ((offset: number) => readonly Span[]) | undefined
  return (at, value) => {
    step()
    partialAround ??= createSpanIndex(partial, (span) => span)
    if (partialAround(at).some((span) => !isAround(span, value.start))) return false
    guardsAround ??= createSpanIndex(guards, ({ inside }) => inside)
    const around = guardsAround(at).filter(({ inside }) => !isAround(inside, value.start))
    step(around.length)
    const key = around.length === 0 ? undefined : keyOf(value)
    return around.every(({ test }) => key !== undefined && findPart(test, (part) => keyOf(part) === key) !== undefined)
  }
}

/** Whether a call stands as a statement, `check(name)`, so that nobody waits for the promise that it gives. */
export function isDropped({ start, end }: Span, text: string): boolean {
  const before = text.slice(Math.max(0, start - NEAR), start)
  const written = before.trimEnd()
  const isFirst = /[;{})]$/.test(written) || before.slice(written.length).includes('\n')
  return isFirst && !GOES_ON.test(written) && !CHAINED.test(text.slice(end, end + NEAR).trimStart())
}

const NEAR = 80
const GOES_ON = /(?:[([,=?:&|+]|=>|\b(?:await|return|yield))$/
/** What comes after the promise is done. */
const CHAINED = /^\.(?:then|finally)\b/

/** What a function has made sure of a parameter where it comes to its end. */
function provedAtEnd(
  fact: FunctionFact,
  index: number,
  { parts, text }: Pick<CheckingScript, 'parts' | 'text'>,
): readonly Proof[] {
  const binding = fact.parameters[index]
  if (binding === undefined) return []
  const value: Value = { kind: 'reference', start: fact.end - 1, end: fact.end, name: binding.name, binding }
  // what returns has made sure of nothing
  const isRefusing = ({ exits, inside }: Guard): boolean => exits && REFUSING.test(text.slice(inside.start, inside.end))
  return provedAt(value, parts.guardsIn(fact).filter(isRefusing), parts)
}
