import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { createCodeReader, type FunctionFact, type ScriptFacts } from '../../../facts/index.ts'
import { exportedFunctions, functionOf } from '../../../facts/callbacks.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { CRUD_EVENT, handlerFunction, type CapRoot } from '../../../model/cap/index.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import { createLinkReader } from '../_handlers/handler-links.ts'
import { REFUSES, ROLE, setIn, STATE_IN_TEXT, usesIn, type StateHandler } from './decided-states.ts'

/** An exported function that sets a state, which a handler of another file may call: `exports.approve = (req) => UPDATE(Orders).set({ status: 'APPROVED' })`. */
export interface DelegatedState {
  /** As the script exports it. */
  readonly name: string
  /** Elements with the last parts of the names of their entities; undefined: the entity of the handler. */
  readonly sets: readonly { readonly entity: string | undefined; readonly element: string }[]
  readonly compares: readonly string[]
  readonly refuses: boolean
  readonly asksRole: boolean
}

/** Functions that handlers of other files leave their work to. */
export const delegatedStates: Extract<DelegatedState> = defineExtract({
  name: 'cap-delegated-states',
  keywords: ['UPDATE'],
  prefilter: (text) => STATE_IN_TEXT.test(text) && /\bexport/.test(text) && /\.\s{0,20}(?:set|with|data)\s{0,4}[(`]/.test(text),
  isFor: isDeployedCode,
  collect: ({ facts, text, step }) => collectStates(facts, text, step),
})

function collectStates(facts: ScriptFacts, text: string, step: (count?: number) => void): DelegatedState[] {
  const setting = facts.calls.flatMap((call) => {
    step()
    const { entity, elements } = setIn(call)
    return elements.length === 0 ? [] : [{ start: call.start, end: call.end, entity, elements }]
  })
  if (setting.length === 0) return []
  const settingIn = createInnerIndex(setting)
  const callsIn = createInnerIndex(facts.calls)
  const usesOf = createInnerIndex([...usesIn(facts, step)])
  const refuses = createCodeReader(text, (code) => REFUSES.test(code))
  const asksRole = createCodeReader(text, (code) => ROLE.test(code))
  const stateOf = (fact: FunctionFact): Omit<DelegatedState, 'name'> | undefined => {
    const calls = callsIn(fact)
    step(calls.length + 1)
    const called = calls.flatMap(({ callee }) => functionOf(callee) ?? handlerFunction(callee, facts) ?? [])
    const functions: readonly FunctionFact[] = [...new Set([fact, ...called])].slice(0, MAX_CALLED)
    const sets = functions
      .flatMap((one) => settingIn(one))
      .flatMap(({ entity, elements }) => elements.map((element) => ({ entity, element })))
    if (sets.length === 0) return undefined
    const uses = functions.flatMap((one) => usesOf(one))
    step(sets.length + uses.length)
    return {
      sets,
      compares: [...new Set(uses.flatMap((use) => (use.kind === 'compared' ? [use.name] : [])))],
      refuses: functions.some(refuses),
      asksRole: functions.some(asksRole),
    }
  }
  // one function may be exported by many names
  const known = new Map<FunctionFact, Omit<DelegatedState, 'name'> | undefined>()
  return exportedFunctions(facts).flatMap(([name, fact]) => {
    step()
    if (!known.has(fact)) known.set(fact, stateOf(fact))
    const state = known.get(fact)
    return state === undefined ? [] : [{ name, ...state }]
  })
}

const MAX_CALLED = 20

/** Handlers of operations as if the functions of other files that they call stood in them. Needs `delegatedStates` and `handlerLinks`. */
export function delegatingHandlers(root: CapRoot): readonly { readonly file: string; readonly value: StateHandler }[] {
  const linksTo = createLinkReader(root)
  return root.scripts.get(delegatedStates).flatMap(({ file, value: { name, sets, compares, refuses, asksRole } }) => {
    // what clients write plainly, another extract tells
    const links = linksTo(file, name).filter(
      ({ phase, events }) => phase !== 'after' && !events.some((event) => CRUD_EVENT.test(event)),
    )
    root.step(links.length + 1)
    const setBy = (entities: readonly string[] = []): StateHandler['sets'] => {
      const given = sets.flatMap(({ entity, element }) =>
        entity === undefined ? entities.map((own) => ({ entity: own, element })) : [{ entity, element }],
      )
      root.step(given.length)
      return given
    }
    return links.map(({ from, phase, events, entities, service, isConnected }) => ({
      file: from,
      value: {
        start: 0,
        end: 0,
        phase,
        events,
        entities,
        service,
        isConnected,
        isForDrafts: false,
        sets: setBy(entities),
        gives: [],
        signs: [],
        overwrites: [],
        touches: [],
        lateTouches: [],
        refusedSent: [],
        computes: [],
        defaults: [],
        compares,
        refuses,
        asksRole,
        isOpen: false,
      },
    }))
  })
}
