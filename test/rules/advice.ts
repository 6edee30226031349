import type { Rule } from '../../core/rules/rule.ts'

/** `{name}` and `{names:and}` in a text. */
export const PLACEHOLDER = /(?<!\$)\{[a-zA-Z]\w*(?::[a-z]+)?\}/g

const wordsOf = (template: string): string[] => template.split(PLACEHOLDER)

/** Where the texts of a rule have a fix: the base, or variants by their names. */
export function ownersOf(advice: string, { text }: Rule): string {
  const { en } = text()
  const variants = Object.entries(en.variants ?? {}).flatMap(([name, { fix }]) => (fix === advice ? `"${name}"` : []))
  return [...(en.fix === advice ? ['the base text'] : []), ...variants].join(', ')
}

/** All that a rule can advise in English: the templates of its fixes, those with the most words of their own first. */
export function advicesOf({ text }: Rule): string[] {
  const { en } = text()
  const fixes = [en.fix, ...Object.values(en.variants ?? {}).flatMap(({ fix }) => fix ?? [])]
  const length = (template: string): number => wordsOf(template).join('').length
  return [...new Set(fixes)].toSorted((a, b) => length(b) - length(a))
}

/** The one of these templates that a finding's fix was written with. */
export function adviceOf(fix: string, advices: readonly string[]): string | undefined {
  return advices.find((template) => {
    const words = wordsOf(template)
    const [first = '', last = ''] = [words[0], words.at(-1)]
    if (words.length === 1) return fix === first
    if (!fix.startsWith(first) || !fix.endsWith(last)) return false
    let at = first.length
    for (const part of words.slice(1, -1)) {
      const found = fix.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return at + last.length <= fix.length
  })
}
