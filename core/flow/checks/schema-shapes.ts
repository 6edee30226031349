import { isProof, proves, type Constraint, type Proof } from '../../conditions/constraint.ts'
import type { ProvedField } from '../check-types.ts'
import { ANY_FIELD } from '../types.ts'

/**
 * What a schema makes sure of: of the value itself, of fields of it, of the items of a list.
 * Facts: zod 4, "Defining schemas"; joi 18, "API reference"; yup 1 (README); JSON Schema 2020-12, "Validation".
 */
export interface Shape {
  readonly proofs: readonly Proof[]
  readonly fields?: ReadonlyMap<string, Shape>
  readonly item?: Shape
  readonly isOfYup?: true
}

/** Any text. */
export const ANY: Shape = { proofs: [] }
/** A text of a form. */
export const FORMED: Shape = { proofs: [{ kind: 'form' }] }
/** One of a list, a number and the like. */
export const KNOWN: Shape = { proofs: [{ kind: 'listed' }] }

/** What a function proves that a schema asks, `refine((text) => !text.includes('<'))`; where nobody understands it, it is believed. */
export function provedByAsked(constraints: readonly Constraint[]): readonly Proof[] {
  const own = constraints.flatMap(({ of, ...proof }) => (of === '' ? proof : []))
  return own.some(isProof) || !proves(own, 'open') ? own : FORMED.proofs
}

/** What is proved field by field of a value that a schema has let through. */
export function provedBy({ proofs, fields, item }: Shape, path: readonly string[] = []): readonly ProvedField[] {
  return [
    ...(proofs.length === 0 ? [] : [{ path, proofs }]),
    ...[...(fields ?? [])].flatMap(([name, shape]) => provedBy(shape, [...path, name])),
    ...(item === undefined ? [] : provedBy(item, [...path, ANY_FIELD])),
  ]
}

/** What is proved of these fields. Whatever a schema says of a value: its author has thought of what may come. */
export function provedAtPath(shape: Shape, path: readonly string[]): readonly Proof[] {
  let here: Shape | undefined = shape
  for (const name of path) {
    // what another file describes is believed
    if (here !== undefined && proves(here.proofs, 'listed')) break
    here = here?.fields?.get(name) ?? here?.item
  }
  return [...(here?.proofs ?? []), { kind: 'asked' }]
}
