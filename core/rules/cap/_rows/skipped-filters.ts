import {
  constantOf,
  excerptOf,
  findPart,
  importedNames,
  resolveValue,
  type CallValue,
  type Guard,
  type ImportedName,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isAround, isWithin } from '../../../facts/span-index.ts'
import { isNothing } from '../../../facts/values.ts'
import { asksForRole } from '../../../model/cap/index.ts'
import type { Span } from '../../../types.ts'
import { isAlwaysThere, mentionsCaller } from '../_callers/caller-values.ts'
import { isContext } from '../../../model/script/index.ts'
import { lookedUpEntity } from './own-profiles.ts'
import type { RowFilter } from './row-filters.ts'

/**
 * Why a condition keeps a filter from some requests: something of the caller is `missing`; the caller has a role that sees all (`exempt`), or lacks one (`role`); each
 * request has what it asks for (`never`); `other`: nobody can tell.
 */
export interface Skip {
  readonly reason: 'missing' | 'exempt' | 'role' | 'never' | 'other'
  readonly at: Value
}

const MAX_DEPTH = 8

/** Why what runs only where a test holds (or only where it does not) is skipped. */
export function skipsOf(test: Value, isNeeded: boolean, text: string, depth = 0): readonly Skip[] {
  const none = (reason: Skip['reason']): readonly Skip[] => [{ reason, at: test }]
  if (depth > MAX_DEPTH) return none('other')
  const here = resolveValue(test)
  if (here.kind === 'operation' && here.operator === '!' && here.operands[0] !== undefined)
    return skipsOf(here.operands[0], !isNeeded, text, depth + 1)
  if (here.kind === 'choice' && here.test === undefined) {
    const found = here.options.map((option) => skipsOf(option, isNeeded, text, depth + 1))
    // each of them alone skips it
    if ((here.isAnd === true) === isNeeded) return found.flat()
    const all = found.flat()
    const isOne = (reason: Skip['reason']): boolean => all.every((skip) => skip.reason === reason)
    if (all.some(({ reason }) => reason === 'never')) return none('never')
    if (isOne('exempt') || isOne('role')) return all
    return isOne('missing') ? all.slice(0, 1) : none('other')
  }
  if (here.kind === 'call' && asksForRole(here)) return none(isNeeded ? 'role' : 'exempt')
  const asked = here.kind === 'operation' ? presenceIn(here.operator, here.operands) : { value: test, isThere: true }
  if (asked === undefined || asked.isThere !== isNeeded) return none('other')
  const { value } = asked
  if (isAlwaysThere(value) || refusesWithout(value, text)) return none('never')
  return isGiven(value) && mentionsCaller(value, text) ? [{ reason: 'missing', at: value }] : none('other')
}

/** `company !== undefined`, `ids.length > 0`, `row === null`: what is asked for, and whether it has to be there. */
function presenceIn(
  operator: string,
  [one, other]: readonly Value[],
): { readonly value: Value; readonly isThere: boolean } | undefined {
  if (one === undefined || other === undefined) return undefined
  const isEmpty = isNothing(other) || constantOf(other) === 0
  if (/^!==?$/.test(operator) && isEmpty) return { value: one, isThere: true }
  if (/^===?$/.test(operator) && isEmpty) return { value: one, isThere: false }
  const isLength = one.kind === 'member' && one.name === 'length'
  if (isLength && ((operator === '>' && constantOf(other) === 0) || (operator === '>=' && constantOf(other) === 1)))
    return { value: one, isThere: true }
  if (isLength && operator === '<' && constantOf(other) === 1) return { value: one, isThere: false }
  return undefined
}

/** What a function of the file gives, which refuses by itself where there is nothing. */
function refusesWithout(value: Value, text: string): boolean {
  const here = resolveValue(value)
  const given = here.kind === 'await' ? resolveValue(here.value) : here
  const own = given.kind === 'call' ? functionOf(given.callee) : undefined
  return (
    own !== undefined &&
    /\b(?:reject|throw)\b|\b(?:req|oReq)(?:uest)?\s{0,4}\.\s{0,4}error\b/.test(text.slice(own.start, own.end))
  )
}

const FLAG = /^(?:is|has|can|may|should|must|needs?|allow)(?:[A-Z_]|$)/
/** Calls that give something, or what is made of it. */
const GIVES =
  /^(?:find|get|load|read|resolve|fetch|lookup|current|run|map|filter|flat|flatMap|split|trim|toLowerCase|toUpperCase|String|keys|values)/i

/** Something that is there or not, instead of the answer to another question. */
function isGiven(value: Value, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  if (value.kind === 'reference') {
    if (FLAG.test(value.name)) return false
    const definitions = value.binding?.definitions ?? []
    return definitions.length > 0 && definitions.every((one) => one.value === undefined || isGiven(one.value, depth + 1))
  }
  if (value.kind === 'member') return !FLAG.test(value.name ?? '')
  if (value.kind === 'await')
    return value.value.kind === 'call' || value.value.kind === 'tagged' || isGiven(value.value, depth + 1)
  if (value.kind === 'choice') return value.options.every((option) => isGiven(option, depth + 1))
  if (value.kind === 'literal') return isNothing(value)
  return value.kind === 'call' && GIVES.test((lastNameOf(value.callee) ?? '').replace(/^_/, ''))
}

