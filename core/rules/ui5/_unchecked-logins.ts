import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { functionOf, methodAround } from '../../facts/callbacks.ts'
import {
  calleeOf,
  constantOf,
  stringConstantOf,
  resolveValue,
  valuesOf,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isWithin } from '../../facts/span-index.ts'
import { splitWords } from '../../model/script/index.ts'
import type { Ui5App, Ui5Control } from '../../model/ui5/index.ts'
import { at, membersOf, stringOf } from '../../parse/data.ts'
import type { Place, Span } from '../../types.ts'
import { isOfThis } from './_user-identities.ts'
import { lineBefore } from '../../parse/position.ts'
import { fileNameOf, lastName } from '../../paths.ts'

/** A method of a script that opens a page. */
interface QuietOpening {
  readonly method: string
  readonly at: Span
  /** All that it does is known, and nothing of it asks a server or compares. */
  readonly isQuiet: boolean
  /** Ids of controls that it asks for, where it opens the page under a condition. */
  readonly asked: readonly string[]
}

/** Words of a login, in names of handlers and views. */
const LOGIN = /\b(?:log ?(?:in|on)|sign ?in|auth\w{0,12})\b|anmeld|iniciar|entrar|acced|acess|ingres|connexion|giris/

/** Whether a name is that of a login. */
export function speaksOfLogin(name: string): boolean {
  return LOGIN.test(splitWords(name).join(' '))
}

/** What else stands on a page for logins. */
const OTHER_WAY = /guest|skip|demo|back|cancel|close|regist|sign_?up|forgot|reset|help|lang|theme|logout|log_?off|logon_?screen/i

export const quietOpenings: Extract<QuietOpening> = defineExtract({
  name: 'ui5-quiet-openings',
  keywords: ['navTo'],
  prefilter: (text) => /log_?(?:in|on)|sign_?in|passw|anmeld|iniciar|entrar|acced|acess|ingres|connexion|giris/i.test(text),
  collect: ({ facts, step }) => [...openingsIn(facts, step)],
})

