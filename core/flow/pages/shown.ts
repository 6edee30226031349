import { constantOf, resolveValue, type Value } from '../../facts/index.ts'
import { WHOLE } from '../types.ts'
import { sourceOf } from './asked-controls.ts'
import type { FlowDraft } from '../graph/draft.ts'

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
  const property = name && constantOf(name)
  if (typeof property !== 'string') return
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
  const name = id && constantOf(id)
  const store =
    typeof name === 'string'
      ? shownStore(`#${name}`, property)
      : GIVING_CONTROLS.test(maker)
        ? shownStore(handlerAsked(from, draft), property)
        : undefined
  if (store !== undefined) draft.ports.push({ node: result, access: 'read', store, path: [] })
}

/** `event.getSource()` in a method that views name for events of their controls. */
function handlerAsked(from: Value, draft: FlowDraft): `@${string}` | undefined {
  if (from.kind !== 'call' || from.callee.kind !== 'member' || from.callee.name !== 'getSource') return undefined
  const asked = sourceOf(from.callee.object, draft)
  return asked !== undefined && 'handler' in asked ? `@${asked.handler}` : undefined
}
