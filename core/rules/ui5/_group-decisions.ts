import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { findCallbacks, functionOf } from '../../facts/callbacks.ts'
import {
  stringConstantOf,
  findPart,
  resolveValue,
  type Binding,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createSpanIndex, isWithin } from '../../facts/span-index.ts'
import { DENIED_PAGE, deniedPage, type AskedEntry } from './_asked-entries.ts'

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

/** Groups that are sought by a name. */
interface Sought {
  readonly name: string
  /** Of the user, and not of things: by what they are called, where they come from, or the attribute that is compared. */
  readonly isOfUser: boolean
}

function* decisionsIn(facts: ScriptFacts, step: (count?: number) => void): Generator<AskedEntry> {
  const opening = facts.calls.filter((call) => deniedPage(call) !== undefined)
  if (opening.length === 0) return
  const lists = filledLists(facts, step)
  for (const { test, inside } of facts.guards) {
    step(opening.length)
    const opened = opening.filter((call) => isWithin(call, inside))
    if (opened.length === 0) continue
    const sought = groupsIn(test, lists, step)
    // a page for what is missing says nothing of rights
    if (sought !== undefined && (sought.isOfUser || opened.some(isForRights)))
      yield { at: { start: test.start, end: test.end }, name: sought.name }
  }
}

function isForRights(call: CallValue): boolean {
  return DENIED_PAGE.test((deniedPage(call) ?? '').replace(/not_?found/i, ''))
}

/** Lists that get what of the groups has a certain name. */
function filledLists(facts: ScriptFacts, step: (count?: number) => void): ReadonlyMap<Binding, Sought> {
  const callbacks = findCallbacks(facts)
  const guardsAround = createSpanIndex(facts.guards, ({ inside }) => inside)
  const lists = new Map<Binding, Sought>()
  for (const call of facts.calls) {
    const { callee, function: around } = call
    if (callee.kind !== 'member' || callee.name !== 'push' || callee.object.kind !== 'reference') continue
    const { binding } = callee.object
    const visit = callbacks.get(around)?.call
    if (binding === undefined || lists.has(binding) || visit === undefined) continue
    step()
    const tests = guardsAround(call.start).flatMap(({ test, function: own }) => (own === around ? test : []))
    const sought = groupsOf(visit, tests, step)
    if (sought !== undefined) lists.set(binding, sought)
  }
  return lists
}

/** The groups that a function visits which compares their names: `groups.some((group) => group.value === "ADMIN")`. */
function groupsOf({ callee }: CallValue, tests: readonly Value[], step: (count?: number) => void): Sought | undefined {
  if (callee.kind !== 'member' || !VISITS.has(callee.name ?? '')) return undefined
  const name = lastNameOf(callee.object) ?? ''
  if (!GROUPS.test(name)) return undefined
  const compared = tests.flatMap((test) => comparisonIn(test) ?? [])
  if (compared.length === 0) return undefined
  step(LOOK)
  const isNamed = !/groups$/i.test(name) || /user|my/i.test(name)
  return { name, isOfUser: isNamed || compared.some(comparesRole) || findPart(callee.object, namesUser) !== undefined }
}

/** What reading the way to a list takes. */
const LOOK = 20

type Comparison = Value & { readonly kind: 'operation' }

/** `group.value === "ADMIN"` */
function comparisonIn(test: Value): Comparison | undefined {
  const found = findPart(test, comparesText)
  return found?.kind === 'operation' ? found : undefined
}

function comparesText(part: Value): boolean {
  return (
    part.kind === 'operation' &&
    /^[!=]==?$/.test(part.operator) &&
    part.operands.some((operand) => /^[A-Za-z]/.test(textOf(operand)))
  )
}

function textOf(value: Value): string {
  return stringConstantOf(value) ?? ''
}

/** The text may be the name of a role, and the attribute is one of SCIM. Fact: RFC 7643, 4.1.2 and 2.4 (`value`, `display`). */
function comparesRole({ operands }: Comparison): boolean {
  return (
    operands.some((operand) => /^(?:value|display)$/.test(lastNameOf(operand) ?? '')) &&
    operands.some((operand) => /\w[_.:-]\w|^[A-Z\d]{4,}$|[Aa]dmin|[Rr]ole/.test(textOf(operand)))
  )
}

/** An object or an address of the user: `user.groups`, `getModel("user")`, `fetch("/idp/scim/Users/…")`. */
function namesUser(part: Value): boolean {
  if (/user|^me$/i.test(lastNameOf(part) ?? '')) return true
  const texts = part.kind === 'template' ? part.texts : [textOf(part)]
  return texts.some((text) => /user|\bscim\b|(?:^|\/)me(?:$|[/?])/i.test(text))
}

/** The groups that a condition asks for: by a list that was filled with some of them, or by what is found in them. */
function groupsIn(test: Value, lists: ReadonlyMap<Binding, Sought>, step: (count?: number) => void): Sought | undefined {
  let sought: Sought | undefined
  findPart(test, (part) => {
    if (part.kind !== 'reference' && part.kind !== 'call') return false
    const filled = part.kind === 'reference' && part.binding !== undefined ? lists.get(part.binding) : undefined
    const found = resolveValue(part)
    sought = filled ?? (found.kind === 'call' ? groupsOf(found, functionOf(found.args[0])?.returns ?? [], step) : undefined)
    return sought !== undefined
  })
  return sought
}
