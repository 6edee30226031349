import type { CdsValue } from '../../parse/cds/types.ts'
import type { Place, Span } from '../../types.ts'
import type { CapAnnotation } from './types.ts'

/** The value at a path of annotations, flat (`@a.b.c: 1`) or as a record at any step (`@a.b: { c: 1 }`), and where it stands. */
export function annotatedValue(
  annotations: ReadonlyMap<string, CapAnnotation>,
  path: string,
): { readonly value: CdsValue; readonly place: Place } | undefined {
  for (let name = path, rest: string[] = []; name !== '';) {
    const found = annotations.get(name)
    const value = found && memberAt(found.value, rest)
    if (found !== undefined && value !== undefined)
      return { value, place: { file: found.place.file, span: { start: value.start, end: value.end } } }
    const dot = name.lastIndexOf('.')
    rest = [name.slice(dot + 1), ...rest]
    name = name.slice(0, Math.max(0, dot))
  }
  return undefined
}

function memberAt(value: CdsValue, path: readonly string[]): CdsValue | undefined {
  let here: CdsValue | undefined = value
  for (const step of path) here = here?.kind === 'object' ? here.members.findLast(({ key }) => key === step)?.value : undefined
  return here
}

/** Where a part of an annotation stands. */
export function placeIn({ place }: CapAnnotation, { start, end }: Span): Place {
  return { file: place.file, span: { start, end } }
}
