import { isAllowed } from '../../conditions/constraint.ts'
import { accessOf, keyOfName, type CallValue, type FunctionFact, type ScriptFacts } from '../../facts/index.ts'
import type { HandlerFunction } from '../../model/cap/index.ts'
import type { FlowRefusal } from '../check-types.ts'
import { covers } from '../solve/asked-edges.ts'
import type { FlowDraft } from '../graph/draft.ts'
import type { CheckingScript } from '../graph/input.ts'
import { isAround } from '../../facts/span-index.ts'

type Given = FlowRefusal['given'][number]

/** What the handlers of the phase before refuse, themselves or by functions that they hand the request to; `requests`: of handlers of other files the request that they get. */
export function refusalsOf(
  handlers: readonly HandlerFunction[],
  requests: ReadonlyMap<HandlerFunction, number>,
  draft: FlowDraft,
): readonly FlowRefusal[] {
  return handlers.flatMap((handler): readonly FlowRefusal[] => {
    const { phase, fact, parameter, events } = handler
    if (phase !== 'before' || events.includes(undefined)) return []
    const fields =
      fact === undefined ? [] : checkedFields({ facts: draft.facts, parts: draft.checks.parts }, fact, parameter, 'data')
    const node = requests.get(handler)
    const given = fact === undefined ? (node === undefined ? [] : [{ node, path: [] }]) : givenBy(fact, parameter, draft)
    if (fields.length + given.length === 0) return []
    return [{ handled: handledBy(handler), fields, given }]
  })
}

/** By handler: what its request got from one of the phase before, `req.order = …`, and another of that phase refuses where it is wrong. */
export function refusedOf(
  handlers: readonly HandlerFunction[],
  script: Pick<CheckingScript, 'facts' | 'parts'>,
): ReadonlyMap<FunctionFact, ReadonlySet<string>> {
  const found = new Map<FunctionFact, Set<string>>()
  for (const { phase, fact, parameter, ...before } of handlers) {
    const fields =
      phase === 'before' && fact !== undefined ? checkedFields(script, fact, parameter).filter((name) => !name.includes(' ')) : []
    if (fields.length === 0) continue
    for (const one of handlers) {
      const isBehind =
        one.phase !== 'before' && one.phase !== 'prepend' && one.events.every((name) => before.events.includes(name ?? ''))
      if (one.fact === undefined || !isBehind || !covers(handledBy(before), handledBy(one))) continue
      const own = found.get(one.fact) ?? new Set()
      for (const name of fields) own.add(name)
      found.set(one.fact, own)
    }
  }
  return found
}

const REFUSING = /^(?:reject|error)$/

/** The names of fields of a parameter, or of one of its fields, that a function checks and refuses: `if (!FORMAT.test(req.data.name)) req.reject(400)`. */
function checkedFields(
  { facts: { calls }, parts }: Pick<CheckingScript, 'facts' | 'parts'>,
  fact: FunctionFact,
  parameter: number,
  path?: string,
): readonly string[] {
  const binding = fact.parameters[parameter]
  const own = binding && keyOfName(binding)
  if (own === undefined) return []
  const start = `${own} ${path === undefined ? '' : `${path} `}`
  const refusing = parts
    .guardsIn(fact)
    .filter(
      ({ exits, inside }) =>
        exits ||
        calls.some(
          ({ callee, start: at }) => isAround(inside, at) && callee.kind === 'member' && REFUSING.test(callee.name ?? ''),
        ),
    )
  const known = refusing.flatMap(({ test }) => parts.conditions.constraintsOf(test, false))
  return [
    ...new Set(
      known.flatMap((one) =>
        (isAllowed(one) || one.kind === 'answered') && one.of.startsWith(start) ? one.of.slice(start.length) : [],
      ),
    ),
  ]
}

function handledBy({
  service,
  events,
  entities,
}: Pick<HandlerFunction, 'service' | 'events' | 'entities'>): FlowRefusal['handled'] {
  return { service: service.name, events: events.flatMap((name) => name ?? []), entities }
}

/** `req => ensureOrder(req.data)`: what is handed on whatever happens. */
function givenBy(fact: FunctionFact, parameter: number, { facts, use, step }: FlowDraft): readonly Given[] {
  step(1 + (facts.calls.length >> 4))
  return facts.calls.flatMap((call) =>
    call.function === fact && !isConditional(call, facts)
      ? call.args.flatMap((argument): readonly Given[] => {
          if (argument.kind !== 'reference' && argument.kind !== 'member') return []
          const { binding, steps = [] } = accessOf(argument) ?? {}
          const isRequest = binding?.function === fact && binding.definitions[0]?.parameter === parameter
          return isRequest && !steps.includes('()') ? [{ node: use(argument), path: steps }] : []
        })
      : [],
  )
}

function isConditional({ start }: CallValue, { guards, partial }: ScriptFacts): boolean {
  return guards.some(({ inside }) => isAround(inside, start)) || partial.some((span) => isAround(span, start))
}
