import type { Locale, Localized } from './terms.ts'

/** A control character, which no text of a project needs: it separates what an argument says in each language of reports. */
const LANGUAGE = '\u001d'

/** Several names as one argument, of many the first ones and how many more there are; the text says how they are joined: `{names:and}`. */
export function listNames(names: readonly string[], most = 5): string {
  // one more takes no more room than to say so
  if (names.length <= most + 1) return names.join(', ')
  const shown = names.slice(0, most).join(', ')
  const left = names.length - most
  return inEachLanguage({ en: `${shown}, ${left} more`, fr: `${shown}, ${left} autres` })
}

/** An argument that differs between the languages of reports. */
export function inEachLanguage({ en, fr }: Localized<string>): string {
  return `${LANGUAGE}${en}${LANGUAGE}${fr}`
}

const FRENCH_MONTHS = 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' ')

/** A day as an argument, `2025-04-30`: French puts no article before such a date, and writes 30 avril 2025. */
export function dayArgument(day: string): string {
  const [, year = '', month = '', date = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  const name = FRENCH_MONTHS[Number(month) - 1]
  if (name === undefined) return day
  return inEachLanguage({ en: day, fr: `${date === '01' ? '1er' : Number(date)} ${name} ${year}` })
}

/** The arguments of a message as they are told in a language. */
export function wordArguments(args: Readonly<Record<string, string>>, locale: Locale): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, wordArgument(value, locale)]))
}

function wordArgument(argument: string, locale: Locale): string {
  if (!argument.startsWith(LANGUAGE)) return argument
  const [, en = '', fr = en] = argument.split(LANGUAGE)
  return locale === 'fr' ? fr : en
}
