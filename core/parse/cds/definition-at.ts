import type { CdsAnnotated, CdsDocument, CdsMember } from './types.ts'
import type { Span } from '../../types.ts'

/** The definition, directive and part of it that stand at an offset, as `Shop.Books/title`: the context of a fingerprint. '' outside of all. */
export function definitionAt(document: CdsDocument, offset: number): string {
  // a block's definitions come behind it, so the last one that holds the offset is the innermost
  const definition = document.definitions.findLast((definition) => holds(definition, offset))
  const annotate = document.annotates.findLast((annotate) => holds(annotate, offset))
  if (annotate !== undefined && (definition === undefined || annotate.start >= definition.start)) {
    return `annotate ${annotate.target.path}${annotatedAt(annotate, offset)}`
  }
  if (definition !== undefined) {
    const action = definition.actions.find((action) => holds(action, offset))
    const members = action === undefined ? [...definition.elements, ...definition.params] : action.params
    return `${definition.name}${action === undefined ? '' : `/${action.name}`}${memberAt(members, offset)}`
  }
  const extend = document.extends.find((extend) => holds(extend, offset))
  if (extend === undefined) return ''
  const added = extend.definitions.findLast((definition) => holds(definition, offset))
  return `extend ${extend.target.path}${added === undefined ? memberAt(extend.elements, offset) : `/${added.name}`}`
}

function holds(span: Span, offset: number): boolean {
  return span.start <= offset && offset < span.end
}

function memberAt(members: readonly CdsMember[], offset: number): string {
  let path = ''
  let here: readonly CdsMember[] = members
  for (;;) {
    const member = here.find((member) => holds(member, offset))
    if (member === undefined) return path
    path += `/${member.name}`
    here = member.type?.items?.elements ?? member.type?.elements ?? []
  }
}

function annotatedAt(annotated: CdsAnnotated, offset: number): string {
  let path = ''
  let here: CdsAnnotated = annotated
  for (;;) {
    const member = [...here.elements, ...here.actions, ...here.params].find((member) => holds(member, offset))
    if (member === undefined) return path
    path += `/${member.name}`
    here = member
  }
}
