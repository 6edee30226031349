import { accessesOf, findPart, type FunctionFact, type ScriptFacts, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Span } from '../../types.ts'
import { HARMLESS_CALLS, LOOKS_AT_CALLER, LOOKS_AT_RIGHTS, STORES } from '../tables/routes.ts'
import type { RouteRights } from '../types.ts'
import { rowsOf } from './route-rows.ts'
import type { EffectReader } from './route-effects.ts'

/** `as { id: string; role: string }`: a type says what a token may hold, and asks nobody. */
const CAST = /\bas\s{1,10}\{[^{}]{0,500}\}/g

/** What a function that answers a route, runs in front of it or makes such a one, knows of who may do it. */
export function createRightsReader(facts: ScriptFacts, text: string, effects: EffectReader): (fact: FunctionFact) => RouteRights {
  const textOf = ({ start, end }: Span): string => text.slice(start, end).replaceAll(CAST, '')
  return (fact) => {
    const own = textOf(fact)
    const checks = LOOKS_AT_RIGHTS.exec(own)?.[0].replace(/^\.|\($/g, '')
    const key = keyUsed(fact, facts, effects)
    const rows = rowsOf(fact, facts)
    return {
      ...(checks !== undefined && { checks }),
      ...([fact, ...calledBy(fact, facts)].some((one) => LOOKS_AT_CALLER.test(textOf(one))) && { looksAtCaller: true }),
      ...(key !== undefined && { key }),
      ...(rows.length > 0 && { rows }),
    }
  }
}

/** Functions of the file that a function calls by itself. */
function calledBy({ start, end }: FunctionFact, { calls }: ScriptFacts): readonly FunctionFact[] {
  return calls.flatMap((call) => (start <= call.start && call.end <= end ? (functionOf(call.callee) ?? []) : []))
}

/** What the client sends that a call on stored data gets. */
function keyUsed(handler: FunctionFact, { calls }: ScriptFacts, effects: EffectReader): string | undefined {
  const isStored = effects.usesOf(handler) === 'stored'
  for (const { start, end, callee, args } of calls) {
    if (start < handler.start || end > handler.end || HARMLESS_CALLS.test(lastNameOf(callee) ?? '')) continue
    if (!isStored && !('object' in callee && STORES.test(lastNameOf(callee.object) ?? ''))) continue
    for (const argument of args) {
      const part = findPart(argument, (one) => clientKey(one) !== undefined)
      if (part !== undefined) return clientKey(part)
    }
  }
  return undefined
}

/** `req.params.id`, `const { id } = req.params`. */
function clientKey(value: Value): string | undefined {
  if (!('name' in value)) return undefined
  for (const { root, steps } of accessesOf(value))
    if (/^parameter:_?(?:req|request)$/.test(root) && steps[0] === 'params' && steps.length === 2) return `req.params.${steps[1]}`
  return undefined
}
