import {
  accessesOf,
  constantOf,
  fieldOf,
  isConstant,
  resolveValue,
  type CallValue,
  type ObjectValue,
  type Value,
} from '../../facts/index.ts'
import {
  constructionsOf,
  controllerOf,
  htmlContentOf,
  readPath,
  readSetting,
  settingsOf,
  validatesAddresses,
  type Binding,
  type ScriptBinding,
} from '../../model/ui5/index.ts'
import {
  connectBinding,
  frameworkFunction,
  hasFormatter,
  type BindingScope,
  type NamedFunction,
  addressSink,
} from '../views/bindings.ts'
import { lastNameOf } from '../../facts/literals.ts'
import {
  ADDRESS_PROPERTIES,
  CHOICE_TYPES,
  MARKUP_PROPERTIES,
  parsesSettings,
  SHOWN_PROPERTIES,
  type MarkupProperty,
} from '../tables/controls.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { GLOBAL_SOURCE } from '../app/links.ts'
import { nameOf } from '../graph/names.ts'
import { namespaceOf } from './definitions.ts'
import { addSink } from '../sinks/sinks.ts'
import { idAsked } from './shown.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { addFound } from '../sinks/sink-parts.ts'
import { lastName } from '../../paths.ts'

/** Adds what a script gives a control to show as markup. Whether the control sanitizes it, the app tells. */
export function addControlSinks(call: CallValue, draft: FlowDraft): void {
  const settings = call.kind === 'new' ? settingsOf(call) : undefined
  if (settings !== undefined) {
    const types = typesMade(call)
    addSanitized(settings, types, draft)
    addParsedSettings(settings, types, draft)
  }
  const given = htmlContentOf(call)
  if (given === undefined) return
  const { value, as } = given
  const bound = as === 'text' ? undefined : as === 'path' ? readPath(value, given.formatter) : readSetting(value)
  // setProperty goes past setContent, which sanitizes
  const name = lastNameOf(call.callee) === 'setProperty' ? 'HTML.setProperty' : 'HTML.content'
  if (bound !== undefined) {
    const node = boundNode(bound, value, draft, given.formatter)
    addFound(FOUND_SINKS.htmlContent, value, draft, { name, node })
    if (isFormatted(bound)) addFound({ ...FOUND_SINKS.htmlContent, ...FOUND_SINKS.formattedMarkup }, value, draft, { name, node })
  } else if (!isConstant(value)) addFound(FOUND_SINKS.htmlContent, value, draft, { name })
}

const SANITIZING: ReadonlyMap<string, MarkupProperty> = new Map(
  MARKUP_PROPERTIES.flatMap((row) => (row.fault === undefined ? [[row.type, row]] : [])),
)

/** What a formatter makes for a control that sanitizes: `new FormattedText({ htmlText: { path, formatter } })`. */
function addSanitized(settings: ObjectValue, types: readonly string[], draft: FlowDraft): void {
  const [row] = types.flatMap((type) => SANITIZING.get(type) ?? [])
  const value = row && fieldOf(settings, row.property)?.value
  const bound = value && readSetting(value)
  if (row === undefined || value === undefined || bound === undefined || !isFormatted(bound)) return
  const enables = row.when === undefined ? undefined : fieldOf(settings, row.when)?.value
  if (row.when !== undefined && (enables === undefined || constantOf(enables) !== true)) return
  const name = `${lastName(row.type)}.${row.property}`
  addFound(FOUND_SINKS.formattedMarkup, value, draft, { node: boundNode(bound, value, draft), name, detail: 'sanitized' })
}

/** Texts that the constructor of a control parses as bindings. What the code writes as a binding itself is one. */
function addParsedSettings(settings: ObjectValue, types: readonly string[], draft: FlowDraft): void {
  const type = types.find((one) => parsesSettings(one) && !CHOICE_TYPES.has(one))
  if (type === undefined) return
  for (const { key, value } of settings.fields) {
    if (!SHOWN_PROPERTIES.has(key) || isConstant(value) || readSetting(value) !== undefined) continue
    addFound(FOUND_SINKS.parsedSetting, value, draft, { name: `${lastName(type)}.${key}` })
  }
}

