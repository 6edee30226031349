import { createBudget, StopSignal } from '../../budget.ts'
import { collectFacts, isConstant, pathOf, type Judge } from '../../facts/index.ts'
import { groupBy } from '../../lists.ts'
import { at, stringOf } from '../../parse/data.ts'
import { ParseFailure } from '../../parse/failure.ts'
import { parseScript } from '../../parse/javascript.ts'
import type { Binding, BindingPart, BindingPath } from './binding.ts'
import { ENCODERS } from './concerns.ts'
import { createModuleFinder } from './links.ts'
import { lastName, markupFunctions, type MarkupOrigin } from './markup-functions.ts'
import type { Ui5App, Ui5View } from './types.ts'

/** Types whose formatted text holds no markup. */
const PLAIN_TYPE =
  /\.(?:Integer|Float|Boolean|Currency|Unit|FileSize|Date|DateTime|DateTimeOffset|Time|TimeOfDay|DateInterval|Int16|Int32|Int64|Byte|SByte|Single|Double|Decimal|Guid)$/u

const EXPRESSION_STEPS = 200_000
const WORST: readonly MarkupOrigin[] = ['data', 'unknown', 'constant']

/** Answers where markup comes from, for one app; keeps what it looked up. Needs the extract `markupFunctions`. */
export interface OriginReader {
  /** Of a property in a view; names that this view requires are those modules. */
  ofBinding(binding: Binding, view?: Ui5View): MarkupOrigin
}

/** A reader over the app's manifest and scripts. */
export function createOriginReader(app: Ui5App): OriginReader {
  const formatters = new Map<string, MarkupOrigin>()
  const findModule = createModuleFinder(app)
  const functions = groupBy(app.scripts.get(markupFunctions), ({ value }) => value.name)
  const functionsNamed = (name: string, file?: string): readonly boolean[] =>
    (functions.get(name) ?? []).flatMap((it) => (file === undefined || it.file === file ? it.value.harmless : []))

  /** What a formatter, or a function in an expression, makes of data. Of a module that the view requires it is that module's, a method is the controller's; else it
   *  is known by its last name, and where several have it, all of them must be harmless. */
  const ofFormatter = (written: string, view: Ui5View | undefined): MarkupOrigin => {
    const { name, module } = resolveName(written, view)
    if (FORMATS_TEXT.test(name)) return 'data'
    if (ENCODERS.has(lastName(name)) && SAFE_MODULE.test(name)) return 'constant'
    const method = /^\.(\w{1,100})$/u.exec(name)?.[1]
    const own = method === undefined || view?.controller === undefined ? [] : functionsNamed(method, view.controller)
    const key = own.length > 0 ? `${view?.file ?? ''}${name}` : `${module ?? ''} ${name}`
    const known = formatters.get(key)
    if (known !== undefined) return known
    const found = module === undefined ? undefined : findModule(module)
    const elsewhere =
      module === undefined ? functionsNamed(lastName(name)) : found === undefined ? [] : functionsNamed(lastName(name), found)
    const candidates = own.length > 0 ? own : elsewhere
    const origin = candidates.length === 0 ? 'unknown' : candidates.every(Boolean) ? 'constant' : 'data'
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

  return { ofBinding }
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

function worst(origins: readonly MarkupOrigin[]): MarkupOrigin {
  return WORST.find((origin) => origins.includes(origin)) ?? 'constant'
}
