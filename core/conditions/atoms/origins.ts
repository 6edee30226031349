import { accessesOf, constantOf, resolveValue, type Value } from '../../facts/index.ts'
import { regexOf } from '../../facts/regular-expressions.ts'
import { addressesOf, beginningIn, nameOf } from '../addresses.ts'
import { equalIn, methodOf, type Asked, type MethodCall } from '../asked.ts'
import type { Constraint } from '../constraint.ts'

/**
 * Addresses of a host that the code names, or of the own one: `new URL(address).origin === location.origin`, `HOSTS.includes(target.host)`, `address.startsWith('https://host/')`.
 * `starts` and `unlike` are halves of one: a path that begins with one slash.
 */
export function origins(asked: Asked): readonly Constraint[] {
  const begins = beginningIn(asked)
  const differs = begins === undefined ? beginningIn({ ...asked, holds: !asked.holds }) : undefined
  const isFixed = begins !== undefined && FIXED_HOST.test(begins.text)
  const names = [
    ...(isFixed ? [nameOf(begins.of)] : []),
    ...equalIn(asked).flatMap(([one]) => namesOfOrigin(one)),
    ...(asked.holds ? namesInCall(asked.test) : []),
  ]
  return [
    ...names.flatMap((of): readonly Constraint[] => (of === undefined ? [] : [{ kind: 'origin', of }])),
    ...slashOf('starts', '/', begins),
    ...slashOf('unlike', '//', differs),
  ]
}

/** A constant beginning that fixes the host, or a path of the own one. */
const FIXED_HOST = /^(?:https?:\/\/[^/?#]+\/|\/[^/\\])/

function slashOf(
  kind: 'starts' | 'unlike',
  text: string,
  found: { readonly of: Value; readonly text: string } | undefined,
): readonly Constraint[] {
  const of = found?.text === text ? nameOf(found.of) : undefined
  return of === undefined ? [] : [{ kind, of, text }]
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
    case 'endsWith': {
      // without the dot any host may end so
      const end = constantOf(first)
      return typeof end === 'string' && /^\.[^.]/.test(end) ? namesOfOrigin(object) : []
    }
    case 'some':
      return first.kind === 'function' ? first.function.returns.flatMap(beginningOfItem) : []
    default:
      return []
  }
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
const OWN_PATTERN = /^\^(?:#|\\?\/(?:\w|\(\?!|\[[^\]]))/

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
function namesOfOrigin(value: Value): readonly string[] {
  const here = resolveValue(value)
  if (here.kind === 'member') return ORIGINS.has(here.name) ? addressesOf(here.object) : []
  const [only, other] = here.kind === 'reference' ? (here.binding?.definitions ?? []) : []
  const isTaken = only?.kind === 'init' && other === undefined && only.path.length === 1 && ORIGINS.has(only.path[0])
  return isTaken && only.value !== undefined ? addressesOf(only.value) : []
}
