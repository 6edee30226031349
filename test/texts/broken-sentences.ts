/** What an argument that is empty, cut off or a mere path makes of a sentence. */
const BREAKS: readonly (readonly [what: string, RegExp])[] = [
  ['an argument without a value', /(?<![\w$.])(?:undefined|NaN|\[object Object\])(?=[.,:;)]|$)/],
  ['empty quotes', /(?<![\w"'=])""(?!["\w])/],
  ['empty parentheses', /(?:^|\s)\(\s*\)/],
  ['a gap', /\S {2,}\S/],
  ['a sign without a word before it', /(?<=[a-zé)"’]) [,.](?=\s|$)|,,|;;/],
  ['a name that was cut off', /(?:^|\s)…(?:\.\w|\.?$|\. )/],
  ['a path for the root of the project', /\b(?:in|of|from|dans|de|depuis) \.\/(?=[\s.,]|$)/],
]

/** How a rendered text is broken, and undefined for a whole one. */
export function breakIn(text: string): string | undefined {
  return BREAKS.find(([, pattern]) => pattern.test(text))?.[0]
}
