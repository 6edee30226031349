import { constantOf, fieldOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { settingsOf } from '../../model/ui5/index.ts'
import { COPY } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { behindFields } from '../fields/field-values.ts'

/** What code of the app attaches to controls and elements, by its name alone: which one has it, nobody knows. */
const CUSTOM_DATA = 'custom-data'

/** `item.data("url", value)`, `item.data({ url: value })`; `item.data("url")`, `item.data()`. Facts: API of sap.ui.core.Element, data; jQuery 3.7, data. */
export function addCustomData({ args }: CallValue, result: number, { use, ports }: FlowDraft): void {
  const [first, second] = args
  const written = first && constantOf(first)
  const key = typeof written === 'string' ? propertyOf(written) : undefined
  if (typeof key === 'string' && second !== undefined) {
    if (isKept(second)) ports.push({ node: use(second), access: 'write', store: CUSTOM_DATA, path: [key] })
  } else if (typeof key === 'string') ports.push({ node: result, access: 'read', store: CUSTOM_DATA, path: [key] })
  else if (first === undefined) ports.push({ node: result, access: 'read', store: CUSTOM_DATA, path: [] })
  else if (resolveValue(first).kind === 'object') ports.push({ node: use(first), access: 'write', store: CUSTOM_DATA, path: [] })
}

/** `element.setAttribute("data-url", value)`, `$item.attr("data-url")`. Fact: HTML standard, "data-*"; jQuery reads them by `data` as well. */
export function addDataAttribute(call: CallValue, result: number, draft: FlowDraft): void {
  const [name, value] = call.args
  const attribute = name && constantOf(name)
  if (typeof attribute !== 'string' || !attribute.startsWith('data-')) return
  const key = propertyOf(attribute.slice('data-'.length))
  if (value === undefined) draft.ports.push({ node: result, access: 'read', store: CUSTOM_DATA, path: [key] })
  else if (isKept(value)) draft.ports.push({ node: draft.use(value), access: 'write', store: CUSTOM_DATA, path: [key] })
}

/** `element.dataset`: its fields are the attributes. Fact: HTML standard, "dataset". */
export function addDataset(node: number, access: 'read' | 'write', { ports }: FlowDraft): void {
  ports.push({ node, access, store: CUSTOM_DATA, path: [] })
}

/** `fileUrl` of `data-file-url`, as scripts and jQuery call it. */
function propertyOf(attribute: string): string {
  return attribute.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** `new CustomData({ key: "url", value })`. */
export function addMadeData(call: CallValue, { use, ports }: FlowDraft): void {
  if (call.kind !== 'new' || lastNameOf(call.callee) !== 'CustomData') return
  const settings = settingsOf(call)
  const [key, value] = [fieldOf(settings ?? call, 'key'), fieldOf(settings ?? call, 'value')].map((field) => field?.value)
  const name = key && constantOf(key)
  if (typeof name === 'string' && value !== undefined && isKept(value))
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
