import { decodeBase64 } from './base64.ts'

const BASE64 = /^MI[A-Za-z0-9+/]{38,}={0,2}/
const READ = 64
const SEQUENCE = 0x30
const INTEGER = 0x02
const OBJECT_ID = 0x06
const BIT_STRING = 0x03
/** Of a certificate with extensions: `[0] { INTEGER version }`. */
const VERSION = 0xa0

/** Whether base64 is that of a certificate (X.509, RFC 5280, 4.1) or a public key (SubjectPublicKeyInfo): a private key begins with its version (RFC 5958, RFC 8017). */
export function isPublicDer(value: string): boolean {
  if (!BASE64.test(value)) return false
  const bytes = decodeBase64(value.slice(0, READ))
  const outer = contentAt(bytes, 0)
  const inner = outer === undefined ? undefined : contentAt(bytes, outer)
  if (inner === undefined) return false
  const first = bytes[inner]
  if (first !== OBJECT_ID) return first === VERSION || first === INTEGER
  // the algorithm stands first in an encrypted key too, which goes on with other bytes
  return bytes[inner - 1] !== undefined && bytes[inner + (bytes[inner - 1] ?? 0)] === BIT_STRING
}

/** Where the content of a SEQUENCE begins (X.690, 8.1.3). Undefined: there is none. */
function contentAt(bytes: Uint8Array, at: number): number | undefined {
  if (bytes[at] !== SEQUENCE) return undefined
  const length = bytes[at + 1] ?? 0
  return at + 2 + (length < 0x80 ? 0 : length & 0x7f)
}
