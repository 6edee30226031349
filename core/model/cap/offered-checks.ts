import type { Extract } from '../../extracts/extract.ts'
import { importedNames, type ImportedName, type Value } from '../../facts/index.ts'
import { resolvePath } from '../../paths.ts'
import { withoutEnding } from './implementations.ts'
import type { CapRoot } from './types.ts'

/** Whether a function checks who calls; a link says which function of another file that is. */
export type CheckedBy = 'own' | 'none' | ImportedName

/** A function that other files may use. */
export interface OfferedCheck {
  readonly kind: 'offered'
  readonly name: string
}

/** The function of another file of the project that a value is. */
export function linkOf(value: Value): CheckedBy {
  return importedNames(value)[0] ?? 'none'
}

/** What an extract says of places, with whether each is checked: in its own file, or by a function of another one that offers it. */
export function judgedItems<Item extends { readonly kind: string; readonly by: CheckedBy }>(
  { scripts, step }: Pick<CapRoot, 'scripts' | 'step'>,
  extract: Extract<Item | OfferedCheck>,
): readonly { readonly file: string; readonly value: Item; readonly isChecked: boolean }[] {
  const items = scripts.get(extract)
  const isOffer = (value: Item | OfferedCheck): value is OfferedCheck => value.kind === 'offered'
  const offered = new Set(items.flatMap(({ file, value }) => (isOffer(value) ? [`${withoutEnding(file)} ${value.name}`] : [])))
  const isOffered = (from: string, { source, name }: ImportedName): boolean => {
    const path = resolvePath(from, source)
    if (path === undefined) return false
    return [withoutEnding(path), `${path}/index`].some((one) => offered.has(`${one} ${name}`))
  }
  return items.flatMap(({ file, value }) => {
    step()
    if (isOffer(value)) return []
    const { by } = value
    return [{ file, value, isChecked: typeof by === 'string' ? by === 'own' : isOffered(file, by) }]
  })
}
