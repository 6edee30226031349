import { collectFacts, findOrigin, isConstant, pathOf, pathsOf } from '../../facts/index.ts'
import type { Judge } from '../../facts/index.ts'
import type { CallValue, Definition, FunctionFact, ScriptFacts, Value } from '../../facts/types.ts'
import { createBudget, StopSignal } from '../../budget.ts'
import { ParseFailure } from '../../parse/failure.ts'
import { parseScript } from '../../parse/javascript.ts'
import { at, stringOf } from '../../parse/data.ts'
import { ENCODERS } from './concerns.ts'
import type { Binding, BindingPart, BindingPath } from './binding.ts'
import type { HtmlContent } from './html-control.ts'
import { groupBy } from '../../lists.ts'
import { createModuleFinder } from './links.ts'
import { readPath, readSetting } from './script-binding.ts'
import type { Ui5App, Ui5View } from './types.ts'

/** Where markup comes from: `constant` what the code says, or what is encoded; `data` what a model or the user says; `unknown` what nobody can tell. */
export type MarkupOrigin = 'constant' | 'data' | 'unknown'

/** Methods that give ids and addresses of the app's own making. */
const OWN_NAMES: ReadonlySet<string> = new Set(['createId', 'getId', 'uid', 'getModulePath', 'toUrl', 'getResourcePath'])
/** Methods that read models, controls, parameters and stores. */
const READERS: ReadonlySet<string> = new Set(
  'getProperty getObject getData getValue getBoundProperty getParameter getParameters getItem getQueryParameter getHash getSelectedKey requestObject requestProperty'.split(
    ' ',
  ),
)
/** Types whose formatted text holds no markup. */
const PLAIN_TYPE =
  /\.(?:Integer|Float|Boolean|Currency|Unit|FileSize|Date|DateTime|DateTimeOffset|Time|TimeOfDay|DateInterval|Int16|Int32|Int64|Byte|SByte|Single|Double|Decimal|Guid)$/u

const EXPRESSION_STEPS = 200_000
/** The file's own functions followed into each other. */
const MAX_CALLS = 5
const WORST: readonly MarkupOrigin[] = ['data', 'unknown', 'constant']

/** Answers where markup comes from, for one app; keeps what it looked up. */
export interface OriginReader {
  /** Of a property in a view; names that this view requires are those modules. */
  ofBinding(binding: Binding, view?: Ui5View): MarkupOrigin
  /** Of what a script gives to a control, as far as its file tells. */
  ofContent(facts: ScriptFacts, content: HtmlContent): MarkupOrigin
}

