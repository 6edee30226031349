import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  stringConstantOf,
  findPart,
  functionAround,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { awaited } from '../../../facts/conditions.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { ISSUES_TOKENS, isLoginPath, VERBS } from '../../../flow/tables/routes.ts'
import { blankComments } from '../../../model/reach/index.ts'
import { createDevelopmentReader, isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { eventNamesOf, findHandledFunctions, type EventNames } from '../_handlers/handled-functions.ts'
import { isSigned } from '../_callers/issued-tokens.ts'
import { baseOf, entityRead } from '../_handlers/query-chains.ts'
import { takesRequest } from '../_routes/route-answers.ts'
import { clientData, type ClientData } from '../_rows/client-data.ts'

/** A token for the account that the request names, made by a function that asks for no proof. Its span is the call that makes it. */
export interface UnaskedLogin extends Span {
  /** What the client sends. */
  readonly client: string
  /** The entity of the account, by the last part of its name. */
  readonly entity: string
  /** The operation of CAP whose handler it is. */
  readonly event?: EventNames
  /** A route of Express that says by its path that people log in by it, with no function in front of the handler. */
  readonly isLoginRoute: boolean
}

const FINDS_IN_TEXT = /\bSELECT\b|\bfind(?:One|ByPk|ById|Unique|First)/
const ACCOUNTS = /users?$|accounts?$|members?$|employees?$|customers?$|people$|persons?$|staff$|profiles?$/i
/** By what people are named; whoever knows a code or a link has a proof. */
const NAMES_ACCOUNT =
  /^(?:(?:user|login|account|member|employee|customer)_?)?(?:id|name|no|nr|number|login|user|e_?mail(?:_?address)?)$/i
/** A proof of the caller, or what may ask for one: also in what the function calls, and in what the client sends besides. */
const PROVES =
  /pass|pwd|secret|hash|compar|verif|valid|check|assert|ensure|otp|\bpin\b|nonce|answer|saml|oauth|google|ldap|\bbind\(|session|headers?\b|header\(|authori[sz]|authent|\bauth\b|credential|captcha|biometr|signature|certificate|x509|decrypt|decode|approuter|sso\b/i
/** The token goes to the owner of the account, or is that of an account that was just made. */
const ELSEWHERE =
  /mail(?:er)?\s{0,4}[.(]|send_?\w{0,20}(?:mail|sms|message)|\bsms\b|invit|magic|regist|sign_?-?up|forgot|reset|confirm/i
/** A token or code that the client sends beside the name, and who the request says is logged in. */
const SENT_PROOF =
  /\b(?:body|data|query|params|cookies)\s{0,4}\??\.\s{0,4}\w{0,30}(?:token|code|pin|key)\b|\b(?:req|oReq)(?:uest)?\s{0,4}\??\.\s{0,4}(?:user|account|auth|cookies|signedCookies)\b/i

/** Facts: jsonwebtoken 9 (README, `sign`); OWASP Authentication Cheat Sheet; CWE-306, "Missing Authentication for Critical Function". */
export const unaskedLogins: Extract<UnaskedLogin> = defineExtract({
  name: 'cap-unasked-logins',
  keywords: ['sign', 'token', 'jwt'],
  prefilter: (text) => FINDS_IN_TEXT.test(text) && /sign\w{0,20}\(|(?:token|jwt)s?\(/i.test(text),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    const handled = findHandledFunctions(facts)
    const isForDevelopers = createDevelopmentReader(facts)
    const told = new Set<FunctionFact>()
    for (const call of facts.calls) {
      step()
      const around = makesToken(call) ? functionAround(facts, call.start) : undefined
      // an access token and one to renew it are one login
      if (around === undefined || told.has(around) || !takesRequest(around)) continue
      const named = accountOf(call, around)
      if (named === undefined) continue
      step((around.end - around.start) >> 6)
      step(facts.calls.length)
      if (mayAskForProof(around, text)) continue
      if (isHandedOn(named.sent.request, around, facts) || isForDevelopers(call)) continue
      told.add(around)
      const handler = handled.handlerOf(call)
      yield {
        start: call.start,
        end: call.end,
        client: named.sent.client,
        entity: named.entity,
        ...(handler?.phase === 'on' && { event: eventNamesOf(handler) }),
        isLoginRoute: isLoginRoute(around, facts),
      }
    }
  },
})

/** Whether a function, or what it calls, may ask for a proof, or its token goes to the owner of the account. */
export function mayAskForProof({ name, start, end }: FunctionFact, text: string): boolean {
  const code = blankComments(text.slice(start, end))
  return PROVES.test(code) || ELSEWHERE.test(`${name} ${code}`) || SENT_PROOF.test(code)
}

function makesToken(call: CallValue): boolean {
  return call.kind === 'call' && (isSigned(call) || ISSUES_TOKENS.test(lastNameOf(call.callee) ?? ''))
}

/** The row that the token is for, which the function finds by what the client sends and nothing else. */
function accountOf(
  { args }: CallValue,
  around: FunctionFact,
): { readonly sent: ClientData; readonly entity: string } | undefined {
  const [given] = args
  if (given === undefined) return undefined
  const payload = resolveValue(given)
  const parts = payload.kind === 'object' ? payload.fields.map(({ value }) => value) : [given]
  for (const part of parts) {
    const row = rowOf(part)
    const [definition, ...others] = row?.function === around ? (row.definitions ?? []) : []
    if (definition?.value === undefined || others.length > 0) continue
    const query = queryOf(definition.value)
    if (query === undefined || !ACCOUNTS.test(query.entity)) continue
    const sent = query.terms.map(({ column, value }) => (NAMES_ACCOUNT.test(column) ? clientData(value) : undefined))
    const [first] = sent
    if (first !== undefined && sent.every((one) => one !== undefined && FROM_BODY.test(one.part)))
      return { sent: first, entity: query.entity }
  }
  return undefined
}

const FROM_BODY = /^(?:body|data|query|params)$/

/** `user`, `user.ID` */
function rowOf(value: Value): Binding | undefined {
  if (value.kind === 'reference') return value.binding
  return value.kind === 'member' && value.object.kind === 'reference' ? value.object.binding : undefined
}

interface AccountQuery {
  readonly entity: string
  readonly terms: readonly { readonly column: string; readonly value: Value }[]
}

/** `await SELECT.one.from(Users).where({ ID: … })`, `await User.findOne({ email: … })`, `await User.findById(…)`. */
function queryOf(value: Value): AccountQuery | undefined {
  const query = awaited(resolveValue(value))
  if (query.kind !== 'call' || query.callee.kind !== 'member') return undefined
  const { name = '' } = query.callee
  const entity = entityRead(query)
  const [given] = baseOf(query)?.kind === 'read' && name !== 'where' ? [] : query.args
  if (entity === undefined || given === undefined) return undefined
  if (/^find(?:ByPk|ById)$/.test(name)) return { entity, terms: [{ column: 'id', value: given }] }
  const made = resolveValue(given)
  const where = made.kind === 'object' ? made.fields.find(({ key }) => key === 'where') : undefined
  const row = where === undefined ? made : resolveValue(where.value)
  if (row.kind !== 'object' || row.fields.length === 0) return undefined
  return { entity, terms: row.fields.map(({ key = '', value: term }) => ({ column: key, value: term })) }
}

/** `await login(req)`, `assertUser(req.body)`: another function may ask for a proof. */
function isHandedOn(request: Binding, around: FunctionFact, { calls }: ScriptFacts): boolean {
  const isWhole = (value: Value): boolean =>
    (value.kind === 'reference' && value.binding === request) ||
    (value.kind === 'member' && value.object.kind === 'reference' && value.object.binding === request)
  return calls.some(
    ({ start, end, args, callee }) =>
      start >= around.start &&
      end <= around.end &&
      lastNameOf(callee) !== 'log' &&
      args.some((given) => findPart(given, isWhole) !== undefined && isBare(given, isWhole)),
  )
}

/** The whole of it, and not a field below: `{ ID: req.body.name }` has one. */
function isBare(given: Value, isWhole: (value: Value) => boolean): boolean {
  return isWhole(given) || (given.kind === 'object' && given.fields.some(({ value }) => isWhole(value)))
}

function isLoginRoute(around: FunctionFact, { calls }: ScriptFacts): boolean {
  return calls.some(({ callee, args: [path, handler, ...more] }) => {
    if (more.length > 0 || callee.kind !== 'member' || !VERBS.has(callee.name ?? '') || functionOf(handler) !== around)
      return false
    const written = stringConstantOf(path)
    return written !== undefined && isLoginPath(written)
  })
}
