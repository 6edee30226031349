/** The first names of a list, for a message. */
export function namesOf(packages: readonly { readonly name: string }[]): string {
  const names = [...new Set(packages.map(({ name }) => name))]
  return names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '')
}
