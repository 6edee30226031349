import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { findCallbacks, functionOf, type Callback } from '../../facts/callbacks.ts'
import {
  constantOf,
  findPart,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createSpanIndex, isWithin } from '../../facts/span-index.ts'
import { DENIED_PAGE, opensDeniedPage, type AskedEntry } from './_asked-entries.ts'

/** Lists of what a user may do. Facts: RFC 7643 (SCIM), 4.1.2: `groups`, `roles` and `entitlements` of a user. */
const GROUPS = /^(?:user_?|my_?|[ao])?(?:groups|roles|scopes|authorities|entitlements)$/i
/** They run a function for each of the items. */
const VISITS: ReadonlySet<string> = new Set(['find', 'findIndex', 'filter', 'some', 'every', 'forEach', 'map'])

/**
 * A page for users without rights opens where no group of the user has a name that the script writes: `answer.groups.find((group) => { if (group.value === "ADMIN") found.push(group) })`
 * and `if (found.length === 0) router.getTargets().display("notAuthorized")`; or `if (!user.groups.some((group) => group.value === "ADMIN")) …`.
 */
export const groupDecisions: Extract<AskedEntry> = defineExtract({
  name: 'ui5-group-decisions',
  keywords: ['groups', 'roles', 'scopes', 'authorities', 'entitlements'],
  prefilter: (text) =>
    /\.(?:display|navTo)\(/.test(text) &&
    /(?:groups|roles|scopes|authorities|entitlements)\)?\s{0,9}\??\.\s{0,9}(?:find(?:Index)?|filter|some|every|forEach|map)\(/i.test(
      text,
    ) &&
    DENIED_PAGE.test(text),
  collect: ({ facts, step }) => [...decisionsIn(facts, step)],
})

function* decisionsIn(facts: ScriptFacts, step: (count?: number) => void): Generator<AskedEntry> {
  const opening = facts.calls.filter(opensDeniedPage)
  if (opening.length === 0) return
  const lists = filledLists(facts, step)
  for (const { test, inside } of facts.guards) {
    step(opening.length)
    if (!opening.some((call) => isWithin(call, inside))) continue
    const name = groupsIn(test, lists)
    if (name !== undefined) yield { at: { start: test.start, end: test.end }, name }
  }
}

/** Lists that get what of the groups has a certain name, by what the groups are called. */
function filledLists(facts: ScriptFacts, step: (count?: number) => void): ReadonlyMap<Binding, string> {
  const callbacks = findCallbacks(facts)
  const guardsAround = createSpanIndex(facts.guards, ({ inside }) => inside)
  const lists = new Map<Binding, string>()
  for (const call of facts.calls) {
    const { callee, function: around } = call
    if (callee.kind !== 'member' || callee.name !== 'push' || callee.object.kind !== 'reference') continue
    const { binding } = callee.object
    if (binding === undefined || lists.has(binding)) continue
    step()
    const name = visitedGroups(around, callbacks)
    if (name !== undefined && guardsAround(call.start).some(({ test, function: own }) => own === around && comparesName(test)))
      lists.set(binding, name)
  }
  return lists
}

/** What the list is called for whose items a function runs. */
function visitedGroups(from: FunctionFact, callbacks: ReadonlyMap<FunctionFact, Callback>): string | undefined {
  const call = callbacks.get(from)?.call
  return call && groupsOf(call)
}

function groupsOf({ callee }: CallValue): string | undefined {
  if (callee.kind !== 'member' || !VISITS.has(callee.name ?? '')) return undefined
  const name = lastNameOf(callee.object) ?? ''
  return GROUPS.test(name) ? name : undefined
}

/** `group.value === "ADMIN"` */
function comparesName(test: Value): boolean {
  return (
    findPart(
      test,
      (part) =>
        part.kind === 'operation' &&
        /^[!=]==?$/.test(part.operator) &&
        part.operands.some((operand) => /^[A-Za-z]/.test(textOf(operand))),
    ) !== undefined
  )
}

function textOf(value: Value): string {
  const text = constantOf(value)
  return typeof text === 'string' ? text : ''
}

/** The groups that a condition asks for: by a list that was filled with some of them, or by what is found in them. */
function groupsIn(test: Value, lists: ReadonlyMap<Binding, string>): string | undefined {
  let name: string | undefined
  findPart(test, (part) => {
    if (part.kind !== 'reference' && part.kind !== 'call') return false
    const filled = part.kind === 'reference' && part.binding !== undefined ? lists.get(part.binding) : undefined
    const found = resolveValue(part)
    name = filled ?? (found.kind === 'call' && findsByName(found) ? groupsOf(found) : undefined)
    return name !== undefined
  })
  return name
}

/** `groups.some((group) => group.value === "ADMIN")` */
function findsByName({ args: [given] }: CallValue): boolean {
  const own = functionOf(given)
  return own !== undefined && own.returns.some((value) => comparesName(value))
}
