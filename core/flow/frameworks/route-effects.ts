import {
  accessesOf,
  constantOf,
  fieldOf,
  findPart,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { alternativesOf } from '../../conditions/addresses.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { classifyHost } from '../../hosts.ts'
import { lastNameOf } from '../../facts/literals.ts'
import {
  CREDENTIAL_HEADERS,
  CREDENTIAL_OPTIONS,
  DATABASE_CALLS,
  DESTINATION_CLIENTS,
  FIXED_TEXT,
  IDLE_CALLS,
  MODEL_CALLS,
  READING_REQUESTS,
  REACHING_CALLS,
  REQUESTS,
  STATEMENT,
  STORED_CALLS,
} from '../tables/routes.ts'
import type { Span } from '../../types.ts'
import type { RouteFunction } from '../types.ts'
import { catalogueUseOf, JOINS_OTHERS, type CatalogueUse } from './catalogue-reads.ts'
import { statementOf } from './statements.ts'
import { createInnerIndex } from '../../facts/span-index.ts'

/** A call as far as it tells what a route does. */
export interface EffectCall extends Span {
  readonly name: string
  readonly isOfResponse: boolean
  readonly hasArgs: boolean
  readonly usesData: RouteFunction['usesData']
  /** Of stored data: it reads what is named like a public catalogue, or leads to a database. */
  readonly catalogue?: CatalogueUse
  /** It notes or converts. */
  readonly isIdle: boolean
  /** Of another file of the project. */
  readonly isElsewhere: boolean
  /** It answers with a file of the program. */
  readonly showsFile: boolean
}

/** What functions of a file do to data, and by which calls. */
export interface EffectReader {
  /** Calls inside of a function, those of functions within it too. */
  within(fact: FunctionFact): readonly EffectCall[]
  /** By itself and by what it asks functions of the file for. */
  usesOf(fact: FunctionFact): RouteFunction['usesData']
  /** All that it and functions of the file that it calls read is named like a public catalogue. */
  readsCatalogue(fact: FunctionFact): boolean
  /** Functions that use data by themselves, or by functions within. */
  readonly using: readonly FunctionFact[]
}

interface ReadCall extends EffectCall {
  readonly tellsFilled: boolean
  readonly called: FunctionFact | undefined
}

const MAX_DEPTH = 3

/** Reads the calls of a file once. */
export function createEffectReader(facts: ScriptFacts): EffectReader {
  const filled = filledByRequests(facts)
  const calls = facts.calls.map((call) => toReadCall(call, filled))
  const within = createInnerIndex(calls)
  // res.json(await levelsOf(category)): what it asks a function of the file for. Each function is looked at once
  const known = new Map<FunctionFact, RouteFunction['usesData']>()
  const usesOf = (fact: FunctionFact, depth = 0): RouteFunction['usesData'] => {
    const before = known.get(fact)
    if (before !== undefined) return before
    known.set(fact, false)
    const uses = within(fact).map(({ usesData, tellsFilled, isOfResponse, called }) => {
      if (usesData !== false) return usesData
      if (tellsFilled && isOfResponse) return 'some'
      return called !== undefined && depth < MAX_DEPTH ? usesOf(called, depth + 1) : false
    })
    const used = greatest(uses)
    known.set(fact, used)
    return used
  }
  const catalogues = new Map<FunctionFact, boolean>()
  const readsCatalogue = (fact: FunctionFact): boolean => {
    const before = catalogues.get(fact)
    if (before !== undefined) return before
    catalogues.set(fact, false)
    const inside = within(fact)
    if (inside.some(({ name }) => JOINS_OTHERS.test(name))) return false
    const using = inside.filter(({ usesData, called }) => usesData !== false || (called && usesOf(called) !== false))
    const isRead = ({ usesData, catalogue, called }: ReadCall): boolean =>
      usesData === false ? called !== undefined && readsCatalogue(called) : catalogue !== undefined
    const found = using.every(isRead) && using.some(({ catalogue, called }) => catalogue === 'read' || called !== undefined)
    catalogues.set(fact, found)
    return found
  }
  return {
    within,
    usesOf,
    readsCatalogue,
    using: [
      ...new Set(facts.calls.flatMap((call, index) => (calls[index]?.usesData === false ? [] : withParents(call.function)))),
    ],
  }
}

/** What a call tells by itself; `filled`: collections that keep what requests tell. */
function toReadCall(call: CallValue, filled: ReadonlySet<Binding>): ReadCall {
  const isFilled = (part: Value): boolean => 'binding' in part && part.binding !== undefined && filled.has(part.binding)
  const accesses = accessesOf(call.callee)
  const isBare = isBareRead(call, accesses)
  const isPublic = (isBare && isPublicRequest(call)) || isFixedText(call)
  const isOwn = isOfOwnFile(call)
  const isOfResponse = accesses.some(({ root }) => ANSWERED.test(root))
  const usesData = isOwn || isPublic ? false : isBare && isForwarded(call) ? 'asked' : effectOf(accesses, call)
  const catalogue = usesData === 'stored' ? catalogueUseOf(call) : undefined
  return {
    start: call.start,
    end: call.end,
    ...(catalogue !== undefined && { catalogue }),
    showsFile: isOwn && isOfResponse,
    isIdle:
      isOfResult(call) ||
      isOwn ||
      accesses.some(({ root }) => JOINS_PATHS.test(root)) ||
      (isHarmless(call) && !accesses.some(({ root }) => root.startsWith('module:'))),
    // res.json(Object.fromEntries(counters))
    tellsFilled: filled.size > 0 && call.args.some((given) => findPart(given, isFilled) !== undefined),
    name: lastNameOf(call.callee) ?? '',
    isOfResponse,
    isElsewhere: accesses.some(({ root }) => root.startsWith('module:.')),
    hasArgs: call.args.length > 0,
    called: functionOf(call.callee),
    usesData,
  }
}

/** What a function within does, those around it do: `(done) => client.connect(() => client.invoke(name, done))`. */
function withParents(fact: FunctionFact): readonly FunctionFact[] {
  const around: FunctionFact[] = []
  for (let here: FunctionFact | undefined = fact; here !== undefined; here = here.parent) around.push(here)
  return around
}

/** Of what several do the greatest effect. */
export function greatest(uses: readonly (RouteFunction['usesData'] | undefined)[]): RouteFunction['usesData'] {
  return (['stored', 'called', 'some', 'asked'] as const).find((use) => uses.includes(use)) ?? false
}

function effectOf(accesses: ReturnType<typeof accessesOf>, { callee, args }: CallValue): RouteFunction['usesData'] {
  const paths = accesses.map(({ root, steps }) =>
    [root.replace(/^(?:global|module|parameter|const|let):(?:@sap\/)?/, ''), ...steps].join(' '),
  )
  if (paths.some((path) => STORED_CALLS.test(path) || DATABASE_CALLS.test(path))) return 'stored'
  // of objects of the language, `Object.create`, the name says nothing
  if (accesses.some(({ root }, index) => root.startsWith('module:') && MODEL_CALLS.test(paths[index] ?? ''))) return 'stored'
  // whatever the project calls its database
  if (args[0] !== undefined && isStatement(args[0])) return 'stored'
  if (paths.some((path) => DESTINATION_CLIENTS.test(path))) return 'called'
  if (paths.some((path) => REQUESTS.test(path)) && (args.some(carriesOwnCredential) || isOfLoggedOn(callee))) return 'called'
  return paths.some((path) => REACHING_CALLS.test(path)) ? 'some' : false
}

/** `'SELECT * FROM ORDERS'`, and texts that begin so. */
function isStatement(argument: Value): boolean {
  const written = constantOf(argument) ?? ('texts' in argument ? argument.texts?.[0] : undefined)
  return typeof written === 'string' && STATEMENT.test(written)
}

/** `{ headers: { Authorization: `Bearer ${token}` } }`, unless it is the caller's own. */
export function carriesOwnCredential(argument: Value): boolean {
  const isOwn = (given: Value | undefined): boolean => given !== undefined && findPart(given, isOfRequest) === undefined
  // { auth: { username, password } }
  const isCredential = (part: Value): boolean => {
    const auth = fieldOf(part, 'auth')?.value
    const password = auth && fieldOf(resolveValue(auth), 'password')?.value
    return isOwn(password) || CREDENTIAL_HEADERS.some((name) => isOwn(fieldOf(part, name)?.value))
  }
  return findPart(argument, isCredential) !== undefined
}

/** `axios.create({ auth: { username, password } })`: what it makes logs on with each request. */
export function makesLoggedOn(call: CallValue): boolean {
  return call.args.some(carriesOwnCredential)
}

/** `client.get`, of a client that this file makes so. */
function isOfLoggedOn(callee: Value): boolean {
  const made = 'object' in callee ? resolveValue(callee.object) : undefined
  return made !== undefined && 'callee' in made && makesLoggedOn(made)
}

/** Collections of the module that keep what requests tell: `counters.set(req.tenant, count)`. */
function filledByRequests({ calls, assignments }: ScriptFacts): ReadonlySet<Binding> {
  const found = new Set<Binding>()
  const add = (collection: Value, kept: readonly Value[]): void => {
    const binding = 'binding' in collection ? collection.binding : undefined
    if (binding?.function.kind === 'file' && kept.some((value) => findPart(value, isOfRequest) !== undefined)) found.add(binding)
  }
  for (const { callee, args } of calls)
    if ('object' in callee && /^(?:set|add|push|unshift)$/.test(lastNameOf(callee) ?? '')) add(callee.object, args)
  for (const { target, value } of assignments) if (target.property !== undefined) add(target.object, [target.property, value])
  return found
}

function isOfRequest(part: Value): boolean {
  return 'object' in part && accessesOf(part).some(({ root }) => /^parameter:_?(?:req|oReq)(?:uest)?$/.test(root))
}

/** The response, what makes texts, and a file of the program: `require('../package.json')`. */
const ANSWERED = /^(?:parameter:_?res(?:ponse)?|global:(?:JSON|String|Object|Date|require))$/

const JOINS_PATHS = /^module:(?:node:)?path$/

function isHarmless({ callee }: CallValue): boolean {
  return IDLE_CALLS.test(lastNameOf(callee) ?? '')
}

/** `(await fetch('https://rates.example.com')).json()`: what is read of an answer. */
function isOfResult({ callee, args }: CallValue): boolean {
  return args.length === 0 && 'object' in callee && /^(?:json|text|toString)$/.test(callee.name ?? '')
}

/** `fetch('https://rates.example.com/latest')`: of a fixed address without a credential, which the caller may ask as well. */
function isPublicRequest({ args: [address] }: CallValue): boolean {
  if (address === undefined) return false
  // process.env.RATES ?? 'https://rates.example.com/latest'
  const made = resolveValue(address)
  const options = 'options' in made ? alternativesOf(made) : [made]
  const written = options.flatMap((option) => constantOf(option) ?? [])
  const isSet = options.every((option) => constantOf(option) !== undefined || accessesOf(option).some(isVariable))
  return isSet && written.length > 0 && written.every((text) => typeof text === 'string' && isPublicAddress(text))
}

/** `https://orders.intern:8443/all` is no address that everybody may ask. */
function isPublicAddress(text: string): boolean {
  const host = /^https:\/\/((?:\[[^\]/]{1,60}\]|[^:/?#@\s]{1,260}))(?::\d{1,5})?(?:[/?#]|$)/i.exec(text)?.[1]
  if (host === undefined || KEY_IN_ADDRESS.test(text)) return false
  const kind = classifyHost(host)
  return kind === 'public' || kind === 'documentation'
}

function isVariable({ root, steps }: { readonly root: string; readonly steps: readonly string[] }): boolean {
  return /^(?:global|module):process$/.test(root) && steps[0] === 'env'
}

/** ``fetch(`https://rates.example.com/${KEY}/${req.query.currency}`)``: a host that is fixed, or the own one, asked without a header that says who the application is. */
function isForwarded({ args: [first] }: CallValue): boolean {
  const address = first && resolveValue(begunBy(first))
  if (address === undefined || !('parts' in address)) return false
  const begin = ('texts' in address ? address.texts[0] : address.parts[0] && constantOf(address.parts[0])) ?? ''
  if (typeof begin !== 'string') return false
  // a host anywhere else is a value like others
  const host = address.parts['texts' in address ? 0 : 1]
  return /^https:\/\/[^/?#]{1,200}\//.test(begin) || (/^https?:\/\/$/.test(begin) && host !== undefined && isOwnHost(host))
}

/** What a text begins with that others are added to: `let url = 'https://…'`, `url += filter`. */
function begunBy(given: Value): Value {
  const [begin, ...added] = ('binding' in given && given.binding?.definitions) || []
  return begin?.value !== undefined && added.every(({ operator }) => operator === '+=') ? begin.value : given
}

/** `'https://' + req.headers.host`: the application itself, which anybody may ask as well. */
function isOwnHost(part: Value): boolean {
  return isOfRequest(part) && 'object' in part && /^host(?:name)?$/.test(part.name ?? '')
}

function isBareRead({ args: [, ...options] }: CallValue, accesses: ReturnType<typeof accessesOf>): boolean {
  const paths = accesses.map(({ root, steps }) => [root.replace(/^(?:global|module):/, ''), ...steps].join(' '))
  return paths.some((path) => READING_REQUESTS.test(path)) && !options.some((option) => carriesCredential(option))
}

/** `SELECT content FROM legal_text WHERE id = 1`: one text, and the same for everybody. */
function isFixedText(call: CallValue): boolean {
  const statement = statementOf(call)?.text
  return statement !== undefined && FIXED_TEXT.test(statement)
}

/** Headers that say which form the answer is to have, and no more. */
function areOfForm(headers: Value): boolean {
  const made = resolveValue(headers)
  return 'fields' in made && made.fields.length > 0 && made.fields.every(({ key = '' }) => FORM_HEADERS.test(key))
}

const FORM_HEADERS = /^(?:accept(?:-(?:language|encoding|charset))?|user-agent|cache-control|if-none-match)$/i

const KEY_IN_ADDRESS = /(?:key|token|appid)=/i

function carriesCredential(option: Value): boolean {
  return (
    findPart(
      option,
      (part) =>
        'fields' in part &&
        part.fields.some(({ key = '', value }) => CREDENTIAL_OPTIONS.test(key) && !(key === 'headers' && areOfForm(value))),
    ) !== undefined
  )
}

/** `readFile(path.join(__dirname, 'VERSION'))`, `res.sendFile(path.join(root, 'index.html'))`: a file of the program. */
function isOfOwnFile({ args: [file], function: around }: CallValue): boolean {
  if (file === undefined) return false
  const holds = (is: (binding: Binding | undefined, name: string) => boolean): boolean =>
    findPart(file, (part) => 'binding' in part && is(part.binding, part.name)) !== undefined
  if (holds((binding) => binding?.kind === 'parameter')) return false
  if (holds((_, name) => name === '__dirname' || name === '__filename')) return true
  const isPage = findPart(file, (part) => PAGE.test(String(constantOf(part)))) !== undefined
  return isPage && !holds((binding) => binding?.function === around)
}

/** What only shows pages, whatever the folder is called. */
const PAGE = /\.(?:html?|css|js|ico|png|svg)$/i
