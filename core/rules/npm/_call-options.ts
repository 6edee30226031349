import {
  constantOf,
  stringConstantOf,
  fieldOf,
  pathOf,
  resolveValue,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'

/** A key that the name of its variable calls a public one or a certificate. */
const NAMES_PUBLIC_KEY = /pub|pem|cert|rsa|jwk|ec(?:dsa|_key)/i
const BEGINS_KEY = /BEGIN/
/** HMAC, with one secret for both sides. */
const OF_SECRETS = /^HS\d{3}$/

/**
 * Whether a script verifies tokens with the public key of a pair, or may: with anything but a text of the code or of the environment, for which jsonwebtoken takes HMAC alone. Fact: jsonwebtoken 8.5.1,
 * verify.js (`options.algorithms`: those of HMAC, where the key has no "BEGIN PUBLIC KEY" or the like).
 */
export function verifiesWithPair(facts: ScriptFacts): boolean {
  const own = callsOf(facts, /^verify$/)
  // promisify(jwt.verify)
  const isHandedOn = facts.calls.some(({ args }) => args.some((one) => lastNameOf(one) === 'verify'))
  return isHandedOn || own.length === 0 || own.some((call) => !isHmac(call))
}

/**
 * Whether each token that a script verifies is verified with the key of a pair that stands there, by algorithms for such a key that the call names: then neither a token without one nor a key of
 * another kind is taken. Fact: jsonwebtoken 8.5.1, verify.js.
 */
export function pinsAlgorithms(facts: ScriptFacts): boolean {
  const own = callsOf(facts, /^verify$/)
  const isHandedOn = facts.calls.some(({ args }) => args.some((one) => lastNameOf(one) === 'verify'))
  return !isHandedOn && own.length > 0 && own.every(isPinned)
}

/** Those of a pair: RSA, RSA-PSS, ECDSA. */
const OF_PAIRS = /^(?:RS|PS|ES)\d{3}$/

function isPinned({ args: [, key, options] }: CallValue): boolean {
  const given = options === undefined ? undefined : resolveValue(options)
  if (key === undefined || given === undefined || !isValue(key)) return false
  // Object.assign({}, options, { algorithms: ['RS256'] }): the last one counts
  const isMerged = given.kind === 'call' && pathOf(given.callee)?.join('.') === 'global:Object.assign'
  const last = isMerged ? given.args.at(-1) : options
  const object = last && resolveValue(last)
  if (object?.kind !== 'object') return false
  const index = object.fields.findLastIndex((field) => field.key === 'algorithms')
  const list = object.fields[index] && resolveValue(object.fields[index].value)
  return (
    list?.kind === 'array' &&
    list.items.length > 0 &&
    list.items.every((item) => OF_PAIRS.test(String(constantOf(item)))) &&
    object.fields.slice(index + 1).every((field) => field.key !== undefined)
  )
}

/** No function that finds a key by what the token says. */
function isValue(key: Value): boolean {
  const { kind } = resolveValue(key)
  return kind === 'call' || kind === 'literal' || kind === 'template' || kind === 'concat' || isSecretText(key)
}

function isHmac({ args: [, key, options] }: CallValue): boolean {
  if (key === undefined || !isSecretText(key)) return false
  if (options === undefined) return true
  const given = resolveValue(options)
  if (given.kind === 'function') return true
  if (given.kind !== 'object' || given.fields.some((field) => field.key === undefined)) return false
  const algorithms = fieldOf(given, 'algorithms')?.value
  const list = algorithms === undefined ? undefined : resolveValue(algorithms)
  if (list === undefined) return true
  return list.kind === 'array' && list.items.every((item) => OF_SECRETS.test(String(constantOf(item))))
}

function isSecretText(key: Value): boolean {
  const constant = stringConstantOf(key)
  if (constant !== undefined) return !BEGINS_KEY.test(constant)
  const value = resolveValue(key)
  if (value.kind === 'choice') return value.options.every((option) => isSecretText(option))
  const [root, member, name] = pathOf(value) ?? []
  return root === 'global:process' && member === 'env' && name !== undefined && !NAMES_PUBLIC_KEY.test(name)
}

/** Functions of Pug and of frameworks that are given options for a template. */
const RENDERS = /^(?:view|render|renderFile|compile|compileFile|compileClient|compileFileClient)$/
/** `pretty` is written with anything but a constant. */
const WRITES_PRETTY = /\bpretty["']?\s{0,9}(?::|=(?!=))\s{0,9}(?!(?:true|false|null|undefined)\b|["'\s:=])/

/**
 * Whether a client may choose the option `pretty` of a template: an object that is handed over as a whole may hold it, since Express gives a template's values and options together.
 * Fact: Express 4, "app.render(view, [locals], callback)"; CVE-2021-21353 (`res.render('template', req.query)`). `code`: without comments.
 */
export function opensPretty(code: string, facts: ScriptFacts): boolean {
  return (
    WRITES_PRETTY.test(code) ||
    callsOf(facts, RENDERS).some(({ args }) => args.slice(1).some((one) => !isClosed(one))) ||
    callsOf(facts, MERGES).some(({ args: [into] }) => into !== undefined && into.kind !== 'object') ||
    facts.assignments.some(
      ({ target, value }) =>
        (target.name === 'locals' && !isClosed(value)) || (target.name === undefined && lastNameOf(target.object) === 'locals'),
    )
  )
}

/** `Object.assign(res.locals, req.query)`, `_.merge(values, req.body)`. */
const MERGES = /^(?:assign|extend|merge|defaults)$/

function isClosed(given: Value): boolean {
  const value = resolveValue(given)
  if (typeof constantOf(given) === 'string' || value.kind === 'function') return true
  return (
    value.kind === 'object' &&
    value.fields.every(({ key, value: given }) => key !== undefined && (key !== 'pretty' || constantOf(given) !== undefined))
  )
}

function callsOf({ calls }: ScriptFacts, names: RegExp): readonly CallValue[] {
  return calls.filter(({ callee }) => (callee.kind === 'member' || callee.kind === 'reference') && names.test(callee.name ?? ''))
}
