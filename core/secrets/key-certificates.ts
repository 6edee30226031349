import { textOfBase64 } from './base64.ts'
import type { PrivateKey } from './private-keys.ts'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s"'`,.\\]{200,12000})-----END CERTIFICATE-----/g
/** White space, its escapes, and what stands around lines that are put together. */
const BETWEEN = /\\[nr]|[^A-Za-z0-9+/]/g
/** A chain has three or four. */
const MAX_CERTIFICATES = 20

/** The modulus of a key of RSA, of 1,024 to 4,096 bits, or the point of one on P-256, in DER. Facts: RFC 8017, appendix A.1.2; RFC 5915, section 3. */
const PUBLIC_PART = /\x02(?:\x81\x81|\x82[\x01\x02]\x01)\0([\s\S]{64})|\x03\x42\0\x04([\s\S]{64})/
/** From when to when it is valid, by UTCTime. Fact: RFC 5280, section 4.1.2.5 (years from 50 are those of the 20th century). */
const VALIDITY = /\x17\r\d{12}Z\x17\r(\d{2})(\d{2})(\d{2})\d{6}Z/

/**
 * Tells of a key of a text the day on which its certificate ended, `2023-01-23`, by the certificates that stand in the same text: undefined where none is that of the key, or one is
 * still valid on the day `today`. The certificates are read once, when a key is first asked about.
 */
export function createExpiryReader(text: string, today: string): (key: PrivateKey) => string | undefined {
  let known: readonly string[] | undefined
  return ({ body, isEncrypted }) => {
    if (isEncrypted) return undefined
    known ??= certificatesIn(text)
    const [, modulus, point] = (known.length === 0 ? null : PUBLIC_PART.exec(textOfBase64(body))) ?? []
    const own = modulus ?? point
    if (own === undefined) return undefined
    const ends: string[] = []
    for (const certificate of known) {
      if (!certificate.includes(own)) continue
      const [, year = '', month, day] = VALIDITY.exec(certificate) ?? []
      if (year === '') return undefined
      ends.push(`${Number(year) < 50 ? '20' : '19'}${year}-${month}-${day}`)
    }
    const last = ends.toSorted().at(-1)
    return last !== undefined && last < today ? last : undefined
  }
}

/** The first certificates of a text, in DER. */
function certificatesIn(text: string): readonly string[] {
  const found: string[] = []
  if (!text.includes('-----BEGIN CERTIFICATE-----')) return found
  for (const [, written = ''] of text.matchAll(CERTIFICATE))
    if (found.push(textOfBase64(written.replace(BETWEEN, ''))) === MAX_CERTIFICATES) break
  return found
}
