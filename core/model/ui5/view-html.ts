import { attributeOf, elementsOf } from '../../parse/markup.ts'
import type { MarkupDocument, MarkupElement } from '../../parse/markup.ts'
import { parseBinding } from './binding.ts'
import type { ControlProperty, Ui5Control } from './types.ts'
import { textModelOf, typeNamespaces } from './view-parts.ts'
import type { ReadView } from './views.ts'

const TYPE = 'data-sap-ui-type'
const OWN = 'data-sap-ui-'
const CUSTOM = 'data-custom-data:'
const DATA = 'data-'
/** Elements around the content, which the view does not show. */
const FRAME: ReadonlySet<string> = new Set(['template', 'html', 'head', 'body', 'meta', 'title', 'script', 'style'])

/** Facts: `sap/ui/core/mvc/HTMLView`, `sap/ui/core/DeclarativeSupport` (@openui5/sap.ui.core 1.136.0). */
export function readHtmlView(document: MarkupDocument): ReadView {
  const elements = [...elementsOf(document)]
  const template = elements.find(({ name }) => name === 'template')
  const setting = (name: string): string | undefined => template && attributeOf(template, name)?.value
  const controls = controlsIn(document)
  return {
    language: 'html',
    controllerName: wordOf(setting('data-controller-name')),
    controls,
    native: elements.filter(isNative),
    isTemplate: false,
    namespaces: typeNamespaces(controls),
    requires: new Map(),
    textModel: textModelOf(
      setting('data-resource-bundle-name') ?? setting('data-resource-bundle-url'),
      setting('data-resource-bundle-alias'),
    ),
  }
}

/** Neither a control nor the frame of an aggregation: it becomes part of the page as it stands. */
function isNative(element: MarkupElement): boolean {
  return !FRAME.has(element.name) && !element.attributes.some(({ name }) => name === TYPE || name === `${OWN}aggregation`)
}

type Around = Pick<Ui5Control, 'parent' | 'aggregation'>

interface OpenElement {
  readonly element: MarkupElement
  readonly around: Around
}

function controlsIn(document: MarkupDocument): Ui5Control[] {
  const controls: Ui5Control[] = []
  const open = document.children.map((element): OpenElement => ({ element, around: {} })).reverse()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { element, around } = next
    const control = toControl(element, around)
    if (control !== undefined) controls.push(control)
    const aggregation = wordOf(attributeOf(element, `${OWN}aggregation`)?.value)
    const below: Around =
      control !== undefined ? { parent: control } : aggregation === undefined ? around : { ...around, aggregation }
    for (const child of element.children.toReversed()) open.push({ element: child, around: below })
  }
  return controls
}

function toControl(element: MarkupElement, around: Around): Ui5Control | undefined {
  const type = wordOf(attributeOf(element, TYPE)?.value)
  if (type === undefined) return undefined
  const properties = new Map<string, ControlProperty>()
  for (const { name, value, valueSpan } of element.attributes) {
    const property = propertyName(name)
    if (property !== undefined) properties.set(property, { value, at: valueSpan, binding: parseBinding(value) })
  }
  return { type, id: properties.get('id')?.value, at: element.startTag, properties, isWhole: true, ...around }
}

/** `data-link-text` is linkText; `class`, `style` and what has no prefix is none. */
function propertyName(name: string): string | undefined {
  if (name === 'id' || name === 'tooltip') return name
  if (!name.startsWith(DATA) || name.startsWith(OWN) || name.startsWith(CUSTOM)) return undefined
  return name.slice(DATA.length).replaceAll(/-(.)/gu, (_, letter: string) => letter.toUpperCase())
}

function wordOf(value: string | undefined): string | undefined {
  const word = value?.trim()
  return word === '' ? undefined : word
}
