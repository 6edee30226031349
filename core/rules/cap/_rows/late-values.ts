import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { createCodeReader, type CallValue, type FunctionFact, type ScriptFacts } from '../../../facts/index.ts'
import { createInnerIndex, isWithin } from '../../../facts/span-index.ts'
import {
  AUTHENTICATED_ROLES,
  findHandlers,
  handlerFunction,
  writersOf,
  type CapRoot,
  type ExposedMember,
  type HandlerFunction,
} from '../../../model/cap/index.ts'
import { isContext, isOfUi5App, isSentData } from '../../../model/script/index.ts'
import type { Place, Span } from '../../../types.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'

/** An element of the request that a handler sets when the row is stored already. */
interface LateValue extends Span {
  readonly element: string
  readonly events: readonly string[]
  readonly entities: readonly string[]
  readonly service: string | undefined
  readonly isConnected: boolean
}

/** Elements that the server decides. */
const DECIDED =
  /(?:status|state|stage|decision|approval|role)(?:_?(?:code|id|key))?$|^(?:is_?)?(?:approved|released|verified|accepted)$/i
const DECIDED_IN_TEXT =
  /\.data\.\w{0,40}(?:status|state|stage|decision|approval|role|approved|released|verified|accepted)(?:_?(?:code|id|key))?\s{0,4}=(?![=>])/i
const WRITE = /^(?:CREATE|UPDATE|PATCH|UPSERT|SAVE)$/
/** What stores the value after all. */
const STORES = /\b(?:UPDATE|UPSERT|INSERT)\b|\.\s{0,4}(?:run|update|emit)\s{0,4}\(|\bnext\s{0,4}\(/

/**
 * `await next(); req.data.approved = 'Pending'` in an `on` handler, or in a function of the file that it calls then.
 * Fact: capire, "srv.on" (next() runs the handlers behind, for CRUD the generic one that writes the row).
 */
export const lateValues: Extract<LateValue> = defineExtract({
  name: 'cap-late-values',
  keywords: ['next()'],
  prefilter: (text) => DECIDED_IN_TEXT.test(text) && /\.on\s{0,4}\(/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    const callsIn = createInnerIndex(facts.calls)
    const set = facts.assignments.filter(
      ({ target, operator }) =>
        operator === '=' && target.kind === 'member' && DECIDED.test(target.name ?? '') && isSentData(target.object),
    )
    const stores = createCodeReader(text, (code) => STORES.test(code))
    const found: LateValue[] = []
    for (const handler of findHandlers(facts)) {
      step()
      const { phase, events, entities, service } = handler
      const named = events.flatMap((event) => event ?? [])
      if (phase !== 'on' || entities === undefined || !named.some((event) => WRITE.test(event))) continue
      for (const late of lateParts(handler, facts, callsIn, step)) {
        step(set.length)
        if (stores(late)) continue
        for (const { target } of set)
          if (isWithin(target, late) && target.kind === 'member' && target.name !== undefined) {
            const { start, end, name: element } = target
            found.push({
              start,
              end,
              element,
              events: named,
              entities,
              service: service.name,
              isConnected: service.kind === 'connected',
            })
          }
      }
    }
    // set elsewhere as well, it may be set in time
    const late = new Set(found.map(({ start }) => start))
    const early = new Set(set.flatMap(({ target }) => (late.has(target.start) ? [] : [target.name])))
    for (const one of found) if (!early.has(one.element)) yield one
  },
})

/** What runs behind the last `next()` of a handler: its own end, and functions of the file that get the request there. */
function lateParts(
  { fact }: HandlerFunction,
  facts: ScriptFacts,
  callsIn: (around: Span) => readonly CallValue[],
  step: (count?: number) => void,
): readonly Span[] {
  const next = fact?.parameters[1]
  if (fact === undefined || next === undefined) return []
  const calls = callsIn(fact)
  step(facts.guards.length + calls.length)
  const last = calls.findLast(({ callee }) => callee.kind === 'reference' && callee.binding === next)
  if (last === undefined || last.function !== fact || facts.guards.some(({ inside }) => isWithin(last, inside))) return []
  const called = calls.flatMap((call): readonly FunctionFact[] => {
    if (call.start < last.end || !call.args.some(isContext)) return []
    return [functionOf(call.callee) ?? handlerFunction(call.callee, facts) ?? []].flat()
  })
  return [{ start: last.end, end: fact.end }, ...new Set(called)]
}

/** Tells where a handler sets an element too late that users write. Needs the extract `lateValues`. */
export function createLateReader(root: CapRoot): (exposed: ExposedMember) => Place | undefined {
  const known = root.scripts
    .get(lateValues)
    .map(({ file, value }) => ({ file, value, event: root.eventOf({ file, ...value, events: [] }) }))
  return ({ service, entity, member }) => {
    root.step(known.length)
    if (known.length === 0) return undefined
    const names = projectedNames(root, entity.qualified)
    const found = known.find(
      ({ value, event }) =>
        value.element === member.name &&
        value.entities.some((name) => names.has(name)) &&
        (!event.isCertain || event.services.includes(service)) &&
        writersOf(entity, service, value.events.includes('CREATE') ? ['CREATE'] : ['UPDATE']).some((role) =>
          AUTHENTICATED_ROLES.has(role),
        ),
    )
    return found && { file: found.file, span: { start: found.value.start, end: found.value.end } }
  }
}