/** A reader over the app's manifest and scripts. */
export function createOriginReader(app: Ui5App): OriginReader {
  const indexes = new Map<ScriptFacts, ReadonlyMap<string, readonly FunctionFact[]>>()
  const formatters = new Map<string, MarkupOrigin>()
  const findModule = createModuleFinder(app)

  const functionsNamed = (facts: ScriptFacts, name: string): readonly FunctionFact[] => {
    const index = indexes.get(facts) ?? groupBy(facts.functions, (candidate) => lastName(candidate.name))
    indexes.set(facts, index)
    return index.get(name) ?? []
  }

  /** What is harmless beside constants: encoded text, texts of the app, ids, what the file's own encoding functions give. */
  const judgeIn =
    (facts: ScriptFacts, open: Set<FunctionFact>): Judge =>
    (value) => {
      if (value.kind !== 'call') return undefined
      if (isHarmless(value)) return true
      const name = value.callee.kind === 'member' && value.callee.object.kind === 'this' ? value.callee.name : undefined
      if (name === undefined) return undefined
      const candidates = functionsNamed(facts, name)
      return (candidates.length > 0 && candidates.every((candidate) => returnsConstant(facts, candidate, open))) || undefined
    }

  const returnsConstant = (facts: ScriptFacts, candidate: FunctionFact, open: Set<FunctionFact> = new Set()): boolean => {
    if (open.has(candidate) || open.size >= MAX_CALLS || candidate.returns.length === 0) return false
    open.add(candidate)
    const answer = candidate.returns.every((value) => isConstant(value, judgeIn(facts, open)))
    open.delete(candidate)
    return answer
  }

  /** What a formatter, or a function in an expression, makes of data. Of a module that the view requires it is that module's, a method is the controller's; else it
   *  is known by its last name, and where several have it, all of them must be harmless. */
  const ofFormatter = (written: string, view: Ui5View | undefined): MarkupOrigin => {
    const { name, module } = resolveName(written, view)
    if (FORMATS_TEXT.test(name)) return 'data'
    if (ENCODERS.has(lastName(name)) && SAFE_MODULE.test(name)) return 'constant'
    const method = /^\.(\w{1,100})$/u.exec(name)?.[1]
    const own = method === undefined || !view?.controller ? [] : functionsNamed(view.controller.facts, method)
    const key = own.length > 0 ? `${view?.file ?? ''}${name}` : `${module ?? ''} ${name}`
    const known = formatters.get(key)
    if (known !== undefined) return known
    const required = module === undefined ? view?.controller : findModule(module)
    const scripts = module === undefined && own.length === 0 ? app.scripts : [required].flatMap((script) => script ?? [])
    const candidates = scripts
      .filter(({ test }) => !test)
      .flatMap(({ facts }) => functionsNamed(facts, lastName(name)).map((candidate) => ({ facts, candidate })))
    const harmless = candidates.every(({ facts, candidate }) => returnsConstant(facts, candidate))
    const origin = candidates.length === 0 ? 'unknown' : harmless ? 'constant' : 'data'
    formatters.set(key, origin)
    return origin
  }

  const ofPart = (part: BindingPart, view: Ui5View | undefined): MarkupOrigin => {
    if (part.kind === 'path') return originOfPath(app, part, view)
    if (part.kind === 'expression') {
      const origins = part.operands.map((operand) => ofPart(operand, view))
      return originOfExpression(part.code, origins, (name) => ofFormatter(name, view) === 'constant')
    }
    const isPlain = (type: string | undefined): boolean => type !== undefined && PLAIN_TYPE.test(resolveName(type, view).name)
    if (isPlain(part.type)) return 'constant'
    const origin = worst(part.paths.map((path) => (isPlain(path.type) ? 'constant' : originOfPath(app, path, view))))
    return part.formatter === undefined || origin === 'constant' ? origin : ofFormatter(part.formatter, view)
  }

  const ofBinding = (binding: Binding, view?: Ui5View): MarkupOrigin => {
    if (binding.kind === 'computed') return 'unknown'
    return binding.kind === 'constant' ? 'constant' : worst(binding.parts.map((part) => ofPart(part, view)))
  }

  const ofValue = (facts: ScriptFacts, value: Value): MarkupOrigin => {
    if (isConstant(value, judgeIn(facts, new Set()))) return 'constant'
    const source = findOrigin(value, (part) => {
      if (part.kind === 'call' && isHarmless(part)) return 'clean'
      return isSource(part) ? 'source' : undefined
    })
    return source === undefined ? 'unknown' : 'data'
  }

  return {
    ofBinding,
    ofContent(facts, { value, as }) {
      const bound = as === 'text' ? undefined : as === 'path' ? readPath(value) : readSetting(value)
      if (bound === undefined) return ofValue(facts, value)
      const origin = ofBinding(bound.binding)
      if (origin === 'constant' || bound.formatter?.kind !== 'function') return origin
      return returnsConstant(facts, bound.formatter.function) ? 'constant' : origin
    },
  }
}

/** Names of UI5's own functions that put data into a text as it is. */
const FORMATS_TEXT = /^(?:jQuery\.sap|sap\.base\.strings)\.formatMessage$/u
/** Where the encoders of UI5 live. */
const SAFE_MODULE = /^(?:jQuery\.sap|sap\.base\.security)\./u

/** `Formatter.text.bind($controller)` of a view that requires `my/Formatter` as Formatter: `my.Formatter.text` of that module. */
function resolveName(written: string, view: Ui5View | undefined): { name: string; module: string | undefined } {
  const name = written.trim().replace(/\.bind\([^)]{0,100}\)$/u, '')
  const dot = name.indexOf('.')
  const module = view?.requires.get(dot === -1 ? name : name.slice(0, dot))
  if (module === undefined) return { name, module }
  return { name: module.replaceAll('/', '.') + (dot === -1 ? '' : name.slice(dot)), module }
}

