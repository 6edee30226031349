/** Where a call that runs a regular expression has it, and the text: the object whose method it is, or the position of an argument. */
export interface MatchingRow {
  readonly pattern: 'receiver' | number
  readonly text: 'receiver' | number
}

/** Methods by their names; the pattern is looked at as well, so that nothing else is meant. Fact: ECMAScript 2025, RegExp.prototype and String.prototype. */
export const MATCHING_METHODS: ReadonlyMap<string, MatchingRow> = new Map<string, MatchingRow>([
  ...['test', 'exec'].map((name) => [name, { pattern: 'receiver', text: 0 }] as const),
  ...['match', 'matchAll', 'replace', 'replaceAll', 'search', 'split'].map(
    (name) => [name, { pattern: 0, text: 'receiver' }] as const,
  ),
])

/** Functions of packages. Fact: validator 13 (README, "matches"). */
export const MATCHING_CALLS: ReadonlyMap<string, MatchingRow> = new Map<string, MatchingRow>([
  ['module:validator matches', { pattern: 1, text: 0 }],
  ['module:validator/lib/matches', { pattern: 1, text: 0 }],
])
