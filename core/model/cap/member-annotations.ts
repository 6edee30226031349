import type { StepCounter } from '../../budget.ts'
import type { CdsAnnotated, CdsExtend, CdsMember } from '../../parse/cds/types.ts'
import { toAnnotation, type CapDocument } from './documents.ts'
import type { CapAnnotation } from './types.ts'

export type NamedAnnotation = CapAnnotation & { readonly name: string }

/** What stands outside of a definition about its elements. */
export interface MemberStatements {
  /** By the dotted path of an element, in the order of files and text. */
  readonly annotations: ReadonlyMap<string, readonly NamedAnnotation[]>
  readonly extensions: readonly { readonly extend: CdsExtend; readonly document: CapDocument }[]
}

interface Statements extends MemberStatements {
  readonly annotations: Map<string, NamedAnnotation[]>
  readonly extensions: { readonly extend: CdsExtend; readonly document: CapDocument }[]
}

/** By the qualified name of the definition that is meant: `annotate E with { a @x }`, `annotate E:a with @x`, `extend E with { … }`. */
export function collectMemberStatements(
  documents: readonly CapDocument[],
  budget: StepCounter,
): ReadonlyMap<string, MemberStatements> {
  const found = new Map<string, Statements>()
  const of = (name: string): Statements => {
    const known = found.get(name) ?? { annotations: new Map<string, NamedAnnotation[]>(), extensions: [] }
    found.set(name, known)
    return known
  }
  for (const document of documents) {
    const { document: tree, names, file } = document
    for (const annotate of tree.annotates) {
      budget.step(1 + annotate.elements.length)
      const { path, element } = annotate.target
      if (element === undefined && annotate.elements.length === 0) continue
      const { annotations } = of(names.resolve(path, annotate.scope))
      if (element !== undefined) add(annotations, element, file, annotate)
      addParts(annotations, element, file, annotate, budget)
    }
    for (const extend of tree.extends) {
      budget.step(1 + extend.elements.length)
      if (extend.elements.length + extend.columns.length + extend.includes.length === 0) continue
      const statements = of(names.resolve(extend.target.path, extend.scope))
      if (extend.target.element === undefined) statements.extensions.push({ extend, document })
      for (const member of extend.elements)
        if (member.extension) add(statements.annotations, joinSteps(extend.target.element, member.name), file, member)
    }
  }
  return found
}

function addParts(
  into: Map<string, NamedAnnotation[]>,
  path: string | undefined,
  file: string,
  annotated: CdsAnnotated,
  budget: StepCounter,
): void {
  budget.step(annotated.elements.length)
  for (const member of annotated.elements) {
    const inner = joinSteps(path, member.name)
    add(into, inner, file, member)
    addParts(into, inner, file, member, budget)
  }
}

function add(
  into: Map<string, NamedAnnotation[]>,
  path: string,
  file: string,
  { annotations }: Pick<CdsAnnotated | CdsMember, 'annotations'>,
): void {
  if (annotations.length === 0) return
  const known = into.get(path) ?? []
  into.set(path, known)
  for (const annotation of annotations) known.push(toAnnotation(file, annotation))
}

export function joinSteps(path: string | undefined, name: string): string {
  return path === undefined ? name : `${path}.${name}`
}

/** Annotations with stronger ones laid over them; the same map where there are none. */
export function overlay(
  below: ReadonlyMap<string, CapAnnotation>,
  above: readonly NamedAnnotation[],
): ReadonlyMap<string, CapAnnotation> {
  if (above.length === 0) return below
  const merged = new Map(below)
  for (const annotation of above) merged.set(annotation.name, annotation)
  return merged
}
