/** Areas whose rules were rewritten in the words of the field, each with a repaired example: their form is held by tests. */
export const REVISED: ReadonlySet<string | undefined> = new Set<string>(['approuter', 'btp', 'ui5'])
