import { constantOf, stringConstantOf, pathOf, resolveValue } from '../../facts/index.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Binding, CallValue, ScriptFacts, Value } from '../../facts/types.ts'
import { at, booleanOf, membersOf, stringOf } from '../../parse/data.ts'
import type { DataNode } from '../../parse/data.ts'
import type { Place, Span } from '../../types.ts'
import { leadingTextOf } from '../script/index.ts'
import { fieldOf } from './constructions.ts'
import { askedAddressOf, createAddressFinder, type AskedAddress } from './given-addresses.ts'
import { membersBelow } from './tooling.ts'
import type { Ui5App } from './types.ts'
import { createUnsetReader } from './unset-branches.ts'

/** An address that an app gets data from, as it is written. */
export interface ServiceAddress {
  readonly address: string
  readonly at: Place
  /** Where the app says that the browser sends cookies there, whatever the origin. */
  readonly credentials: Place | undefined
  /** It is asked by a script. */
  readonly isOfScript?: true
  /** Its beginning stands in another script, at this place. */
  readonly isGiven?: true
  /** The option of fetch, not `withCredentials`. */
  readonly isFetch?: boolean
  /** In `sap.card`, where destinations take the place of data sources. */
  readonly isOfCard?: true
  /** The header by which the request carries a credential. */
  readonly carries?: string
  /** The script has switched it off. */
  readonly isOff?: true
}

const MODELS =
  /^(?:module:sap\/ui\/model\/|global:sap\.ui\.model\.)(?:odata[./](?:v[24][./])?ODataModel|json[./]JSONModel|xml[./]XMLModel)$/u
const REQUESTS =
  /^global:fetch$|^(?:global:(?:jQuery|\$)|module:sap\/ui\/thirdparty\/jquery)\.(?:ajax|get|post|getJSON)$|^module:axios(?:\.(?:get|post|put|patch|delete|request))?$/u
const METHODS = /^(?:GET|POST|PUT|PATCH|DELETE|MERGE|HEAD|OPTIONS)$/iu

