import { functionOf } from '../../facts/callbacks.ts'
import {
  constantOf,
  fieldOf,
  pathOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Ui5App } from '../../model/ui5/index.ts'
import type { Place, Span } from '../../types.ts'
import { passwordWithin, PASSWORD_KEYWORDS } from './_password-names.ts'

type LoginTarget =
  /** A request whose body has a field with a password. `asks`: the global name that gives its address. */
  | { readonly kind: 'login'; readonly at: Span; readonly field: string; readonly address?: string; readonly asks?: string }
  /** What a global name of a page script gives. */
  | { readonly kind: 'address'; readonly name: string; readonly address: string }

const REQUESTS =
  /^global:fetch$|^(?:global:(?:jQuery|\$)|module:sap\/ui\/thirdparty\/jquery)\.(?:ajax|post)$|^(?:module|global):axios(?:\.(?:post|put|patch|request))?$/
const PLAIN = /^http:\/\//i

/** Passwords that pages post, and addresses without TLS that page scripts give by a global name: `url: pathOfLogin()`. */
export const loginTargets: Extract<LoginTarget> = defineExtract({
  name: 'ui5-login-targets',
  keywords: ['http://', ...PASSWORD_KEYWORDS],
  prefilter: (text) =>
    /["'`]http:\/\//.test(text) || (/\bfetch\b|\.(?:ajax|post)\b|\baxios\b/.test(text) && /\b(?:data|body)\b/.test(text)),
  inPages: true,
  collect: ({ facts }) => targetsIn(facts),
})

function* targetsIn(facts: ScriptFacts): Generator<LoginTarget> {
  const [file] = facts.functions
  if (facts.imports.length === 0 && facts.exports.length === 0) {
    for (const fact of facts.functions) {
      const address = fact.parent === file ? addressGivenBy(fact) : undefined
      if (address !== undefined && fact.name !== '') yield { kind: 'address', name: `${fact.name}()`, address }
    }
    for (const { name, function: around, definitions } of facts.bindings) {
      const [only, other] = definitions
      const address = around === file && other === undefined && only?.value !== undefined ? addressOf(only.value) : undefined
      if (address !== undefined) yield { kind: 'address', name, address }
    }
  }
  for (const call of facts.calls) {
    const url = urlOf(call)
    const body = url === undefined ? undefined : bodyOf(call)
    const sent = body && passwordWithin(body)
    if (url === undefined || sent === undefined) continue
    const { start, end } = url
    const given = resolveValue(url)
    const maker = given.kind === 'call' ? functionOf(given.callee) : undefined
    const address = maker === undefined ? addressOf(url) : addressGivenBy(maker)
    const asks = address === undefined ? globalNameOf(given) : undefined
    if (address === undefined && asks === undefined) continue
    const told = { ...(address !== undefined && { address }), ...(asks !== undefined && { asks }) }
    yield { kind: 'login', at: { start, end }, field: sent.name, ...told }
  }
}

/** `pathOfLogin()`, `LOGIN_URL`: what nothing in the file declares. */
function globalNameOf(given: Value): string | undefined {
  const named = given.kind === 'call' && given.args.length === 0 ? given.callee : given
  if (named.kind !== 'reference' || named.binding !== undefined) return undefined
  return given.kind === 'call' ? `${named.name}()` : named.name
}

function addressGivenBy({ returns }: FunctionFact): string | undefined {
  const [only, other] = returns
  return only === undefined || other !== undefined ? undefined : addressOf(only)
}

function addressOf(value: Value): string | undefined {
  const text = constantOf(value)
  return typeof text === 'string' && PLAIN.test(text) ? text : undefined
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

/** The requests of an app that send passwords without TLS; a name that several scripts give tells nothing. */
export function* plainLoginsOf({ scripts }: Ui5App): Generator<PlainLogin> {
  const given = new Map<string, string | undefined>()
  const found = scripts.get(loginTargets)
  for (const { value } of found)
    if (value.kind === 'address') given.set(value.name, given.has(value.name) ? undefined : value.address)
  for (const { file, value } of found) {
    if (value.kind !== 'login') continue
    const address = value.address ?? given.get(value.asks ?? '')
    if (address !== undefined) yield { at: { file, span: value.at }, field: value.field, address }
  }
}
