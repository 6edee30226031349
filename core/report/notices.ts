import { ELLIPSIS } from '../cut-text.ts'
import { noticeWords } from './notice-words.ts'
import type { Locale, Notice } from '../types.ts'

/** What a notice says in a language. */
export function wordNotice(notice: Notice, locale: Locale): string {
  const words = noticeWords(`${notice.code}/${notice.reason}`)
  return words === undefined ? notice.code : formatMessage(words[locale], notice.args ?? {})
}

/**
 * Fills `{name}` placeholders, `{names:and}` with a list whose last name that word joins. A value is never read again, so one that holds braces does
 * no harm.
 */
export function formatMessage(words: string, args: Readonly<Record<string, string>>): string {
  return words.replaceAll(PLACEHOLDER, (whole, before: string | undefined, name: string, conjunction: string | undefined) => {
    const plain = Object.hasOwn(args, name) ? args[name] : undefined
    if (plain === undefined) return whole
    const value = conjunction === undefined ? plain : joinLast(plain, conjunction)
    if (before === undefined) return value
    return VOWEL.test(value) ? `${before}’${value}` : `${before}e ${value}`
  })
}

/** `GET, POST, PUT` as a sentence lists them: `GET, POST and PUT`; a list that goes on stays as it is. */
function joinLast(list: string, conjunction: string): string {
  const last = list.lastIndexOf(', ')
  return last === -1 || list.includes(`, ${ELLIPSIS}`) || list.endsWith(ELLIPSIS)
    ? list
    : `${list.slice(0, last)} ${conjunction} ${list.slice(last + 2)}`
}

/** A placeholder, with the French word before it that loses its last letter before a vowel: `d’OData`, `qu’Orders`, but `de useParams`, as it is pronounced. */
const PLACEHOLDER = /(?:\b([Dd]|(?:[Ll]ors|[Pp]uis)?[Qq]u)e )?\{([A-Za-z][A-Za-z0-9]{0,40})(?::([a-z]{2,3}))?\}/g

const VOWEL = /^(?!use)[aeiouàâéèêëîïôöùûü]/i