/** `sap.m.Link` of `new Link()` and of `new sap.m.Link()`. */
function typesMade({ callee }: CallValue): readonly string[] {
  return accessesOf(callee).map(({ root, steps }) =>
    [root.replace(/^(?:module|global):/, '').replaceAll('/', '.'), ...steps].join('.'),
  )
}

function isFormatted({ binding, formatter }: ScriptBinding): boolean {
  return formatter !== undefined || hasFormatter(binding)
}

/** What a binding in a script brings to the property of a control. Nobody knows here what context the control is given. */
export function boundNode(bound: ScriptBinding, value: Value, draft: FlowDraft, given?: Value): number {
  const node = draft.graph.add(value)
  const { binding, scope } = inScript(bound, value, draft, given)
  connectBinding(binding, node, value, scope)
  return node
}

interface ScopedBinding {
  readonly binding: Binding
  readonly scope: BindingScope
}

function inScript({ binding, formatter: own }: ScriptBinding, value: Value, draft: FlowDraft, given?: Value): ScopedBinding {
  const info = resolveValue(value)
  const formatter = info.kind === 'object' ? fieldOf(info, 'formatter')?.value : given
  const scope: BindingScope = {
    graph: draft.graph,
    ports: draft.ends.ports,
    calls: draft.calling.calls,
    unresolved: draft.ends.unresolved,
    show: draft.show,
    functionOf: (written) => functionNamed(written, formatter, draft),
    typeOf: (written) => written,
    // the manifest tells later
    isConstantModel: () => false,
    contextOf: () => undefined,
  }
  // a function of its own is a formatter as well as a name is
  const isFormatted = own !== undefined && binding.kind === 'bound'
  const parts = isFormatted ? binding.parts.map((part) => (part.kind === 'info' ? { ...part, formatter: '' } : part)) : []
  return { binding: isFormatted ? { ...binding, parts } : binding, scope }
}

const SET_ADDRESS = { fault: FOUND_SINKS.linkAddress.fault, args: [0], as: 'address' } as const

/** Adds the addresses that a script sets or binds for links. What a script that validates addresses in some way binds is left to its author. */
export function addAddresses(draft: FlowDraft): void {
  const { facts } = draft
  const made = ADDRESS_PROPERTIES.flatMap((row) =>
    [...constructionsOf(facts, row.type.replaceAll('.', '/'))].map(({ settings }) => ({ ...row, settings })),
  )
  const set = facts.calls.filter(({ callee }) => callee.kind === 'member' && callee.name === 'setHref')
  const bindings = facts.calls.flatMap((call) => addressBound(call, draft) ?? [])
  if (made.length + set.length + bindings.length === 0) return
  const isSetToValidate = facts.calls.some(({ callee }) => callee.kind === 'member' && callee.name === 'setValidateUrl')
  for (const { callee, args } of set) {
    const [value] = args
    const isChosen = value !== undefined && !isConstant(value) && readSetting(value) === undefined
    if (isChosen && !(callee.kind === 'member' && isValidating(callee.object, draft))) {
      const control = callee.kind === 'member' ? idAsked(callee.object) : undefined
      const known = { fault: SET_ADDRESS.fault, name: nameOf(callee), ...(control !== undefined && { control }) }
      addSink(value, SET_ADDRESS, { at: value, within: undefined }, known, draft)
    }
  }
  let areValidated: boolean | undefined
  for (const { name, value, bound, formatter } of isSetToValidate ? [] : bindings) {
    if ((areValidated ??= validatesAddresses(facts))) break
    const { binding, scope } = inScript(bound, value, draft, formatter)
    const sink = addressSink(binding, value, name, scope)
    if (sink !== undefined) draft.ends.sinks.push(sink)
  }
  for (const { type, property, validated, settings } of made) {
    const value = fieldOf(settings, property)?.value
    const check = validated === undefined ? undefined : fieldOf(settings, validated)?.value
    if (value === undefined || (check !== undefined && constantOf(check) !== false)) continue
    // settings that are not known may validate
    if (isSetToValidate || settings.fields.some(({ key }) => key === undefined)) continue
    const bound = readSetting(value)
    const control = lastName(type)
    if (bound === undefined) {
      const name = `${control}.set${property.charAt(0).toUpperCase()}${property.slice(1)}`
      if (!isConstant(value))
        addSink(value, SET_ADDRESS, { at: value, within: undefined }, { fault: SET_ADDRESS.fault, name }, draft)
      continue
    }
    if ((areValidated ??= validatesAddresses(facts))) continue
    const { binding, scope } = inScript(bound, value, draft)
    const sink = addressSink(binding, value, `${control}.${property}`, scope)
    if (sink !== undefined) draft.ends.sinks.push(sink)
  }
}