/** Texts of resource models are part of the app; the device model holds nothing that anybody else wrote. */
function originOfPath(app: Ui5App, { model }: BindingPath, view: Ui5View | undefined): MarkupOrigin {
  if (view?.textModel === model) return 'constant'
  const type = stringOf(at(app.manifest?.root, 'sap.ui5', 'models', model, 'type'))
  if (type !== undefined) return type === 'sap.ui.model.resource.ResourceModel' ? 'constant' : 'data'
  return /i18n$/iu.test(model) || model === 'device' ? 'constant' : 'data'
}

/**
 * `origins` of the embedded bindings, in order. Where they only decide between constants, nothing of them is shown.
 * `isHarmlessCall`: whether a function that the expression names encodes what it is given.
 */
function originOfExpression(
  code: string,
  origins: readonly MarkupOrigin[],
  isHarmlessCall: (name: string) => boolean,
): MarkupOrigin {
  if (worst(origins) === 'constant') return 'constant'
  const text = `x.y = (${code}\n)`
  try {
    const value = collectFacts(parseScript(text, 'expression.js'), text, createBudget(EXPRESSION_STEPS)).assignments[0]?.value
    const judge: Judge = (part) => {
      if (part.kind === 'reference') return origins[operandOf(part.name)] === 'constant' || undefined
      if (part.kind !== 'call') return undefined
      const name = pathOf(part.callee)?.join('.').replace('global:', '')
      return name === undefined ? undefined : name === 'encodeURIComponent' || isHarmlessCall(name) || undefined
    }
    if (value !== undefined && isConstant(value, judge)) return 'constant'
  } catch (error) {
    // it says nothing that can be understood: its operands decide
    if (!(error instanceof ParseFailure) && !(error instanceof StopSignal)) throw error
  }
  return worst(origins)
}

function operandOf(name: string): number {
  return name.startsWith('ui5$') ? Number(name.slice('ui5$'.length)) : -1
}

function lastName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

function isHarmless(call: CallValue): boolean {
  const names = pathsOf(call.callee).map((path) => path.at(-1) ?? '')
  // an imported encoder may have any name here: `module:sap/base/security/encodeXML`, `global:encodeURIComponent`
  if (names.length > 0 && names.every((name) => ENCODERS.has(name.replace(/^.{0,200}[/:]/u, '')))) return true
  if (call.callee.kind !== 'member' || call.callee.name === undefined) return false
  if (ENCODERS.has(call.callee.name) || OWN_NAMES.has(call.callee.name)) return true
  if (READERS.has(call.callee.name)) return readsTexts(call)
  // the values that fill a text's gaps are not part of the app
  return call.callee.name === 'getText' && call.args.slice(1).every((argument) => isConstant(argument))
}

/** `this.getView().getModel("i18n").getProperty(…)`, also with the model by name. */
function readsTexts(call: CallValue): boolean {
  let here: Value | undefined = call
  for (let hops = 0; hops < 20 && here !== undefined; hops++) {
    if (here.kind === 'reference') {
      const [definition, ...others]: readonly Definition[] = here.binding?.definitions ?? []
      here = others.length === 0 ? definition?.value : undefined
    } else if (here.kind === 'call' && here.callee.kind === 'member') {
      const [model] = here.args
      if (here.callee.name === 'getModel' && model?.kind === 'literal') return /i18n$/iu.test(String(model.value))
      here = here.callee.object
    } else return false
  }
  return false
}

function isSource(value: Value): boolean {
  if (value.kind === 'call') return value.callee.kind === 'member' && READERS.has(value.callee.name ?? '') && !readsTexts(value)
  if (value.kind !== 'member') return false
  return pathsOf(value).some(
    ([root, ...steps]) => root === 'global:location' || (root === 'global:document' && DOCUMENT.has(steps[0] ?? '')),
  )
}

const DOCUMENT: ReadonlySet<string> = new Set(['location', 'URL', 'documentURI', 'referrer', 'cookie'])

function worst(origins: readonly MarkupOrigin[]): MarkupOrigin {
  return WORST.find((origin) => origins.includes(origin)) ?? 'constant'
}
