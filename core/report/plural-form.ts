import type { Locale } from '../types.ts'

/** Of two forms of a text (`{n} file|{n} files`) the one that a number asks for in a language; a text with one form as it is. */
export function pluralForm(text: string, number: number | undefined, locale: Locale): string {
  const [one = '', other = one] = text.split('|')
  return number !== undefined && new Intl.PluralRules(locale).select(number) === 'one' ? one : other
}
