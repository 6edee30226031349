import {
  createSpanIndex,
  isChecked,
  isHostChecked,
  isKeptInFolder,
  isOfFormAlone,
  isPrefixChecked,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { groupBy } from '../../lists.ts'
import { lastName } from '../dotted-names.ts'
import type { GuardEffect } from './draft.ts'

/** What a function of the file has made sure of a value that it was handed before, or else thrown: `assertInside(file)`. */
export function createAssertedReader(
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): (value: Value) => GuardEffect | undefined {
  const throwing = new Set(
    facts.guards.flatMap(({ exits, inside, function: within }) =>
      exits && within.kind !== 'file' && /\bthrow\b/.test(text.slice(inside.start, inside.end)) ? within : [],
    ),
  )
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
  const asserted = facts.calls.flatMap(({ callee, args, end, function: around }) =>
    calledBy(callee).flatMap((fact) =>
      args.flatMap((argument, index) => {
        const effect = argument.kind === 'reference' || argument.kind === 'member' ? effectOf(fact, index, facts) : undefined
        return effect === undefined ? [] : [{ end, around, effect, written: text.slice(argument.start, argument.end) }]
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
    return own.find(({ end, around }) => end <= value.start && value.end <= around.end)?.effect
  }
}

function effectOf(fact: FunctionFact, index: number, facts: ScriptFacts): GuardEffect | undefined {
  const binding = fact.parameters[index]
  if (binding === undefined) return undefined
  const value: Value = { kind: 'reference', start: fact.end - 1, end: fact.end, name: binding.name, binding }
  const guards = { guards: facts.guards.filter((guard) => guard.function === fact && guard.exits) }
  if (isChecked(guards, value, value.start)) return isOfFormAlone(guards, value, value.start) ? 'form' : 'clean'
  if (isPrefixChecked(guards, value, value.start)) return 'prefix'
  if (isKeptInFolder(guards, value, value.start)) return 'folder'
  return isHostChecked(guards, value, value.start) ? 'host' : undefined
}
