/** Where a hash is written: attributes of an element of the page, of a call of UI5 with settings or with a URL, or of an element that a script makes. */
export type HashPlace = 'page' | 'include' | 'second' | 'element'

export const HASH_PLACES: readonly HashPlace[] = ['page', 'include', 'second', 'element']
