import type { JSXElement, JSXFragment, Node } from '../parse/javascript.ts'
import { nameLiterals } from './literals.ts'
import type { JsxAttributeFact, JsxFact, JsxValue, ReferenceValue, Value } from './types.ts'
import { spanOf, type Walk } from './walk.ts'

/** A JSX element with its attributes and all that stands below it. */
export function addElement(walk: Walk, node: JSXElement | JSXFragment): JsxValue {
  let element: JsxFact | undefined
  if (node.type === 'JSXElement') {
    const { name, component } = toName(walk, node.openingElement.name)
    const attributes: JsxAttributeFact[] = []
    element = { start: node.start ?? 0, end: node.end ?? 0, name, component, attributes }
    walk.elements.push(element)
    for (const attribute of node.openingElement.attributes) {
      if (attribute.type === 'JSXSpreadAttribute') {
        attributes.push({
          start: attribute.start ?? 0,
          end: attribute.end ?? 0,
          name: undefined,
          value: walk.toValue(attribute.argument),
        })
        continue
      }
      const name = toText(attribute.name)
      const value = attribute.value ? walk.toValue(attribute.value) : undefined
      attributes.push({ start: attribute.start ?? 0, end: attribute.end ?? 0, name, value })
      if (value !== undefined) nameLiterals(walk, value, name)
    }
  }
  for (const child of node.children) {
    if (child.type === 'JSXSpreadChild') walk.toValue(child.expression)
    else if (child.type !== 'JSXText') walk.toValue(child)
  }
  return { kind: 'jsx', start: node.start ?? 0, end: node.end ?? 0, element }
}

function toName(walk: Walk, node: Node): { name: string; component: Value | undefined } {
  const name = toText(node)
  const [root = '', ...members] = name.split('.')
  // a tag in lower case is one of HTML or a custom element, unless it is a member
  if (node.type === 'JSXNamespacedName' || (members.length === 0 && !/^[A-Z_$]/.test(root))) return { name, component: undefined }
  const span = spanOf(node)
  const reference: ReferenceValue = { kind: 'reference', ...span, name: root, binding: undefined }
  walk.references.push({ value: reference, scope: walk.scope })
  let component: Value = reference
  for (const member of members) {
    component = { kind: 'member', ...span, object: component, name: member, property: undefined, isOptional: false }
  }
  return { name, component }
}

/** `a`, `a:b`, `a.b.c`. */
function toText(node: Node): string {
  const names: string[] = []
  let here: Node = node
  while (here.type === 'JSXMemberExpression') {
    names.push(here.property.name)
    here = here.object
  }
  if (here.type === 'JSXIdentifier') names.push(here.name)
  else if (here.type === 'JSXNamespacedName') names.push(`${here.namespace.name}:${here.name.name}`)
  return names.reverse().join('.')
}
