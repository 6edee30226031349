import type { Locale, Localized } from './terms.ts'

/** Control characters, which no text of a project needs: the argument of a message tells with them how a report words it in its language. */
const ITEM = '\u001f'
const MORE = '\u001e'
const LANGUAGE = '\u001d'

/** How the items of a list are joined. */
const LIST_WORDS: Localized<{ readonly and: string; readonly more: string }> = {
  en: { and: 'and', more: 'more' },
  fr: { and: 'et', more: 'autres' },
}

/** Several names as one argument: "a, b and c" in a report, of many the first ones and how many more there are. */
export function listOf(names: readonly string[], most = 5): string {
  // one more takes no more room than to say so
  if (names.length <= most + 1) return names.join(ITEM)
  return `${names.slice(0, most).join(ITEM)}${MORE}${names.length - most}`
}

/** An argument that differs between the languages of reports. */
export function inEachLanguage({ en, fr }: Localized<string>): string {
  return `${LANGUAGE}${en}${LANGUAGE}${fr}`
}

/** The arguments of a message as they are told in a language. */
export function wordArguments(args: Readonly<Record<string, string>>, locale: Locale): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, wordArgument(value, locale)]))
}

function wordArgument(argument: string, locale: Locale): string {
  if (!argument.startsWith(LANGUAGE)) return wordList(argument, locale)
  const [, en = '', fr = en] = argument.split(LANGUAGE)
  return wordList(locale === 'fr' ? fr : en, locale)
}

function wordList(list: string, locale: Locale): string {
  const { and, more } = LIST_WORDS[locale]
  const [shown = '', left] = list.split(MORE)
  const items = shown.split(ITEM)
  if (left !== undefined) items.push(`${left} ${more}`)
  const last = items.pop() ?? ''
  return items.length === 0 ? last : `${items.join(', ')} ${and} ${last}`
}
