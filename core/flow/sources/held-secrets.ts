import {
  constantOf,
  isConstant,
  pathOf,
  resolveValue,
  type Binding,
  type CallValue,
  type Definition,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isNothing } from '../../facts/values.ts'
import type { HandlerFunction } from '../../model/cap/index.ts'
import { isComposedText, writtenParts } from '../../facts/written-parts.ts'
import { createDevelopmentReader, isLogCall, isSecretName } from '../../model/script/index.ts'
import { SINKS } from '../tables/sinks.ts'
import {
  ASKS_FOR_TOKEN,
  GIVING_SECRETS,
  HOLDING_FIELDS,
  MAKING_TOKENS,
  MAY_HOLD_SECRETS,
  NAMED_SECRETS,
  SECRET_FIELDS,
  SECRET_HEADERS,
} from '../tables/secrets.ts'
import type { Span } from '../../types.ts'
import { WRITE } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { nameOf } from '../graph/names.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { addForwardedHeaders } from '../sinks/sent-secrets.ts'
import { REQUEST_FAULT } from '../tables/http-sinks.ts'
import { addFound } from '../sinks/sink-parts.ts'

const MAX_TEXT = 2000

/** Calls that send a request. */
const REQUESTING: ReadonlySet<string> = new Set(SINKS.flatMap(({ fault, calls = [] }) => (fault === REQUEST_FAULT ? calls : [])))

/** Whether credentials of the file are followed into logs. */
export function mayHoldSecrets(text: string): boolean {
  return MAY_HOLD_SECRETS.test(text)
}

/** Adds what calls that log are given, part by part: of a text, an object, JSON. What only developers run is left out. */
export function addLoggedSecrets(handlers: readonly HandlerFunction[], draft: FlowDraft): void {
  const isForDevelopers = createDevelopmentReader(draft.facts)
  const emptied = emptiedOf(draft.facts)
  const throws = wholeRequests(handlers, draft.facts)
  for (const call of draft.facts.calls) {
    if (!isLogCall(call) || isForDevelopers(call)) continue
    const parts = call.args.flatMap((argument) =>
      writtenParts(argument).map((part) => ({ part, detail: detailOf(part, argument) })),
    )
    for (const { part, detail } of parts) {
      if (
        (part.kind === 'reference' && part.binding !== undefined && emptied.has(part.binding)) ||
        isDestinationName(part) ||
        takesOthers(part) ||
        throws(part)
      )
        continue
      addFound(FOUND_SINKS.loggedCredential, part, draft, { name: nameOf(call.callee), ...(detail !== undefined && { detail }) })
    }
  }
}

/**
 * `JSON.stringify(req)` in a handler of CAP throws, and nothing is logged: the request holds that of Express with its socket, which refers to itself, wherever it came by HTTP.
 * Facts: @sap/cds 6.8.4 to 9.9.3, lib/req/context.js (`Object.assign(this, _)`), libx/odata/middleware (`request4({ query, req, res })`); no class of it has a `toJSON`.
 */
function wholeRequests(handlers: readonly HandlerFunction[], { calls }: ScriptFacts): (part: Value) => boolean {
  const requests = new Set(handlers.flatMap(({ fact, parameter }) => fact?.parameters[parameter] ?? []))
  if (requests.size === 0) return () => false
  const found = new Set<Value>()
  for (const { callee, args } of calls) {
    const [given, replacer] = args
    if (given === undefined || !('binding' in given) || given.binding === undefined || !requests.has(given.binding)) continue
    const isWhole = replacer === undefined || isNothing(replacer)
    if (isWhole && pathOf(callee)?.join('.') === 'global:JSON.stringify') found.add(given)
  }
  return (part) => found.has(part)
}

/** `'sent: ' + req`, `` `sent: ${req}` `` are texts of the value itself, `'sent: ' + JSON.stringify(req)` of what it holds. */
function detailOf(part: Value, argument: Value): 'in-text' | 'as-text' | undefined {
  if (!isComposedText(argument)) return undefined
  return 'callee' in part || !isPartOfText(part, argument) ? 'in-text' : 'as-text'
}

function isPartOfText(part: Value, text: Value): boolean {
  return 'parts' in text && text.parts.some((one) => one === part || isPartOfText(part, one))
}

/** `pick(error.config, ['method', 'url'])`: it says by name what it takes. */
function takesOthers(part: Value): boolean {
  if (part.kind !== 'call') return false
  return part.args.some((argument) => {
    const list = resolveValue(argument)
    if (list.kind !== 'array' || list.items.length === 0) return false
    const names = list.items.map((item) => constantOf(item))
    return names.every((name) => typeof name === 'string' && !HOLDING_FIELDS.has(name) && !SECRET_FIELDS.has(name))
  })
}

/** `cds.env.requires.API.credentials.destination`. Fact: capire, "Consuming Services" (the name of the destination). */
function isDestinationName(part: Value): boolean {
  if (part.kind === 'choice') return part.options.every((option) => option.kind === 'literal' || isDestinationName(option))
  return part.kind === 'member' && part.name === 'destination' && lastNameOf(part.object) === 'credentials'
}

/** `delete copy.password`, `copy.password = '***'`: what the credentials were taken out of. */
function emptiedOf({ deletions, assignments }: ScriptFacts): ReadonlySet<Binding> {
  const replaced = assignments.flatMap(({ target, value }) => (isConstant(value) ? target : []))
  return new Set(
    [...deletions, ...replaced].flatMap(({ object, name = '' }) =>
      object.kind === 'reference' && object.binding !== undefined && SECRET_FIELDS.has(name) ? object.binding : [],
    ),
  )
}

