import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { CallValue, ScriptFacts, Value } from '../../facts/index.ts'
import type { Span } from '../../types.ts'
import { constantOf, resolveValue } from '../../facts/index.ts'
import { isLoopback } from '../deployment/index.ts'
import { isOfServerFolder, leadingTextOf } from '../script/index.ts'
import { holdsRemote, isUi5Network, readRemote } from './addresses.ts'
import { requestsOf, type Client, type HandRequest } from './hand-requests.ts'
import { keepsNoData } from './tokenless-writes.ts'

/** A request that a script writes by hand to a host that its code names. */
export interface HostRequest {
  readonly at: Span
  readonly via: Client
  readonly host: string
  /** It changes data, as far as method and path tell. */
  readonly changes: boolean
  /** Something goes along by which the host may know the caller, or nobody can tell. */
  readonly identifies: boolean
  /** The header with a password that the page itself contains: the host knows the page by it, not its user. */
  readonly shared?: string
}

const CHANGES = /^(?:POST|PUT|PATCH|DELETE|MERGE)$/i
/** The approuter that serves the page itself, by the usual name of its host: its session goes along. */
const OWN_ROUTER = /^[\w-]{0,60}(?:router|launchpad|workzone)[\w-]{0,30}\./i
/** Headers, and parameters of an address, that carry a credential by their usual names. */
const CREDENTIAL_HEADER = /auth|token|api-?key|cookie|session|secret|signature|^x-[\w-]{0,40}key$/i
const PASSWORD_HEADER = /passw|pwd/i
const CREDENTIAL_PARAMETER = /[?&](?:[\w-]{0,40}key|[\w-]{0,40}token|app_?id|sig(?:nature)?|code|client_?id)=/i

/** Requests to hosts that a script names, with what they carry. */
export const hostRequests: Extract<HostRequest> = defineExtract({
  name: 'ui5-host-requests',
  keywords: ['fetch(', 'fetch (', '.ajax(', '.post(', 'XMLHttpRequest'],
  prefilter: holdsRemote,
  isFor: (path) => !isOfServerFolder(path),
  collect: ({ facts, step }) => facts.calls.flatMap((call) => hostRequestsOf(call, facts, step)),
})

function hostRequestsOf(call: CallValue, facts: ScriptFacts, step: (count?: number) => void): HostRequest[] {
  const found = requestsOf(call, facts, step).flatMap((request): HostRequest[] => {
    const { text } = leadingTextOf(request.address)
    const remote = readRemote(text)
    // what follows the host may be part of it
    if (remote === undefined || !/^(?:https?:)?\/\/[^/]{1,300}\//i.test(text)) return []
    const { host } = remote
    if (isLoopback(host) || isUi5Network(host) || OWN_ROUTER.test(host)) return []
    const changes = CHANGES.test(request.method) && !keepsNoData(request.address)
    const at = { start: call.start, end: call.end }
    const shared = sharedPasswordIn(request)
    return [
      { at, via: request.via, host, changes, identifies: identifiesCaller(request), ...(shared !== undefined && { shared }) },
    ]
  })
  return found.slice(0, 1)
}

/** `headers: { name: '…', password: '…' }`, of constants. */
function sharedPasswordIn({ headers }: HandRequest): string | undefined {
  return [...(headers ?? [])].find(([name, { value }]) => PASSWORD_HEADER.test(name) && isWritten(value))?.[0]
}

function isWritten(value: Value | undefined): boolean {
  const text = value && constantOf(value)
  return typeof text === 'string' && text.length > 3
}

function identifiesCaller({ method, headers, sendsCookies, address }: HandRequest): boolean {
  if (method === '' || headers === undefined || sendsCookies === true) return true
  const isPersonal = [...headers].some(
    ([name, { value }]) => CREDENTIAL_HEADER.test(name) || (PASSWORD_HEADER.test(name) && !isWritten(value)),
  )
  return isPersonal || CREDENTIAL_PARAMETER.test(textsOf(address))
}

/** All constant texts of an address. */
function textsOf(address: Value): string {
  const here = resolveValue(address)
  if (here.kind === 'template') return here.texts.join('')
  return here.kind === 'concat' ? here.parts.map((part) => leadingTextOf(part).text).join('') : leadingTextOf(here).text
}
