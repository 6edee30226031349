import { accessesOf, fieldOf, findPart, pathsOf, resolveValue, type CallValue, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import type { PartScript } from './part-guards.ts'
import { isSentText, type SentPart } from './sent-parts.ts'

/** What a promise is awaited of that rejects for some values of a part of the request. */
export interface RejectedCall {
  readonly part: SentPart
  /** The package that must be installed for it. */
  readonly by: 'mongoose' | 'axios'
  /** Where the model comes from, as the script imports it: it may be no model. */
  readonly source?: string
}

/**
 * `await Order.findById(req.params.id)`, `await axios.get(\`…/${req.params.id}\`)`: it rejects where the text is no key, and where the other system answers 404.
 * Facts: Mongoose 8, "Queries" and "SchemaTypes" (`CastError` for what is no ObjectId); axios 1, README, "Handling Errors" (it rejects for each status outside of 2xx, unless
 * `validateStatus` says otherwise).
 */
export function rejectedFor(value: Value, { partOf }: PartScript): RejectedCall | undefined {
  if (value.kind !== 'await') return undefined
  const call = queryIn(resolveValue(value.value))
  if (call === undefined) return undefined
  const [first, ...others] = call.args
  if (first === undefined) return undefined
  if (call.callee.kind === 'member' && BY_KEY.test(call.callee.name ?? '') && MODEL.test(lastNameOf(call.callee.object) ?? '')) {
    const part = partOf(first)
    const source = accessesOf(call.callee.object)
      .find(({ root }) => OF_FILE.test(root))
      ?.root.replace('module:', '')
    return part !== undefined && part[0] === 'params' && isSentText(part)
      ? { part, by: 'mongoose', ...(source !== undefined && { source }) }
      : undefined
  }
  if (!pathsOf(call).some((path) => ASKS.test(path.join(' '))) || others.some(decidesItself)) return undefined
  const address = resolveValue(first)
  const sent = 'parts' in address ? findPart(address, (one) => isSentText(partOf(one) ?? [])) : undefined
  const part = sent && partOf(sent)
  return part && { part, by: 'axios' }
}

const OF_FILE = /^module:\./
const BY_KEY = /^findById(?:And(?:Update|Delete|Remove))?$/
/** A model, as it is written: `Order`, `orderModel`; what somebody has written for the project may catch. */
const MODEL = /^[A-Z]\w{0,40}$|[mM]odel$/
const NO_MODEL = /(?:Service|Repository|Repo|Dao|DAO|Controller|Manager|Store|Helper)$/
const ASKS = /^module:axios (?:default )?(?:get|delete|head) \(\)$/
const KEEPS = /^(?:populate|select|lean|exec|sort|session|orFail)$/
const MAX_CHAIN = 8

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
