import { holdsAt, type WordPlaces } from '../../keywords/index.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { lastNameOf } from '../../facts/literals.ts'
import {
  constantOf,
  stringConstantOf,
  fieldOf,
  resolveValue,
  valuesOf,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { isAround } from '../../facts/span-index.ts'
import { isPasswordName, leadingTextOf, mayNamePassword, PASSWORD_KEYWORDS } from '../../model/script/index.ts'
import { append } from '../../lists.ts'
import type { Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { BATCH_EXTRACTS, createBatchReader, isOfBatchingModel } from './_batched-models.ts'
import { mayReceiveToken, RECEIVED_WORDS, tokensReceived } from './_received-tokens.ts'
import { passwordWithin, unwrap } from './_password-values.ts'
import { handedPasswords, passwordsInQueries, queryWrappers } from './_query-wrappers.ts'

/** What stands in front of a value in an address: a key of an OData entity, a condition of $filter, a parameter. */
const KEY = /[(,]\s{0,4}([\w$]{0,40})\s{0,2}=\s{0,2}'$/
const CONDITION = /(?:^|[\s(=])([\w$]{1,40})(?:\s|%20){1,3}eq(?:\s|%20){1,3}(?:'|%27)$/
const PARAMETER = /[?&]([\w$]{1,40})=$/
/** Tokens that stand for a login; those that services give out to be written into addresses have other names. */
const SESSION = /^(?:session|auth|login)_?token$/i
/** The same as a variable, handed to a route. */
const SESSION_NAME = /^[_s]{0,2}(?:(?:session|auth|login|access|bearer|id)_?token|jwt)$/i
const TO_ROUTE = /navTo\([^()]{1,100}(?:[Tt]oken|jwt)\s{0,4}\}/y
const SESSION_TEXT = /(?<=[?&])(?:session|auth|login)_?token=(?:\$\{|["'`])/iy
const SESSION_WORDS = ['session', 'auth', 'login'].flatMap((whose) => [`${whose}token=`, `${whose}_token=`])
/** Calls of a model that put `urlParameters` into the address of a request. Facts: SAPUI5 API reference, sap.ui.model.odata.v2.ODataModel. */
const MODEL_CALLS: ReadonlySet<string> = new Set(['read', 'create', 'update', 'remove', 'callFunction'])
/** Calls of jQuery that add `data` to the address, unless they are told another method. */
const GETS: ReadonlySet<string> = new Set(['get', 'getJSON'])
const BODY = /^(?:POST|PUT|PATCH|MERGE)$/i

function mayPutInUrl(text: string, hits: WordPlaces): boolean {
  return (
    mayNamePassword(text, hits) &&
    /\bFilter\b|urlParameters|createKey|navTo|Hash\(|location|redirect|\.(?:ajax|get|getJSON)\b|[=?&]|eq\s/.test(text)
  )
}

/** Passwords in the addresses of requests that models send. `isBatched`: by one that the script makes and that batches. */
const modelPasswords: Extract<Found & { readonly isBatched: boolean }> = defineExtract({
  name: 'ui5-model-passwords',
  keywords: PASSWORD_KEYWORDS,
  prefilter: mayPutInUrl,
  collect: ({ facts, text, step }) =>
    [...passwordsIn(facts)].flatMap((found) => {
      if (found.by !== 'model') return []
      step(facts.calls.length)
      const call = facts.calls.find((one) => MODEL_CALLS.has(lastNameOf(one.callee) ?? '') && isAround(one, found.at.start))
      return [{ ...found, isBatched: call !== undefined && isOfBatchingModel(call, text) }]
    }),
})

/**
 * A page puts the password that the user enters into the address of a request: a key or a filter of OData, a parameter. Or into its own address: a
 * parameter of a route.
 * The token of a session is worth as much while it is valid, also where the page takes it out of its own address.
 * Facts: RFC 9110, section 17.9; OData 2.0, URI conventions: keys, $filter and parameters of function imports are part of the address. SAPUI5 API
 * reference, sap.ui.model.odata.v2.ODataModel: `urlParameters`, also of callFunction with POST.
 * sap.ui.core.routing.Router: `navTo` writes its parameters behind the `#` of the address, which stays in the history of the browser.
 * OData models of V2 and V4 send requests within $batch unless `useBatch` is false (V4: `$direct`): their addresses are in its body.
 * Impact: whoever reads the logs of proxies, gateways and servers can log in as the user. The address of the page is seen on the same device alone; what is within
 * $batch only by who traces requests.
 */
export const passwordInUrl: Rule = defineRule({
  id: 'ui5/password-in-url',
  impact: 'takeover',
  reach: 'privileged',
  confidence: 'medium',
  cwe: [598],
  since: '0.2.0',
  docs: 'https://owasp.org/www-community/vulnerabilities/Information_exposure_through_query_strings_in_url',
  keywords: [
    ...PASSWORD_KEYWORDS,
    'sessionToken=',
    'session_token=',
    'authToken=',
    'auth_token=',
    'loginToken=',
    'login_token=',
    'navTo',
    'URLSearchParams',
    'getUriParameters',
    'UriParameters',
  ],
  words: [...SESSION_WORDS, ...RECEIVED_WORDS],
  prefilter: (text, hits) =>
    mayPutInUrl(text, hits) ||
    holdsAt(text, hits.places(text, SESSION_WORDS), SESSION_TEXT) ||
    holdsAt(text, hits.places(text, ['navTo']), TO_ROUTE) ||
    mayReceiveToken(text, hits),
  grades: { route: { impact: 'takeover', reach: 'local' }, batch: { evidence: 'assumed' } },
  extracts: [modelPasswords, ...BATCH_EXTRACTS, queryWrappers, handedPasswords],

  checks: {
    *'browser-script'({ path, content: { facts } }) {
      for (const { at: span, name, by, isSession } of passwordsIn(facts))
        if (isSession === true)
          yield {
            at: { file: path, span },
            args: { name, by: '' },
            variant: 'session',
            // behind the # it is seen on the same device alone
            ...(by !== undefined && { reach: 'local' as const }),
          }
        else if (by !== 'model')
          yield { at: { file: path, span }, args: { name, by: by ?? '' }, ...(by !== undefined && { variant: 'route' }) }
      for (const { start, end, name } of tokensReceived(facts))
        yield { at: { file: path, span: { start, end } }, args: { name, by: '' }, variant: 'received', groupKey: 'received' }
    },
    *'ui5-app'(app) {
      const isBatched = createBatchReader(app)
      for (const { file, value } of app.scripts.get(modelPasswords)) {
        const place = { file, span: value.at }
        const variant = value.isBatched || isBatched(place) ? { variant: 'batch' } : {}
        yield { at: place, args: { name: value.name, by: '' }, key: `model ${value.name}`, ...variant }
      }
      for (const { file, span, name } of passwordsInQueries(app.scripts)) yield { at: { file, span }, args: { name, by: '' } }
    },
  },

  text: () => ({
    en: {
      title: 'Password in a request URL',
      message: 'The password ("{name}") becomes part of the URL of a request: a key, a filter or a parameter.',
      why: 'URLs are written to the logs of proxies, gateways and servers. An attacker who can read one of these logs can log in as the user.',
      fix: 'Remove the password from the URL: let the approuter authenticate users (XSUAA or Identity Authentication). If a service has to check it, send it in the body of a POST request: create() with OData V2, an action with V4.',
      variants: {
        session: {
          title: 'Session token in a URL',
          message: 'The token of the session ("{name}") becomes a parameter of a URL.',
          why: 'URLs stay in the history of the browser and in the logs of proxies and servers. An attacker who reads one of them takes over the session while the token is valid.',
          fix: 'Keep the session in a cookie with HttpOnly, Secure and SameSite that the server sets, and remove the parameter. If the next page needs a token, let it exchange a code that is valid once.',
        },
        received: {
          title: 'Session token taken from the page URL',
          message: 'The page takes the token "{name}" from its own URL and sends it as the authorization of its requests.',
          why: 'URLs stay in the history of the browser and in the logs of proxies and servers: an attacker who reads one of them acts as the user. With a link that holds the attacker’s own token, users work in the attacker’s session.',
          fix: 'Remove the parameter: let the server keep the session in a cookie with HttpOnly, Secure and SameSite. If another app hands the session on, let this page exchange a code that is valid once.',
        },
        batch: {
          message: 'The password ("{name}") becomes part of the URL of a request within $batch: a key, a filter or a parameter.',
          why: 'The URLs within $batch are not in the logs of proxies, but in traces and error logs of the server. An attacker who can read these can log in as the user.',
        },
        route: {
          title: 'Password in the address of the page',
          message: 'The password ("{name}") becomes part of the address of the page: {by} writes it behind the #.',
          why: 'The address stays in the history of the browser and is copied along with links. An attacker who sees it on this device can log in as the user.',
        },
      },
    },
    fr: {
      title: 'Mot de passe dans l’URL d’une requête',
      message: 'Le mot de passe ("{name}") devient une partie de l’URL d’une requête : une clé, un filtre ou un paramètre.',
      why: 'Les URL sont écrites dans les journaux des proxys, des passerelles et des serveurs. Un attaquant qui peut lire l’un d’eux peut se connecter à la place de l’utilisateur.',
      fix: 'Retirez le mot de passe de l’URL : laissez l’approuter authentifier les utilisateurs (XSUAA ou Identity Authentication). Si un service doit le vérifier, envoyez-le dans le corps d’une requête POST : create() en OData V2, une action en V4.',
      variants: {
        session: {
          title: 'Jeton de session dans une URL',
          message: 'Le jeton de la session ("{name}") devient un paramètre d’une URL.',
          why: 'Les URL restent dans l’historique du navigateur et dans les journaux des proxys et des serveurs. Un attaquant qui lit l’un d’eux prend le contrôle de la session tant que le jeton est valide.',
          fix: 'Conservez la session dans un cookie HttpOnly, Secure et SameSite posé par le serveur, et retirez le paramètre. Si la page suivante a besoin d’un jeton, faites-lui échanger un code à usage unique.',
        },
        received: {
          title: 'Jeton de session lu dans l’URL de la page',
          message: 'La page lit le jeton "{name}" dans sa propre URL et l’envoie comme autorisation de ses requêtes.',
          why: 'Les URL restent dans l’historique du navigateur et dans les journaux des proxys et des serveurs : un attaquant qui lit l’un d’eux agit à la place de l’utilisateur. Par un lien contenant son propre jeton, il fait travailler l’utilisateur dans sa session.',
          fix: 'Retirez le paramètre : faites conserver la session par le serveur dans un cookie HttpOnly, Secure et SameSite. Si une autre application transmet la session, faites échanger par cette page un code à usage unique.',
        },
        batch: {
          message:
            'Le mot de passe ("{name}") devient une partie de l’URL d’une requête contenue dans $batch : une clé, un filtre ou un paramètre.',
          why: 'Les URL contenues dans $batch ne figurent pas dans les journaux des proxys, mais dans les traces et les journaux d’erreurs du serveur. Un attaquant qui peut les lire peut se connecter à la place de l’utilisateur.',
        },
        route: {
          title: 'Mot de passe dans l’adresse de la page',
          message: 'Le mot de passe ("{name}") devient une partie de l’adresse de la page : {by} l’écrit après le #.',
          why: 'L’adresse reste dans l’historique du navigateur et se copie avec les liens. Un attaquant qui la voit sur cet appareil peut se connecter à la place de l’utilisateur.',
        },
      },
    },
  }),
})

interface Found {
  readonly at: Span
  readonly name: string
  /** A request of a model, or what writes it into the address of the page. */
  readonly by?: string
  /** The token of a session, in place of a password. */
  readonly isSession?: true
  /** Where the text or the object begins of which all becomes one address. */
  readonly request?: number
}

/** Each place once, and the old and the new password of one request together. */
function* passwordsIn(facts: ScriptFacts): Generator<Found> {
  const seen = new Set<number>()
  const requests = new Map<string, Found[]>()
  for (const found of foundIn(facts)) {
    const { start } = found.at
    if (seen.has(start)) continue
    seen.add(start)
    append(requests, `${found.request ?? start} ${found.by ?? ''} ${found.isSession ?? ''}`, found)
  }
  for (const [first, ...more] of requests.values()) {
    if (first === undefined) continue
    const { at, by, isSession } = first
    const name = [...new Set([first, ...more].map((one) => one.name))].join('", "')
    yield { at: { start: at.start, end: at.end }, name, ...(by !== undefined && { by }), ...(isSession && { isSession }) }
  }
}

function* foundIn(facts: ScriptFacts): Generator<Found> {
  const asked = new Set(facts.calls.flatMap((call) => addressesOfModel(call)))
  for (const call of facts.calls) {
    const name = lastNameOf(call.callee) ?? ''
    if (call.kind === 'new') {
      if (name === 'Filter') yield* ofModel(inFilter(call))
    } else if (name === 'createKey') yield* ofModel(inFields(call.args[1]))
    else if (MODEL_CALLS.has(name)) yield* ofModel(inParameters(call))
    else if (name === 'navTo') yield* inRoute(call)
    else if (name === 'setHash' || name === 'replaceHash') yield* inAddress(call.args[0], name, true)
    else if (isOfParameters(call)) yield* inParameter(call)
    else if (name === 'redirect' || isOfLocation(call.callee)) yield* inAddress(call.args[0], name, false)
    else yield* inData(call, name)
  }
  for (const { target, value } of facts.assignments) {
    const isHash = target.name === 'hash'
    if ((isHash || target.name === 'href') && lastNameOf(target.object) === 'location')
      yield* inAddress(value, `location.${target.name}`, isHash)
    else if (target.name === 'location') yield* inAddress(value, 'location', false)
  }
  for (const { value } of valuesOf(facts)) {
    if (value.kind !== 'template' && value.kind !== 'concat') continue
    if (asked.has(value.start)) yield* ofModel(inText(value))
    else yield* inText(value)
  }
}

function* ofModel(found: Iterable<Found>): Generator<Found> {
  for (const one of found) yield { ...one, by: 'model' }
}

/** Where the texts begin of which the address consists that a model is asked for: `model.read("/LoginSet(…)")`, `model.read("/LoginSet(" + key + ")")`. */
function addressesOfModel({ callee, args: [path] }: CallValue): readonly number[] {
  if (path === undefined || !MODEL_CALLS.has(lastNameOf(callee) ?? '')) return []
  const address = resolveValue(path)
  const parts = 'parts' in address ? address.parts.map(resolveValue) : []
  return [address, ...parts].map(({ start }) => start)
}

/** `new Filter('Password', FilterOperator.EQ, entered)`, `new Filter({ path: 'password', value1: entered })`. */
function* inFilter({ args }: CallValue): Generator<Found> {
  const settings = args[0] === undefined ? undefined : resolveValue(args[0])
  const path = settings?.kind === 'object' ? fieldOf(settings, 'path')?.value : settings
  const value = settings?.kind === 'object' ? fieldOf(settings, 'value1')?.value : args[2]
  const name = path === undefined ? undefined : constantOf(path)
  if (
    typeof name === 'string' &&
    value !== undefined &&
    isEntered(value) &&
    isPasswordName(name.slice(name.lastIndexOf('/') + 1))
  )
    yield { at: value, name }
}

function* inParameters({ args }: CallValue): Generator<Found> {
  for (const argument of args) {
    const settings = resolveValue(argument)
    if (settings.kind === 'object') yield* inFields(fieldOf(settings, 'urlParameters')?.value)
  }
}

/** `navTo("home", { token: btoa(user + ":" + password) })`: fields by their name, and passwords under other names. */
function* inRoute({ args: [, given] }: CallValue): Generator<Found> {
  const fields = given && resolveValue(given)
  if (fields?.kind !== 'object') return
  for (const { key, value } of fields.fields) {
    const isNamed = key !== undefined && isPasswordName(key) && isEntered(value)
    const found = isNamed ? { at: value, name: key } : passwordWithin(value)
    const token = SESSION_NAME.test(lastNameOf(value) ?? '') ? lastNameOf(value) : undefined
    if (found !== undefined) yield { ...found, by: 'navTo' }
    else if (token !== undefined) yield { at: value, name: token, by: 'navTo', isSession: true }
  }
}

/** `location.replace(url)`, `window.location.assign(url)`. */
function isOfLocation(callee: Value): boolean {
  return (
    callee.kind === 'member' &&
    (callee.name === 'assign' || callee.name === 'replace') &&
    lastNameOf(callee.object) === 'location'
  )
}

/** What is behind the `#` is sent to no server. */
function* inAddress(given: Value | undefined, by: string, isHash: boolean): Generator<Found> {
  const found = given && passwordWithin(given)
  if (given === undefined || found === undefined) return
  yield isHash || leadingTextOf(given).text.includes('#') ? { ...found, by } : found
}

/** `url.searchParams.set('password', entered)`. Fact: URL standard, "URL class". */
function isOfParameters({ callee }: CallValue): boolean {
  return (
    callee.kind === 'member' &&
    (callee.name === 'set' || callee.name === 'append') &&
    lastNameOf(resolveValue(callee.object)) === 'searchParams'
  )
}

function* inParameter({ args: [given, value] }: CallValue): Generator<Found> {
  const name = stringConstantOf(given)
  if (name !== undefined && value !== undefined && isPasswordName(name) && isEntered(value)) yield { at: value, name }
}

/** Fields of an object that all become part of the address. */
function* inFields(given: Value | undefined): Generator<Found> {
  const fields = given && resolveValue(given)
  if (fields?.kind !== 'object') return
  for (const { key, value } of fields.fields)
    if (key !== undefined && isPasswordName(key) && isEntered(value)) yield { at: value, name: key, request: fields.start }
}

/** `$.get(url, { password })`, `$.ajax({ url, data: { password } })`: jQuery asks by GET where nothing else is said. */
function* inData({ callee, args }: CallValue, name: string): Generator<Found> {
  if (callee.kind !== 'member' || !/^(?:\$|jQuery)$/.test(lastNameOf(callee.object) ?? '')) return
  if (GETS.has(name)) yield* inFields(args[1])
  if (name !== 'ajax') return
  const settings = args.map(resolveValue).find(({ kind }) => kind === 'object')
  const method = fieldOf(settings, 'method')?.value ?? fieldOf(settings, 'type')?.value
  const said = method === undefined ? 'GET' : constantOf(method)
  if (typeof said === 'string' && !BODY.test(said)) yield* inFields(fieldOf(settings, 'data')?.value)
}

/** A text that is put together: what stands in front of the password says that it is one of an address. */
function* inText(value: Value & { readonly kind: 'template' | 'concat' }): Generator<Found> {
  let front = ''
  for (const piece of piecesOf(value)) {
    const text = typeof piece === 'string' ? piece : constantOf(piece)
    if (text !== undefined || typeof piece === 'string') {
      front += String(text)
      continue
    }
    const parameter = front.includes('?') ? PARAMETER.exec(front) : null
    const name = (KEY.exec(front) ?? CONDITION.exec(front) ?? parameter)?.[1]
    if (name !== undefined && isPasswordName(name)) yield { at: piece, name, request: value.start }
    else if (name !== undefined && parameter !== null && SESSION.test(name)) yield { at: piece, name, isSession: true }
    else if (/[?&]$/.test(front)) yield* inFields(parametersOf(piece))
    // a host or an id that is filled in
    front += '\0'
  }
}

/** What `new URLSearchParams({ … })` is made of, as it is or by `toString()`. */
function parametersOf(piece: Value): Value | undefined {
  const given = resolveValue(piece)
  const isWritten = given.kind === 'call' && given.callee.kind === 'member' && given.callee.name === 'toString'
  const made = isWritten ? resolveValue(given.callee.object) : given
  return made.kind === 'new' && lastNameOf(made.callee) === 'URLSearchParams' ? made.args[0] : undefined
}

function* piecesOf(value: Value & { readonly kind: 'template' | 'concat' }): Generator<string | Value> {
  if (value.kind === 'concat') return yield* value.parts
  for (const [index, text] of value.texts.entries()) {
    yield text
    const part = value.parts[index]
    if (part !== undefined) yield part
  }
}

/** Not written down in the code, where it would be a credential of the app. */
function isEntered(value: Value): boolean {
  return constantOf(unwrap(value)) === undefined
}
