import { createKeywordIndex, type KeywordIndex } from './keywords/index.ts'
import { maskSlice } from './report/mask.ts'
import { findInNames } from './secrets/find-in-names.ts'
import { findInText } from './secrets/find-in-text.ts'
import { CREDENTIAL_KEYWORDS } from './secrets/index.ts'
import { isSaid } from './secrets/made-up.ts'

/** Blots out the credentials in a text. */
export type TextMasker = (text: string) => string

/** Nothing shorter is one with a name. */
const SHORTEST = 8

/** Masks what is quoted of a caller outside of any report: names in archives, addresses, arguments, messages of errors. Its table is built on first use. */
export function createTextMasker(): TextMasker {
  let keywords: KeywordIndex | undefined
  const mask = (text: string): string => {
    const found = [...findInText(text, (keywords ??= createKeywordIndex(CREDENTIAL_KEYWORDS))), ...findInNames(text, isSaid)]
    return found.length === 0
      ? text
      : maskSlice(
          text,
          0,
          text.length,
          found.map(({ span }) => span),
        )
  }
  return (written) => {
    if (written.length < SHORTEST) return written
    const masked = mask(written)
    const decoded = decodePercent(masked)
    if (decoded === masked) return masked
    const plain = mask(decoded)
    // an address stays as it is written where its escapes hide nothing
    return plain === decoded ? masked : plain
  }
}

/** `password%3Dvalue` of an address, read; as it is written where it can't be. */
function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
