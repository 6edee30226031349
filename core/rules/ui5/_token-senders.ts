import { defineExtract, type Extract } from '../../extracts/extract.ts'
import {
  createGuardReader,
  stringConstantOf,
  fieldOf,
  findPart,
  functionAround,
  isConstant,
  resolveValue,
  valuesOf,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { methodAround } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isWithin } from '../../facts/span-index.ts'
import type { WordPlaces } from '../../keywords/index.ts'
import { append } from '../../lists.ts'
import { isDeveloperFile, leadingTextOf } from '../../model/script/index.ts'
import { lastName } from '../../paths.ts'
import { lineBefore } from '../../parse/position.ts'
import type { Span } from '../../types.ts'
import { createOwnerReader, moduleNameOf, type AppMethod, type HandedTo } from './_app-methods.ts'

/** A method that sends a request with a token of the user to the address that it is given. */
export interface TokenSender extends AppMethod {
  /** Hosts that its script writes down: those that the token is for. */
  readonly hosts: readonly string[]
  /** Modules whose constants its script may put in front of a path. */
  readonly imports: readonly string[]
}

const HEADER = /^(?:x-)?(?:authorization|(?:auth|access)-token)$/i
/** Methods that hand an address on to others of the same file. */
const MAX_ROUNDS = 4
const MAX_OPTIONS = 100

/**
 * `send(method, url) { headers.Authorization = "Bearer " + token; return fetch(url, { headers }) }`, where nothing asks for the address before the header is set.
 * Facts: Fetch standard; XMLHttpRequest standard; jQuery API, `ajax`; axios 1 (README).
 */
export const tokenSenders: Extract<TokenSender> = defineExtract({
  name: 'ui5-token-senders',
  keywords: ['Authorization', 'authorization', 'auth-token', 'access-token'],
  prefilter: (text) => /\b(?:fetch|ajax|axios|XMLHttpRequest)\b/.test(text),
  isFor: (path) => !isDeveloperFile(path),
  *collect({ facts, text, step }) {
    const carriers = carriersOf(facts, step)
    if (carriers.size === 0) return
    const told = new Map<string, AppMethod>()
    const byMethod = new Map<string, AppMethod[]>()
    const ownerOf = createOwnerReader(facts)
    const note = (value: Value): void => {
      for (const { function: around, index, field } of leadingParameters(value, step)) {
        const method = lastName(around.name)
        const key = `${method} ${index} ${field ?? ''}`
        if (method === '' || told.has(key)) continue
        const found = { method, index, ...(field !== undefined && { field }) }
        told.set(key, found)
        append(byMethod, method, found)
      }
    }
    for (const call of facts.calls) {
      step()
      const address = carriers.has(methodAround(call.function) ?? call.function) ? addressOf(call) : undefined
      if (address !== undefined) note(address)
    }
    for (let round = 0, before = 0; round < MAX_ROUNDS && told.size > before; round++) {
      before = told.size
      step(facts.calls.length)
      for (const call of facts.calls) {
        const methods = byMethod.get(lastNameOf(call.callee) ?? '')
        const owner = methods && ownerOf(call)
        if (methods === undefined || owner === undefined || owner.modules !== undefined) continue
        for (const method of methods) note(givenTo(call, method) ?? call.callee)
      }
    }
    if (facts.calls.some((call) => isClientMade(call, facts, carriers, step)))
      for (const method of METHODS) told.set(`${method} 0`, { method, index: 0 })
    const hosts = hostsIn(text)
    const imports = [
      ...new Set(facts.bindings.flatMap(({ module }) => (module === undefined ? [] : moduleNameOf(module.source)))),
    ]
    for (const method of told.values()) yield { ...method, hosts, imports }
  },
})

