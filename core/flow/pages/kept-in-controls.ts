import {
  constantOf,
  stringConstantOf,
  fieldOf,
  resolveValue,
  type CallValue,
  type Value,
  type FunctionFact,
  type ScriptFacts,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { settingsOf } from '../../model/ui5/index.ts'
import { COPY } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { behindFields } from '../fields/members.ts'
import { append } from '../../lists.ts'
import { lastName } from '../../paths.ts'

/** What code of the app attaches to controls and elements, by its name alone: which one has it, nobody knows. */
const CUSTOM_DATA = 'custom-data'

/** `item.data("url", value)`, `item.data({ url: value })`; `item.data("url")`, `item.data()`. Facts: API of sap.ui.core.Element, data; jQuery 3.7, data. */
export function addCustomData({ args }: CallValue, result: number, { use, ends: { ports } }: FlowDraft): void {
  const [first, second] = args
  const written = stringConstantOf(first)
  const key = written !== undefined ? propertyOf(written) : undefined
  if (typeof key === 'string' && second !== undefined) {
    if (isKept(second)) ports.push({ node: use(second), access: 'write', store: CUSTOM_DATA, path: [key] })
  } else if (typeof key === 'string') ports.push({ node: result, access: 'read', store: CUSTOM_DATA, path: [key] })
  else if (first === undefined) ports.push({ node: result, access: 'read', store: CUSTOM_DATA, path: [] })
  else if (resolveValue(first).kind === 'object') ports.push({ node: use(first), access: 'write', store: CUSTOM_DATA, path: [] })
}

/** `element.setAttribute("data-url", value)`, `$item.attr("data-url")`. Fact: HTML standard, "data-*"; jQuery reads them by `data` as well. */
export function addDataAttribute(call: CallValue, result: number, draft: FlowDraft): void {
  const [name, value] = call.args
  const attribute = stringConstantOf(name)
  if (attribute === undefined || !attribute.startsWith('data-')) return
  const key = propertyOf(attribute.slice('data-'.length))
  if (value === undefined) draft.ends.ports.push({ node: result, access: 'read', store: CUSTOM_DATA, path: [key] })
  else if (isKept(value)) draft.ends.ports.push({ node: draft.use(value), access: 'write', store: CUSTOM_DATA, path: [key] })
}

/** `element.dataset`: its fields are the attributes. Fact: HTML standard, "dataset". */
export function addDataset(node: number, access: 'read' | 'write', { ends: { ports } }: FlowDraft): void {
  ports.push({ node, access, store: CUSTOM_DATA, path: [] })
}

/** `fileUrl` of `data-file-url`, as scripts and jQuery call it. */
function propertyOf(attribute: string): string {
  return attribute.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** `new CustomData({ key: "url", value })`. */
export function addMadeData(call: CallValue, { use, ends: { ports } }: FlowDraft): void {
  if (call.kind !== 'new' || lastNameOf(call.callee) !== 'CustomData') return
  const settings = settingsOf(call)
  const [key, value] = [fieldOf(settings ?? call, 'key'), fieldOf(settings ?? call, 'value')].map((field) => field?.value)
  const name = stringConstantOf(key)
  if (name !== undefined && value !== undefined && isKept(value))
    ports.push({ node: use(value), access: 'write', store: CUSTOM_DATA, path: [propertyOf(name)] })
}

function isKept({ kind }: Value): boolean {
  return kind !== 'literal' && kind !== 'function' && kind !== 'regex'
}

/** `text` of `new Text({ text: note })`, where the control is asked for it. */
export function addMadeProperty(control: Value, property: string, result: number, draft: FlowDraft): void {
  for (const value of behindFields(control, draft)) {
    const settings = value.kind === 'new' ? settingsOf(value) : undefined
    const given = settings && fieldOf(settings, property)?.value
    if (given !== undefined && isKept(given)) draft.graph.connect(draft.use(given), result, COPY)
  }
}

/** `drawing` of `setDrawing`. */
export function propertySet(name: string): string | undefined {
  const [, property] = /(?:^|\.)set([A-Z]\w{0,60})$/.exec(name) ?? []
  return property && property.charAt(0).toLowerCase() + property.slice(1)
}

/**
 * What setters of controls keep instead of what they are given: `this.setProperty("text", encodeXML(text))`. UI5 calls the setter of a property for bindings and
 * settings as well. Fact: API of sap.ui.base.ManagedObject, "Properties". A setter that hands on all its arguments is none.
 */
export function keptBySetters({ calls }: ScriptFacts): ReadonlyMap<FunctionFact, readonly Value[]> {
  const kept = new Map<FunctionFact, Value[]>()
  const wrong = new Set<FunctionFact>()
  for (const call of calls) {
    const property = propertySet(lastName(call.function.name))
    const given = property === undefined ? undefined : keptBy(call, property)
    if (given === undefined) continue
    if (given === 'all') wrong.add(call.function)
    else append(kept, call.function, given)
  }
  for (const fact of wrong) kept.delete(fact)
  return kept
}

function keptBy({ callee, args }: CallValue, property: string): Value | 'all' | undefined {
  if (callee.kind !== 'member') return undefined
  const { name = '', object } = callee
  const [first, second] = args
  if (object.kind === 'this') return name === 'setProperty' && first && constantOf(first) === property ? second : undefined
  // super.setText(text), Control.prototype.setText.call(this, text)
  if (object.kind === 'super') return propertySet(name) === property ? (first ?? 'all') : undefined
  if (object.kind !== 'member' || propertySet(object.name ?? '') !== property || first?.kind !== 'this') return undefined
  return name === 'call' ? second : name === 'apply' ? 'all' : undefined
}
