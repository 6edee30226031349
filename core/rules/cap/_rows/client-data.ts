import { accessesOf, resolveValue, type Binding, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isNothing } from '../../../facts/values.ts'
import { isContextName } from '../../../model/script/index.ts'

/** What a client sends, as code names it. */
export interface ClientData {
  /** As it is to be written: `req.data.userId`. */
  readonly client: string
  readonly part: string
  readonly name: string
  readonly request: Binding
  /** A value of a condition: only what it is compared with tells whose it is. */
  readonly isCompared?: true
}

/** Another form of the same text. Fact: ECMAScript, String.prototype. */
const SAME_TEXT = /^(?:toLowerCase|toUpperCase|toLocaleLowerCase|toLocaleUpperCase|trim|toString|normalize)$/

/** `req.data.userId`, `const { userId } = req.body`, `req.data.email.toLowerCase()`, `req.data.user.id`. */
export function clientData(value: Value): ClientData | undefined {
  for (const { binding, steps } of accessesOf(value)) {
    const queried = binding?.kind === 'parameter' && isContextName(binding.name) ? queriedData(steps) : undefined
    if (binding !== undefined && queried !== undefined) {
      return { client: writtenAs(binding, steps), part: 'query', request: binding, ...queried }
    }
    const [part = '', ...below] = steps
    // an item of a list that is sent: `req.data.rows[0].userId`
    const names = part === 'params' ? below : below.filter((name) => !ITEM.test(name))
    if (binding?.kind !== 'parameter' || !isContextName(binding.name) || names.length < 1) continue
    // req.params[0].ID is the key of the row that CAP was asked for
    if (names.length > (part === 'params' ? 1 : 2)) continue
    const isSent = /^(?:data|body|query|params)$/.test(part) || (part === 'cookies' && !names.some((name) => SESSION.test(name)))
    if (isSent && names.every((name) => /^\w+$/.test(name)))
      return { client: [binding.name, part, ...names].join('.'), part, name: names.join('_'), request: binding }
  }
  const call = resolveValue(value)
  if (call.kind === 'member') return parsedCookie(call)
  if (call.kind !== 'call') return undefined
  if (call.callee.kind === 'member' && SAME_TEXT.test(call.callee.name ?? '')) return clientData(call.callee.object)
  return lastNameOf(call.callee) === 'String' && call.args[0] !== undefined ? clientData(call.args[0]) : undefined
}

/**
 * What CAP made of the request in CQN: `req.query.SELECT.where[i].val`, `req.query.UPDATE.data.owner`, `req.query.INSERT.entries[0].owner`. Fact: capire, "CQN".
 */
function queriedData([query, kind = '', clause = '', ...below]: readonly string[]):
  | Pick<ClientData, 'name' | 'isCompared'>
  | undefined {
  if (query !== 'query') return undefined
  const [name, another] = below.filter((step) => !ITEM.test(step))
  if (name === undefined || another !== undefined || !/^\w+$/.test(name)) return undefined
  if (clause === 'where' && CONDITIONAL.test(kind)) return name === 'val' ? { name, isCompared: true } : undefined
  return ROWS_OF.get(kind)?.includes(clause) === true ? { name } : undefined
}

/** `req.query.UPDATE.data.owner`: of an item of a list as of the list. */
function writtenAs({ name }: Binding, steps: readonly string[]): string {
  return [name, ...steps.filter((step) => !ITEM.test(step))].join('.')
}

const CONDITIONAL = /^(?:SELECT|UPDATE|DELETE)$/
/** Where a query holds what it writes. */
const ROWS_OF: ReadonlyMap<string, readonly string[]> = new Map([
  ['INSERT', ['entries']],
  ['UPSERT', ['entries']],
  ['UPDATE', ['data', 'with']],
])

/** What is looked up on the server, or signed. */
const SESSION = /token|session|sid|jwt/i

/** `JSON.parse(req.cookies.profile).userId`. Fact: cookie-parser 1 (README): `req.cookies` are those without a signature, whatever the client wrote. */
function parsedCookie({ object, name }: Value & { readonly kind: 'member' }): ClientData | undefined {
  const parsed = resolveValue(object)
  const [argument] = parsed.kind === 'call' && lastNameOf(parsed.callee) === 'parse' ? parsed.args : []
  if (argument === undefined || name === undefined || !/^\w+$/.test(name)) return undefined
  for (const { binding, steps } of accessesOf(argument)) {
    const [part, cookie = '', more] = steps
    if (binding?.kind === 'parameter' && isContextName(binding.name) && part === 'cookies' && cookie !== '' && more === undefined)
      return { client: `${binding.name}.cookies.${cookie}`, part, name, request: binding }
  }
  return undefined
}

/** The step to an item of a list: to each, or to the one with this index. */
const ITEM = /^(?:\[\]|\d+)$/
/** The step to the items of a list. */
const EACH = '[]'

/** `req.data.id`, `const { id } = req.data`, an item of `req.data.ids`: an element that a handler of CAP is sent, as it is to be written. */
export function sentElement(value: Value): string | undefined {
  for (const { binding, steps } of accessesOf(value)) {
    const [data, name = '', item = EACH] = steps
    const isElement = data === 'data' && steps.length <= 3 && item === EACH && /^\w+$/.test(name)
    if (binding?.kind !== 'parameter' || !isContextName(binding.name)) continue
    if (isElement) return `${binding.name}.data.${name}`
    const queried = queriedData(steps)
    if (queried !== undefined && queried.isCompared !== true) return writtenAs(binding, steps)
  }
  return undefined
}

/** Whether a test asks no more than that a value is there, or is not: `id`, `!id`, `id == null`; of several options `ofChoice` decides. */
export function asksPresence(
  test: Value,
  isWanted: (value: Value) => boolean,
  ofChoice: (choice: Extract<Value, { readonly kind: 'choice' }>) => boolean,
): boolean {
  if (test.kind === 'choice') return ofChoice(test)
  if (test.kind !== 'operation') return isWanted(test)
  const [first, second] = test.operands
  if (first === undefined) return false
  if (test.operator === '!') return asksPresence(first, isWanted, ofChoice)
  return /^[!=]==?$/.test(test.operator) && isNothing(second) && isWanted(first)
}
