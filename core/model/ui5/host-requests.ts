import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { CallValue, FunctionFact, ScriptFacts, Value } from '../../facts/index.ts'
import type { Span } from '../../types.ts'
import { methodAround } from '../../facts/callbacks.ts'
import { stringConstantOf, resolveValue } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isWithin } from '../../facts/span-index.ts'
import { isLoopback } from '../deployment/index.ts'
import { isOfServerFolder, leadingTextOf } from '../script/index.ts'
import { isUi5Network, readRemote } from './addresses.ts'
import { askedAddressOf, createAddressFinder, type AskedAddress } from './given-addresses.ts'
import { loadedBy, requestsOf, type Client, type HandRequest } from './hand-requests.ts'
import { keepsNoData, keepsNoDataAt } from './tokenless-writes.ts'
import type { Ui5App } from './types.ts'

/** A request that a script writes by hand to a host that the code of the app names. */
export interface HostRequest extends SentRequest {
  readonly file: string
  readonly host: string
  /** As far as it is constant. */
  readonly path: string
  /** It begins a session: what goes along with it says nothing about other requests. */
  readonly isLogin: boolean
  /** It reads persons, as far as the path tells. */
  readonly readsPersons: boolean
  /** It reads what is not asked before a login, nor meant for all, as far as the path tells. */
  readonly readsOwnData: boolean
}

/** What one file tells of it. */
interface SentRequest {
  readonly at: Span
  readonly via: Client
  /** It changes data, as far as method and path tell. */
  readonly changes: boolean
  /** Something goes along by which the host may know the caller, or nobody can tell. */
  readonly identifies: boolean
  /** The header with a credential that differs from user to user. */
  readonly credential?: string
  /** It changes what there is already. */
  readonly isEdit: boolean
  /** It asks for data, and not only whether there are some. */
  readonly asksForData: boolean
  /** The page takes the data of the answer, as far as the function around tells, and not only whether it comes. */
  readonly usesAnswer: boolean
  /** The header with a password that the page itself contains: the host knows the page by it, not its user. */
  readonly shared?: string
}

interface RequestAddress {
  /** The constant beginning of the address, or what another script gives. */
  readonly text: string
  readonly asked?: AskedAddress
  /** It may be a login, or changes nothing of anybody. */
  readonly keepsNothing: boolean
  /** Its address speaks of what is asked before a login, or for all. */
  readonly isForAll: boolean
}

const CHANGES = /^(?:POST|PUT|PATCH|DELETE|MERGE)$/i
/** The approuter that serves the page itself, by the usual name of its host: its session goes along. */
const OWN_ROUTER = /^[\w-]{0,60}(?:router|launchpad|workzone)[\w-]{0,30}\./i
/** Headers, and parameters of an address, that carry a credential by their usual names. */
const CREDENTIAL_HEADER = /auth|token|api-?key|cookie|session|secret|signature|^x-[\w-]{0,40}key$/i
/** The end of an address that begins a session. */
const LOGIN = /\/(?:log-?in|sign-?in|authenticate|sessions?|o?auth\w{0,10}|tokens?)\/?$/i
/** Of these headers, those by which a host knows a user. */
const USER_HEADER =
  /^(?:proxy-)?authorization$|(?:^|[-_])(?:auth|session|access|id)[-_]?(?:token|key|id)$|^(?:x-)?(?:auth|token|session|jwt)$/i
