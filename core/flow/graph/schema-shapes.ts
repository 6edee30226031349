/**
 * What a schema lets through: any text, a text of a form, or one of a list, a number and the like.
 * Facts: zod 4, "Defining schemas"; joi 18, "API reference"; yup 1 (README); JSON Schema 2020-12, "Validation".
 */
export interface Shape {
  readonly lets: 'any' | 'form' | 'known'
  readonly fields?: ReadonlyMap<string, Shape>
  readonly item?: Shape
  readonly isOfYup?: true
}

export const ANY: Shape = { lets: 'any' }

/** What it lets through in these fields. */
export function letsAt(shape: Shape, path: readonly string[]): Shape['lets'] {
  let here: Shape | undefined = shape
  for (const name of path) {
    // what another file describes is believed
    if (here?.lets === 'known') return 'known'
    here = here?.fields?.get(name) ?? here?.item
  }
  return here?.lets ?? 'any'
}
