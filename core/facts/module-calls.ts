import { lastNameOf } from './literals.ts'
import type { CallValue, ImportFact, Value } from './types.ts'
import { directParts } from './values.ts'
import type { Walk } from './walk.ts'

/** The module that a call gives: `require('a')`, `import('a')`, `sap.ui.require('a')`, `sap.ui.requireSync('a')`. */
export function moduleOfCall(call: CallValue): { source: string; kind: ImportFact['kind'] } | undefined {
  const source = textOf(call.args[0])
  if (source === undefined || call.kind !== 'call') return undefined
  const { callee } = call
  if (callee.kind === 'import') return { source, kind: 'dynamic' }
  if (isGlobal(callee, 'require')) return { source, kind: 'require' }
  if (isSapUi(callee, 'require') && call.args.length === 1) return { source, kind: 'probe' }
  return isSapUi(callee, 'requireSync') ? { source, kind: 'require' } : undefined
}

/** What `sap.ui.define`, `sap.ui.require` and AMD's `define` are given: the modules' names and the function that gets them. */
export function wiringOfCall(call: CallValue): { names: Value; factory: Value } | undefined {
  const { callee, args } = call
  if (call.kind !== 'call') return undefined
  const isDefine = isSapUi(callee, 'define') || isGlobal(callee, 'define')
  const isRequire = isSapUi(callee, 'require') || isGlobal(callee, 'require') || isGlobal(callee, 'requirejs')
  if (!isDefine && !isRequire) return undefined
  // the module's own name may come first
  const at = isDefine && textOf(args[0]) !== undefined ? 1 : 0
  const names = args[at]
  const factory = args[at + 1]
  return names && factory && { names, factory: boundFunction(factory) }
}

/** `function (Text) { … }.bind(this)`, `jQuery.proxy(function (Text) { … }, this)`: the function, where no parameter is filled before. */
function boundFunction(value: Value): Value {
  if (value.kind !== 'call' || value.callee.kind !== 'member') return value
  const { object, name } = value.callee
  if (name === 'bind' && value.args.length === 1) return object
  const [first] = value.args
  return name === 'proxy' && value.args.length === 2 && first !== undefined ? first : value
}

/** Dotted name of `jQuery.sap.require('sap.m.Text')`: the module is then reached as a global namespace. */
export function jquerySapModule(call: CallValue): string | undefined {
  const { callee } = call
  if (callee.kind !== 'member' || (callee.name !== 'require' && callee.name !== 'declare')) return undefined
  const sap = callee.object
  if (sap.kind !== 'member' || sap.name !== 'sap' || (!isGlobal(sap.object, 'jQuery') && !isGlobal(sap.object, '$')))
    return undefined
  return callee.name === 'require' ? textOf(call.args[0]) : undefined
}

/**
 * Names what `require` and `import()` load by the file that it is: `require('@shop/shared')`, `import('#lib/x')`, `require(__dirname + '/x')`,
 * `require(path.join(__dirname, 'x'))`, `require(global.__base + 'x')`.
 */
export function nameLoaded({ moduleName }: Walk, callee: Value, args: Value[]): void {
  const [first] = args
  if (first === undefined || (callee.kind !== 'import' && !isGlobal(callee, 'require'))) return
  const text = textOf(first)
  const written = text ?? belowFolder(first)
  if (written === undefined) return
  const value = moduleName(written)
  // below a folder that only a variable tells: a file is known by now, or nothing is
  if (text !== undefined || value.startsWith('.')) args[0] = { kind: 'literal', start: first.start, end: first.end, value }
}

/** As one literal would say it; `/utils/x` below a folder that the program keeps in a global, as XS Advanced's templates do in `__base`. */
function belowFolder(value: Value): string | undefined {
  const parts = directParts(value)
  const isJoined = /^(?:join|resolve)$/.test(nameIn(parts[0]))
  const [folder, ...rest] = isJoined ? parts.slice(1) : parts
  const texts = rest.flatMap((part) => textOf(part) ?? [])
  if (texts.length === 0 || texts.length < rest.length || !nameIn(folder).startsWith('__')) return undefined
  const path = texts.join(isJoined ? '/' : '')
  return `${nameIn(folder) === '__dirname' ? '.' : ''}${path.startsWith('/') ? '' : '/'}${path}`
}

function nameIn(value: Value | undefined): string {
  return (value && lastNameOf(value)) ?? ''
}

function isSapUi(callee: Value, name: string): boolean {
  if (callee.kind !== 'member' || callee.name !== name) return false
  const ui = callee.object
  return ui.kind === 'member' && ui.name === 'ui' && isGlobal(ui.object, 'sap')
}

function isGlobal(value: Value, name: string): boolean {
  if (value.kind === 'reference') return value.name === name && value.binding === undefined
  return value.kind === 'member' && value.name === name && isGlobalObject(value.object)
}

function isGlobalObject(value: Value): boolean {
  return value.kind === 'reference' && value.binding === undefined && (value.name === 'window' || value.name === 'globalThis')
}

function textOf(value: Value | undefined): string | undefined {
  return value?.kind === 'literal' && typeof value.value === 'string' ? value.value : undefined
}
