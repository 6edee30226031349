import { defineExtract, type Extract } from '../../extracts/extract.ts'
import {
  constantOf,
  stringConstantOf,
  fieldOf,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { append } from '../../lists.ts'
import type { Extracted } from '../../extracts/scripts.ts'
import type { Ui5App } from '../../model/ui5/index.ts'
import { lastName } from '../../paths.ts'
import type { Project } from '../subjects.ts'
import { createServedReader } from './_foreign-requests.ts'
import { createMethodLookup, createOwnerReader, type AppMethod, type HandedTo } from './_app-methods.ts'

/**
 * Functions of the app that send a parameter as the body of a request, or a field of one: `save(path, row) { return $.ajax({ url: path, method: "PUT", data: JSON.stringify(row) }) }`,
 * `request(url, options) { return fetch(url, { ...this.defaults, ...options }) }`, `call({ url, data })`; also those that hand it to such a function of their file.
 * Facts: jQuery API, `ajax` and `post`; axios 1 (README); Fetch and XMLHttpRequest standards.
 */
export const bodyWrappers: Extract<AppMethod> = defineExtract({
  name: 'ui5-body-wrappers',
  keywords: ['.ajax(', '.post(', 'fetch(', 'axios', 'XMLHttpRequest'],
  prefilter: (text) => MAY_SEND.test(text),
  *collect({ facts, step }) {
    step(facts.calls.length + facts.functions.length)
    const named = uniqueNames(facts.functions)
    const told = new Map<string, AppMethod>()
    const byName = new Map<string, AppMethod[]>()
    const handedOn = createHandedReader(byName, facts, step)
    let open: readonly CallValue[] = facts.calls
    for (let round = 0; round < MAX_ROUNDS && open.length > 0; round++) {
      const before = told.size
      step(open.length)
      const rest: CallValue[] = []
      for (const call of open) {
        const sent = round === 0 ? bodiesSentBy(call, step) : []
        if (sent.length === 0) rest.push(call)
        for (const part of [...sent, ...handedOn(call)].flatMap((one) => [...parametersIn(one, step)])) {
          const method = lastName(part.function.name)
          const key = keyOf(method, part.index, part.field)
          if (method === '' || !named.has(method) || told.has(key)) continue
          const found = {
            method,
            index: part.index,
            ...(part.field !== undefined && { field: part.field }),
            ...(part.fixesMethod === true && { fixesMethod: part.fixesMethod }),
          }
          told.set(key, found)
          append(byName, method, found)
        }
      }
      if (told.size === before) break
      open = rest
    }
    yield* told.values()
  },
})

/** What the pages of an app work out and send themselves, or by a function that is known to send it (`by`): nothing where handlers of the project may work it out again. */
export function workedOutAndSent<Item extends { readonly by: HandedTo | undefined; readonly address?: string }>(
  { scripts }: Pick<Ui5App, 'scripts'>,
  workedOut: Extract<Item>,
  project: Pick<Project, 'capRoots' | 'scripts'>,
): readonly Extracted<Item>[] {
  const isServed = createServedReader(project)
  const sentBy = createMethodLookup(scripts.get(bodyWrappers))
  return scripts
    .get(workedOut)
    .filter(({ file, value: { by, address } }) => !isServed(address) && (by === undefined || sentBy(file, by) !== undefined))
}

/** A method that the code or the caller names, or a body by its name. */
const MAY_SEND = /["'`](?:POST|PUT|PATCH|MERGE)["'`]|\b(?:method|type|body|data)\s{0,4}[:,}]|\.\.\.\w|\.(?:post|send)\(|fetch\(/i
/** Functions that hand a body on to others of the same file. */
const MAX_ROUNDS = 4
const WRITES = /^(?:POST|PUT|PATCH|MERGE|DELETE)$/i

/** Of two functions of one name nothing tells which one is called. */
function uniqueNames(functions: readonly FunctionFact[]): ReadonlySet<string> {
  const found = new Map<string, number>()
  for (const { name } of functions) found.set(lastName(name), (found.get(lastName(name)) ?? 0) + 1)
  return new Set([...found].flatMap(([name, count]) => (count === 1 ? name : [])))
}

function keyOf(method: string, index: number, field = ''): string {
  return `${method} ${index} ${field}`
}

interface Part {
  readonly value: Value
  /** It is this field of the value. */
  readonly field?: string
  /** The request says by which method it goes. */
  readonly fixesMethod?: true
}

/** What a call sends, where it sends something: settings as a whole hold it by a name. */
function bodiesSentBy({ callee, args: [first, second] }: CallValue, step: (count?: number) => void): readonly Part[] {
  const name = lastNameOf(callee) ?? ''
  const owner = callee.kind === 'member' ? (lastNameOf(callee.object) ?? '') : ''
  if (name === 'fetch' && (owner === '' || owner === 'window')) return second === undefined ? [] : bodyIn(second, 'body', step)
  if (name === 'send' && /(?:xhr|req|xmlhttp|http)\w{0,20}$/i.test(owner)) return first === undefined ? [] : [{ value: first }]
  const isJQuery = /^(?:\$|jQuery)$/.test(owner)
  if (owner === 'axios' && /^(?:post|put|patch)$/.test(name))
    return second === undefined ? [] : [{ value: second, fixesMethod: true }]
  if (name === 'post' && isJQuery) return second === undefined ? [] : [{ value: second, fixesMethod: true }]
  const settings = second ?? first
  if (settings === undefined || !((name === 'ajax' && isJQuery) || name === 'axios' || owner === 'axios')) return []
  return bodyIn(settings, 'data', step)
}

/** The body among the settings of a request. */
function bodyIn(settings: Value, field: string, step: (count?: number) => void): readonly Part[] {
  const made = resolveValue(settings)
  if (made.kind !== 'object') return [{ value: made, field }]
  step(made.fields.length)
  const method = fieldOf(made, 'method')?.value ?? fieldOf(made, 'type')?.value
  const fixed = method && constantOf(method)
  if (fixed !== undefined && !WRITES.test(String(fixed))) return []
  const spread = made.fields.flatMap(({ key, computed, value }) =>
    key === undefined && computed === undefined ? [{ value: value.kind === 'spread' ? value.value : value, field }] : [],
  )
  const body = fieldOf(made, field)?.value
  // jQuery sends it in the address, where nothing names a method
  if (body === undefined || (method === undefined && spread.length === 0)) return spread
  // settings that are spread may say another method
  return [...spread, { value: body, ...(fixed !== undefined && spread.length === 0 && { fixesMethod: true as const }) }]
}

/** What calls hand to functions of the file that are known to send it. Each of them is asked once about an object. */
function createHandedReader(
  told: ReadonlyMap<string, readonly AppMethod[]>,
  facts: ScriptFacts,
  step: (count?: number) => void,
): (call: CallValue) => readonly Part[] {
  const asked = new Map<AppMethod, Set<Value>>()
  const ownerOf = createOwnerReader(facts)
  return (call) => {
    const { callee, args } = call
    const methods = told.get(lastNameOf(callee) ?? '')
    // others have methods of the same name
    const owner = methods === undefined ? undefined : ownerOf(call)
    if (methods === undefined || owner === undefined || owner.modules !== undefined) return []
    const reads = saysGet(call)
    return methods.flatMap((known): readonly Part[] => {
      step()
      const { index, field, fixesMethod } = known
      if (reads && fixesMethod !== true) return []
      const fixed = { ...(fixesMethod === true && { fixesMethod }) }
      const given = args[index]
      if (given === undefined || field === undefined) return given === undefined ? [] : [{ value: given, ...fixed }]
      const made = resolveValue(given)
      if (made.kind !== 'object' || made.fields.length === 0) return FIELDS.has(field) ? [{ value: given, field, ...fixed }] : []
      const before = asked.get(known)
      if (before?.has(made) === true) return []
      if (before === undefined) asked.set(known, new Set([made]))
      else before.add(made)
      step(made.fields.length)
      const value = fieldOf(made, field)?.value
      return value === undefined ? [] : [{ value, ...fixed }]
    })
  }
}

const FIELDS: ReadonlySet<string> = new Set(['body', 'data'])

interface ParameterPart {
  readonly function: FunctionFact
  readonly index: number
  readonly field?: string
  readonly fixesMethod?: true
}

/** Values that are looked at for the parameters that one may be. */
const MAX_OPTIONS = 200

/** The parameters that a value may be, or a field of them; through JSON and choices. Each value is asked once, whatever names lead to it. */
function* parametersIn({ value, field, fixesMethod }: Part, step: (count?: number) => void): Generator<ParameterPart> {
  const placesOf = (binding: Binding, inner: string | undefined): readonly ParameterPart[] => {
    step(binding.definitions.length)
    return placesIn(binding, inner).map((place) => ({ ...place, ...(fixesMethod === true && { fixesMethod }) }))
  }
  const open = new Set([jsonOf(resolveValue(value))])
  for (const made of open) {
    step()
    if (made.kind === 'choice') {
      step(made.options.length)
      for (const option of made.options) if (open.size < MAX_OPTIONS) open.add(jsonOf(resolveValue(option)))
    }
    if (made.kind === 'reference' && made.binding !== undefined) yield* placesOf(made.binding, field)
    const binding = made.kind === 'member' && made.object.kind === 'reference' ? made.object.binding : undefined
    if (made.kind === 'member' && binding !== undefined && made.name !== undefined && field === undefined)
      yield* placesOf(binding, made.name)
  }
}

function placesIn(binding: Binding, field: string | undefined): readonly ParameterPart[] {
  return binding.definitions.flatMap(({ kind, parameter, path }) => {
    if (kind !== 'parameter' || parameter === undefined || path.length > 1 || (path.length === 1 && field !== undefined))
      return []
    const inner = path[0] ?? field
    return { function: binding.function, index: parameter, ...(inner !== undefined && { field: inner }) }
  })
}

/** What `JSON.stringify` is given; else the value itself. */
export function jsonOf(value: Value): Value {
  const [given] = value.kind === 'call' && lastNameOf(value.callee) === 'stringify' ? value.args : []
  return given ?? value
}

/** Whether a call says that it only reads: `this.request("GET", url, filter)`, `this.request({ method: "GET", data: filter })`. */
export function saysGet({ args }: CallValue): boolean {
  return args.some((given) => {
    const made = resolveValue(given)
    if (made.kind !== 'object') return isGet(made)
    const method = fieldOf(made, 'method')?.value ?? fieldOf(made, 'type')?.value
    return method !== undefined && isGet(method)
  })
}

function isGet(value: Value): boolean {
  const text = stringConstantOf(value)
  return text !== undefined && /^get$/i.test(text)
}
