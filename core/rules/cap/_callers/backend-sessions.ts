import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  constantOf,
  stringConstantOf,
  excerptOf,
  findOrigin,
  findPart,
  resolveValue,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createDevelopmentReader, isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** The session of a login to a back end, in an answer to the client. */
export interface SentSession extends Span {
  readonly part: string
}

/**
 * Answers with the session that a login with stored credentials opened: `output.SessionID = response.cookies[0].value`, `res.json({ session: login.headers['set-cookie'] })`.
 * Facts: SAP HANA XS JavaScript API Reference, `$.net.http.Client` (`getResponse().cookies`), `$.response.setBody`; SAP Business One Service Layer, "Login" (cookie
 * B1SESSION, `SessionId` in the body); axios, README (`response.headers`).
 */
export function sentSessions(answersOf: (call: CallValue, facts: ScriptFacts) => readonly Value[]): Extract<SentSession> {
  return defineExtract({
    name: 'cap-sent-sessions',
    keywords: ['.cookies', 'set-cookie', 'Set-Cookie', 'getSetCookie', 'SessionId', 'SessionID', 'sessionId'],
    prefilter: (text) => /log_?[io]n|logon|authenticat/i.test(text) && /pass|pwd|secret|credential/i.test(text),
    isFor: isDeployedCode,
    collect: ({ facts, text, step }) => [...findSent(facts, text, answersOf, step)],
  })
}

function* findSent(
  facts: ScriptFacts,
  text: string,
  answersOf: (call: CallValue, facts: ScriptFacts) => readonly Value[],
  step: (count?: number) => void,
): Generator<SentSession> {
  const isForDevelopers = createDevelopmentReader(facts)
  const seen = new Set<number>()
  for (const call of facts.calls) {
    step()
    const answers = isXsAnswer(call) ? call.args : answersOf(call, facts)
    if (answers.length === 0 || isForDevelopers(call)) continue
    for (const answer of answers) {
      const found = findOrigin(answer, (part) => judge(part, step), ownAnswers)
      if (found === undefined || seen.has(found.start)) continue
      seen.add(found.start)
      yield { start: found.start, end: found.end, part: excerptOf(text, found) }
    }
  }
}

/** `$.response.setBody(…)`. */
function isXsAnswer({ callee }: CallValue): boolean {
  return accessesOf(callee).some(({ root, steps }) => root === 'global:$' && steps.join('.') === 'response.setBody')
}

function ownAnswers(value: Value): readonly Value[] | undefined {
  return value.kind === 'call' ? functionOf(value.callee)?.returns : undefined
}

/** Calls that give back what they are given. */
const PASSES = /^(?:stringify|parse|map|find|filter|split|join|match|replace|String|toString|slice|trim|at|shift|pop)$/
/** What a cookie says of itself. */
const OF_COOKIE = /^(?:name|path|domain|expires|maxAge|length|status|statusText)$/

function judge(part: Value, step: () => void): 'source' | 'clean' | undefined {
  step()
  if (part.kind === 'member' && OF_COOKIE.test(part.name ?? '')) return 'clean'
  const response = responseOf(part)
  if (response !== undefined && isOfLogin(response)) return 'source'
  if (part.kind !== 'call') return undefined
  return functionOf(part.callee) === undefined && !PASSES.test(lastNameOf(part.callee) ?? '') ? 'clean' : undefined
}

/** The answer whose session is read: `login` of `login.headers['set-cookie']`, `response` of `response.cookies[j].value`, `login` of `login.data.SessionId`. */
function responseOf(part: Value): Value | undefined {
  let here = part.kind === 'call' ? part.callee : part
  if (part.kind === 'call') {
    const [name] = part.args
    if (here.kind !== 'member' || lastNameOf(here.object) !== 'headers') return undefined
    const isCookie = here.name === 'getSetCookie' || (here.name === 'get' && isCookieName(name))
    return isCookie && 'object' in here.object ? here.object.object : undefined
  }
  for (let depth = 0; here.kind === 'member' && depth < 6; depth++) {
    const owner = here.object
    if (here.name === 'cookies') return owner
    if (owner.kind === 'member' && owner.name === 'headers' && (isCookieName(here.property) || here.name === 'set-cookie'))
      return owner.object
    if (SESSION.test(here.name ?? '')) return owner.kind === 'member' && owner.name === 'data' ? owner.object : owner
    here = owner
  }
  return undefined
}

const SESSION = /^(?:session_?id|b1session)$/i

function isCookieName(value: Value | undefined): boolean {
  const name = stringConstantOf(value)
  return name !== undefined && name.toLowerCase() === 'set-cookie'
}

const LOGIN = /log_?[io]n|authenticat/i
const PASSWORD = /pass(?:word|wd|wort)?$|pwd$|secret$|credentials?$|basic_?auth$/i

/** It is what a login gave for which the request has no say. */
function isOfLogin(response: Value): boolean {
  const given =
    response.kind === 'reference'
      ? (response.binding?.definitions.flatMap(({ value, path }) => (value === undefined || path.length > 1 ? [] : value)) ?? [])
      : [response]
  return given.some((one) => {
    const made = resolveValue(one.kind === 'await' ? one.value : one)
    return made.kind === 'call' && isLogin(made)
  })
}

function isLogin(call: CallValue): boolean {
  const isNamed =
    LOGIN.test(lastNameOf(call.callee) ?? '') ||
    call.args.some(
      (one) =>
        findPart(one, (part) => typeof constantOf(part) === 'string' && ADDRESS.test(String(constantOf(part)))) !== undefined,
    ) ||
    call.args.some(
      (one) => findPart(one, (part) => 'texts' in part && (part.texts ?? []).some((text) => ADDRESS.test(text))) !== undefined,
    )
  if (!isNamed || call.args.some((one) => findPart(one, isOfRequest) !== undefined)) return false
  return call.args.some((one) => findPart(one, namesPassword) !== undefined)
}

const ADDRESS = /\/(?:log[io]n|authenticate)\b/i

function namesPassword(part: Value): boolean {
  if (part.kind === 'object') return part.fields.some(({ key }) => key !== undefined && PASSWORD.test(key))
  if (part.kind === 'call') return PASSWORD.test(lastNameOf(part.callee) ?? '')
  return (part.kind === 'member' || part.kind === 'reference') && PASSWORD.test(lastNameOf(part) ?? '')
}

/** What the client sends, or a parameter that any caller may fill. */
function isOfRequest(part: Value): boolean {
  if (part.kind === 'reference')
    return part.binding?.kind === 'parameter' && part.binding.definitions.every(({ value }) => value === undefined)
  return part.kind === 'member' && part.name === 'request' && part.object.kind === 'reference' && part.object.name === '$'
}
