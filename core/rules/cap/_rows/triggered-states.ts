import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf, constantOf, findPart, functionAround, type CallValue, type Guard, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { builderBehind } from '../../../flow/frameworks/query-sinks.ts'
import { AUTHENTICATED_ROLES, findHandlers, writersOf, type CapRoot, type ExposedMember } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Place, Span } from '../../../types.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'

/** A condition in a handler that runs when clients change a row: with the state that they send for it, other rows are changed. */
export interface TriggeredState extends Span {
  readonly element: string
  /** `APPROVED`. */
  readonly state: string
  readonly events: readonly string[]
  readonly entities: readonly string[]
  readonly service: string | undefined
  readonly isConnected: boolean
}

export const triggeredStates: Extract<TriggeredState> = defineExtract({
  name: 'cap-triggered-states',
  keywords: ['approved', 'released', 'authorized', 'granted'],
  prefilter: (text) => /\.(?:after|on)\s{0,4}\(/.test(text) && DECIDED_IN_TEXT.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    const callsIn = createInnerIndex(facts.calls)
    for (const { fact, phase, events, entities, service } of findHandlers(facts)) {
      step()
      const named = events.flatMap((event) => event ?? [])
      if (fact === undefined || entities === undefined || !/^(?:after|on)$/.test(phase) || !named.some((one) => WRITE.test(one)))
        continue
      if (RIGHTS.test(text.slice(fact.start, fact.end))) continue
      for (const guard of facts.guards) {
        step()
        if (guard.start < fact.start || guard.end > fact.end || functionAround(facts, guard.start) !== fact) continue
        const found = changes(guard, callsIn) ? decidedBy(guard.test) : undefined
        if (found === undefined) continue
        const { start, end } = found.at
        yield {
          start,
          end,
          element: found.element,
          state: found.state,
          events: named,
          entities,
          service: service.name,
          isConnected: service.kind === 'connected',
        }
      }
    }
  },
})

const DECIDED_IN_TEXT = /\b(?:approved|released|authori[sz]ed|granted)\b/i
const DECIDED = /^(?:approved|released|authori[sz]ed|granted)$/i
const STATE = /(?:status|state|stage|decision|approval)(?:_?(?:code|id|key))?$/i
const WRITE = /^(?:CREATE|UPDATE|PATCH|UPSERT|SAVE)$/
/** The handler looks at the caller, or at what the row held before. */
const RIGHTS =
  /\.\s{0,4}is\s{0,4}\(|\b40[13]\b|forbidden|unauthori[sz]ed|hasRole|isAdmin|\buser\s{0,4}\??\.\s{0,4}(?:id|attr|roles)\b|\breject\s{0,4}\(|\bprevious|\bold[A-Z_]|\bdiff\s{0,4}\(/
const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'UPSERT', 'DELETE'])

function changes({ inside }: Guard, callsIn: (around: Span) => readonly CallValue[]): boolean {
  return callsIn(inside).some(({ callee }) => CHANGES.has(builderBehind(callee) ?? ''))
}

/** `data.status === 'APPROVED'`, where `data` is what the handler is given. */
function decidedBy(test: Value): { readonly element: string; readonly state: string; readonly at: Value } | undefined {
  const compared = findPart(test, (part) => part.kind === 'operation' && /^===?$/.test(part.operator))
  if (compared?.kind !== 'operation') return undefined
  for (const [given, other] of [compared.operands, compared.operands.toReversed()]) {
    const state = other === undefined ? undefined : String(constantOf(other) ?? lastNameOf(other) ?? '')
    if (given === undefined || state === undefined || !DECIDED.test(state)) continue
    const sent = findPart(given, (part) => part.kind === 'member' && STATE.test(part.name ?? '') && isGiven(part))
    if (sent?.kind === 'member' && sent.name !== undefined) return { element: sent.name, state, at: compared }
  }
  return undefined
}

function isGiven(value: Value): boolean {
  return accessesOf(value).some(
    ({ root, steps }) => root.startsWith('parameter:') && (steps.length === 1 || (steps.length === 2 && steps[0] === 'data')),
  )
}

/** Tells where a state that all users may write triggers something. Needs the extract `triggeredStates`. */
export function createTriggerReader(
  root: CapRoot,
): (exposed: ExposedMember) => { readonly at: Place; readonly state: string } | undefined {
  const known = root.scripts
    .get(triggeredStates)
    .map(({ file, value }) => ({ file, value, event: root.eventOf({ file, ...value, events: [] }) }))
  return ({ service, entity, member }) => {
    root.step(known.length)
    if (known.length === 0 || !writersOf(entity, service, ['UPDATE']).some((role) => AUTHENTICATED_ROLES.has(role)))
      return undefined
    const names = projectedNames(root, entity.qualified)
    const found = known.find(
      ({ value, event }) =>
        value.element === member.name &&
        value.entities.some((name) => names.has(name)) &&
        (!event.isCertain || event.services.includes(service)),
    )
    return (
      found && { at: { file: found.file, span: { start: found.value.start, end: found.value.end } }, state: found.value.state }
    )
  }
}