const CHECKS = /check|ensure|require|assert|verify|authori[sz]e|guard|enforce|deny|forbid/i

/** The function refuses some requests because of who calls, apart from where the filter is added. */
export function refusesOthers(
  facts: ScriptFacts,
  around: Span,
  inside: Span,
  text: string,
  step: (count?: number) => void,
): boolean {
  const isElse = (one: Span): boolean => isWithin(one, around) && !isWithin(one, inside)
  const guards = facts.guards.filter((guard) => isWithin(guard, around))
  const isAboutCaller = (at: number): boolean => {
    step(guards.length)
    const open = guards.filter((guard) => isAround(guard.inside, at))
    return open.length === 0 || open.some((guard) => isCallerTest(guard, text))
  }
  return (
    facts.calls.some((call) => isElse(call) && isRefusal(call) && isAboutCaller(call.start)) ||
    [...text.slice(around.start, around.end).matchAll(/\bthrow\b/g)].some(({ index }) => {
      const at = around.start + index
      return isElse({ start: at, end: at + 1 }) && isAboutCaller(at)
    })
  )
}

/** It holds for some callers and not for others. */
function isCallerTest({ test }: Guard, text: string): boolean {
  const [only, more] = skipsOf(test, false, text)
  return mentionsCaller(test, text) && !(only?.reason === 'never' && more === undefined)
}

function isRefusal({ callee, args }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if (name === 'reject') return true
  if (name === 'error') return callee.kind === 'member' && isContext(callee.object)
  return CHECKS.test(name) && args.some(isContext)
}

/** Why a condition around the filter, or a way out in front of it, leaves it out. */
export function skipsBy(guard: Guard, isOn: boolean, text: string): readonly Skip[] {
  if (!guard.exits) return skipsOf(guard.test, true, text)
  const statement = text.slice(guard.inside.start, guard.inside.end)
  // a refusal, or an answer without rows
  const isClosed =
    /\b(?:reject|throw)\b|\b(?:req|request|oReq|oRequest)\s{0,4}\.\s{0,4}error\b/.test(statement) ||
    (isOn && !/\bnext\b/.test(statement))
  return isClosed || /\breturn\s{0,4}\[\s{0,4}\]/.test(statement) ? [] : skipsOf(guard.test, false, text)
}

/** What of the caller is missing where nothing else keeps a filter away, and in which entity, or by which function of another file, it was looked up. */
export function missingOf(skips: readonly Skip[], text: string, step: (count?: number) => void): RowFilter['opened'] {
  const missing = skips.find(({ reason }) => reason === 'missing')
  if (missing === undefined) return undefined
  const { start, end } = missing.at
  const lookedUpIn = lookedUpEntity(missing.at, step)
  const lookedUpBy = functionBehind(missing.at)
  return {
    start,
    end,
    by: 'missing',
    value: excerptOf(text, missing.at),
    ...(lookedUpIn !== undefined && { lookedUpIn }),
    ...(lookedUpBy !== undefined && { lookedUpBy }),
  }
}

/** `resolveUser` of `./people`, for the caller as `await resolveUser(req)` finds it. */
function functionBehind(value: Value): ImportedName | undefined {
  const here = resolveValue(value)
  const call = here.kind === 'await' ? resolveValue(here.value) : here
  return call.kind === 'call' ? importedNames(call.callee)[0] : undefined
}

/** What the ways around a filter say of it. */
export function ofSkips(skips: readonly Skip[]): Pick<RowFilter, 'roles' | 'exempt' | 'isUnsure'> {
  return { roles: rolesBehind(skips), exempt: exemptBy(skips), isUnsure: skips.some(({ reason }) => reason === 'other') }
}

/** The roles that a filter is for; empty: all callers. */
function rolesBehind(skips: readonly Skip[]): readonly string[] {
  return skips.flatMap(({ reason, at }) => (reason === 'role' ? rolesOf(at) : []))
}

/** The roles that a filter is not for; undefined: some, and nobody can tell which. */
function exemptBy(skips: readonly Skip[]): readonly string[] | undefined {
  const found = skips.flatMap(({ reason, at }) => (reason === 'exempt' ? [rolesOf(at)] : []))
  return found.some((roles) => roles.length === 0) ? undefined : found.flat()
}

function rolesOf(test: Value): readonly string[] {
  const found: string[] = []
  findPart(test, (part) => {
    const role = part.kind === 'call' && asksForRole(part) ? part.args[0] : undefined
    const name = role === undefined ? undefined : constantOf(role)
    if (typeof name === 'string') found.push(name)
    return false
  })
  return found
}
