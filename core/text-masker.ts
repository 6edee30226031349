import { createKeywordIndex, type KeywordIndex } from './keywords/index.ts'
import { maskSlice } from './report/mask.ts'
import { findInText } from './secrets/find-in-text.ts'
import { CREDENTIAL_KEYWORDS } from './secrets/index.ts'

/** Blots out the credentials in a text. */
export type TextMasker = (text: string) => string

/** Nothing shorter is one with a name. */
const SHORTEST = 8

/** Masks what is quoted of a caller outside of any report: names in archives, addresses, arguments, messages of errors. Its table is built on first use. */
export function createTextMasker(): TextMasker {
  let keywords: KeywordIndex | undefined
  return (text) => {
    if (text.length < SHORTEST) return text
    const found = findInText(text, (keywords ??= createKeywordIndex(CREDENTIAL_KEYWORDS)))
    return found.length === 0
      ? text
      : maskSlice(
          text,
          0,
          text.length,
          found.map(({ span }) => span),
        )
  }
}
