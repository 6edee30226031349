import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { constantOf } from '../../facts/constants.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { accessesOf } from '../../facts/paths.ts'
import type { Guard, ScriptFacts, Value } from '../../facts/types.ts'
import { findPart, resolveValue } from '../../facts/values.ts'
import { isAround } from '../../facts/span-index.ts'
import type { Place, Span } from '../../types.ts'
import { isContextName, isContextRoot, isOfUi5App } from '../script/index.ts'
import { AUTHENTICATED_ROLES } from './access.ts'
import { toWords } from './personal-data.ts'
import { isOrdinary } from './writing.ts'

/** What runs for callers with one of some roles alone. */
interface CallerRoleSpan extends Span {
  /** Where the function begins that asks. */
  readonly from: number
}

export const callerRoleSpans: Extract<CallerRoleSpan> = defineExtract({
  name: 'cap-caller-role-spans',
  isFor: (path) => !isOfUi5App(path),
  withFlow: true,
  collect: ({ facts, step }) =>
    facts.guards.flatMap((guard) => (asksForCallersRole(guard) ? [guardedBy(guard, facts, step)] : [])),
})

/**
 * A condition lets callers with a role on that not all users have, as a login of the project's own knows them: `if (req.role !== 'Head') return res.sendStatus(403)`,
 * `if (req.user.type === 'Head') …`. What the client itself sends is no role.
 */
export function asksForCallersRole({ test, exits }: Guard): boolean {
  const roles = rolesAsked(test, !exits)
  return roles !== undefined && roles.length > 0 && !roles.some((role) => isOrdinary(role) || AUTHENTICATED_ROLES.has(role))
}

/** Behind a condition that leaves: to the end of the block around it. */
function guardedBy(guard: Guard, { guards, partial }: ScriptFacts, step: (count?: number) => void): CallerRoleSpan {
  const { inside, exits, caughtAt, function: around } = guard
  if (!exits) return { from: around.start, start: inside.start, end: inside.end }
  step(guards.length + partial.length)
  const blocks = [...guards.map((other) => other.inside), ...partial].filter(
    (block) => isAround(block, guard.start) && block.start > around.start && block.end > inside.end,
  )
  return { from: around.start, start: inside.end, end: Math.min(caughtAt ?? around.end, ...blocks.map(({ end }) => end)) }
}

/** The roles of which a caller has one where a condition holds, or where it does not; undefined: none need be. */
function rolesAsked(test: Value, holds: boolean): readonly string[] | undefined {
  if (test.kind === 'choice' && test.test === undefined) {
    const parts = test.options.map((option) => rolesAsked(option, holds))
    if ((test.isAnd === true) === holds) return parts.find((part) => part !== undefined)
    return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? [])
  }
  if (test.kind === 'operation') {
    const [first, second] = test.operands
    if (first === undefined) return undefined
    if (test.operator === '!') return rolesAsked(first, !holds)
    if (second === undefined || !/^[!=]==?$/.test(test.operator) || test.operator.startsWith('=') !== holds) return undefined
    return rolesCompared(first, second) ?? rolesCompared(second, first)
  }
  if (!holds) return undefined
  if (test.kind === 'call') {
    const { callee, args } = test
    const [first] = args
    if (callee.kind !== 'member' || callee.name !== 'includes' || first === undefined) return undefined
    return rolesCompared(first, callee.object) ?? rolesCompared(callee.object, first)
  }
  return isOfCaller(test, FLAG) ? ['admin'] : undefined
}

/** One is the role of the caller, the other a constant or a list of some. */
function rolesCompared(own: Value, others: Value): readonly string[] | undefined {
  if (!isOfCaller(own, ROLE)) return undefined
  const listed = resolveValue(others)
  const names = (listed.kind === 'array' ? listed.items : [others]).map((one) => constantOf(one))
  return names.every((name) => (typeof name === 'string' && name !== '') || typeof name === 'number')
    ? names.map(String)
    : undefined
}

const ROLE =
  /(?:^| )(?:(?:user ?)?roles?(?: (?:name|code|id|type|key))?|permissions?|privileges?|(?:user|access|account) ?(?:types?|levels?|groups?))$/
const FLAG = /^(?:is )?(?:super ?)?(?:admin|administrator|superuser)$/
/** What clients send with a request. */
const SENT = /^(?:data|body|query|params?|headers?|cookies|get|url|originalUrl|files?)$/

/** `req.role`, `req.session.user.role`, `cds.context.user.attr.role`, `role` of a row that was read for the user of the request. */
function isOfCaller(value: Value, name: RegExp): boolean {
  const accesses = accessesOf(value)
  return (
    accesses.length > 0 &&
    accesses.every(({ root, steps }) => {
      if (!name.test(toWords(steps.at(-1) ?? ''))) return false
      if (steps.includes('()')) return isReadForCaller(value)
      const isOfRequest = isContextRoot(root) || root === 'global:cds' || root === 'module:@sap/cds'
      return isOfRequest && !steps.some((step) => SENT.test(step))
    })
  )
}

/** Nothing but the user of the request says which row it is. */
function isReadForCaller(value: Value): boolean {
  const isPartOf = (part: Value, names: RegExp): boolean =>
    part.kind === 'member' && names.test(part.name ?? '') && isContextName(lastNameOf(part.object))
  return (
    findPart(value, (part) => isPartOf(part, /^user$/)) !== undefined &&
    findPart(value, (part) => isPartOf(part, SENT)) === undefined
  )
}

/** Whether what a client sends gets to a place for callers with a role alone: the question stands in front of where it is read, or between that and the place. */
export function isBehindRole(scripts: Scripts, source: Place, at: Place): boolean {
  const [read, reached] = [source.span?.start, at.span?.start]
  return (
    read !== undefined &&
    scripts
      .of(source.file, callerRoleSpans)
      .some(
        (one) =>
          isAround(one, read) ||
          (reached !== undefined && at.file === source.file && isAround(one, reached) && one.from <= read && read < one.end),
      )
  )
}
