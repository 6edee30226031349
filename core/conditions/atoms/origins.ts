import { accessesOf, constantOf, keyOf, resolveValue, type Value } from '../../facts/index.ts'
import { regexOf } from '../../facts/regular-expressions.ts'
import { beginningIn, isBag, nameOf, sameName, addressesOfPart } from '../addresses.ts'
import { equalIn, methodOf, type Asked, type MethodCall } from '../asked.ts'
import { type Constraint, toConstraints } from '../constraint.ts'

/**
 * Addresses of a host that the code names, or of the own one: `new URL(address).origin === location.origin`, `HOSTS.includes(target.host)`, `address.startsWith('https://host/')`.
 */
export function origins(asked: Asked): readonly Constraint[] {
  const begins = beginningIn(asked)
  const isFixed = begins !== undefined && FIXED_HOST.test(begins.text)
  const names = [
    ...(isFixed ? [nameOf(begins.of)] : []),
    ...equalIn(asked).flatMap(([one]) => namesOfOrigin(one)),
    ...(asked.holds ? namesInCall(asked.test) : []),
  ]
  return [...toConstraints('origin', names), ...endsIn(asked)]
}

/** A constant beginning that fixes the host, or a path of the own one. */
const FIXED_HOST = /^(?:https?:\/\/[^/?#]+\/|\/[^/\\])/

/** `host.endsWith('.corp.example')` of what may be a host. */
function endsIn({ test, holds }: Asked): readonly Constraint[] {
  const method = holds ? methodOf(test) : undefined
  return method?.name === 'endsWith' && beginsWithDot(method.args[0]) ? toConstraints('ends', [keyOf(method.object)]) : []
}

function namesInCall(test: Value): readonly (string | undefined)[] {
  if (test.kind !== 'call') return []
  const method = methodOf(test)
  return [
    // ALLOWED.includes(target.host)
    ...test.args.flatMap(namesOfOrigin),
    ...(method === undefined ? [] : namesOfMethod(method)),
  ]
}

function namesOfMethod(method: MethodCall): readonly (string | undefined)[] {
  const { name, object, args } = method
  const [first] = args
  if (first === undefined) return []
  switch (name) {
    case 'test':
    case 'exec':
      return fixesHost(object) ? [nameOf(first)] : []
    case 'match':
      return fixesHost(first) ? [nameOf(object)] : []
    case 'validate':
      return isValidator(object) ? [nameOf(first)] : []
    case 'startsWith':
      return isOwnOrigin(first) ? [nameOf(object)] : []
    case 'endsWith':
      return beginsWithDot(first) ? namesOfOrigin(object) : []
    case 'some':
      return first.kind === 'function' ? first.function.returns.flatMap(beginningOfItem) : []
    default:
      return []
  }
}

/** `.example.com`, `.${domain}`, and what nobody knows; without the dot any host may end so, and an item of a list of names has none: `host.endsWith(one)`. */
function beginsWithDot(end: Value | undefined): boolean {
  if (end === undefined) return false
  if (end.kind === 'template') return end.texts[0]?.startsWith('.') === true
  const [first = end] = end.kind === 'concat' ? end.parts : []
  const text = constantOf(first)
  if (text === undefined) return first.kind !== 'reference' || first.binding?.kind !== 'parameter'
  return /^\.(?:[^.]|$)/.test(String(text))
}

/** `HOSTS.some((host) => address.startsWith(host))`: what the list holds is believed. */
function beginningOfItem(answer: Value): readonly (string | undefined)[] {
  const method = methodOf(answer)
  return method?.name === 'startsWith' ? [nameOf(method.object)] : []
}

/** `location.origin + '/'`: without the slash the host may go on. */
function isOwnOrigin(given: Value): boolean {
  const own = resolveValue(given)
  const [origin, next] =
    own.kind === 'concat'
      ? [own.parts[0], own.parts[1] && constantOf(own.parts[1])]
      : own.kind === 'template' && own.texts[0] === ''
        ? [own.parts[0], own.texts[1]]
        : []
  return (
    typeof next === 'string' &&
    next.startsWith('/') &&
    origin !== undefined &&
    accessesOf(origin).some(({ root, steps }) => OWN_ORIGIN.test([root, ...steps].join(' ')))
  )
}

const OWN_ORIGIN = /^global:(?:(?:window|document|self|globalThis) )?(?:location )?origin$/

/** `/^https:\/\/[\w-]+\.host\.example\//`: anchored, and no dot of the host stands for any character; `/^\/(?!\/)/`, `/^#/`: nothing but the own host. */
const FIXED_PATTERN =
  /^\^\(?(?:\?:)?https?\??:\\?\/\\?\/(?:[\w-]|\\[.w]|\[[\w\\-]{1,40}\]|[+*?]|\{\d{1,3}(?:,\d{0,3})?\}|\((?:\?:)?[\w|\\.-]{1,200}\)){1,200}(?:\\?\/|\$|\((?:\?:)?(?:\\?\/|\$))/
const OWN_PATTERN = /^\^(?:#|\\?\/(?:\\[dw]|[\w-]|\(\?!|\[[^\]]))/

function fixesHost(value: Value): boolean {
  const pattern = regexOf(value)
  // each line of a text has a beginning of its own
  if (pattern === undefined || pattern.flags.includes('m')) return false
  return FIXED_PATTERN.test(pattern.pattern) || OWN_PATTERN.test(pattern.pattern)
}

/** Facts: API reference of SAPUI5, sap/base/security/URLListValidator and its predecessors. */
function isValidator(object: Value): boolean {
  return accessesOf(object).some(({ root, steps }) => VALIDATORS.test([root, ...steps].join(' ')))
}

const VALIDATORS =
  /^(?:module:sap\/base\/security\/URL(?:ListValidator|Whitelist)|global:sap base security URL(?:ListValidator|Whitelist))$/

const ORIGINS: ReadonlySet<string | undefined> = new Set(['origin', 'host', 'hostname'])

/** The addresses whose host a value is: `target.origin`, also taken out: `const { host } = new URL(address)`. */
export function namesOfOrigin(value: Value): readonly string[] {
  const here = sameName(resolveValue(value))
  return here.kind === 'member' && isBag(here.object) ? [] : addressesOfPart(here, ORIGINS)
}
