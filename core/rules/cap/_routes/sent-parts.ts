import { constantOf, type Binding, type FunctionFact, type Value } from '../../../facts/index.ts'

/** The fields that lead to a part of the request: `['body', 'name']`; `*` is a field whose name is computed. */
export type SentPart = readonly string[]

const MAX_HOPS = 12
/** A field whose name is computed. */
export const ANY = '*'

/** Reads which part of a request a value is. @param requestOf the position of the request in a function that answers routes */
export function createPartReader(requestOf: (fact: FunctionFact) => number | undefined): (value: Value) => SentPart | undefined {
  const partOfName = ({ kind, definitions }: Binding, hops: number): SentPart | undefined => {
    const [definition, other] = definitions
    if (definition === undefined || other !== undefined || definition.fallback !== undefined) return undefined
    if (definition.taken !== undefined) return undefined
    if (definition.kind === 'parameter')
      return kind === 'parameter' && definition.parameter === requestOf(definition.function) ? definition.path : undefined
    const before = definition.kind === 'init' ? definition.value && partOf(definition.value, hops - 1) : undefined
    return before && [...before, ...definition.path]
  }
  const partOf = (value: Value, hops: number): SentPart | undefined => {
    if (hops <= 0) return undefined
    if (value.kind === 'reference') return value.binding && partOfName(value.binding, hops)
    if (value.kind !== 'member' || value.isOptional) return undefined
    const before = partOf(value.object, hops - 1)
    return before && [...before, value.name ?? fieldName(value.property)]
  }
  return (value) => partOf(value, MAX_HOPS)
}

/** The field that a computed name stands for: `body['name']`. */
export function fieldName(property: Value | undefined): string {
  const constant = property && constantOf(property)
  return typeof constant === 'string' || typeof constant === 'number' ? String(constant) : ANY
}

/** Where a client writes, and how many fields deep a part may be missing. Facts: Express 4, "Request" (`req.body`, `req.query`); multer 2 and express-fileupload 1.5 (`req.file`, `req.files`); cookie-parser 1. */
const DEPTHS: ReadonlyMap<string, number> = new Map([
  ['body', 2],
  ['query', 2],
  ['cookies', 2],
  ['headers', 2],
  ['file', 1],
  ['files', 2],
])

/** Headers that each request has, or that whoever asks for a login has looked at already. Fact: RFC 9112, 3.2 (Host). */
const PRESENT: ReadonlySet<string> = new Set(['host', 'authorization'])

/** A client leaves it out, and to read a field of it throws. */
export function mayBeMissing(part: SentPart): boolean {
  const depth = DEPTHS.get(part[0] ?? '')
  if (depth === undefined || part.length < depth) return false
  return part[0] !== 'headers' || (part.length === 2 && !PRESENT.has((part[1] ?? '').toLowerCase()))
}

/** What a client writes, text of its own. */
export function isSentText(part: SentPart): boolean {
  return part[0] === 'params' ? part.length > 1 : DEPTHS.has(part[0] ?? '') && part.length > 1
}

/** Whether what is known of one part says something of the other: they are the same, or one lies in the other. */
export function concerns(known: SentPart, part: SentPart): boolean {
  const length = Math.min(known.length, part.length)
  for (let at = 0; at < length; at++) {
    if (known[at] !== part[at] && known[at] !== ANY && part[at] !== ANY) return false
  }
  return true
}
