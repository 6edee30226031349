import { lowerGrade, weakenEvidence, type Grade } from './grade.ts'
import { isRandomLooking } from './randomness.ts'
import type { CredentialUrl } from './urls.ts'
import { classifyHost, isPlaceholder, isReference, isWeak } from './values.ts'
import { DOCUMENTATION_USERS } from './words.ts'

/** The credential in a URL, and how bad that is. */
export interface UrlCredential {
  /** As written. */
  readonly value: string
  readonly start: number
  readonly host: string
  /** The user is an access token, and the password says so. */
  readonly isToken: boolean
  /** A password that everybody tries first; a host that only the machine itself is. */
  readonly variant?: 'weak' | 'local'
  readonly grade: Grade
}

const SHORTEST_PASSWORD = 4
/** The password that says that the user is a token (GitHub). */
const NO_PASSWORD = 'x-oauth-basic'

/**
 * Judges the password of a URL. Undefined: a reference, a placeholder, a port, the user's own name, or what documentation shows.
 * Into a private network a stranger has no way. One that everybody tries first may have been changed since, and on
 * a host that few reach it is a guess; one for the machine itself opens nothing elsewhere.
 */
export function judgeUrl(url: CredentialUrl, isSample: boolean): UrlCredential | undefined {
  const isToken = url.password === NO_PASSWORD
  const value = isToken ? url.user : url.password
  const plain = decodePercent(value)
  if (plain.length < SHORTEST_PASSWORD || isReference(plain) || isPlaceholder(plain)) return undefined
  // host:port@, the trick of a link to elsewhere
  if (/^\d{1,5}$/.test(value)) return undefined
  if (!isToken && plain.toLowerCase() === decodePercent(url.user).toLowerCase()) return undefined
  const host = classifyHost(url.host)
  if (url.isQuery === true) return judgeQuery(url, plain, isSample)
  const isDrawn = isRandomLooking(plain)
  if (!isDrawn && (host === 'documentation' || isToken || DOCUMENTATION_USERS.has(url.user.toLowerCase()))) return undefined
  const weak = isWeak(plain)
  const lowered = isSample || host === 'documentation'
  if (weak && lowered) return undefined
  const variant = host === 'local' ? 'local' : weak ? 'weak' : undefined
  const complete: Grade = { impact: host === 'local' ? 'defence' : 'takeover', evidence: 'shown', confidence: 'high' }
  const reached = host === 'private' ? weakenEvidence(complete) : complete
  const grade = variant === 'weak' ? weakenEvidence(reached) : reached
  return {
    value,
    start: isToken ? url.userStart : url.passwordStart,
    host: url.host,
    isToken,
    ...(variant !== undefined && { variant }),
    grade: lowered ? lowerGrade(grade) : grade,
  }
}

/** The account of a website: what everybody tries first, and hosts that few reach, are those of a try. A word that somebody chose opens one account at most, and may have been changed. */
function judgeQuery(
  { password: value, passwordStart: start, host, user }: CredentialUrl,
  plain: string,
  isSample: boolean,
): UrlCredential | undefined {
  if (classifyHost(host) !== 'public' || isWeak(plain) || DOCUMENTATION_USERS.has(user.toLowerCase())) return undefined
  const isWord = !isRandomLooking(plain) && !/\d/.test(plain)
  if (isSample && isWord) return undefined
  const grade: Grade = isWord
    ? { impact: 'bounded', evidence: 'shown', confidence: 'medium' }
    : { impact: 'takeover', evidence: 'assumed', confidence: 'medium' }
  return { value, start, host, isToken: false, grade: isSample ? lowerGrade(grade) : grade }
}

/** Percent signs read as the characters that they stand for; what is no such sign stays. */
function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  return text.replaceAll(/%([0-7][0-9a-fA-F])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