const EDITS = /^(?:PUT|PATCH|DELETE|MERGE)$/i
/** Addresses of persons, of all or of one by an id, also one that follows: what lies below a person may be anything. */
const PERSONS =
  /\/(?:users?|user-?list|persons?|people|employees?|staff|customers?|patients?|students?|members|citizens?|contacts|suppliers|applicants?|candidates?|accounts)(?:\/(?:all|list|search|[\w-]{0,40}\d[\w-]{0,40})?)?\/?(?:[?#]|$)/i
/** Pages and files, which hosts give to all. */
const PAGES = /\/(?:content|pages|static|assets|media|blog|news)\/|\.(?:json|html?|xml|csv|txt|js|pdf)(?:$|[?#])/i
/** What is asked before a login, by a link that was mailed, or of what is shown to all. */
const FOR_ALL =
  /(?:^|[/_-])(?:exists?|check\w{0,20}|availab\w{0,10}|count|unique\w{0,10}|avatars?|photos?|images?|pictures?|verif\w{0,10}|activat\w{0,10}|confirm\w{0,10}|reset\w{0,10}|recover\w{0,10}|forg[eo]t\w{0,10}|password\w{0,10}|regist\w{0,10}|sign-?(?:up|in|out)|log-?(?:in|out|off)|sessions?|tokens?|refresh|public|guest|health|ping)(?:$|[/?_#-])/i
const PASSWORD_HEADER = /passw|pwd/i
const CREDENTIAL_PARAMETER = /[?&](?:[\w-]{0,40}key|[\w-]{0,40}token|app_?id|sig(?:nature)?|code|client_?id)=/i

/** Requests to hosts that scripts name, with what they carry. */
export const hostRequests: Extract<SentRequest & RequestAddress> = defineExtract({
  name: 'ui5-host-requests',
  keywords: ['fetch(', 'fetch (', '.ajax(', '.post(', 'XMLHttpRequest', '.loadData('],
  isFor: (path) => !isOfServerFolder(path),
  collect: ({ facts, step }) => facts.calls.flatMap((call) => sentBy(call, facts, step)),
})

/** A request of a script to a host that its code names, and that carries nothing by which the host may know the caller. */
export interface OpenRequest extends Span {
  readonly host: string
  /** Where it is sent. */
  readonly function: FunctionFact
}

/** The same of the facts of one script. */
export function* openRequestsIn(facts: ScriptFacts, step: (count?: number) => void): Generator<OpenRequest> {
  for (const call of facts.calls)
    for (const { identifies, text } of sentBy(call, facts, step)) {
      const host = identifies ? undefined : hostIn(text)
      if (host !== undefined && !isPlayground(host)) yield { start: call.start, end: call.end, host, function: call.function }
    }
}

/** Services that anybody may try requests on: they keep nothing, or the same for all. */
export function isPlayground(host: string): boolean {
  return PLAYGROUND.test(host)
}

const PLAYGROUND =
  /^(?:jsonplaceholder\.typicode\.com|(?:www\.)?httpbin\.org|httpbin\.io|reqres\.in|dummyjson\.com|fakestoreapi\.com|postman-echo\.com|services\.odata\.org|petstore3?\.swagger\.io|mockbin\.org|[\w-]{1,60}\.mockapi\.io|[\w-]{1,60}\.(?:x\.)?pipedream\.net|webhook\.site|example\.(?:com|org|net))$/i

function sentBy(call: CallValue, facts: ScriptFacts, step: (count?: number) => void): (SentRequest & RequestAddress)[] {
  const loaded = loadedBy(call, facts)
  const requests = loaded === undefined ? requestsOf(call, facts, step) : [loaded]
  const found = requests.flatMap((request): (SentRequest & RequestAddress)[] => {
    const { text } = leadingTextOf(request.address)
    const asked = text === '' ? askedAddressOf(request.address) : undefined
    if (asked === undefined && hostIn(text) === undefined) return []
    const keepsNothing = keepsNoData(request.address, request.method)
    const shared = sharedPasswordIn(request)
    const credential = userHeaderIn(request)
    return [
      {
        at: { start: call.start, end: call.end },
        via: request.via,
        changes: CHANGES.test(request.method),
        isEdit: EDITS.test(request.method),
        asksForData: !/^(?:HEAD|OPTIONS)$/i.test(request.method),
        usesAnswer: request.via !== 'fetch' || usesAnswer(call, facts, step),
        identifies: identifiesCaller(request),
        ...(credential !== undefined && { credential }),
        ...(shared !== undefined && { shared }),
        text,
        keepsNothing,
        isForAll: isForAll(request.address) || (!CHANGES.test(request.method) && isPage(request.address)),
        ...(asked !== undefined && { asked }),
      },
    ]
  })
  return found.slice(0, 1)
}

/** What takes the data of an answer. Facts: Fetch standard, "Body mixin"; API of sap.ui.model.json.JSONModel. */
const TAKES_DATA = /^(?:json|text|blob|formData|arrayBuffer|setData|loadData|setProperty|JSONModel)$/

function usesAnswer(call: CallValue, { calls }: ScriptFacts, step: (count?: number) => void): boolean {
  step(calls.length)
  const around = methodAround(call.function) ?? call.function
  // whoever gets it may use it
  if (around.returns.some((value) => isWithin(call, value))) return true
  return calls.some((one) => isWithin(one, around) && TAKES_DATA.test(lastNameOf(one.callee) ?? ''))
}

/** The requests of an app, those included whose address another script gives. */
export function hostRequestsOf(app: Ui5App): HostRequest[] {
  const find = createAddressFinder(app)
  return app.scripts.get(hostRequests).flatMap(({ file, value }) => {
    const { text, asked, keepsNothing, isForAll: isOwnForAll, ...sent } = value
    const whole = asked === undefined ? text : (find(file, asked)?.text ?? '')
    const host = hostIn(whole)
    if (host === undefined) return []
    const path = readRemote(whole)?.path ?? ''
    const isOfAll = isOwnForAll || FOR_ALL.test(withoutHost(whole))
    const isHarmless = keepsNothing || keepsNoDataAt(whole)
    const changes = sent.changes && !isHarmless
    const isLogin = LOGIN.test(whole.replace(/[?#].*$/s, ''))
    const isEdit = sent.isEdit && changes && !isOfAll
    const readsOwnData = sent.asksForData && !sent.changes && !isOfAll
    return [
      {
        ...sent,
        identifies: sent.identifies || CREDENTIAL_PARAMETER.test(whole),
        file,
        host,
        path,
        changes,
        isEdit,
        isLogin,
        readsOwnData,
        readsPersons: readsOwnData && readsPersonsAt(whole),
      },
    ]
  })
}

/** The host of an address, where nothing that follows may be part of it, and it is not the app's own. */
export function hostIn(address: string): string | undefined {
  const host = /^(?:https?:)?\/\/[^/]{1,300}\//i.test(address) ? readRemote(address)?.host : undefined
  return host === undefined || isLoopback(host) || isUi5Network(host) || OWN_ROUTER.test(host) ? undefined : host
}

/** `headers: { name: '…', password: '…' }`, of constants. */
function sharedPasswordIn({ headers }: HandRequest): string | undefined {
  return [...(headers ?? [])].find(([name, { value }]) => PASSWORD_HEADER.test(name) && isWritten(value))?.[0]
}

/** `headers: { Authorization: "Bearer " + token }`: a constant tells users from each other as little as none. */
function userHeaderIn({ headers }: HandRequest): string | undefined {
  return [...(headers ?? [])].find(([name, { value }]) => USER_HEADER.test(name) && !isWritten(value))?.[0]
}

/** Whether the path of an address names persons. */
export function readsPersonsAt(address: string): boolean {
  const path = withoutHost(address)
  return PERSONS.test(path) && !PAGES.test(path)
}

/** Whether an address speaks of what is asked before a login, or for all. */
export function isForAll(address: Value): boolean {
  return FOR_ALL.test(withoutHost(textsOf(address)))
}

/** Whether an address is one of a page or a file. */
export function isPage(address: Value): boolean {
  return PAGES.test(withoutHost(textsOf(address)))
}

function withoutHost(address: string): string {
  return address.replace(/^(?:https?:)?\/\/[^/]{0,300}/i, '')
}

function isWritten(value: Value | undefined): boolean {
  const text = stringConstantOf(value)
  return text !== undefined && text.length > 3
}

/** Whether something goes along by which a host may know who asks, or nobody can tell. */
export function identifiesCaller({ method, headers, sendsCookies, address }: HandRequest): boolean {
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
