import { toShape } from './shapes.ts'
import { TOKEN_ROWS } from './table/index.ts'
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

/** Credentials that their shape alone gives away. What stands here is never reported by a rule that goes by names or URLs. */
export const TOKEN_TABLE: readonly TokenShape[] = [
  BINDING_SECRET,
  ...TOKEN_ROWS.flatMap((row) => (row.shape === undefined || row.words !== undefined ? [] : [toShape(row, row.shape)])),
]

/** The shapes that a keyword may begin. */
export const SHAPES_BY_KEYWORD: ReadonlyMap<string, readonly TokenShape[]> = groupByKeyword()

function groupByKeyword(): ReadonlyMap<string, readonly TokenShape[]> {
  const groups = new Map<string, TokenShape[]>()
  for (const shape of TOKEN_TABLE) {
    for (const keyword of shape.keywords) {
      const known = groups.get(keyword)
      if (known === undefined) groups.set(keyword, [shape])
      else known.push(shape)
    }
  }
  return groups
}

/** Those with a keyword in a file, in the order of the table. */
export function shapesOf(found: Iterable<string>): readonly TokenShape[] {
  const shapes = new Set<TokenShape>()
  for (const keyword of found) for (const shape of SHAPES_BY_KEYWORD.get(keyword) ?? []) shapes.add(shape)
  return shapes.size < 2 ? [...shapes] : TOKEN_TABLE.filter((shape) => shapes.has(shape))
}
