import { attributeOf, elementsOf } from '../../parse/markup.ts'
import type { MarkupDocument, MarkupElement } from '../../parse/markup.ts'
import { parseBinding } from './binding.ts'
import { readInfo } from './binding-info.ts'
import type { ControlProperty, Ui5Control, ViewNamespace } from './types.ts'
import { textModelOf } from './view-parts.ts'
import type { ReadView } from './views.ts'
import { lastName } from '../../paths.ts'

const HTML = 'http://www.w3.org/1999/xhtml'
const SVG = 'http://www.w3.org/2000/svg'
const TEMPLATE = 'http://schemas.sap.com/sapui5/extension/sap.ui.core.template/1'
const MVC = 'sap.ui.core.mvc'
const CORE = 'sap.ui.core'

/** Facts: `sap/ui/core/XMLTemplateProcessor` (@openui5/sap.ui.core 1.136.0). */
export function readXmlView(document: MarkupDocument): ReadView {
  const elements = [...elementsOf(document)]
  const [root] = document.children
  const setting = (name: string): string | undefined =>
    root?.namespace === MVC ? attributeOf(root, name)?.value.trim() : undefined
  const namespaces = namespacesOf(elements)
  return {
    language: 'xml',
    controllerName: setting('controllerName') || undefined,
    controls: controlsIn(document),
    native: elements.filter(isNative),
    isTemplate:
      namespaces.some(({ name }) => name === TEMPLATE) ||
      document.children.some(({ attributes }) => attributes.some(({ value }) => value.trim() === TEMPLATE)),
    namespaces,
    requires: requiresOf(elements),
    textModel: textModelOf(setting('resourceBundleName') ?? setting('resourceBundleUrl'), setting('resourceBundleAlias')),
  }
}

function namespacesOf(elements: readonly MarkupElement[]): ViewNamespace[] {
  const namespaces = new Map<string, ViewNamespace>()
  for (const { namespace, startTag } of elements)
    if (!namespaces.has(namespace)) namespaces.set(namespace, { name: namespace, at: startTag })
  return [...namespaces.values()]
}

/** `core:require="{Name: 'my/module'}"`, on any element. */
function requiresOf(elements: readonly MarkupElement[]): ReadonlyMap<string, string> {
  const requires = new Map<string, string>()
  const several = new Set<string>()
  for (const { attributes } of elements) {
    const attribute = attributes.find(({ localName, namespace }) => localName === 'require' && namespace === CORE)
    if (attribute === undefined) continue
    for (const [name, module] of readInfo(attribute.value.trim().replace(/^\{/u, ''))) {
      if (typeof module !== 'string') continue
      if ((requires.get(name) ?? module) !== module) several.add(name)
      requires.set(name, module)
    }
  }
  for (const name of several) requires.delete(name)
  return requires
}

function isNative({ namespace }: MarkupElement): boolean {
  return namespace === HTML || namespace === SVG
}

/** Aggregations are in lower case; native markup is no control. */
function isControl(element: MarkupElement): boolean {
  const first = element.localName.charAt(0)
  const last = lastName(element.localName).charAt(0)
  return !isNative(element) && (isUpper(first) || isUpper(last))
}

function isUpper(character: string): boolean {
  return character !== character.toLowerCase()
}

/** The element of an aggregation has the name of it, in lower case. */
function controlsIn(document: MarkupDocument): Ui5Control[] {
  const controls: Ui5Control[] = []
  const open = document.children.map((element): OpenElement => ({ element, around: {} })).reverse()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { element, around } = next
    const control = isControl(element) ? toControl(element, around) : undefined
    if (control !== undefined) controls.push(control)
    const below = control !== undefined ? { parent: control } : isNative(element) ? around : inAggregation(element, around)
    for (const child of element.children.toReversed()) open.push({ element: child, around: below })
  }
  return controls
}

type Around = Pick<Ui5Control, 'parent' | 'aggregation'>

interface OpenElement {
  readonly element: MarkupElement
  readonly around: Around
}

function inAggregation({ localName }: MarkupElement, { parent }: Around): Around {
  return parent === undefined ? {} : { parent, aggregation: localName }
}

/** Fact: documentation of SAPUI5, "Custom Data - Attaching Data Objects to Controls". */
const CUSTOM_DATA = 'http://schemas.sap.com/sapui5/extension/sap.ui.core.CustomData/1'

function toControl(element: MarkupElement, around: Around): Ui5Control {
  const properties = new Map<string, ControlProperty>()
  for (const attribute of element.attributes) {
    // with a prefix it is custom data, a namespace or a hint of the tooling
    const isData = attribute.namespace === CUSTOM_DATA
    if ((attribute.name.includes(':') && !isData) || attribute.name === 'xmlns') continue
    properties.set(isData ? `data:${attribute.localName}` : attribute.name, {
      value: attribute.value,
      at: attribute.valueSpan,
      binding: parseBinding(attribute.value),
    })
  }
  const type = element.namespace === '' ? element.localName : `${element.namespace}.${element.localName}`
  return { type, id: properties.get('id')?.value, at: element.startTag, properties, isWhole: true, ...around }
}
