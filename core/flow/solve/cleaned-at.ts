import { IN_ADDRESS, IN_ATTRIBUTE, IN_CODE, IN_QUOTES, IN_TAG, OUTSIDE_QUOTES } from './operations.ts'
import { CHECKED_LINK, ENCODED_IN_CODE, SHOWING_LINKS } from '../models/faults.ts'
import { MARKUP_CLEANS, QUERY_CLEANS } from '../models/written-cleaning.ts'
import { QUOTED, QUOTES_ESCAPED, TAGS_ESCAPED } from '../models/escaped.ts'
import { ENCODED_ADDRESS, HTML_FAULTS, PREFIXED } from '../tables/web.ts'

/** Doubled quotes are enough between quotes alone, escaped tags outside of tags. */
export function cleanedAt(cleaned: readonly string[], place: string): readonly string[] {
  if (place === IN_ADDRESS) return cleanedAsAddress(cleanedInTag(cleaned, place))
  if (place === IN_ATTRIBUTE || place === IN_CODE) return cleanedInTag(cleaned, place)
  if (place.endsWith(IN_TAG)) {
    const left = escapesTagsAlone(cleaned)
      ? cleaned.filter((one) => one !== TAGS_ESCAPED && !MARKUP_CLEANS.includes(one))
      : cleaned
    return cleanedAt(left, place.slice(0, -IN_TAG.length))
  }
  if (!cleaned.includes(QUOTED)) return cleaned
  const others = cleaned.filter((one) => one !== QUOTED)
  if (place === IN_QUOTES) return union(others, QUERY_CLEANS)
  return place === OUTSIDE_QUOTES ? others.filter((one) => !QUERY_CLEANS.includes(one)) : cleaned
}

/** What is enough between tags is not in the value of an attribute, which a quote ends; and browsers decode what is encoded before they run it. */
function cleanedInTag(cleaned: readonly string[], place: string): readonly string[] {
  const isEnough = place === IN_CODE ? ENCODED_IN_CODE.some((fault) => cleaned.includes(fault)) : !escapesTagsAlone(cleaned)
  return isEnough ? cleaned : cleaned.filter((one) => !HTML_FAULTS.includes(one))
}

/** `javascript:` has no character that is encoded: what begins an address has to be checked or to follow something fixed. */
function cleanedAsAddress(cleaned: readonly string[]): readonly string[] {
  const left = cleaned.filter((one) => !SHOWING_LINKS.has(one))
  const isEnough = left.length === cleaned.length || cleaned.includes(CHECKED_LINK) || cleaned.includes(PREFIXED)
  return isEnough ? cleaned : union(left, [ENCODED_ADDRESS])
}

function escapesTagsAlone(cleaned: readonly string[]): boolean {
  return cleaned.includes(TAGS_ESCAPED) && !cleaned.includes(QUOTES_ESCAPED)
}

export function union(one: readonly string[], other: readonly string[]): readonly string[] {
  return other.length === 0 ? one : [...new Set([...one, ...other])].sort()
}
