import { isBlotted } from './values.ts'
import { WORD_OR_DASH, type TokenShape } from './tokens.ts'

/** Characters that a random value of 43 surely has. */
const FEWEST_CHARACTERS = 14

/** The last digit of a GUID and the sign after it; `$` also as JSON, URLs and shells may write it. */
const GUID_ENDS: readonly string[] = [...'0123456789abcdef'].flatMap((digit) =>
  ['$', '%24', '\\u0024', '\\$'].map((sign) => digit + sign),
)

/** Secrets of service bindings (XSUAA, `credential-type` binding-secret): the binding's GUID, `$`, 32 random bytes in base64url. */
export const BINDING_SECRET: TokenShape = {
  name: 'sap-binding-secret',
  keywords: GUID_ENDS,
  lead: 35,
  pattern: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\$[A-Za-z0-9_-]{43}=/iy,
  longest: 81,
  before: WORD_OR_DASH,
  after: /[A-Za-z0-9_=-]/,
  accepts: (value) => {
    const random = value.slice(37, -1)
    return new Set(random).size >= FEWEST_CHARACTERS && !isBlotted(random.toLowerCase())
  },
}

/** The token table: credentials that their shape alone gives away. What stands here is never reported by a rule that goes by names or URLs. */
export const TOKEN_TABLE: readonly TokenShape[] = [BINDING_SECRET]