/** How a script begins that asks for data; a model that is given an object is asked for nothing, unless one of its fields is an address. */
const ASKS =
  /\b(?:fetch|axios)\b|\.(?:ajax|getJSON|loadData)\b|(?:\$|[jJ][qQ]uery)\s{0,3}\.\s{0,3}(?:get|post)\b|\.open\(\s{0,20}["'`](?:GET|POST|PUT|PATCH|DELETE|MERGE|HEAD|OPTIONS)\b|\bnew\s{1,4}[\w.$]{0,60}(?:Model|OData|JSON|XML)\w{0,12}\s?\(\s{0,40}(?:\{[^{}]{0,300}?\b(?:serviceUrl|url)\b|[^){\s])/i

/** Models of a manifest, with the address of their data source. */
export interface ManifestModel {
  readonly file: string
  /** '': the default model. */
  readonly name: string
  /** Full name of its class, or the type of its data source; undefined: OData. */
  readonly type: string | undefined
  readonly at: Span
  readonly settings: DataNode | undefined
  /** `OneWay`: controls do not write back to it. */
  readonly bindingMode: string | undefined
  readonly uri: string | undefined
}

export function manifestModelsOf({ manifest }: Ui5App): ManifestModel[] {
  if (manifest === undefined) return []
  const { file, root } = manifest
  return membersOf(at(root, 'sap.ui5', 'models')).map(({ key, keySpan, value }) => {
    const source = stringOf(at(value, 'dataSource'))
    const uri =
      stringOf(at(value, 'uri')) ??
      (source === undefined ? undefined : stringOf(at(root, 'sap.app', 'dataSources', source, 'uri')))
    const dataSource = source === undefined ? undefined : at(root, 'sap.app', 'dataSources', source, 'type')
    const type = stringOf(at(value, 'type')) ?? stringOf(dataSource) ?? (source === undefined ? undefined : 'OData')
    const bindingMode = stringOf(at(value, 'settings', 'defaultBindingMode'))
    return { file, name: key, type, at: keySpan, settings: at(value, 'settings'), bindingMode, uri }
  })
}

/** Data sources and models of the manifest, then what productive scripts ask for. Needs the extracts `scriptRequests` and `givenAddresses`. */
export function* serviceAddressesOf(app: Ui5App): Generator<ServiceAddress> {
  const { manifest } = app
  const sending = new Map<string | undefined, DataNode>()
  for (const { uri, settings } of manifestModelsOf(app)) {
    const node = at(settings, 'withCredentials')
    if (node !== undefined && booleanOf(node) === true) sending.set(uri, node)
  }
  for (const { value } of membersOf(at(manifest?.root, 'sap.app', 'dataSources'))) {
    const uri = at(value, 'uri')
    const address = stringOf(uri)
    if (manifest === undefined || uri === undefined || address === undefined) continue
    const credentials = sending.get(address)
    yield {
      address,
      at: { file: manifest.file, span: uri },
      credentials: credentials && { file: manifest.file, span: credentials },
    }
  }
  yield* askedByCard(app)
  const find = createAddressFinder(app)
  for (const { file, value } of app.scripts.get(scriptRequests)) {
    const { address, asked, at, credentials, isFetch, carries, isOff } = value
    const given = asked === undefined ? { text: address, at: { file, span: at } } : find(file, asked)
    if (given === undefined) continue
    yield {
      address: given.text,
      at: given.at,
      credentials: credentials && { file, span: credentials },
      isOfScript: true,
      ...(asked !== undefined && { isGiven: true }),
      isFetch,
      ...(carries !== undefined && { carries }),
      ...(isOff && { isOff }),
    }
  }
}

/** What `sap.ui.require.toUrl` takes for a path of the app. */
export function resourcePathOf({ id }: Ui5App, path: string): string {
  return `${(id ?? 'my.app').replaceAll('.', '/')}/${path}`
}

/** Facts: card explorer of SAPUI5, "Data" (`request` with `url` and `withCredentials`, at many places of `sap.card`) and "Destinations" (`defaultUrl`). */
function* askedByCard({ manifest }: Ui5App): Generator<ServiceAddress> {
  const card = at(manifest?.root, 'sap.card')
  if (manifest === undefined || card === undefined) return
  for (const { key, value } of membersBelow(card)) {
    if (key === 'destinations')
      for (const destination of membersOf(value)) {
        const url = at(destination.value, 'defaultUrl')
        const address = stringOf(url)
        if (url !== undefined && address !== undefined)
          yield { address, at: { file: manifest.file, span: url }, credentials: undefined, isOfCard: true }
      }
    const url = key === 'request' ? at(value, 'url') : undefined
    const address = stringOf(url)
    if (url === undefined || address === undefined) continue
    const asked = at(value, 'withCredentials')
    const sends = asked !== undefined && booleanOf(asked) === true
    const { file } = manifest
    yield { address, at: { file, span: url }, credentials: sends ? { file, span: asked } : undefined, isOfCard: true }
  }
}

/** An address that a script asks for data. */
interface ScriptRequest {
  readonly address: string
  /** Another script gives its beginning. */
  readonly asked?: AskedAddress
  readonly at: Span
  /** What says that cookies go along. */
  readonly credentials: Span | undefined
  /** By the option of fetch. */
  readonly isFetch: boolean
  readonly carries?: string
  readonly isOff?: true
}

/** What scripts ask by an address with a host, as far as any rule judges it: in plain text, or with cookies. */
export const scriptRequests: Extract<ScriptRequest> = defineExtract({
  name: 'ui5-script-requests',
  keywords: [
    'http://',
    'https://',
    'withCredentials',
    'credentials',
    'fetch(',
    '.ajax(',
    '.getJSON(',
    '.post(',
    '.loadData(',
    'JSONModel',
    'axios',
  ],
  prefilter: (text) => ASKS.test(text),
  inPages: true,
  collect: ({ facts, step }) => requestsIn(facts, createUnsetReader(facts, step)),
})

function* requestsIn(facts: ScriptFacts, isUnset: (place: Span) => boolean): Generator<ScriptRequest> {
  const spanOf = ({ start, end }: Value): Span => ({ start, end })
  let later: ReadonlyMap<Binding, Value> | undefined
  for (const call of facts.calls) {
    const url = askedOf(call)
    const addresses: readonly WrittenAddress[] = url === undefined ? [] : addressesIn(url)
    if (addresses.length === 0) continue
    let asked = askedIn(call)
    if (call.callee.kind === 'member' && call.callee.name === 'open' && call.callee.object.kind === 'reference') {
      later ??= settingsLater(facts)
      asked = call.callee.object.binding && later.get(call.callee.object.binding)
    }
    const answer = asked && constantOf(asked)
    const sends = answer === true || answer === 'include'
    const credentials = sends && asked !== undefined ? spanOf(asked) : undefined
    const carries = credentialHeaderOf(call)
    for (const { address, asked, at } of addresses)
      yield {
        address,
        ...(asked !== undefined && { asked }),
        at: spanOf(at),
        credentials,
        isFetch: answer === 'include',
        ...(carries !== undefined && { carries, ...(isUnset(call) && { isOff: true as const }) }),
      }
  }
}

/** What a call takes as address: of a model, a request, `model.loadData(…)`, `request.open("GET", …)`. */
function askedOf({ kind, callee, args }: CallValue): Value | undefined {
  const path = pathOf(callee)?.join('.') ?? ''
  const [first, second] = args
  if (first === undefined) return undefined
  if (kind === 'call' && callee.kind === 'member' && callee.name === 'open' && second !== undefined)
    return METHODS.test(String(constantOf(first) ?? '')) ? second : undefined
  if (kind === 'call' && callee.kind === 'member' && callee.name === 'loadData') return first
  if (kind === 'new' ? !MODELS.test(path) : !REQUESTS.test(path)) return undefined
  return first.kind === 'object' ? (fieldOf(first, 'serviceUrl') ?? fieldOf(first, 'url')) : first
}

interface WrittenAddress extends Pick<ScriptRequest, 'address' | 'asked'> {
  readonly at: Value
}

/** The address that a value is, or those that a name is given in turn: one for each system. */
function addressesIn(url: Value): readonly WrittenAddress[] {
  const address = addressOf(url)
  if (address !== undefined) return [{ address, at: url }]
  const asked = askedAddressOf(url)
  if (asked !== undefined) return [{ address: '', asked, at: url }]
  const definitions = url.kind === 'reference' ? (url.binding?.definitions ?? []) : []
  return definitions.flatMap(({ kind, operator, path, value }) => {
    if ((kind !== 'init' && kind !== 'assign') || operator !== '=' || path.length > 0 || value === undefined) return []
    const given = addressOf(value)
    return given === undefined ? [] : [{ address: given, at: value }]
  })
}

/** The constant address, or its beginning where that names the whole host. */
function addressOf(url: Value): string | undefined {
  const { text, isWhole } = leadingTextOf(url)
  return isWhole || /^(?:https?:)?\/\/[^/]{1,300}\//iu.test(text) ? text : undefined
}

/** Headers that hold a credential by their usual names; a CSRF token is worth nothing without the session. */
const CREDENTIAL_HEADER =
  /^(?:proxy-)?authorization$|(?:^|[-_])(?:auth|session|access|api)[-_]?(?:token|key|id)$|^(?:x-)?(?:auth|token|apikey|session)$/i

/** `headers: { "Session-Key": token }` in the settings of a request, or user and password, of which browsers make a header. */
function credentialHeaderOf({ kind, args }: CallValue): string | undefined {
  // new ODataModel(url, true, user, password). Fact: API of sap.ui.model.odata.ODataModel
  const [, asJson, user, password] = args
  if (kind === 'new' && typeof (asJson && constantOf(asJson)) === 'boolean' && isLogin(user, password)) return BASIC
  for (const argument of args) {
    const settings = resolveValue(argument)
    const given = settings.kind === 'object' ? ['username', 'user'].map((name) => fieldOf(settings, name)) : []
    if (settings.kind === 'object' && given.some((user) => isLogin(user, fieldOf(settings, 'password')))) return BASIC
    const headers = settings.kind === 'object' ? fieldOf(settings, 'headers') : undefined
    const written = headers && resolveValue(headers)
    const name = written?.kind === 'object' ? written.fields.find(({ key }) => CREDENTIAL_HEADER.test(key ?? ''))?.key : undefined
    if (name !== undefined) return name
  }
  return undefined
}

const BASIC = 'Authorization'
/** Words that pages send as user and password alike so that the browser forgets the credentials that it keeps for a host. */
const NO_LOGIN = /^(?:dummy|fake|foo|bogus|wrong|invalid|none|null|nobody|anonymous|false|clear|reset|x+|log-?(?:out|off))$/i

function isLogin(user: Value | undefined, password: Value | undefined): boolean {
  if (!isGiven(user) || !isGiven(password)) return false
  const name = stringConstantOf(user)
  return name === undefined || !NO_LOGIN.test(name) || (password && constantOf(password)) !== name
}

function isGiven(value: Value | undefined): boolean {
  if (value === undefined) return false
  const given = constantOf(value)
  return given === undefined ? lastNameOf(value) !== 'undefined' : given !== '' && given !== null
}

/** The settings of a request that say that cookies go along. */
function askedIn({ args: [first, second] }: CallValue): Value | undefined {
  const settings = first?.kind === 'object' ? first : second?.kind === 'object' ? second : undefined
  const fields = fieldOf(settings, 'xhrFields')
  return (
    fieldOf(settings, 'withCredentials') ??
    fieldOf(settings, 'credentials') ??
    (fields?.kind === 'object' ? fieldOf(fields, 'withCredentials') : undefined)
  )
}

/** `request.withCredentials = true`, by the name of the request. */
function settingsLater({ assignments }: ScriptFacts): ReadonlyMap<Binding, Value> {
  const later = new Map<Binding, Value>()
  for (const { target, value } of assignments)
    if (target.name === 'withCredentials' && target.object.kind === 'reference' && target.object.binding !== undefined)
      later.set(target.object.binding, value)
  return later
}
