import { stringConstantOf, resolveValue, type Value, accessesOf, type FunctionFact } from '../../facts/index.ts'
import { WHOLE, type FlowSource } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { behindFields } from '../fields/members.ts'
import { UI5_MODULES } from '../tables/controls.ts'
import { lastName } from '../../paths.ts'

/** The store of what views show in a property: of the control with an id, `#id`, of those whose events a method handles, `@method`, or of any. */
export function shownStore(owner: `#${string}` | `@${string}` | undefined, property: string): string {
  return `shown ${owner === undefined ? '' : `${owner}.`}${property}`
}

/** Properties that hold texts. */
const SHOWN_PROPERTIES =
  /^(?:text|value|title|subtitle|header|headerText|description|info|intro|key|selectedKey|html|htmlText|src|href|url|icon|tooltip|number|label|content|sender|data:.{1,60})$/
/** Methods that give a control which views made: of an event, of a list. */
const GIVING_CONTROLS =
  /^(?:getParameter|getSource|getSelectedItem|getSelectedItems|getItems|getCells|getParent|getContent|getFirstItem)$/

/** Of these a property may hold an object, too. */
const MAY_HOLD_OBJECTS = /^(?:content|sender|data:.{1,60})$/

/**
 * `byId("x").getText()`, `event.getSource().data("url")`: what a view binds there is found in it. A text has no fields: with those of an object that a view shows
 * somewhere, an object that an app writes and shows again would grow with each round.
 */
export function readShown(control: Value, property: string, result: number, draft: FlowDraft): void {
  if (!SHOWN_PROPERTIES.test(property)) return
  if (MAY_HOLD_OBJECTS.test(property)) return readProperty(control, property, result, draft)
  const shown = draft.graph.add({ start: 0, end: 0 })
  draft.graph.connect(shown, result, WHOLE)
  readProperty(control, property, shown, draft)
}

/** `byId("list").getBinding("items")`: its contexts are those of the list that a view binds there. */
export function readBound(control: Value, name: Value | undefined, result: number, draft: FlowDraft): void {
  const property = stringConstantOf(name)
  if (property === undefined) return
  const owner = control.kind === 'member' ? draft.owners.ownerBehind(control.object) : undefined
  const held = owner === undefined || control.kind !== 'member' ? [] : draft.classes.fieldValues(owner, control.name ?? '')
  for (const value of [control, ...held]) readProperty(value, property, result, draft)
}

function readProperty(control: Value, property: string, result: number, draft: FlowDraft): void {
  const here = resolveValue(control)
  if (here.kind === 'choice') {
    for (const option of here.options) if (option.kind !== 'choice') readProperty(option, property, result, draft)
    return
  }
  const from = here.kind === 'member' && here.name === undefined ? resolveValue(here.object) : here
  const maker = from.kind === 'call' && from.callee.kind === 'member' ? (from.callee.name ?? '') : ''
  const id = maker === 'byId' && from.kind === 'call' ? from.args.at(-1) : undefined
  const name = stringConstantOf(id)
  const store =
    name !== undefined
      ? shownStore(`#${name}`, property)
      : GIVING_CONTROLS.test(maker)
        ? shownStore(handlerAsked(from, draft), property)
        : undefined
  if (store !== undefined) draft.ends.ports.push({ node: result, access: 'read', store, path: [] })
}

/** `event.getSource()` in a method that views name for events of their controls. */
function handlerAsked(from: Value, draft: FlowDraft): `@${string}` | undefined {
  if (from.kind !== 'call' || from.callee.kind !== 'member' || from.callee.name !== 'getSource') return undefined
  const asked = sourceOf(from.callee.object, draft)
  return asked !== undefined && 'handler' in asked ? `@${asked.handler}` : undefined
}

type Asked = FlowSource['askedControl']

/** The control that a value is: by its id, by the handler whose event names it, or by its type where the script makes it. */
export function controlAsked(value: Value, draft: FlowDraft): Asked {
  for (const here of behindFields(value, draft)) {
    const id = idAsked(here)
    if (id !== undefined) return { control: id }
    if (here.kind === 'call' && here.callee.kind === 'member' && here.callee.name === 'getSource')
      return sourceOf(here.callee.object, draft)
    const type = here.kind === 'new' ? typeMade(here.callee) : undefined
    if (type !== undefined) return { type }
  }
  return undefined
}

/** `zoom` of `this.byId("zoom")`. */
export function idAsked(value: Value): string | undefined {
  const here = resolveValue(value)
  const last = here.kind === 'call' && lastNameOf(here.callee) === 'byId' ? here.args.at(-1) : undefined
  return stringConstantOf(last)
}

/** The control whose event is the first parameter of a function: the views tell it by the name of a method, the script where it makes the control. */
export function sourceOf(event: Value, { facts, step }: FlowDraft): Asked {
  const binding = event.kind === 'reference' ? event.binding : undefined
  if (binding?.kind !== 'parameter' || binding.function.parameters[0] !== binding) return undefined
  const handler = binding.function
  if (handler.kind === 'method') return { handler: lastName(handler.name) }
  step(1 + (facts.calls.length >> 3))
  for (const { kind, callee, args } of facts.calls) {
    const type = kind === 'new' && args.some((settings) => isSetting(settings, handler)) ? typeMade(callee) : undefined
    if (type !== undefined) return { type }
  }
  return undefined
}

/** `change: function (event) { … }` among the settings of a control. */
function isSetting(settings: Value, handler: FunctionFact): boolean {
  return (
    settings.kind === 'object' && settings.fields.some(({ value }) => value.kind === 'function' && value.function === handler)
  )
}

/** `sap.m.Input` of `new Input(…)`, `new sap.m.Input(…)`. */
function typeMade(callee: Value): string | undefined {
  for (const { root, steps } of accessesOf(callee)) {
    if (root.startsWith(UI5_MODULES) && steps.length === 0) return root.slice('module:'.length).replaceAll('/', '.')
    if (root === 'global:sap') return ['sap', ...steps].join('.')
  }
  return undefined
}
