import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import {
  constantOf,
  stringConstantOf,
  keyOf,
  pathOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { resolvePath } from '../../paths.ts'
import type { Place, Span } from '../../types.ts'
import { firstPartOf, leadingTextOf } from '../script/index.ts'
import { isLoopback } from '../deployment/index.ts'
import { holdsRemote } from './addresses.ts'
import { createModuleFinder } from './links.ts'
import type { Ui5App } from './types.ts'

/** An address that a script gives to the others: a field of its module's value, an export, a name of a classic script. */
interface GivenAddress {
  /** `base`, `urls.login`, `getUrl.()`; '' is the value of the module itself. */
  readonly name: string
  readonly isGlobal: boolean
  /** '' is another text, or one that only runs tell: the name tells nothing. */
  readonly address: string
  readonly at: Span
}

/** The beginning of an address that another script gives, and the constant text behind it. */
export interface AskedAddress {
  /** The module as it is imported; undefined: a global name. */
  readonly module?: string
  readonly name: string
  readonly rest: string
}

const REMOTE = /^(?:https?:)?\/\/[\w[]/i
const MAX_DEPTH = 3
/** Modules that no app gives. */
const FOREIGN = /^(?:sap|jquery|node:|https?:)(?:[/.:]|$)/i

/** Addresses with a host that a script keeps for others. */
export const givenAddresses: Extract<GivenAddress> = defineExtract({
  name: 'ui5-given-addresses',
  keywords: ['http://', 'https://'],
  prefilter: holdsRemote,
  inPages: true,
  *collect({ facts, step }) {
    for (const value of moduleValuesOf(facts)) yield* addressesIn(value, [], false, 0)
    for (const { name, value } of facts.exports)
      if (value !== undefined) yield* addressesIn(value, name === 'default' ? [] : [name], false, 0)
    for (const { target, value } of facts.assignments) {
      const path = pathOf(target)
      if (path?.[0]?.startsWith('global:') === true) yield* addressesIn(value, [path[0].slice(7), ...path.slice(1)], true, 0)
    }
    yield* propertiesIn(facts, step)
    if (facts.imports.length === 0 && facts.exports.length === 0) yield* ofClassicScript(facts)
  },
})

/** `setModel(model, "app")`: the names of models by what makes them, or by the member that holds them. */
function modelNamesIn({ calls, assignments }: ScriptFacts, step: (count?: number) => void): ReadonlyMap<Value | string, string> {
  step(calls.length + assignments.length)
  const names = new Map<Value | string, string>()
  for (const { callee, args } of calls) {
    // one without a name is another one in each view
    const [model, name] = lastNameOf(callee) === 'setModel' ? args : []
    const text = stringConstantOf(name)
    if (model !== undefined && text !== undefined) names.set(heldBy(model), text)
  }
  for (const { target, value } of assignments) {
    const name = names.get(keyOf(target) ?? '')
    if (name !== undefined) names.set(resolveValue(value), name)
  }
  return names
}

function heldBy(model: Value): Value | string {
  return (model.kind === 'member' ? keyOf(model) : undefined) ?? resolveValue(model)
}

/** Addresses that models of the app keep: `new JSONModel({ host: "http://…" })`, `model.setProperty("/host", …)`. */
function* propertiesIn(facts: ScriptFacts, step: (count?: number) => void): Generator<GivenAddress> {
  const names = modelNamesIn(facts, step)
  for (const call of facts.calls) {
    const { kind, callee, args } = call
    const [first, second] = args
    if (lastNameOf(callee) === 'setProperty' && callee.kind === 'member' && second !== undefined) {
      const kept = propertyOf(call, names.get(heldBy(callee.object)))
      if (kept !== undefined) yield* propertyGiven(kept, second)
    }
    const model = kind === 'new' && lastNameOf(callee) === 'JSONModel' ? names.get(call) : undefined
    const data = first && model !== undefined ? resolveValue(first) : undefined
    if (data?.kind !== 'object') continue
    step(data.fields.length)
    for (const { key, value } of data.fields) if (key !== undefined) yield* propertyGiven(`{${model ?? ''}>/${key}}`, value)
  }
}

/** `{app>/host}` of `getModel("app").getProperty("/host")`: a path alone is one of other models, too. */
function propertyOf({ callee, args: [given] }: CallValue, called?: string): string | undefined {
  const path = stringConstantOf(given)
  const model = called ?? (callee.kind === 'member' ? modelAsked(callee.object) : undefined)
  return model !== undefined && path !== undefined && /^\/?\w/.test(path) ? `{${model}>${path}}` : undefined
}

/** The name in `this.getView().getModel("app")`. */
function modelAsked(model: Value): string | undefined {
  const here = resolveValue(model)
  const [given] = here.kind === 'call' && lastNameOf(here.callee) === 'getModel' ? here.args : []
  return stringConstantOf(given)
}

/** An empty value is one that is set later. */
function* propertyGiven(name: string, value: Value): Generator<GivenAddress> {
  const here = resolveValue(ownOption(value))
  const given = constantOf(here)
  if (given === '' || given === null) return
  const { start, end } = firstPartOf(here) ?? here
  yield { name, isGlobal: true, address: typeof given === 'string' && REMOTE.test(given) ? given : '', at: { start, end } }
}

/** The one address that is none of the own machine: `isLocal ? 'http://localhost:3000' : 'http://host'`. */
function ownOption(value: Value): Value {
  const here = resolveValue(value)
  if (here.kind !== 'choice') return value
  const [only, ...more] = here.options.filter((option) => {
    const address = stringConstantOf(option)
    return !(address !== undefined && isLoopback(/^https?:\/\/([^/:]{1,200})/i.exec(address)?.[1] ?? ''))
  })
  return only !== undefined && more.length === 0 ? only : value
}

/** What `sap.ui.define` and AMD's `define` are given as the module, or what their function gives back. */
function* moduleValuesOf({ calls }: ScriptFacts): Generator<Value> {
  for (const { callee, args } of calls) {
    if (lastNameOf(callee) !== 'define') continue
    for (const argument of args) {
      const given = resolveValue(argument)
      if (given.kind === 'object') yield given
      yield* givenBackBy(functionOf(given))
    }
  }
}

function givenBackBy(fact: FunctionFact | undefined): readonly Value[] {
  return fact?.returns.length === 1 ? fact.returns : []
}

/** Names that all scripts of a page share. */
function* ofClassicScript({ functions, bindings }: ScriptFacts): Generator<GivenAddress> {
  const [file] = functions
  for (const { name, function: around, definitions } of bindings) {
    const [only, other] = definitions
    if (around === file && other === undefined && only?.value !== undefined && only.path.length === 0)
      yield* addressesIn(only.value, [name], true, 0)
  }
}

function* addressesIn(value: Value, path: readonly string[], isGlobal: boolean, depth: number): Generator<GivenAddress> {
  const here = resolveValue(value)
  if (here.kind === 'object') {
    if (depth < MAX_DEPTH)
      for (const { key, value: field } of here.fields)
        if (key !== undefined) yield* addressesIn(field, [...path, key], isGlobal, depth + 1)
    return
  }
  const fact = here.kind === 'function' ? here.function : undefined
  // (function () { return { … } })()
  const made = here.kind === 'call' ? functionOf(here.callee) : undefined
  for (const given of givenBackBy(fact ?? made)) {
    if (depth < MAX_DEPTH) yield* addressesIn(given, fact === undefined ? path : [...path, '()'], isGlobal, depth + 1)
  }
  const address = fact === undefined && made === undefined ? constantOf(here) : undefined
  if (typeof address !== 'string' || !REMOTE.test(address)) return
  const { start, end } = firstPartOf(here) ?? here
  yield { name: path.join('.'), isGlobal, address, at: { start, end } }
}

/** What an address begins with, where another script of the app gives it: `services.createUser`, `CONFIG.base + "/users"`. */
export function askedAddressOf(address: Value): AskedAddress | undefined {
  const first = firstPartOf(address)
  if (first?.kind !== 'member' && first?.kind !== 'reference' && first?.kind !== 'call') return undefined
  if (first.kind === 'call' && first.args.length > 0) {
    const property = lastNameOf(first.callee) === 'getProperty' ? propertyOf(first) : undefined
    return property === undefined ? undefined : { name: property, rest: leadingTextOf(address, (part) => part === first).text }
  }
  const [root = '', ...steps] = pathOf(first) ?? []
  const rest = leadingTextOf(address, (part) => part === first).text
  if (root.startsWith('global:')) return { name: [root.slice(7), ...steps].join('.'), rest }
  const module = root.startsWith('module:') ? root.slice(7) : undefined
  return module === undefined || FOREIGN.test(module) ? undefined : { module, name: steps.join('.'), rest }
}

/** An address that another script gives: all of its constant beginning, and where it is written. */
export interface FollowedAddress {
  readonly text: string
  readonly at: Place
}

/** Finds what a script of the app asks of another one. Needs the extract `givenAddresses`. A name that several scripts give tells nothing. */
export function createAddressFinder(app: Ui5App): (asking: string, asked: AskedAddress) => FollowedAddress | undefined {
  // most apps ask for none
  let given: ReturnType<typeof readGiven> | undefined
  let fileOf: ReturnType<typeof createFileFinder> | undefined
  return (asking, { module, name, rest }) => {
    given ??= readGiven(app)
    if (given.size === 0) return undefined
    const file = module === undefined ? undefined : (fileOf ??= createFileFinder(app))(asking, module)
    if (module !== undefined && file === undefined) return undefined
    const found = given.get(file === undefined ? name : `${file} ${name}`)
    return found && { text: found.address + rest, at: found.at }
  }
}

interface WrittenAddress {
  readonly address: string
  readonly at: Place
}

function readGiven(app: Ui5App): ReadonlyMap<string, WrittenAddress | undefined> {
  const given = new Map<string, WrittenAddress | undefined>()
  for (const { file, value } of app.scripts.get(givenAddresses)) {
    const { name, isGlobal, address, at } = value
    const key = isGlobal ? name : `${file} ${name}`
    given.set(key, given.has(key) || address === '' ? undefined : { address, at: { file, span: at } })
  }
  for (const { name, address, at } of app.bundleAddresses) given.set(name, given.has(name) ? undefined : { address, at })
  return given
}

function createFileFinder(app: Ui5App): (asking: string, module: string) => string | undefined {
  const findModule = createModuleFinder(app)
  const scripts = new Set(app.scriptFiles)
  return (asking, module) => {
    if (!module.startsWith('.')) return findModule(module)
    const path = resolvePath(asking, module)
    return path === undefined ? undefined : [path, `${path}.js`, `${path}.ts`].find((one) => scripts.has(one))
  }
}