/** `link.bindProperty("href", { path })` of a link that the script makes and that does not validate. Fact: API of sap.ui.base.ManagedObject. */
function addressBound(
  { callee, args: [property, value, formatter] }: CallValue,
  draft: FlowDraft,
):
  | { readonly name: string; readonly value: Value; readonly bound: ScriptBinding; readonly formatter: Value | undefined }
  | undefined {
  if (callee.kind !== 'member' || callee.name !== 'bindProperty' || property === undefined || value === undefined)
    return undefined
  const made = resolveValue(callee.object)
  const types = made.kind === 'new' ? typesMade(made) : []
  const name = constantOf(property)
  const row = ADDRESS_PROPERTIES.find((one) => one.property === name && types.includes(one.type))
  const bound = row && readPath(value, formatter)
  if (row === undefined || bound === undefined || isValidating(callee.object, draft)) return undefined
  return { name: `${lastName(row.type)}.${row.property}`, value, bound, formatter }
}

/** A link that a script has made with `validateUrl: true`, or that is told so by its setter. */
function isValidating(link: Value, { facts, step }: FlowDraft): boolean {
  const made = resolveValue(link)
  if (made.kind === 'new') {
    step(facts.calls.length)
    return (
      made.args.some((settings) => {
        const check = fieldOf(resolveValue(settings), 'validateUrl')?.value
        return check !== undefined && constantOf(check) === true
      }) ||
      facts.calls.some(
        ({ callee, args: [check] }) => setsValidation(callee, link) && check !== undefined && constantOf(check) === true,
      )
    )
  }
  return (
    made.kind === 'call' &&
    made.callee.kind === 'member' &&
    made.callee.name === 'setValidateUrl' &&
    constantOf(made.args[0] ?? link) === true
  )
}

function setsValidation(callee: Value, link: Value): boolean {
  if (callee.kind !== 'member' || callee.name !== 'setValidateUrl') return false
  return (
    link.kind === 'reference' &&
    link.binding !== undefined &&
    callee.object.kind === 'reference' &&
    callee.object.binding === link.binding
  )
}

/** `controller.asText` in `createContent(controller)`, which gets the controller of the view. Fact: API of sap.ui.core.mvc.View, createContent. */
function methodOfController(given: Value, { facts }: FlowDraft): string | undefined {
  const parameter = given.kind === 'member' && given.object.kind === 'reference' ? given.object.binding : undefined
  if (given.kind !== 'member' || given.name === undefined || parameter?.kind !== 'parameter') return undefined
  if (!parameter.function.name.endsWith('createContent') || parameter.function.parameters[0] !== parameter) return undefined
  const controller = controllerOf(facts)
  return controller === undefined ? undefined : `global ${controller}#${given.name}`
}

function functionNamed(written: string, formatter: Value | undefined, draft: FlowDraft): NamedFunction {
  const targets = draft.owners.functionsBehind(formatter).flatMap((fact) => draft.calling.functions.get(fact) ?? [])
  if (targets.length > 0) return { kind: 'own', calls: [{ targets }] }
  const known = frameworkFunction(written)
  if (known !== undefined) return known
  const handed = formatter && methodOfController(formatter, draft)
  if (handed !== undefined) return { kind: 'own', calls: [{ targets: [], module: { source: GLOBAL_SOURCE, name: handed } }] }
  // `formatter.text` of a module of the app
  const [access] = formatter === undefined ? [] : accessesOf(formatter)
  const namespace = formatter && namespaceOf(formatter)
  if (namespace !== undefined)
    return { kind: 'own', calls: [{ targets: [], module: { source: GLOBAL_SOURCE, name: `global ${namespace}` } }] }
  if (access?.root.startsWith('module:') !== true) return { kind: 'unknown' }
  const name = access.steps.join('.') || 'default'
  return { kind: 'own', calls: [{ targets: [], module: { source: access.root.slice('module:'.length), name } }] }
}