/** `row.password`, `process.env.API_KEY`, `cds.env.requires.db.credentials`. */
export function addSecretMember(value: Value & { readonly kind: 'member' }, node: number, draft: FlowDraft): void {
  const { name, object } = value
  const { ends, show } = draft
  if (name === undefined) return
  if (name === 'config' && isError(object)) return addSentHeaders(node, value, draft)
  const isOfProcess = object.kind === 'reference' && object.name === 'process' && object.binding === undefined
  if (HOLDERS.has(name) || (isOfProcess && name === 'env')) ends.sources.push({ node, origin: 'credentials', weak: false })
  else if (
    NAMED_SECRETS.has(name) ||
    (isEnvironment(object) && isSecretName(name)) ||
    (lastNameOf(object) === 'headers' && SECRET_HEADERS.test(name))
  )
    ends.sources.push({ node, origin: 'credential', weak: false })
  else return
  show(node, value)
}

/** Bound services; what the destination service answers, with the password or a token. Facts: Cloud Foundry, "VCAP_SERVICES"; REST API of the destination service ("Find a destination"). */
const HOLDERS: ReadonlySet<string> = new Set(['credentials', 'VCAP_SERVICES', 'destinationConfiguration'])

/** `process.env`. */
function isEnvironment(value: Value): boolean {
  return value.kind === 'member' && value.name === 'env' && lastNameOf(value.object) === 'process'
}

/** `process.env[name]` in a function that gets the name: one variable, and the callers say which. */
export function isOneVariable({ name, object, property }: Value & { readonly kind: 'member' }): boolean {
  return name === undefined && isEnvironment(object) && isNamedByCallers(property)
}

/** `req.headers[name]` in such a function: one header, which for most callers is no credential. */
export function isOneHeader({ name, object, property }: Value & { readonly kind: 'member' }): boolean {
  return name === undefined && lastNameOf(object) === 'headers' && isNamedByCallers(property)
}

function isNamedByCallers(property: Value | undefined): boolean {
  const binding = property !== undefined && 'binding' in property ? property.binding : undefined
  return binding?.kind === 'parameter' && binding.function.name !== ''
}

/** `const { password } = row`, `const { DB_PASSWORD } = process.env`. */
export function addSecretDefinition({ path, value, ...place }: Definition, node: number, draft: FlowDraft): void {
  const name = path.at(-1) ?? ''
  const { ends, show } = draft
  if (name === 'config' && path.length === 1 && value !== undefined && isError(value)) return addSentHeaders(node, place, draft)
  const isVariable = path.length === 1 && value !== undefined && isEnvironment(value)
  if (!NAMED_SECRETS.has(name) && name !== 'credentials' && !(isVariable && isSecretName(name))) return
  ends.sources.push({ node, origin: name === 'credentials' ? 'credentials' : 'credential', weak: false })
  show(node, value, path)
}

const SETS_CREDENTIALS = /authorization|api-?key|x-[a-z-]{0,20}token/i

/** The request that failed, with the headers that it was sent with. Fact: axios 1 (README, "Handling Errors"): `error.config` is what was sent. */
function addSentHeaders(node: number, at: Span, { facts, graph, ends: { sources }, text, show }: FlowDraft): void {
  if (!SETS_CREDENTIALS.test(text)) return
  // delete error.config.headers.Authorization
  const replaced = facts.assignments.flatMap(({ target, value }) => (isConstant(value) ? target : []))
  if ([...facts.deletions, ...replaced].some(({ name = '' }) => SETS_CREDENTIALS.test(name))) return
  const headers = graph.add(at)
  sources.push({ node: headers, origin: 'credentials', weak: false })
  show(headers, 'config.headers')
  graph.connect(headers, node, WRITE, 'headers')
}

/** What was caught, or a parameter that is called so. */
function isError(value: Value): boolean {
  if (value.kind !== 'reference' || value.binding === undefined) return false
  const { kind, name } = value.binding
  return kind === 'catch' || (kind === 'parameter' && ERROR_NAME.test(name))
}

const ERROR_NAME = /^_?(?:e|err|error|reason)$/i

/** Adds what a call gives where that holds credentials: the answer to a request for a token, a destination, a binding, a token that is made here. */
export function addSecretAnswer(call: CallValue, paths: readonly string[], result: number, draft: FlowDraft): void {
  if (paths.some((path) => MAKING_TOKENS.has(path))) {
    draft.ends.sources.push({ node: result, origin: 'credential', weak: false })
    draft.show(result, call.callee)
    return
  }
  const isGiving = paths.some((path) => GIVING_SECRETS.has(path))
  const isRequest = paths.some((path) => REQUESTING.has(path))
  if (isRequest) addForwardedHeaders(call, paths, draft)
  if (!isGiving && !isRequest) return
  if (!isGiving && !ASKS_FOR_TOKEN.test(draft.text.slice(call.start, Math.min(call.end, call.start + MAX_TEXT)))) return
  draft.ends.sources.push({ node: result, origin: 'credentials', weak: false })
  draft.show(result, call.callee)
}

/** Whether `const { authorization, cookie, ...rest } = req.headers` leaves none in the rest. */
export function isRestWithoutSecrets({ taken, path }: Definition): boolean {
  return taken !== undefined && path.length < 2 && taken.some((name) => SECRET_FIELDS.has(name.toLowerCase()))
}
