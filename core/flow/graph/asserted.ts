import {
  createSpanIndex,
  findPart,
  isChecked,
  isHostChecked,
  isKeptInFolder,
  isOfFormAlone,
  isPrefixChecked,
  keyOf,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { groupBy } from '../../lists.ts'
import type { Span } from '../../types.ts'
import { lastName } from '../dotted-names.ts'
import type { Realm } from '../types.ts'
import type { GuardEffect } from './draft.ts'
import type { CheckingScript } from './input.ts'
import { isOriginChecked } from './origin-checks.ts'
import { isRefused } from './refused-characters.ts'
import { isSchemeChecked } from './scheme-checks.ts'
import { isSigned } from './signatures.ts'

/** Of what leaves: it refuses. */
export const REFUSING: RegExp = /\bthrow\b|\breject\b/

/** What a function of the file has made sure of a value that it was handed before, or else thrown: `assertInside(file)`. */
export function createAssertedReader({
  facts,
  text,
  realm,
  step,
  parts,
}: CheckingScript): (value: Value) => GuardEffect | undefined {
  const throwing = parts.throwing()
  if (throwing.size === 0) return () => undefined
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
            const effect =
              argument.kind === 'reference' || argument.kind === 'member'
                ? effectOf(fact, index, { parts, text, realm })
                : undefined
            return effect === undefined ? [] : [{ start, end, around, effect, written: text.slice(argument.start, argument.end) }]
          }),
    ),
  )
  if (asserted.length === 0) return () => undefined
  const byText = new Map(
    [...groupBy(asserted, ({ written }) => written)].map(([written, own]) => [
      written,
      createSpanIndex(own, ({ around }) => around),
    ]),
  )
  return (value) => {
    if (value.kind !== 'reference' && value.kind !== 'member') return undefined
    const own = byText.get(text.slice(value.start, value.end))?.(value.start) ?? []
    step(own.length)
    return own.find(
      ({ start, end, around }) => end <= value.start && value.end <= around.end && isPassed(facts, start, value, step),
    )?.effect
  }
}

/** Whether what stands at a place has run wherever a value is read behind it: no `try` and no condition stands around it alone, but one about the value. */
export function isPassed(
  { guards, partial }: Pick<ScriptFacts, 'guards' | 'partial'>,
  at: number,
  value: Value,
  step: (count?: number) => void,
): boolean {
  step(1 + ((guards.length + partial.length) >> 3))
  const isAlone = ({ start, end }: Span): boolean => start <= at && at < end && !(start <= value.start && value.start < end)
  if (partial.some(isAlone)) return false
  const around = guards.filter(({ inside }) => isAlone(inside))
  const key = around.length === 0 ? undefined : keyOf(value)
  return around.every(({ test }) => key !== undefined && findPart(test, (part) => keyOf(part) === key) !== undefined)
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
export function effectOf(
  fact: FunctionFact,
  index: number,
  { parts, text, realm }: Pick<CheckingScript, 'parts' | 'text' | 'realm'>,
): GuardEffect | undefined {
  const binding = fact.parameters[index]
  if (binding === undefined) return undefined
  const value: Value = { kind: 'reference', start: fact.end - 1, end: fact.end, name: binding.name, binding }
  // what returns has made sure of nothing
  const isRefusing = ({ exits, inside }: Guard): boolean => exits && REFUSING.test(text.slice(inside.start, inside.end))
  return effectAt(value, parts.guardsIn(fact).filter(isRefusing), realm)
}

/** What conditions make of a value, as it is read where it stands. */
export function effectAt(value: Value, own: readonly Guard[], realm: Realm): Exclude<GuardEffect, 'answered'> | undefined {
  const guards = { guards: own }
  if (isChecked(guards, value, value.start))
    return realm === 'server' && isOfFormAlone(guards, value, value.start) ? 'form' : 'clean'
  if (realm === 'browser')
    return isOriginChecked(guards, value, value.start)
      ? 'origin'
      : isRefused(guards, value, value.start, '<')
        ? 'unmarked'
        : isSchemeChecked(guards, value, value.start)
          ? 'scheme'
          : undefined
  if (isPrefixChecked(guards, value, value.start)) return 'prefix'
  if (isKeptInFolder(guards, value, value.start)) return 'folder'
  if (isHostChecked(guards, value, value.start)) return 'host'
  return isSigned(own, value, value.start) ? 'signed' : undefined
}
