import { constantOf, fieldOf, pathsOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { awaited } from '../../facts/conditions.ts'
import { calledBy } from '../../facts/own-answers.ts'
import { bindingOf, receiverOf } from '../../facts/asked-values.ts'
import { MAKES_CLIENTS } from '../tables/routes.ts'
import { SIGNING_HEADERS } from '../tables/secrets.ts'

/** What the arguments of a request are read with. */
interface RequestReader {
  readonly facts: ScriptFacts
  readonly step: (count?: number) => void
}

/** Fields of a body, what stands before them in a text, and what of their values counts. */
interface Wanted {
  readonly names: readonly string[]
  readonly before: RegExp
  readonly isWanted: (value: Value | undefined) => boolean
}

const SECRETS: Wanted = {
  names: ['client_secret', 'clientSecret', 'password', 'refresh_token'],
  before: /(?:^|[?&])(?:client_secret|password|refresh_token)=$/,
  isWanted: isVariable,
}
/** Fact: RFC 6749, "Access Token Request": each has a `grant_type`. */
const GRANT: Wanted = {
  names: ['grant_type'],
  before: /(?:^|[?&])grant_type=|^grant_type=[^]*&client_secret=$/,
  isWanted: (value) => value !== undefined,
}

/** Whether a request is given credentials: in its header, as its login, in its body. */
export function sendsCredentials({ callee, args }: CallValue, reader: RequestReader): boolean {
  return (
    args.some((argument) => setsCredentials(argument, reader) || holds(argument, SECRETS, reader)) ||
    settingsOfClient(callee).some((settings) => setsCredentials(settings, reader))
  )
}

/** What the client of a request was made with: `axios.create({ headers: { Authorization } })`. Fact: axios 1 (README, "Creating an instance"). */
function settingsOfClient(callee: Value): readonly Value[] {
  const client = resolveValue('object' in callee ? callee.object : callee)
  return 'callee' in client && pathsOf(client).some((path) => MAKES_CLIENTS.has(path.join(' '))) ? client.args : []
}

/** `executeHttpRequest({ destinationName: 'ERP' }, …)`, whose headers are in its exceptions as well. Fact: @sap-cloud-sdk/http-client 4 (executes by axios). */
export function namesDestination({ args: [destination] }: CallValue): boolean {
  return destination !== undefined && fieldOf(resolveValue(destination), 'destinationName') !== undefined
}

/** Whether a request asks a token endpoint. */
export function asksForToken({ args }: CallValue, reader: RequestReader): boolean {
  return args.some((argument) => holds(argument, GRANT, reader))
}

/** `{ auth: { username, password } }`, `{ headers: { Authorization: `Bearer ${token}` } }`, `{ headers: headersOf(token) }`. Fact: axios 1 (README, "Request Config"). */
function setsCredentials(argument: Value, { step }: RequestReader): boolean {
  return madeBy(argument, step).some((config) => {
    if (isVariable(fieldOf(config, 'auth')?.value)) return true
    const headers = fieldOf(config, 'headers')?.value
    return headers !== undefined && madeBy(headers, step).some(isSigning)
  })
}

/**
 * `{ client_secret: secret }`, `new URLSearchParams({ … })`, `form.append('client_secret', secret)`, `client_secret=${secret}`. Fact: axios 1 (README, "Handling Errors"):
 * `error.config.data` is the body that was sent.
 */
function holds(argument: Value, { names, before, isWanted }: Wanted, { facts, step }: RequestReader): boolean {
  const made = (value: Value): readonly Value[] => madeBy(value, step)
  const sent = made(argument).flatMap((body) => {
    const data = fieldOf(body, 'data')?.value
    // new URLSearchParams({ … }), qs.stringify({ … })
    const given = [...('args' in body ? body.args : []), ...(data === undefined ? [] : [data])]
    return [body, ...given.flatMap(made).flatMap((one) => [one, ...('args' in one ? one.args.flatMap(made) : [])])]
  })
  if (
    sent.some(
      (body) => names.some((name) => isWanted(fieldOf(body, name)?.value)) || textsOf(body).some((text) => before.test(text)),
    )
  )
    return true
  const binding = bindingOf(argument)
  if (binding === undefined) return false
  step(facts.calls.length >> 3)
  return facts.calls.some((call) => {
    const [name, value] = call.args
    const filled = receiverOf(call)
    return (
      value !== undefined &&
      filled !== undefined &&
      bindingOf(filled) === binding &&
      names.includes(String((name && constantOf(name)) ?? '')) &&
      isWanted(value)
    )
  })
}

/** What stands before the parts of a text. */
function textsOf(value: Value): readonly string[] {
  if ('texts' in value) return value.texts?.slice(0, -1) ?? []
  return 'parts' in value ? value.parts.slice(0, -1).map((part) => String(constantOf(part) ?? '')) : []
}

function isVariable(value: Value | undefined): boolean {
  return value !== undefined && constantOf(value) === undefined
}

function isSigning(headers: Value): boolean {
  return SIGNING_HEADERS.some((name) => isVariable(fieldOf(headers, name)?.value))
}

/** A value, or what the function of the script that gives it returns. */
function madeBy(value: Value, step: RequestReader['step']): readonly Value[] {
  const made = awaited(resolveValue(lastGiven(value, step)))
  const returns = 'callee' in made ? calledBy(made.callee)?.returns : undefined
  return returns === undefined ? [made] : returns.map((one) => resolveValue(one))
}

/** What a name was last given in front of where it is read: `var config = { … }` for one request, and again for the next. */
function lastGiven(value: Value, step: RequestReader['step']): Value {
  const definitions = 'binding' in value ? (value.binding?.definitions ?? []) : []
  if (definitions.length < 2 || definitions.length > MOST_DEFINITIONS) return value
  step(definitions.length)
  const given = definitions.flatMap(({ kind, value: own, path }) =>
    GIVES.test(kind) && path.length === 0 && own !== undefined && own.end <= value.start ? own : [],
  )
  return given.length < MOST_GIVEN ? (given.at(-1) ?? value) : value
}

const GIVES = /^(?:init|assign)$/
const MOST_GIVEN = 8
const MOST_DEFINITIONS = 64
