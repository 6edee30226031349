import {
  accessesOf,
  constantOf,
  stringConstantOf,
  createCodeReader,
  findPart,
  resolveValue,
  valuesOf,
  type Access,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import type { Span } from '../../../types.ts'
import { isAround, isWithin } from '../../../facts/span-index.ts'
import { isContextRoot } from '../../../model/script/index.ts'
import { lastName } from '../../../paths.ts'
import { isRequest } from './shown-identities.ts'

/** A place where a header that the client chooses stands for the user, or for a role of that. */
export interface ChosenUser extends Span {
  /** `x-user`. */
  readonly header: string
  readonly isRole?: true
  /** The code decides by the name of a role, or asks for the rows of the user. */
  readonly decides?: boolean
  /** Rows of the user are found, written or compared by it. */
  readonly isUsed?: true
  /** The function of the script that tells the caller by it. */
  readonly within?: string
  /** The field that takes the place of the user: nothing, where no script reads it. */
  readonly field?: string
}

/** Headers that name a user; those that proxies set where they have authenticated one are left out. */
const USER_HEADER =
  /^(?:x-)?(?:\w{1,20}-){0,2}(?:user|employee|actor|impersonate|impersonated-user|on-behalf-of)(?:-?(?:id|name|email|mail))?$/i
const OF_PROXIES = /forwarded|remote|auth|principal|verified|client/i

/** Headers that name what the caller may do. */
const ROLE_HEADER = /^(?:x-)?(?:\w{1,20}-){0,2}(?:roles?|scopes?|permissions?|is-?admin)$/i
/** `userRole === 'MANAGER'`, `['admin'].includes(role)` */
const DECIDES =
  /(?:roles?|scopes?|permissions?|is_?admin)\w{0,20}["'\])]{0,3}\s{0,4}(?:[=!]==?\s{0,4}|\.includes\(\s{0,4})["'`]\w|["'`]\]?\s{0,4}(?:[=!]==?\s{0,4}|\.includes\(\s{0,4})\w{0,40}(?:role|scope|permission)/i
/** Of code that proves who sent the header. */
export const PROVES: RegExp = /timingSafeEqual|createHmac|\.verify\(|signature|x-api-key|secret/i

/** What a middleware keeps the caller in, beside `req.user`. */
const KEPT = /^(?:current_?user|user_?id|user_?name|user_?email|user_?info|auth_?user|caller|principal|login_?user)$/i

const MAX_FOUND = 20

/** `req.headers['x-user'] || req.user.id`, `req.currentUser = { id: req.get('x-user') }`. */
export function* findChosenUsers(facts: ScriptFacts): Generator<ChosenUser> {
  let count = 0
  const seen = new Set<number>()
  for (const { value } of valuesOf(facts)) {
    if (value.kind !== 'choice' || value.isAnd === true || seen.has(value.start)) continue
    const first = value.options.findIndex((option) => headerOf(option) !== undefined)
    const caller = value.options.findIndex((option) => option.kind !== 'literal' && isCaller(option))
    const header = value.options[first]
    if (header === undefined || caller < 0 || (caller < first && value.test === undefined)) continue
    seen.add(value.start)
    const decides = asksRows(value, facts)
    yield { start: value.start, end: value.end, header: headerOf(header) ?? '', ...(decides && { decides }) }
    if (++count >= MAX_FOUND) return
  }
  for (const assignment of facts.assignments) {
    const { target, value, start, end } = assignment
    if (!KEPT.test(target.name ?? '') || !accessesOf(target).some(isOfRequest)) continue
    const part = findPart(value, (one) => headerOf(one) !== undefined)
    if (part !== undefined && ![...seen].some((at) => isAround(assignment, at)))
      yield { start, end, header: headerOf(part) ?? '' }
  }
}

const ASKS_ROWS = /^(?:where|byKey|find|findOne|findBy\w{1,20}|findFirst|findUnique|findMany|query|execute|exec|run|filter)$/

/** `const userId = header || req.user.id; SELECT.from(Users).where({ ID: userId })`: rows are asked for by what was chosen. */
function asksRows({ start, end }: Value, { bindings, calls }: ScriptFacts): boolean {
  const chosen = bindings.filter(({ definitions }) =>
    definitions.some(({ value, path }) => value?.start === start && value.end === end && path.length === 0),
  )
  const isChosen = (part: Value): boolean =>
    part.kind === 'reference' && part.binding !== undefined && chosen.includes(part.binding)
  return calls.some(
    ({ callee, args }) =>
      chosen.length > 0 &&
      ASKS_ROWS.test(lastNameOf(callee) ?? '') &&
      args.some((given) => functionOf(given) === undefined && findPart(given, isChosen) !== undefined),
  )
}

/** `const as = req.headers['x-user']; if (as) user = as; else user = callerOf(req)`: of several values of one name the header that stands beside the caller. */
export function* findBranchedUsers(facts: ScriptFacts): Generator<ChosenUser> {
  const seen = new Set<number>()
  for (const { name, definitions } of facts.bindings) {
    const values = definitions.flatMap(({ value }) => value ?? [])
    if (values.length < 2 || !/user/i.test(name)) continue
    for (const value of values) {
      const part = findPart(value, (one) => headerOf(one) !== undefined)
      const isOther = (other: Value): boolean => other !== value && (isCaller(other) || isToldByRequest(other))
      if (part === undefined || !values.some(isOther)) continue
      const { start, end } = resolveValue(part)
      const within = lastName(definitions[0]?.function.name ?? '')
      if (!seen.has(start)) yield { start, end, header: headerOf(part) ?? '', ...(within !== '' && { within }) }
      seen.add(start)
    }
  }
}

/** What stands for the user where it is set: `{ id: req.user.id, userOverride: req.get('x-user') }`. */
export const OVERRIDES: RegExp = /^\w{0,40}(?:override|impersonated?|on_?behalf(?:_?of)?|act_?as)\w{0,20}$/i

export function* findOverridingUsers({ values }: ScriptFacts): Generator<ChosenUser> {
  for (const { value } of values)
    for (const { key, value: given } of value.kind === 'object' ? value.fields : []) {
      if (key === undefined || !OVERRIDES.test(key)) continue
      const part = findPart(given, (one) => headerOf(one) !== undefined)
      if (part !== undefined) yield { start: given.start, end: given.end, header: headerOf(part) ?? '', field: key }
    }
}

/** `callerOf(req)`, `userOf(req).toUpperCase()`: a function of the project tells who sent the request. */
function isToldByRequest(value: Value): boolean {
  const found = findPart(value, (part) => {
    const call = resolveValue(part)
    return (
      call.kind === 'call' && /user|caller|principal|identity/i.test(lastNameOf(call.callee) ?? '') && call.args.some(isRequest)
    )
  })
  return found !== undefined
}

/** `const role = req.headers['x-role'] ?? 'reader'`: the caller says what it may do. */
export function* findChosenRoles(facts: ScriptFacts, text: string): Generator<ChosenUser> {
  const seen = new Set<string>()
  const proves = createCodeReader(text, (code) => PROVES.test(code))
  for (const { value } of valuesOf(facts)) {
    const header = value.kind === 'member' || value.kind === 'call' ? headerOf(value, isRoleHeader) : undefined
    if (header === undefined || seen.has(header)) continue
    const around = facts.functions.findLast((span) => isWithin(value, span))
    if (around === undefined || proves(around)) continue
    seen.add(header)
    yield { start: value.start, end: value.end, header, isRole: true, ...(DECIDES.test(text) && { decides: true }) }
  }
}

function isRoleHeader(name: string): boolean {
  return ROLE_HEADER.test(name) && !OF_PROXIES.test(name)
}

function isOfRequest({ root, steps }: Access): boolean {
  return isContextRoot(root) && steps.length === 1
}

/** The name of the header, of `req.headers['x-user']`, `req.get('x-user')`, under whatever name. */
export function headerOf(value: Value, isWanted: (name: string) => boolean = isUserHeader): string | undefined {
  const here = resolveValue(value)
  if (here.kind === 'call') {
    const name = stringConstantOf(here.args[0])
    const isGet = /^(?:get|header)$/.test(lastNameOf(here.callee) ?? '') && here.callee.kind === 'member'
    const isAsked =
      isGet && here.callee.kind === 'member' && accessesOf(here.callee.object).some(({ root }) => isContextRoot(root))
    if (!isAsked && /header/i.test(lastNameOf(here.callee) ?? '') && here.args.some(isRequest)) {
      // readHeader(req, 'x-user')
      const names = here.args.map((argument) => constantOf(argument))
      return names.find((one): one is string => typeof one === 'string' && isWanted(one))
    }
    return isAsked && name !== undefined && isWanted(name) ? name : undefined
  }
  for (const { root, steps } of accessesOf(value)) {
    const at = steps.indexOf('headers')
    const name = steps[at + 1]
    if (at >= 0 && steps.length === at + 2 && name !== undefined && isWanted(name) && isOfSender(root, steps)) return name
  }
  return undefined
}

function isUserHeader(name: string): boolean {
  return USER_HEADER.test(name) && !OF_PROXIES.test(name)
}

function isOfSender(root: string, [first]: readonly string[]): boolean {
  return isContextRoot(root) || (/^(?:global:cds|module:@sap\/cds)$/.test(root) && first === 'context')
}

/** `req.user.id`, `cds.context.user.id`, `req.tokenInfo.getPayload().email`: who was authenticated. */
function isCaller(value: Value): boolean {
  const found = findPart(value, (part) =>
    part.kind !== 'literal'
      ? accessesOf(part).some(
          ({ root, steps }) => isOfSender(root, steps) && steps.some((step) => /^(?:user|tokenInfo|authInfo)$/.test(step)),
        )
      : false,
  )
  return found !== undefined
}
