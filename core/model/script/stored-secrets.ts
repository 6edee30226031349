import { constantOf, stringConstantOf, isConstant, resolveValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { leadingTextOf } from './first-part.ts'
import { secretNounOf, splitWords } from './secret-names.ts'

/** The name of the credential that is kept under a key, by that key or by what the value is called. */
export function storedSecretName(key: string | undefined, value: Value): string | undefined {
  const name = [key, ...namesIn(value, 0)].find((one) => one !== undefined && isStoredSecret(one)) ?? schemeOf(value)
  return isShortLived(key ?? '') ? undefined : name
}

/** The name of a cookie in what is assigned to `document.cookie`, where it is written there. */
export function cookieKeyOf(text: Value): string | undefined {
  return /^\s{0,5}([\w.-]{1,80})=/.exec(leadingTextOf(text).text)?.[1]
}

/** What protects a request or a login that is under way, and is worth nothing to others later. */
const SHORT_LIVED: ReadonlySet<string> = new Set([
  'csrf',
  'xsrf',
  'nonce',
  'salt',
  'otp',
  'totp',
  'code verifier',
  'oauth state',
  'auth state',
  'login state',
  'sso state',
  'oidc state',
  'session id',
  'sess id',
  'session identifier',
])
const SENSITIVE = /^(?:authorization|bearer|iban|ssn|credit_?card(?:_?number)?)$/i

/** `Bearer` of `"Bearer " + token`, `Basic` of `btoa(user + ":" + password)`: credentials by their form. */
function schemeOf(value: Value): string | undefined {
  const written = /^(Basic|Bearer) /.exec(leadingTextOf(value).text)?.[1]
  const call = resolveValue(value)
  const [pair] = call.kind === 'call' && lastNameOf(call.callee) === 'btoa' ? call.args : []
  const given = pair && resolveValue(pair)
  if (given?.kind === 'template' && given.texts.includes(':')) return 'Basic'
  if (given?.kind === 'concat' && given.parts.some((part) => constantOf(part) === ':')) return 'Basic'
  return written
}

/** Words before `tokens` where those are the controls of an input field (sap.m.Token), `aTokens` too. */
const OF_INPUTS: ReadonlySet<string> = new Set(
  'a filter filters input multi search selected selection suggested visible'.split(' '),
)

function isStoredSecret(name: string): boolean {
  if (SENSITIVE.test(name)) return true
  const words = splitWords(name)
  if (words.at(-1) === 'tokens' && words.some((word) => OF_INPUTS.has(word))) return false
  const noun = secretNounOf(name)
  return noun !== undefined && !isShortLived(name)
}

function isShortLived(name: string): boolean {
  const noun = secretNounOf(name)
  return (noun !== undefined && SHORT_LIVED.has(noun)) || splitWords(name).some((word) => word === 'csrf' || word === 'xsrf')
}

const MAX_DEPTH = 4

/** Names of what is stored: variables, members and fields. */
function* namesIn(value: Value, depth: number): Generator<string> {
  if (depth > MAX_DEPTH) return
  switch (value.kind) {
    case 'reference':
      yield value.name
      yield* fieldsBehind(value)
      yield* namesMade(value, depth)
      return
    case 'member':
      // header.split(' ')[1]
      if (value.name === '1') yield* namesIn(value.object, depth + 1)
      else if (value.name !== undefined) yield value.name
      return
    case 'template':
    case 'concat':
      for (const part of value.parts) yield* namesIn(part, depth + 1)
      return
    case 'choice':
      for (const option of value.options) yield* namesIn(option, depth + 1)
      return
    case 'object':
      for (const { key, value: given } of value.fields) {
        if (key === undefined || isConstant(given)) continue
        yield key
        if (given.kind === 'object') yield* namesIn(given, depth + 1)
      }
      return
    case 'call':
      if (/^(?:stringify|btoa|String|toString|encodeURIComponent)$/.test(lastNameOf(value.callee) ?? ''))
        for (const argument of value.args) yield* namesIn(argument, depth + 1)
      // response.headers.get("Authorization")
      else if (/^get(?:ResponseHeader)?$/.test(lastNameOf(value.callee) ?? '')) {
        const header = stringConstantOf(value.args[0])
        if (header !== undefined && isStoredSecret(header)) yield header
      } else if (value.callee.kind === 'member' && /^(?:replace|split|trim)$/.test(value.callee.name ?? ''))
        yield* namesIn(value.callee.object, depth + 1)
      return
    default:
  }
}

/** `token` of `const session = { token: answer.token }`, of `const text = JSON.stringify({ token })`. */
function* namesMade(value: Value, depth: number): Generator<string> {
  const made = resolveValue(value)
  if (made.kind === 'object' || made.kind === 'call' || made.kind === 'choice') yield* namesIn(made, depth + 1)
}

/** `access_token` of `const { access_token: code } = answer`, of `const code = answer.access_token`. */
function* fieldsBehind({ binding }: Value & { readonly kind: 'reference' }): Generator<string> {
  const [definition, other] = binding?.definitions ?? []
  if (definition === undefined || other !== undefined) return
  const field = definition.path.at(-1) ?? (definition.value?.kind === 'member' ? definition.value.name : undefined)
  if (field !== undefined) yield field
}
