import { accessesOf, fieldOf, findPart, pathsOf, resolveValue, type CallValue, type Value } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import type { PartScript } from './part-guards.ts'
import { isSentText, mayBeMissing, type SentPart } from './sent-parts.ts'

/** What a promise is awaited of that rejects for some values of a part of the request. */
export interface RejectedCall {
  readonly part: SentPart
  /** The package that must be installed for it. */
  readonly by: 'mongoose' | 'axios' | 'bcrypt' | 'bcryptjs'
  /** Where the model comes from, as the script imports it: it may be no model. */
  readonly source?: string
  /** It rejects where the part is missing, not for some of its texts. */
  readonly isMissing?: true
}

/**
 * `await Order.findById(req.params.id)`, `await Order.findOne({ _id: req.params.id })`, `await bcrypt.compare(req.body.password, hash)`, `await axios.get(\`…/${req.params.id}\`)`: it rejects where the text is no key, where no password is sent,
 * and where the other system answers 404.
 * Facts: Mongoose 8, "Queries" and "SchemaTypes" (`CastError` for what is no ObjectId); axios 1, README, "Handling Errors" (it rejects for each status outside of 2xx, unless
 * `validateStatus` says otherwise); bcrypt 6 and bcryptjs 3, `compare` and `hash` without a callback (they reject what is undefined).
 */
export function rejectedFor(value: Value, { partOf, text }: PartScript): RejectedCall | undefined {
  // of a statement that only waits, the call alone is known
  const isWaited =
    value.kind === 'call' &&
    AWAITS.test(text.slice(Math.max(0, value.start - MAX_AWAIT), value.start)) &&
    !GOES_ON.test(text.slice(value.end, value.end + MAX_AWAIT))
  const given = isWaited ? value : value.kind === 'await' ? resolveValue(value.value) : undefined
  const call = given && queryIn(given)
  if (call === undefined) return undefined
  const [first, ...others] = call.args
  if (first === undefined) return undefined
  const key = keyAskedBy(call, first)
  if (key !== undefined) {
    const part = partOf(key)
    const source = modelFileOf(call)
    return part !== undefined && part[0] === 'params' && isSentText(part)
      ? { part, by: 'mongoose', ...(source !== undefined && { source }) }
      : undefined
  }
  const hashed = hashedBy(call)
  if (hashed !== undefined) {
    const part = partOf(first)
    return part !== undefined && mayBeMissing(part) ? { part, by: hashed, isMissing: true } : undefined
  }
  if (!pathsOf(call).some((path) => ASKS.test(path.join(' '))) || others.some(decidesItself)) return undefined
  const address = resolveValue(first)
  const sent = 'parts' in address ? findPart(address, (one) => isSentText(partOf(one) ?? [])) : undefined
  const part = sent && partOf(sent)
  return part && { part, by: 'axios' }
}

/** The key by which a model is asked for a row. */
function keyAskedBy({ callee }: CallValue, first: Value): Value | undefined {
  if (callee.kind !== 'member' || !MODEL.test(lastNameOf(callee.object) ?? '')) return undefined
  if (BY_KEY.test(callee.name ?? '')) return first
  const filter = BY_FILTER.test(callee.name ?? '') ? resolveValue(first) : undefined
  return filter?.kind === 'object' ? fieldOf(filter, '_id')?.value : undefined
}

function hashedBy(call: CallValue): 'bcrypt' | 'bcryptjs' | undefined {
  if (call.args.length !== 2 || call.args.some((given) => functionOf(given) !== undefined)) return undefined
  const [, by] =
    pathsOf(call)
      .map((path) => HASHES.exec(path.join(' ')))
      .find((found) => found !== null) ?? []
  return by === 'bcrypt' || by === 'bcryptjs' ? by : undefined
}

function modelFileOf({ callee }: CallValue): string | undefined {
  if (callee.kind !== 'member') return undefined
  return accessesOf(callee.object)
    .find(({ root }) => OF_FILE.test(root))
    ?.root.replace('module:', '')
}

const OF_FILE = /^module:\./
const AWAITS = /\bawait\s{1,9}$/
const GOES_ON = /^\s{0,15}(?:[.?[(]|$)/
const MAX_AWAIT = 16
const HASHES = /^module:(bcrypt|bcryptjs) (?:default )?(?:compare|hash) \(\)$/
const BY_FILTER = /^(?:find|findOne|findOneAnd(?:Update|Delete|Remove|Replace)|updateOne|deleteOne|exists)$/
const BY_KEY = /^findById(?:And(?:Update|Delete|Remove))?$/
/** A model, as it is written: `Order`, `orderModel`; what somebody has written for the project may catch. */
const MODEL = /^[A-Z]\w{0,40}$|[mM]odel$/
const NO_MODEL = /(?:Service|Repository|Repo|Dao|DAO|Controller|Manager|Store|Helper)$/
const ASKS = /^module:axios (?:default )?(?:get|delete|head) \(\)$/
const KEEPS = /^(?:populate|select|lean|exec|sort|session|orFail)$/
const MAX_CHAIN = 8

/** The call by which a model, or a table of it, is asked: not what somebody has written for the project. */
export function modelQueryIn(value: Value): CallValue | undefined {
  const call = queryIn(value)
  const owner = call?.callee.kind === 'member' ? call.callee.object : undefined
  const isTable = owner?.kind === 'member' && lastNameOf(owner.object) === 'prisma'
  return isTable || MODEL.test((owner && lastNameOf(owner)) ?? '') ? call : undefined
}

/** The call at the begin of a chain of a query: `Order.findById(id)` of `Order.findById(id).populate('lines').exec()`. */
function queryIn(value: Value): CallValue | undefined {
  let here = value
  for (let depth = 0; depth < MAX_CHAIN; depth++) {
    if (here.kind !== 'call') return undefined
    const { callee } = here
    if (callee.kind !== 'member' || !KEEPS.test(callee.name ?? '')) {
      const owner = callee.kind === 'member' ? (lastNameOf(callee.object) ?? '') : ''
      return NO_MODEL.test(owner) ? undefined : here
    }
    here = resolveValue(callee.object)
  }
  return undefined
}

/** Options that say which answers are faults, or that are not known. */
function decidesItself(options: Value): boolean {
  const made = resolveValue(options)
  return (
    made.kind !== 'object' || fieldOf(made, 'validateStatus') !== undefined || made.fields.some(({ key }) => key === undefined)
  )
}
