import { constantOf, stringConstantOf, pathOf } from '../../facts/index.ts'
import type { CallValue, ObjectValue, ScriptFacts, Value } from '../../facts/types.ts'
import { parseBinding } from './binding.ts'
import { idOf, settingsOf, writtenId } from './constructions.ts'
import { readSetting } from './script-binding.ts'
import type { ControlProperty, Ui5Control } from './types.ts'
import { infoText, typeNamespaces } from './view-parts.ts'
import type { ReadView } from './views.ts'

/**
 * Views and fragments whose content a script makes: `sap.ui.jsview`, `sap.ui.jsfragment`, `View.extend`.
 * Facts: `sap/ui/core/mvc/JSView`, `sap/ui/core/mvc/View` (@openui5/sap.ui.core 1.136.0).
 */
export function readScriptView(facts: ScriptFacts): ReadView {
  const made = [...constructedControls(facts)]
  return {
    language: 'script',
    controllerName: controllerOf(facts),
    controls: made.map(({ control }) => control),
    native: [],
    isTemplate: false,
    namespaces: typeNamespaces(made.filter(({ isGlobal }) => isGlobal).map(({ control }) => control)),
    requires: new Map(),
    textModel: undefined,
  }
}

/** What any script constructs, as the controls of a view. */
export function controlsOf(facts: ScriptFacts): Ui5Control[] {
  return [...constructedControls(facts)].map(({ control }) => control)
}

/** `isGlobal`: by its global name, so that no import names it. */
function* constructedControls(facts: ScriptFacts): Generator<{ control: Ui5Control; isGlobal: boolean }> {
  const set = settersOf(facts)
  for (const call of facts.calls) {
    const [root, ...steps] = call.kind === 'new' ? (pathOf(call.callee) ?? []) : []
    const type = typeOf(root, steps)
    if (type !== undefined) yield { control: toControl(type, call, set.get(call) ?? []), isGlobal: root === 'global:sap' }
  }
}

/** `module:sap/m/Link` and `global:sap.m.Link` are sap.m.Link. */
function typeOf(root: string | undefined, steps: readonly string[]): string | undefined {
  if (root === undefined) return undefined
  if (root.startsWith('module:')) return steps.length === 0 ? root.slice('module:'.length).replaceAll('/', '.') : undefined
  return root.startsWith('global:') && steps.length > 0 ? [root.slice('global:'.length), ...steps].join('.') : undefined
}

/** The controller that a view names in its script. */
export function controllerOf({ functions }: ScriptFacts): string | undefined {
  const getter = functions.find(({ name }) => name === 'getControllerName' || name.endsWith('.getControllerName'))
  const [value] = getter?.returns ?? []
  return stringConstantOf(value)?.trim() || undefined
}

/** Values that one name may have. */
const MAX_WAYS = 8

/** `setHref(x)` on a construction, by that construction; what its settings don't say they say. */
function settersOf(facts: ScriptFacts): ReadonlyMap<CallValue, readonly CallValue[]> {
  const setters = new Map<CallValue, CallValue[]>()
  for (const call of facts.calls) {
    if (call.callee.kind !== 'member' || !/^set[A-Z]/u.test(call.callee.name ?? '')) continue
    const { object } = call.callee
    const values =
      object.kind === 'reference' ? (object.binding?.definitions ?? []).slice(0, MAX_WAYS).map(({ value }) => value) : [object]
    for (const value of values) {
      if (value?.kind !== 'new') continue
      const known = setters.get(value)
      if (known === undefined) setters.set(value, [call])
      else known.push(call)
    }
  }
  return setters
}

function toControl(type: string, call: CallValue, setters: readonly CallValue[]): Ui5Control {
  const properties = new Map<string, ControlProperty>()
  for (const { callee, args } of setters) {
    const name = callee.kind === 'member' ? (callee.name ?? '').slice('set'.length) : ''
    const [value] = args
    if (value !== undefined) properties.set(name.charAt(0).toLowerCase() + name.slice(1), toConstant(value))
  }
  const settings = settingsOf(call)
  for (const { key, value } of settings?.fields ?? []) if (key !== undefined) properties.set(key, toProperty(value))
  return { type, id: idOf(call), at: { start: call.start, end: call.callee.end }, properties, isWhole: isWhole(call, settings) }
}

/** Without a spread in its settings, and nothing but an id beside them. */
function isWhole({ args }: CallValue, settings: ObjectValue | undefined): boolean {
  if (settings !== undefined) return settings.fields.every(({ key }) => key !== undefined)
  return args.every((argument) => writtenId(argument) !== undefined)
}

function toProperty(value: Value): ControlProperty {
  const { start, end } = value
  const bound = readSetting(value)
  if (bound === undefined) return toConstant(value)
  const text = constantOf(value)
  const [part] = bound.binding.kind === 'bound' ? bound.binding.parts : []
  if (typeof text === 'string' || part?.kind !== 'info')
    return { value: String(text), at: { start, end }, binding: bound.binding }
  // a function of its own is a formatter as well as a name is
  const info = bound.formatter === undefined ? part : { ...part, formatter: part.formatter ?? '' }
  return { value: infoText(part), at: { start, end }, binding: { kind: 'bound', parts: [info], before: '' } }
}

/** Text that is no binding, a list of constants, or what nobody can tell. */
function toConstant(value: Value): ControlProperty {
  const at = { start: value.start, end: value.end }
  const items = value.kind === 'array' ? value.items.map(constantOf) : [constantOf(value)]
  if (items.includes(undefined)) return { value: '', at, binding: { kind: 'computed' } }
  const text = items.join(',')
  const binding = parseBinding(text)
  return { value: text, at, binding: binding.kind === 'constant' ? binding : { kind: 'constant', text } }
}
