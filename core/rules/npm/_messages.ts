const MOST = 3

/** The first names of a list, for a message. */
export function namesOf(packages: readonly { readonly name: string }[]): string {
  const names = [...new Set(packages.map(({ name }) => name))]
  return names.slice(0, MOST).join(', ') + (names.length > MOST ? ', …' : '')
}

/** The same, with the number of all where not all are named. */
export function countedNamesOf(packages: readonly { readonly name: string }[]): string {
  const count = new Set(packages.map(({ name }) => name)).size
  return namesOf(packages) + (count > MOST ? ` (${count})` : '')
}
