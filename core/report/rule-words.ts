import { wordArguments } from '../arguments.ts'
import type { Locale, RuleMessages, RuleText } from '../types.ts'
import { formatMessage } from './notices.ts'

/** What the words of a rule are filled with: the case that a match names, and its arguments. */
export interface WordValues {
  readonly variant?: string
  readonly args: Readonly<Record<string, string>>
}

/** The words of a rule, filled; what no argument fills stays as it is. */
export function wordRule(words: RuleMessages, { variant, args }: WordValues, locale: Locale): RuleText {
  const text: RuleText = { ...words, ...(variant !== undefined && words.variants?.[variant]) }
  const values = wordArguments(args, locale)
  return {
    title: formatMessage(text.title, values),
    message: formatMessage(text.message, values),
    why: formatMessage(text.why, values),
    fix: formatMessage(text.fix, values),
  }
}