/** Requests as they are written; a file of the app itself is none. */
const REQUESTS =
  /(?:\$|\bjQuery)\s?\.\s?(?:ajax|post)\s?\(|\bnew\s{1,4}(?:[\w.]{1,60}\.)?(?:XMLHttpRequest|ODataModel|WebSocket|EventSource)\s?\(|\bsendBeacon\s?\(|\baxios\s?[.(]|\bfetch\s?\((?!\s{0,4}["'][^"'\n]{0,200}\.json["'?])/g

/** What sends data by another way than a request that is answered. */
const SOCKETS = /WebSocket|EventSource|sendBeacon/

/** Scripts that send requests, or data by other ways alone. Asked of the text: most scripts of a library do, and are parsed for nothing else. */
export const askingScripts: Extract<'request' | 'socket'> = defineExtract({
  name: 'ui5-asking-scripts',
  keywords: ['fetch(', '.ajax(', '.post(', 'XMLHttpRequest', 'axios', 'ODataModel(', 'WebSocket', 'EventSource', 'sendBeacon'],
  *collectText(text) {
    let hasSocket = false
    for (const { 0: written, index } of text.matchAll(REQUESTS)) {
      if (isCommented(text, index)) continue
      if (SOCKETS.test(written)) {
        hasSocket = true
        continue
      }
      yield 'request'
      return
    }
    if (hasSocket) yield 'socket'
  },
})

const LONGEST_LINE = 300

/** Behind the beginning of a line that is a comment. */
function isCommented(text: string, index: number): boolean {
  return /^\s{0,80}(?:\/\/|\/?\*)/.test(lineBefore(text, index, LONGEST_LINE))
}

function* openingsIn(facts: ScriptFacts, step: (count?: number) => void): Generator<QuietOpening> {
  const methods = new Map<string, FunctionFact>()
  for (const fact of facts.functions) if (fact.owner !== undefined) methods.set(lastName(fact.name), fact)
  const idle = idleFunctions(facts, step)
  const routes = routeNames(facts)
  for (const call of facts.calls) {
    if (!opensNextPage(call, routes, methods) || idle.some((fact) => isWithin(call, fact))) continue
    const method = methodAround(call.function)
    if (method === undefined || OTHER_WAY.test(lastName(method.name))) continue
    const opening = { method: lastName(method.name), at: { start: call.start, end: call.end } }
    const run = runBy(method, methods, idle, facts, step)
    if (run === undefined || run.some((fact) => compares(fact, facts, step))) {
      yield { ...opening, isQuiet: false, asked: [] }
      continue
    }
    const before = facts.guards.filter(
      (guard) => isWithin(guard, method) && (isWithin(call, guard.inside) || (guard.exits && guard.end <= call.start)),
    )
    const asked = before.length === 0 ? [] : idsAsked(method, facts)
    yield { ...opening, isQuiet: before.every(({ test }) => asksForInput(test, methods)), asked }
  }
}

/** `word` of `this.byId("word")`. */
function idsAsked(method: FunctionFact, { calls }: ScriptFacts): readonly string[] {
  return calls.flatMap((call) => {
    const id = lastNameOf(call.callee) === 'byId' && isWithin(call, method) ? call.args[0] && constantOf(call.args[0]) : undefined
    return typeof id === 'string' ? [id] : []
  })
}

/** Functions of methods that are given a name which nothing uses: the request in them is never sent. */
function idleFunctions(facts: ScriptFacts, step: (count?: number) => void): readonly FunctionFact[] {
  const named = new Map<Binding, FunctionFact>()
  for (const binding of facts.bindings) {
    const [only, ...more] = binding.definitions
    const within =
      only?.path.length === 0 && more.length === 0 && binding.function.kind !== 'file' ? functionOf(only.value) : undefined
    if (within !== undefined && only?.kind === 'init') named.set(binding, within)
  }
  if (named.size === 0) return []
  for (const { value } of valuesOf(facts)) {
    step()
    if (value.kind === 'reference' && value.binding !== undefined) named.delete(value.binding)
  }
  return [...named.values()]
}

/** Names of routes that are not constant: a method with such a parameter opens the page that it is told. */
function routeNames({ calls }: ScriptFacts): ReadonlySet<Binding> {
  return new Set(
    calls.flatMap(({ callee, args: [route] }) =>
      route?.kind === 'reference' && route.binding !== undefined && lastNameOf(callee) === 'navTo' ? [route.binding] : [],
    ),
  )
}

/** `navTo("home")`, `this.openPage("home")`; the pages for new accounts and forgotten passwords are open to all. */
function opensNextPage(call: CallValue, routes: ReadonlySet<Binding>, methods: ReadonlyMap<string, FunctionFact>): boolean {
  const [route] = call.args
  const name = stringConstantOf(route)
  if (name === undefined || OTHER_WAY.test(name) || speaksOfLogin(name) || /passw/i.test(name)) return false
  if (lastNameOf(call.callee) === 'navTo') return true
  const parameter = ownMethod(call, methods)?.parameters[0]
  return parameter !== undefined && routes.has(parameter)
}

const MAX_HOPS = 3

/** The method and what it calls of its own; undefined: it calls something that may ask a server. */
function runBy(
  method: FunctionFact,
  methods: ReadonlyMap<string, FunctionFact>,
  idle: readonly FunctionFact[],
  facts: ScriptFacts,
  step: (count?: number) => void,
): readonly FunctionFact[] | undefined {
  const found = new Set([method])
  let open: readonly FunctionFact[] = [method]
  for (let hop = 0; open.length > 0; hop++) {
    if (hop > MAX_HOPS) return undefined
    const next: FunctionFact[] = []
    for (const fact of open) {
      step(facts.calls.length)
      for (const call of facts.calls) {
        if (!isWithin(call, fact) || idle.some((one) => isWithin(call, one))) continue
        const own = ownMethod(call, methods)
        if (own === undefined && !isHarmless(call)) return undefined
        if (own === undefined || found.has(own)) continue
        found.add(own)
        next.push(own)
      }
    }
    open = next
  }
  return [...found]
}

function ownMethod({ callee }: CallValue, methods: ReadonlyMap<string, FunctionFact>): FunctionFact | undefined {
  return callee.kind === 'member' && isOfThis(callee.object) ? methods.get(callee.name ?? '') : undefined
}

/** Methods of controls, models, routers, texts and promises that send nothing. Facts: SAPUI5 API reference; ECMAScript; HTML standard, "Web storage". */
const HARMLESS: ReadonlySet<string> = new Set(
  (
    'getView byId getId getModel setModel getProperty setProperty getData setData getValue setValue setValueState setValueStateText getValueState setText setEnabled ' +
    'setVisible setBusy setType getType getOwnerComponent getRouter getRouterFor getCore navTo getText getResourceBundle getI18nBundle getSource getParameter getSelected setSelected ' +
    'getSelectedKey focus show hide open close isOpen destroy preventDefault error warning information success alert confirm addStyleClass removeStyleClass ' +
    'trim toString toLowerCase toUpperCase test match includes startsWith endsWith replace String Number Boolean btoa encodeURIComponent stringify ' +
    'now getTime toISOString then catch finally resolve bind setTimeout setItem removeItem getItem put log info debug warn'
  ).split(' '),
)
const MADE: ReadonlySet<string> = new Set(['JSONModel', 'Promise', 'Date', 'RegExp'])

function isHarmless({ kind, callee }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  // what a promise calls when it is done
  if (kind === 'call' && callee.kind === 'reference' && /^(?:resolve|reject|fnResolve|fnReject)$/.test(name)) return true
  return (kind === 'new' ? MADE : HARMLESS).has(name)
}

/** Whether something is compared that may be a check: with a text of the code, or one value with another. */
function compares(fact: FunctionFact, facts: ScriptFacts, step: (count?: number) => void): boolean {
  for (const { value } of valuesOf(facts)) {
    step()
    if (value.kind !== 'operation' || !/^[!=]==?$/.test(value.operator) || !isWithin(value, fact)) continue
    const constants = value.operands.map((operand) => constantOf(operand))
    const isOfState = value.operands.some((operand) => /^getValueState$/.test(lastNameOf(calleeOf(operand)) ?? ''))
    const isForEmpty = constants.some((one) => one === '' || one === null || typeof one === 'boolean' || typeof one === 'number')
    const isMissing = value.operands.some((operand) => lastNameOf(operand) === 'undefined')
    // which kind of user somebody says to be
    const isChosen = value.operands.some((operand) => lastNameOf(calleeOf(resolveValue(operand))) === 'getSelectedKey')
    if (!isOfState && !isForEmpty && !isMissing && !isChosen) return true
  }
  return false
}

/** Buttons that leave a page for logins as it is: `onNavToHome`, `onContinue`. */
const LEAVES =
  /^(?:on|handle)?(?:press)?(?:(?:nav(?:igate)?|go)(?:_?to)?)?_?(?:home|continue|landing|welcome)(?:page|press(?:ed)?|button)?$/i

const MAX_DEPTH = 8
/** Fields of a form for logins. */
const ENTERED = /user|usuario|mail|login|name|nombre|nome|pass|pwd|senha|clave|cred|entered|input/i

/** Whether a condition asks for what was entered, or whether something is there: no answer, and no state of the app. */
function asksForInput(test: Value, methods: ReadonlyMap<string, FunctionFact>, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  const asks = (value: Value): boolean => asksForInput(value, methods, depth + 1)
  const value = resolveValue(test)
  if (constantOf(value) !== undefined) return true
  switch (value.kind) {
    case 'regex':
    case 'literal':
      return true
    case 'operation':
      return value.operands.every(asks)
    case 'choice':
      return value.options.every(asks)
    case 'member':
      return value.name === 'length' ? asks(value.object) : ENTERED.test(value.name ?? '')
    case 'call': {
      const { callee, args } = value
      const name = lastNameOf(callee) ?? ''
      if (name === 'getValue' || name === 'getValueState' || /^getSelected(?:Key)?$/.test(name) || /Router(?:For)?$/.test(name))
        return true
      if (name === 'getProperty') return ENTERED.test(String((args[0] && constantOf(args[0])) ?? ''))
      if (ownMethod(value, methods) !== undefined) return true
      return /^(?:trim|test|match|includes|toString|toLowerCase)$/.test(name) && callee.kind === 'member'
        ? asks(callee.object) && args.every(asks)
        : false
    }
    case 'reference':
      return value.name === 'undefined'
    default:
      return false
  }
}

/** A login that checks nothing: the button of a view with a password, and the call that opens the next page. */
export interface UncheckedLogin {
  readonly at: Place
  readonly view: string
  readonly handler: string
  /** The app has no back end yet. */
  readonly isSketch: boolean
}

/** The logins of an app whose handlers only open the next page. An app without any back end is a sketch, of which those that look at the password are told. */
export function* uncheckedLogins(app: Ui5App): Generator<UncheckedLogin> {
  const openings = app.scripts.get(quietOpenings)
  if (openings.length === 0) return
  const isSketch = !asksBackend(app)
  // what is kept may be sent from another page
  if (isSketch && app.scripts.get(askingScripts).length > 0) return
  const seen = new Set<string>()
  for (const view of app.views) {
    const [field, ...more] = view.controls.filter(isPasswordField)
    if (view.test || field === undefined || more.length > 0) continue
    const isRead = mayBeRead(field)
    const id = field.properties.get('id')?.value
    // what a model gets, any other page may read
    const isBound = /\{/.test(field.properties.get('value')?.value ?? '')
    const handlers = view.controls.flatMap(handlersOf)
    const isOfLogin = speaksOfLogin(fileNameOf(view.file)) && !handlers.some(speaksOfLogin)
    for (const handler of handlers) {
      if (!speaksOfLogin(handler) && (!isOfLogin || LEAVES.test(handler))) continue
      const found = openings.filter(
        ({ file, value }) =>
          value.method === handler &&
          (value.isQuiet || !isRead) &&
          (!isSketch || (!isBound && id !== undefined && value.asked.includes(id))) &&
          (view.controller === undefined || view.controller === file),
      )
      // a fragment does not say whose it is
      const [opening] = found
      if (opening === undefined || new Set(found.map(({ file }) => file)).size !== 1) continue
      const { file, value } = opening
      if (seen.has(`${file} ${value.at.start}`)) continue
      seen.add(`${file} ${value.at.start}`)
      yield { at: { file, span: value.at }, view: view.file, handler, isSketch }
    }
  }
}

function isPasswordField({ type, properties }: Ui5Control): boolean {
  return (
    /\.(?:Input|TextField|PasswordField)$/.test(type) &&
    (properties.get('type')?.value === 'Password' || type.endsWith('PasswordField'))
  )
}

/** Without an id, a binding and an event nothing gets what is entered. */
function mayBeRead({ properties }: Ui5Control): boolean {
  return ['id', 'value', 'change', 'liveChange', 'submit', 'fieldGroupIds', 'customData'].some(
    (name) => properties.get(name)?.value,
  )
}

const EVENTS = ['press', 'submit'] as const

function handlersOf({ properties }: Ui5Control): string[] {
  return EVENTS.flatMap(
    (event) => /^\s{0,20}\.?([\w$]{1,100})\s{0,20}(?:\(|$)/u.exec(properties.get(event)?.value ?? '')?.[1] ?? [],
  )
}

/** Whether a control of the app calls a method of a script. */
export function isHandler(method: string, file: string, { views }: Ui5App): boolean {
  return views.some(
    ({ test, controller, controls }) =>
      !test && (controller === undefined || controller === file) && controls.some((one) => handlersOf(one).includes(method)),
  )
}

/** Data sources that are no files, and scripts that send requests. */
function asksBackend(app: Ui5App): boolean {
  return sendsRequests(app) || addressesOf(app).some((uri) => !SAMPLES.test(uri))
}

/** What the app shows comes from a public service of sample data, and from nowhere else. Fact: odata.org, "OData Services". Needs the extract `askingScripts`. */
export function showsSamplesAlone(app: Ui5App): boolean {
  const addresses = addressesOf(app)
  return addresses.length > 0 && addresses.every((uri) => SAMPLES.test(uri)) && !sendsRequests(app)
}

function sendsRequests({ scripts }: Ui5App): boolean {
  return scripts.get(askingScripts).some(({ value }) => value === 'request')
}

/** Of data sources that are no files. */
function addressesOf({ manifest }: Ui5App): readonly string[] {
  return membersOf(at(manifest?.root, 'sap.app', 'dataSources')).flatMap(({ value }) => {
    const uri = stringOf(at(value, 'uri')) ?? ''
    const type = stringOf(at(value, 'type')) ?? 'OData'
    return type === 'OData' && uri !== '' && !/\.(?:json|xml)$/i.test(uri) ? uri : []
  })
}

const SAMPLES = /services\.odata\.org|northwind/i
