import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import {
  stringConstantOf,
  fieldOf,
  pathOf,
  resolveValue,
  valuesOf,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { askedAddressOf, createAddressFinder, type AskedAddress, type Ui5App } from '../../model/ui5/index.ts'
import type { Place, Span } from '../../types.ts'
import { isPasswordName, PASSWORD_KEYWORDS } from '../../model/script/index.ts'
import { passwordWithin } from './_password-values.ts'

/** A request whose body has a field with a password. `asked`: another script gives its address. */
interface LoginTarget {
  readonly at: Span
  readonly field: string
  readonly address?: string
  readonly asked?: AskedAddress
}

const REQUESTS =
  /^global:fetch$|^(?:global:(?:jQuery|\$)|module:sap\/ui\/thirdparty\/jquery)\.(?:ajax|post)$|^(?:module|global):axios(?:\.(?:post|put|patch|request))?$/
const REQUEST_WORDS = ['fetch', '.ajax', '.post', 'axios']
const PLAIN = /^http:\/\//i

/** Passwords that pages post without TLS, or to an address that another script gives. */
export const loginTargets: Extract<LoginTarget> = defineExtract({
  name: 'ui5-login-targets',
  keywords: PASSWORD_KEYWORDS,
  words: REQUEST_WORDS,
  prefilter: (text, hits) =>
    REQUEST_WORDS.some(hits.has) && /\bfetch\b|\.(?:ajax|post)\b|\baxios\b/.test(text) && /\b(?:data|body)\b|\.post\b/.test(text),
  inPages: true,
  collect: ({ facts }) => targetsIn(facts),
})

function* targetsIn(facts: ScriptFacts): Generator<LoginTarget> {
  for (const call of facts.calls) {
    const url = urlOf(call)
    const body = url === undefined ? undefined : bodyOf(call)
    const sent = body && (passwordWithin(body) ?? passwordReadOf(body, facts))
    if (url === undefined || sent === undefined) continue
    const { start, end } = url
    const given = resolveValue(url)
    const maker = given.kind === 'call' ? functionOf(given.callee) : undefined
    const address = maker === undefined ? addressOf(url) : addressGivenBy(maker)
    const asked = address === undefined ? askedAddressOf(url) : undefined
    if (address === undefined && asked === undefined) continue
    const told = { ...(address !== undefined && { address }), ...(asked !== undefined && { asked }) }
    yield { at: { start, end }, field: sent.name, ...told }
  }
}

/** `body: JSON.stringify(login)`, where the script reads `login.password`: what the object holds stands in a model. */
function passwordReadOf(body: Value, facts: ScriptFacts): { readonly name: string } | undefined {
  const given = body.kind === 'call' && lastNameOf(body.callee) === 'stringify' ? body.args[0] : body
  const { binding } = given?.kind === 'reference' ? given : {}
  if (binding === undefined) return undefined
  for (const { value } of valuesOf(facts)) {
    if (value.kind !== 'member' || value.object.kind !== 'reference' || value.object.binding !== binding) continue
    if (value.name !== undefined && isPasswordName(value.name)) return { name: value.name }
  }
  return undefined
}

function addressGivenBy({ returns }: FunctionFact): string | undefined {
  const [only, other] = returns
  return only === undefined || other !== undefined ? undefined : addressOf(only)
}

function addressOf(value: Value): string | undefined {
  const text = stringConstantOf(value)
  return text !== undefined && PLAIN.test(text) ? text : undefined
}

/** `$.ajax({ url })`, `$.post(url, data)`, `fetch(url, { body })`. */
function urlOf({ kind, callee, args: [first] }: CallValue): Value | undefined {
  if (kind !== 'call' || first === undefined || !REQUESTS.test(pathOf(callee)?.join('.') ?? '')) return undefined
  const settings = resolveValue(first)
  return settings.kind === 'object' ? fieldOf(settings, 'url')?.value : first
}

function bodyOf({ callee, args }: CallValue): Value | undefined {
  for (const argument of args) {
    const settings = resolveValue(argument)
    const body = settings.kind === 'object' ? (fieldOf(settings, 'body') ?? fieldOf(settings, 'data'))?.value : undefined
    if (body !== undefined) return body
  }
  const isPost = callee.kind === 'member' && callee.name !== 'ajax'
  return isPost ? args[1] : undefined
}

/** A request that sends a password to an address without TLS. */
export interface PlainLogin {
  readonly at: Place
  readonly field: string
  readonly address: string
}

/** The requests of an app that send passwords without TLS. Needs the extracts `loginTargets` and `givenAddresses`. */
export function* plainLoginsOf(app: Ui5App): Generator<PlainLogin> {
  const find = createAddressFinder(app)
  for (const { file, value } of app.scripts.get(loginTargets)) {
    const { at, field, asked } = value
    const address = value.address ?? (asked && find(file, asked)?.text)
    if (address !== undefined && PLAIN.test(address)) yield { at: { file, span: at }, field, address }
  }
}
