import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, findPart, pathOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isOfServerFolder, isPasswordName, leadingTextOf } from '../../model/script/index.ts'
import { identifiesCaller, manifestModelsOf, requestsOf, type Ui5App } from '../../model/ui5/index.ts'
import { authorizationHeaders } from './_fixed-headers.ts'
import { namedFields, objectIn } from './_sent-bodies.ts'

/**
 * What a request says of its sender: one user whom the code names (`fixed`), nothing where it changes data (`nobody`), or something that may be the login of the user (`other`), such as the session that the browser
 * adds for the host of the page. Or the app has what it asks for itself (`own`).
 */
type Sender = 'fixed' | 'nobody' | 'other' | 'own'

/** What sends requests, by names that are read here and others. Facts: Fetch standard; jQuery API; SAPUI5 API, sap.ui.model.odata. */
const SENDS =
  /^(?:fetch|ajax|post|get|put|patch|request|getJSON|open|ODataModel|JSONModel|axios|WebSocket|EventSource|sendBeacon|loadData|initializeApp|createClient)$/
const WEB = /^https?:\/\//i
const FILE = /^(?!https?:|\/\/)[^?]{1,300}\.(?:json|properties|xml|html?|csv|txt)(?:$|\?)/i

export const requestSenders: Extract<Sender> = defineExtract({
  name: 'ui5-request-senders',
  keywords: [
    'fetch(',
    '.ajax(',
    '.post(',
    '$.get(',
    'jQuery.get(',
    ".get('/",
    '.get("/',
    '.get(`/',
    'XMLHttpRequest',
    'axios',
    'ODataModel(',
    'WebSocket',
    'EventSource',
    'sendBeacon',
    'getJSON(',
    'loadData(',
    'JSONModel("',
    "JSONModel('",
    'JSONModel(`',
    'initializeApp(',
    'createClient(',
  ],
  isFor: (path) => !isOfServerFolder(path),
  collect: ({ facts, step }) => [...new Set(facts.calls.flatMap((call) => senderOf(call, facts, step) ?? []))],
})

function senderOf(call: CallValue, facts: ScriptFacts, step: (count?: number) => void): Sender | undefined {
  const { kind, callee, args } = call
  const name = lastNameOf(callee) ?? ''
  if (!SENDS.test(name) && pathOf(callee)?.[0] !== 'global:axios') return undefined
  if (kind === 'new') return madeSender(name, args)
  const requests = requestsOf(call, facts, step)
  // `dialog.open()`, `map.get(key)`, and what some library sends
  if (requests.length === 0) return senderElsewhere(call, name)
  const senders = requests.flatMap((request) => {
    const { text } = leadingTextOf(request.address)
    if (isFile(request.address)) return 'own'
    if (identifiesCaller(request)) return 'other'
    // what is only read may be for all, and of an address that is made somewhere else nobody can say more
    if (WEB.test(text)) return /^(?:GET|HEAD)$/i.test(request.method) ? [] : 'nobody'
    return text === '' ? [] : 'other'
  })
  return senders.find((one) => one === 'other') ?? senders[0]
}

function madeSender(name: string, args: readonly Value[]): Sender | undefined {
  if (name === 'ODataModel') return modelSender(args)
  if (name === 'JSONModel') {
    const [first] = args
    const address = first && resolveValue(first)
    if (address === undefined || address.kind === 'object') return undefined
    return isFile(address) ? 'own' : leadingTextOf(address).text !== '' || address.kind === 'concat' ? 'other' : undefined
  }
  return /^(?:WebSocket|EventSource)$/.test(name) ? 'other' : undefined
}

function senderElsewhere({ callee, args: [first] }: CallValue, name: string): Sender | undefined {
  // `superagent.get("/api/rows")`
  const isAddress = first !== undefined && ADDRESS.test(leadingTextOf(first).text)
  if (!isAddress && !ASKS.test(name) && !/axios|jquery|^global:\$$/i.test(pathOf(callee)?.[0] ?? '')) return undefined
  return first !== undefined && isFile(first) ? 'own' : 'other'
}

const ADDRESS = /^(?:https?:\/)?\/[\w/]/i
const ASKS = /^(?:fetch|ajax|getJSON|sendBeacon|loadData|initializeApp|createClient)$/

/** `"model/data.json"`, `sap.ui.require.toUrl("app/model/data.json")`: the app has it itself. */
function isFile(address: Value): boolean {
  return (
    findPart(address, (part) => part.kind === 'literal' && typeof part.value === 'string' && FILE.test(part.value)) !== undefined
  )
}

/** `new ODataModel(address, { user: "app", password: "…" })`, or all of it in one object. */
function modelSender(args: readonly Value[]): Sender {
  const fields = args.flatMap((given) => {
    const settings = objectIn(given)
    return settings === undefined ? [] : namedFields(settings)
  })
  const isWritten = (value: Value): boolean => typeof constantOf(value) === 'string' && constantOf(value) !== ''
  const password = fields.find(({ key }) => isPasswordName(key))?.value
  const user = fields.find(({ key }) => key === 'user')?.value
  return user !== undefined && password !== undefined && isWritten(user) && isWritten(password) ? 'fixed' : 'other'
}

/**
 * What all requests of an app say of their senders, where none of them may carry a login of its user: the same user of the code for all, or nothing at all.
 * So the services cannot know who has logged in, whatever the login of the page does.
 */
export function sharedSender(app: Ui5App): 'fixed' | 'nobody' | undefined {
  const senders = app.scripts.get(requestSenders).flatMap(({ value }) => (value === 'own' ? [] : value))
  if (senders.length === 0 || senders.includes('other')) return undefined
  // the models of the descriptor have the session of the page
  if (manifestModelsOf(app).some(({ type }) => type === 'OData' || type?.endsWith('.ODataModel') === true)) return undefined
  if (app.scripts.get(authorizationHeaders).some(({ value }) => value === 'other')) return undefined
  return senders.includes('fixed') ? 'fixed' : 'nobody'
}

/** Nothing stands behind the app: what it shows is in files of its own, and it asks no service, by its descriptor or by code. */
export function showsOwnFilesAlone(app: Ui5App): boolean {
  const asked = app.scripts.get(requestSenders).map(({ value }) => value)
  const files = manifestModelsOf(app).flatMap(({ type, uri = '' }) =>
    type === 'sap.ui.model.resource.ResourceModel' || uri === '' ? [] : FILE.test(uri) ? ('own' as const) : ('other' as const),
  )
  const all = [...asked, ...files]
  return all.length > 0 && all.every((one) => one === 'own')
}