/** Hosts that a script writes down, whose constants others may put in front of a path. */
export const writtenHosts: Extract<readonly string[]> = defineExtract({
  name: 'ui5-written-hosts',
  keywords: ['https://', 'http://'],
  isFor: (path) => !isDeveloperFile(path),
  collectText: (text) => [hostsIn(text)],
})

function hostsIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(WRITTEN)].map(([, host = '']) => host.toLowerCase()))]
}

/** `axios.create({ baseURL, headers: { Authorization: … } })`, also with an interceptor that sets it: the module gives others this client. */
function isClientMade(
  { callee, args: [settings] }: CallValue,
  { calls }: ScriptFacts,
  carriers: ReadonlySet<FunctionFact>,
  step: (count?: number) => void,
): boolean {
  if (callee.kind !== 'member' || callee.name !== 'create' || lastNameOf(callee.object) !== 'axios') return false
  const headers = resolveValue(fieldOf(settings && resolveValue(settings), 'headers')?.value ?? callee)
  if ('fields' in headers && headers.fields.some(({ key, value }) => HEADER.test(key ?? '') && !isConstant(value))) return true
  step(calls.length)
  const interceptors = calls.filter(
    (one) => one.callee.kind === 'member' && one.callee.name === 'use' && lastNameOf(one.callee.object) === 'request',
  )
  step(interceptors.length * carriers.size)
  return interceptors.some((one) => [...carriers].some((carrier) => isWithin(carrier, one)))
}

const METHODS = ['get', 'delete', 'head', 'post', 'put', 'patch'] as const

