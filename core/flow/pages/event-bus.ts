import { resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { invoke } from '../values/objects.ts'
import { keyOf } from '../sources/storage.ts'

/** `publish(channel, event, data)`, `publish(event, data)`. */
export function addBus(call: CallValue, draft: FlowDraft): void {
  const { callee, args } = call
  const [first, second] = args.slice(0, 2).map((argument) => keyOf(argument))
  if (callee.kind !== 'member') return
  if (typeof first !== 'string' || (second === undefined && hasName(callee.name ?? '', args, draft))) {
    if (isBus(callee.object)) addUnnamed(callee.name ?? '', args, draft)
    return
  }
  const hasChannel = typeof second === 'string'
  const store = hasChannel ? `event ${first}/${second}` : `event /${first}`
  const given = args[hasChannel ? 2 : 1]
  if (given === undefined) return
  if (callee.name === 'publish') {
    for (const one of [store, NAMED_EVENTS])
      draft.ends.ports.push({ node: draft.use(given), access: 'write', store: one, path: [] })
    return
  }
  hear(given, [store, ANY_EVENT], draft)
}

/** Whether the second of the arguments is the name of an event, which a variable holds. */
function hasName(method: string, [, second, third]: readonly Value[], { owners }: FlowDraft): boolean {
  if (second === undefined || third === undefined) return false
  // subscribe(name, handler, this)
  return method === 'publish' || (resolveValue(third).kind !== 'this' && owners.functionsBehind(second).length === 0)
}

/** What was published under a name that comes with the data: whoever listens gets it. */
const ANY_EVENT = 'event *'
/** What was published under any name: whoever listens to a name that is handed over gets it. */
const NAMED_EVENTS = 'event'

/** `publish(channel, name, data)` and `subscribe(channel, name, handler)` of names that nobody can tell here. */
function addUnnamed(method: string, args: readonly Value[], draft: FlowDraft): void {
  if (method === 'publish') {
    const data = args.length > 1 ? args.at(-1) : undefined
    if (data !== undefined) draft.ends.ports.push({ node: draft.use(data), access: 'write', store: ANY_EVENT, path: [] })
    return
  }
  const handler = args[args.length > 2 ? 2 : 1]
  if (handler !== undefined) hear(handler, [NAMED_EVENTS, ANY_EVENT], draft)
}

/** The third parameter of a listener is the data. Fact: API of sap.ui.core.EventBus. */
function hear(handler: Value, stores: readonly string[], draft: FlowDraft): void {
  const read = (node: number): void => {
    for (const store of stores) draft.ends.ports.push({ node, access: 'read', store, path: [] })
  }
  const known = draft.owners.functionsBehind(handler)
  for (const fact of known) {
    const parameter = draft.parameters.nodeOf(fact, 2)
    if (parameter !== undefined) read(parameter)
  }
  if (known.length > 0) return
  // a function that the caller hands over
  const data = draft.graph.add(handler)
  read(data)
  invoke(handler, [draft.graph.add(handler), draft.graph.add(handler), data], draft)
}

/** `getEventBus()`, `EventBus.getInstance()`, or something that is called so. */
function isBus(value: Value): boolean {
  const here = resolveValue(value)
  return /bus/i.test(here.kind === 'call' ? (lastNameOf(here.callee) ?? '') + nameAround(here.callee) : (lastNameOf(here) ?? ''))
}

function nameAround(callee: Value): string {
  return callee.kind === 'member' ? (lastNameOf(callee.object) ?? '') : ''
}
