import {
  accessesOf,
  asSum,
  constantOf,
  fieldOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Span } from '../../types.ts'

/** A request by GET with an address that the code puts together. */
export interface GetRequest {
  readonly at: Span
  /** With `{}` in the place of what nobody knows. */
  readonly address: string
  readonly function: FunctionFact
}

const AJAX = /^(?:global:(?:\$|jQuery)|module:jquery) (?:ajax|get|getJSON)$/
const FETCH = /^global:(?:window )?fetch$/
const AXIOS = /^(?:global:axios|module:axios) get$/
const SENDS =
  /^(?:global:(?:\$|jQuery)|module:jquery) (?:ajax|get|getJSON|post)$|^global:(?:window )?fetch$|^(?:global:axios|module:axios)(?: \w{1,10})?$/

/** The addresses of all requests that each function sends; undefined: of one that is not sent by GET. */
export function addressesByFunction(calls: readonly CallValue[]): ReadonlyMap<FunctionFact, ReadonlySet<string | undefined>> {
  const found = new Map<FunctionFact, Set<string | undefined>>()
  for (const call of calls) {
    if (!isRequest(call)) continue
    const known = found.get(call.function) ?? new Set()
    found.set(call.function, known.add(getRequestOf(call)?.address))
  }
  return found
}

/** What sends requests, or holds what does. */
const SENDERS: ReadonlySet<string> = new Set(
  'global:$ global:jQuery module:jquery global:window global:fetch global:axios module:axios'.split(' '),
)

/** The paths of what is called that may send a request: hardly any call does. */
function sendersIn(callee: Value): readonly string[] {
  if (!mayBeSender(callee)) return NOBODY
  return accessesOf(callee).flatMap(({ root, steps }) => (SENDERS.has(root) ? [root, ...steps].join(' ') : []))
}

const NOBODY: readonly string[] = []
/** Names that a path may begin with which leads to one of them: the global object has several, and these two give modules. */
const BEGINNINGS: ReadonlySet<string> = new Set('$ jQuery fetch axios window globalThis self global require sap'.split(' '))

/** Most calls begin with `this` or with another global: nobody follows these. */
function mayBeSender(callee: Value): boolean {
  let here = callee
  for (;;) {
    switch (here.kind) {
      case 'member':
        here = here.object
        break
      case 'call':
      case 'new':
      case 'tagged':
        here = here.callee
        break
      case 'this':
      case 'super':
        return false
      case 'reference':
        return here.binding !== undefined || BEGINNINGS.has(here.name)
      default:
        return true
    }
  }
}

/** Whether a call sends a request by whatever method. */
function isRequest({ kind, callee }: CallValue): boolean {
  return kind === 'call' && sendersIn(callee).some((path) => SENDS.test(path))
}

/** The request that a call sends by GET. Facts: jQuery 3, "jQuery.ajax" (`type`, an alias of `method`, is GET where none is given); Fetch standard, "Request"; axios 1. */
export function getRequestOf(call: CallValue): GetRequest | undefined {
  const { callee, args, function: within } = call
  const [first, second] = args
  const path = first === undefined || call.kind !== 'call' ? [] : sendersIn(callee)
  if (first === undefined || path.length === 0) return undefined
  const settings = resolveValue(first)
  const isAjax = path.some((one) => AJAX.test(one))
  const own = isAjax && settings.kind === 'object' ? settings : undefined
  const address = own === undefined ? first : fieldOf(own, 'url')?.value
  if (address === undefined) return undefined
  const options = own ?? (second && resolveValue(second))
  const isShort = isAjax && lastNameOf(callee) !== 'ajax'
  const isSent =
    isShort ||
    path.some((one) => AXIOS.test(one)) ||
    ((isAjax || path.some((one) => FETCH.test(one))) && isGet(options, ['method', 'type']))
  return isSent
    ? { at: { start: address.start, end: address.end }, address: skeletonOf(address, 0), function: within }
    : undefined
}

/** Whether settings of a request name GET, or no method; `names`: the settings that name it, the one that counts more first. */
export function isGet(options: Value | undefined, names: readonly string[]): boolean {
  if (options === undefined) return true
  if (options.kind !== 'object' || options.fields.some(({ key }) => key === undefined)) return false
  const method = names.flatMap((name) => fieldOf(options, name) ?? [])[0]?.value
  return method === undefined || /^GET$/i.test(String(constantOf(method)))
}

const MAX_DEPTH = 8

function skeletonOf(value: Value, depth: number): string {
  const here = asSum(resolveValue(value))
  const constant = constantOf(here)
  if (constant !== undefined) return String(constant)
  if (depth > MAX_DEPTH || (here.kind !== 'concat' && here.kind !== 'template')) return '{}'
  const parts = here.parts.map((part) => skeletonOf(part, depth + 1))
  return here.kind === 'concat' ? parts.join('') : here.texts.map((text, index) => text + (parts[index] ?? '')).join('')
}

/** The last segment of a path below a back end's folder, and what a parameter says is to be done: `/sap/bc/http/sap/zorders?action=delete`. */
export function namesIn(address: string): readonly string[] {
  const [path = '', query = ''] = address.split(/[?#]/, 2)
  const names: string[] = []
  const last = /^\/sap\/(?:bc|opu)\/(?:[\w.~;=-]{1,80}\/){1,8}(\w{2,80})\/?$/.exec(path)?.[1]
  // of entities there are keys
  if (last !== undefined) names.push(last)
  for (const pair of query.split('&', 50)) {
    const [name = '', value = ''] = pair.split('=', 2)
    if (ACTION.test(name) && /^[A-Za-z]\w{1,60}$/.test(value)) names.push(value)
  }
  return names
}

const ACTION = /^(?:(?:i|iv|p)_)?(?:action|method|operation|oper|cmd|command|event|func|function|task)$/i

/** A handler of the ABAP back end that gets parameters: what it does with them, only its caller says. Fact: SAP Help, "HTTP Service Handler" (SICF nodes below /sap/bc). */
export function isHandlerCall(address: string): boolean {
  return /^\/sap\/bc\/(?:http|rest|icf)\/[\w./-]{1,200}\?\w{1,60}=/.test(address)
}