const WRITTEN = /["'`]https?:\/\/([\w-]{1,63}(?:\.[\w-]{1,63}){1,8})/g

/** Functions that give a request a token of the user, by themselves or by one of the file that makes the headers, whatever they are given. */
function carriersOf(facts: ScriptFacts, step: (count?: number) => void): ReadonlySet<FunctionFact> {
  const found = new Set<FunctionFact>()
  let guarded: ReturnType<typeof createGuardReader> | undefined
  // a parameter, also one of a pattern, decides about the value or what leads to it
  const asks = (method: FunctionFact, at: number, values: readonly Value[]): boolean => {
    guarded ??= createGuardReader(facts.guards, step)
    const isParameter = (part: Value): boolean =>
      part.kind === 'reference' &&
      part.binding?.definitions.some((one) => one.kind === 'parameter' && one.function === method) === true
    const tests = guarded(at)
    step(tests.length)
    return [...values, ...tests.map(({ test }) => test)].some((one) => findPart(one, isParameter) !== undefined)
  }
  for (const { at, value, function: around } of headersGiven(facts, step)) {
    step()
    const method = methodAround(around) ?? around
    if (!isConstant(value) && !asks(method, at, [value])) found.add(method)
  }
  if (found.size === 0) return found
  const makers = new Set([...found].filter(({ parameters }) => parameters.length === 0).map(({ name }) => lastName(name)))
  for (const { callee, args, start, function: around } of facts.calls) {
    if (args.length > 0 || !makers.has(lastNameOf(callee) ?? '')) continue
    const method = methodAround(around) ?? around
    if (!asks(method, start, [])) found.add(method)
  }
  return found
}

interface HeaderGiven {
  readonly at: number
  readonly value: Value
  readonly function: FunctionFact
}

/** `headers.Authorization = …`, `{ Authorization: … }`, `headers.set("Authorization", …)`. */
function* headersGiven(facts: ScriptFacts, step: (count?: number) => void): Generator<HeaderGiven> {
  for (const { target, value, start, function: around } of facts.assignments)
    if (HEADER.test(target.name ?? '')) yield { at: start, value, function: around }
  for (const { callee, args, start, function: around } of facts.calls) {
    const [key, value] = args
    const name = stringConstantOf(key)
    if (name !== undefined && value !== undefined && HEADER.test(name) && SETS.test(lastNameOf(callee) ?? ''))
      yield { at: start, value, function: around }
  }
  for (const { value } of valuesOf(facts)) {
    if (value.kind !== 'object') continue
    step(value.fields.length)
    const field = value.fields.find(({ key }) => HEADER.test(key ?? ''))
    const around = field && functionAround(facts, field.start)
    if (field !== undefined && around !== undefined) yield { at: field.start, value: field.value, function: around }
  }
}

const SETS = /^(?:set|append|setRequestHeader)$/

/** Where a call sends a request to. */
function addressOf({ callee, args: [first, second] }: CallValue): Value | undefined {
  const name = lastNameOf(callee) ?? ''
  const owner = callee.kind === 'member' ? (lastNameOf(callee.object) ?? '') : ''
  if (name === 'open') return /^\w{0,20}(?:xhr|req|request|xmlhttp|http)\w{0,20}$/i.test(owner) ? second : undefined
  const isRequest =
    name === 'fetch' ||
    name === 'ajax' ||
    name === 'axios' ||
    (owner === 'axios' && /^(?:request|get|post|put|patch|delete)$/.test(name))
  if (!isRequest || first === undefined) return undefined
  const settings = resolveValue(first)
  return settings.kind === 'object' ? fieldOf(settings, 'url')?.value : first
}

/** What a call gives such a method as its address. */
export function givenTo({ args }: CallValue, { index, field }: AppMethod): Value | undefined {
  const given = args[index]
  if (given === undefined || field === undefined) return given
  return fieldOf(resolveValue(given), field)?.value
}

interface ParameterPart {
  readonly function: FunctionFact
  readonly index: number
  readonly field?: string
}

/** The parameters with which an address may begin. */
function* leadingParameters(address: Value, step: (count?: number) => void): Generator<ParameterPart> {
  const open = new Set<Value>([address])
  for (const one of open) {
    step()
    const made = resolveValue(one)
    const binding = bindingOf(made)
    const field = made.kind === 'member' ? made.name : undefined
    for (const definition of binding?.definitions ?? []) {
      const { kind, parameter, path, value } = definition
      if (kind === 'parameter' && parameter !== undefined) {
        const inner = path[0] ?? field
        if (path.length < 2 && !(path.length === 1 && field !== undefined))
          yield { function: definition.function, index: parameter, ...(inner !== undefined && { field: inner }) }
      } else if (value !== undefined && field === undefined && path.length === 0 && open.size < MAX_OPTIONS) open.add(value)
    }
    for (const part of beginningsOf(made)) if (open.size < MAX_OPTIONS) open.add(part)
  }
}

function bindingOf(value: Value): Binding | undefined {
  if (value.kind === 'reference') return value.binding
  return value.kind === 'member' && value.object.kind === 'reference' ? value.object.binding : undefined
}

function beginningsOf(made: Value): readonly Value[] {
  if (made.kind === 'choice') return made.options
  if (made.kind === 'template') return made.texts[0] === '' ? made.parts.slice(0, 1) : []
  if (made.kind === 'concat') return made.parts.slice(0, 1)
  if (made.kind !== 'call' || !PASSES.test(lastNameOf(made.callee) ?? '')) return []
  return made.callee.kind === 'member' && made.args.length === 0 ? [made.callee.object] : made.args.slice(0, 1)
}

const PASSES = /^(?:toString|String|trim|encodeURI|valueOf)$/

/** An address that a script gives a method of the app. */
export interface GivenAddress extends HandedTo {
  readonly at: Span
  /** Undefined: a path alone, on the host of the page or of the method. */
  readonly host?: string
}

const WITH_HOST = /^https?:\/\/([\w-]{1,63}(?:\.[\w-]{1,63}){1,8})(?=[/:?#]|$)/i

/** What addresses begin with; before a host a quote has to stand. */
const BEGINNINGS = ['https://', 'http://', '"/', "'/", '`/'] as const
const QUOTE = /["'`]/
/** What is given an empty text, by its name, and such a text itself at the end of what stands before a sum. */
const EMPTY = /([\w$]{1,100})["']?(?:\s{0,4}:\s{0,4}string)?\s{0,4}[=:]\s{0,4}(["'`])\2(?!\2)/g
const ENDS_EMPTY = /(["'`])\1\s{0,4}\+=?$/
/** How far back is looked for what a text is handed to. */
const LEAD = 80
const ADDED = /\+=?$/
const NAMED = /([\w$]{1,100})\s{0,4}\+=?$/
/** The quote ends a text or is part of a pattern, or the path is one of a manifest. Fact: SAPUI5 documentation, "Descriptor for Applications". */
const NO_ADDRESS = /["'`]\/(?:\*|g[imsuy]{0,4}(?![\w/-])|\/[^\w[]|sap\.(?:app|card|fe|fiori|flp|platform|ui5?)\b)/y
/** What comments say is handed to nobody. */
const COMMENT = /^\s*(?:\*\s|\/\/)/
/** In front of a text: it is compared, or is handed to a method of texts, or tells a model where it reads. */
const HANDED_ELSEWHERE =
  /[=!<>]=$|\bpath["']?\s?:$|\.(?:split|join|(?:lastI|i)ndexOf|(?:starts|ends)With|includes|substring|[gs]etProperty|getObject|getContext|getManifestEntry|createBindingContext|bindElement)\($|\.replace(?:All)?\([^,\n]{1,60},$/

/**
 * Whether a text that begins like an address may be what a call of the app is given. Of what begins so in pages of UI5 most is a path of a model, the end of a longer
 * text, or what texts are split at, and for many scripts nothing else needs facts.
 */
function mayGiveAddress(text: string, hits: WordPlaces): boolean {
  let empty: ReadonlySet<string> | undefined
  return hits.places(text, BEGINNINGS).some((place) => {
    const start = QUOTE.test(text[place] ?? '') ? place : place - 1
    NO_ADDRESS.lastIndex = start
    if (!QUOTE.test(text[start] ?? '') || NO_ADDRESS.test(text)) return false
    const line = lineBefore(text, start, LEAD)
    if (line.length < LEAD && COMMENT.test(line)) return false
    const before = text.slice(Math.max(0, start - LEAD), start).trimEnd()
    if (!ADDED.test(before)) return !HANDED_ELSEWHERE.test(before)
    // behind an empty text it is the beginning all the same
    const named = NAMED.exec(before)?.[1]
    if (named === undefined) return ENDS_EMPTY.test(before)
    empty ??= new Set(Array.from(text.matchAll(EMPTY), ([, name = '']) => name))
    return empty.has(named)
  })
}

/** `Http.load("https://…")`, `Http.load("/orders")`, `Http.load({ url: "https://…" })`. */
export const givenToMethods: Extract<GivenAddress> = defineExtract({
  name: 'ui5-given-to-methods',
  keywords: BEGINNINGS,
  prefilter: mayGiveAddress,
  // nothing is left out where facts are made all the same
  withFlow: true,
  isFor: (path) => !isDeveloperFile(path),
  *collect({ facts, step }) {
    const ownerOf = createOwnerReader(facts)
    for (const call of facts.calls) {
      step(call.args.length)
      const owner = call.args.length === 0 ? undefined : ownerOf(call)
      if (owner === undefined) continue
      for (const [index, given] of call.args.entries()) {
        const made = resolveValue(given)
        const url = made.kind === 'object' ? fieldOf(made, 'url') : undefined
        const { text } = leadingTextOf(url?.value ?? given)
        const host = WITH_HOST.exec(text)?.[1]?.toLowerCase()
        if (host === undefined && !text.startsWith('/')) continue
        const { start, end } = url?.value ?? given
        yield {
          ...owner,
          at: { start, end },
          index,
          ...(url !== undefined && { field: 'url' }),
          ...(host !== undefined && { host }),
        }
      }
    }
  },
})
