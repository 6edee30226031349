import type { Locale, RuleMessages, RuleText } from '../types.ts'
import { exampleValues } from './rule-examples.ts'
import { wordRule } from './rule-words.ts'

/** A place that an argument fills: `{destination}`, `{names:and}`; `${id}` is code. */
const PLACEHOLDER = /(?<!\$)\{([A-Za-z][A-Za-z0-9]{0,40})(?::[a-z]{2,3})?\}/g

/** A rule in words without a finding: as it is told of its first example. The title stays the rule's own where it is whole; of a rule without examples a place is named in capitals. */
export function wordByExample(
  rule: { readonly id: string; readonly text: () => Readonly<Record<Locale, RuleMessages>> },
  locale: Locale,
): RuleText {
  const words = rule.text()[locale]
  const { variant, args } = exampleValues(rule.id)
  const texts = wordRule(words, { variant, args: { ...nameOpenPlaces(words, variant), ...args } }, locale)
  return hasOpenPlace(words.title) ? texts : { ...texts, title: words.title }
}

export const hasOpenPlace = (text: string): boolean => text.search(PLACEHOLDER) !== -1

/** Each place by its name in capitals, for those that no example fills. */
function nameOpenPlaces(words: RuleMessages, variant: string | undefined): Readonly<Record<string, string>> {
  const { title, message, why, fix } = { ...words, ...(variant !== undefined && words.variants?.[variant]) }
  const places = [title, message, why, fix].flatMap((text) => [...text.matchAll(PLACEHOLDER)])
  return Object.fromEntries(places.map(([, name = '']) => [name, name.toUpperCase()]))
}
