import type { ProjectFile } from '../../files.ts'
import { attributeOf, elementsOf } from '../../parse/markup.ts'
import type { MarkupDocument, MarkupElement } from '../../parse/markup.ts'
import { parseBinding } from './binding.ts'
import type { ControlProperty, Ui5Control, Ui5View, ViewNamespace } from './types.ts'

const HTML = 'http://www.w3.org/1999/xhtml'
const SVG = 'http://www.w3.org/2000/svg'
const MVC = 'sap.ui.core.mvc'

/** An XML view or fragment to its controls, in the order of the text. Undefined for every other file. */
export function toView(file: Pick<ProjectFile, 'path' | 'kind' | 'content'>): Ui5View | undefined {
  const { path, kind, content } = file
  if (content.as !== 'markup' || (kind.role !== 'view' && kind.role !== 'fragment')) return undefined
  return {
    file: path,
    kind: kind.role,
    test: kind.test,
    controllerName: controllerOf(content.document),
    controller: undefined,
    controls: controlsOf(content.document),
    native: [...elementsOf(content.document)].filter(isNative),
    namespaces: namespacesOf(content.document),
  }
}

function controllerOf(document: MarkupDocument): string | undefined {
  const root = document.children[0]
  if (root === undefined || root.namespace !== MVC) return undefined
  const name = attributeOf(root, 'controllerName')?.value.trim()
  return name === '' ? undefined : name
}

function controlsOf(document: MarkupDocument): Ui5Control[] {
  const controls: Ui5Control[] = []
  for (const element of elementsOf(document)) if (isControl(element)) controls.push(toControl(element))
  return controls
}

function namespacesOf(document: MarkupDocument): ViewNamespace[] {
  const namespaces = new Map<string, ViewNamespace>()
  for (const { namespace, startTag } of elementsOf(document))
    if (!namespaces.has(namespace)) namespaces.set(namespace, { name: namespace, at: startTag })
  return [...namespaces.values()]
}

function isNative({ namespace }: MarkupElement): boolean {
  return namespace === HTML || namespace === SVG
}

/** Aggregations are in lower case; native markup is no control. */
function isControl(element: MarkupElement): boolean {
  const first = element.localName.charAt(0)
  const last = element.localName.slice(element.localName.lastIndexOf('.') + 1).charAt(0)
  return !isNative(element) && (isUpper(first) || isUpper(last))
}

function isUpper(character: string): boolean {
  return character !== character.toLowerCase()
}

function toControl(element: MarkupElement): Ui5Control {
  const properties = new Map<string, ControlProperty>()
  for (const attribute of element.attributes) {
    // with a prefix it is custom data, a namespace or a hint of the tooling
    if (attribute.name.includes(':') || attribute.name === 'xmlns') continue
    properties.set(attribute.name, { value: attribute.value, at: attribute.valueSpan, binding: parseBinding(attribute.value) })
  }
  const type = element.namespace === '' ? element.localName : `${element.namespace}.${element.localName}`
  return { type, id: properties.get('id')?.value, at: element.startTag, properties }
}
