import { at, booleanOf, itemsOf, membersOf, memberOf, stringOf } from '../../parse/data.ts'
import type { DataNode } from '../../parse/data.ts'
import { parseBinding, toInfo } from './binding.ts'
import type { InfoObject, InfoValue } from './binding-info.ts'
import type { ControlProperty, Ui5Control } from './types.ts'
import { infoText, textModelOf, typeNamespaces } from './view-parts.ts'
import type { ReadView } from './views.ts'

/** Facts: `sap/ui/core/mvc/JSONView`, `sap/ui/base/ManagedObject#applySettings` (@openui5/sap.ui.core 1.136.0): what has a `Type` is made of it. */
export function readJsonView(root: DataNode): ReadView {
  const controls = [...controlsIn(root)]
  return {
    language: 'json',
    controllerName: stringOf(at(root, 'controllerName'))?.trim() || undefined,
    controls,
    native: [],
    isTemplate: false,
    namespaces: typeNamespaces(controls),
    requires: new Map(),
    textModel: textModelOf(
      stringOf(at(root, 'resourceBundleName')) ?? stringOf(at(root, 'resourceBundleUrl')),
      stringOf(at(root, 'resourceBundleAlias')),
    ),
  }
}

type Around = Pick<Ui5Control, 'parent' | 'aggregation'>

interface OpenNode {
  readonly node: DataNode
  readonly around: Around
}

function* controlsIn(root: DataNode): Generator<Ui5Control> {
  const open: OpenNode[] = [{ node: root, around: {} }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, around } = next
    const control = toControl(node, around)
    if (control !== undefined) yield control
    const below: OpenNode[] =
      node.kind === 'array'
        ? node.items.map((item) => ({ node: item, around }))
        : membersOf(node).map(({ key, value }) => ({
            node: value,
            around: control === undefined ? around : { parent: control, aggregation: key },
          }))
    for (const child of below.toReversed()) if (child.node.kind === 'object' || child.node.kind === 'array') open.push(child)
  }
}

function toControl(node: DataNode, around: Around): Ui5Control | undefined {
  const written = memberOf(node, 'Type')?.value
  const type = stringOf(written)?.trim()
  if (written === undefined || type === undefined || type === '') return undefined
  const properties = new Map<string, ControlProperty>()
  for (const { key, value } of membersOf(node)) {
    const property = key === 'Type' ? undefined : toProperty(value)
    if (property !== undefined) properties.set(key, property)
  }
  const at = { start: written.start, end: written.end }
  return { type, id: properties.get('id')?.value, at, properties, isWhole: true, ...around }
}

/** Undefined: controls of an aggregation. */
function toProperty(node: DataNode): ControlProperty | undefined {
  const at = { start: node.start, end: node.end }
  if (node.kind === 'object') {
    if (memberOf(node, 'Type') !== undefined || booleanOf(memberOf(node, 'ui5object')?.value) === true) return undefined
    if (memberOf(node, 'path') === undefined && memberOf(node, 'parts') === undefined) return undefined
    const info = toInfo(toInfoObject(node))
    return { value: infoText(info), at, binding: { kind: 'bound', parts: [info], before: '' } }
  }
  if (node.kind === 'array') {
    const items = node.items.filter(({ kind }) => kind !== 'object' && kind !== 'array')
    if (items.length === 0 || items.length < node.items.length) return undefined
    const value = items.map((item) => String(item.kind === 'array' || item.kind === 'object' ? '' : item.value)).join(',')
    return { value, at, binding: { kind: 'constant', text: value } }
  }
  const value = String(node.value)
  return { value, at, binding: node.kind === 'string' ? parseBinding(value) : { kind: 'constant', text: value } }
}

/** As deep as a binding with parts is. */
const MAX_DEPTH = 4

function toInfoObject(node: DataNode, depth = 0): InfoObject {
  return new Map(membersOf(node).map(({ key, value }) => [key, toInfoValue(value, depth)]))
}

function toInfoValue(node: DataNode, depth: number): InfoValue {
  if (node.kind === 'string') return stringOf(node)
  if (depth >= MAX_DEPTH) return undefined
  if (node.kind === 'array') return itemsOf(node).map((item) => toInfoValue(item, depth + 1))
  return node.kind === 'object' ? toInfoObject(node, depth + 1) : undefined
}
