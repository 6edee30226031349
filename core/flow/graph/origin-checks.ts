import {
  accessesOf,
  constantOf,
  findPart,
  isOnTheWay,
  keyOfName,
  resolveValue,
  type CallValue,
  type Guarded,
  type Value,
} from '../../facts/index.ts'
import { awaited, negatedBy } from '../../facts/conditions.ts'
import { calledBy, givesPromise } from '../../facts/own-answers.ts'
import { isMadeOf, nameOf } from '../../conditions/addresses.ts'

/** Whether an address was held against the own origin on the way: `if (new URL(address, base).origin !== location.origin) return`. */
export function isOriginChecked({ guards }: Guarded, value: Value, offset: number): boolean {
  const key = nameOf(value)
  return (
    key !== undefined &&
    guards.some(
      (guard) =>
        isOnTheWay(guard, offset) &&
        comparesOrigin(guard.test, key) &&
        !isRefused(guard.test, offset < guard.inside.end) &&
        !isLetInOtherwise(guard.test, key, offset < guard.inside.end),
    )
  )
}

/** The branch of a comparison to which all other addresses go: `if (address.startsWith(OWN)) … else use(address)`. */
function isRefused(test: Value, holding: boolean): boolean {
  const inner = test.kind === 'operation' && test.operator === '!' ? test.operands[0] : undefined
  if (inner !== undefined) return isRefused(inner, !holding)
  if (test.kind === 'call') return !holding
  if (test.kind === 'choice') {
    const comparing = test.options.filter(({ kind }) => kind === 'call' || kind === 'operation')
    return comparing.length > 0 && comparing.every((part) => isRefused(part, holding))
  }
  if (test.kind !== 'operation' || test.operands.some(({ kind }) => kind === 'literal')) return false
  return test.operator.startsWith('==') ? !holding : test.operator.startsWith('!=') && holding
}

/** `if (isOwn(address) || debug) use(address)`, `if (strict && !isOwn(address)) return`: one reason that has nothing to do with the address is enough. */
function isLetInOtherwise(test: Value, key: string, holding: boolean): boolean {
  const inner = negatedBy(test)
  if (inner !== undefined) return isLetInOtherwise(inner, key, !holding)
  if (test.kind !== 'choice' || test.test !== undefined || (test.isAnd === true) === holding) return false
  return test.options.some((option) => findPart(option, (part) => isMadeOf(part, key)) === undefined)
}

/** The same of `target.origin === location.origin ? target.href : '/'`; `holding`: on which side of the comparison, where that is to be asked. */
export function isOriginTested(test: Value, value: Value, holding?: boolean): boolean {
  const key = nameOf(value)
  return key !== undefined && comparesOrigin(test, key) && (holding === undefined || !isRefused(test, holding))
}

/** `!isOwn(address) ? '/' : address`, `target.origin !== location.origin ? '/' : target.href`: a condition that holds for all foreign addresses. */
export function isForeignTested(test: Value, value: Value): boolean {
  const [inner] = test.kind === 'operation' && test.operator === '!' ? test.operands : []
  if (inner !== undefined) return isOriginTested(inner, value)
  if (test.kind === 'choice' && test.test === undefined && test.isAnd !== true)
    return test.options.some((option) => isForeignTested(option, value))
  return test.kind === 'operation' && /^!==?$/.test(test.operator) && isOriginTested(test, value, false)
}

/** Checks within checks, each in a function of the file. */
const MAX_NESTED = 3

function comparesOrigin(test: Value, key: string, depth = 0): boolean {
  // const isOwn = target.origin === location.origin
  const parts = (test.kind === 'choice' ? test.options : [test]).flatMap((part) => {
    const given = answerBehind(awaited(part))
    const asked = awaited(given)
    // what is no call and no comparison asks nothing
    if (asked.kind !== 'call' && asked.kind !== 'operation') return []
    // a promise is true, whatever it will give
    return asked.kind === 'call' && asked === given && asked === part && givesPromise(asked) ? [] : [asked]
  })
  const beginnings = parts.flatMap((part) => {
    const found = beginningIn(part)
    return found !== undefined && nameOf(found.of) === key ? [found.text] : []
  })
  // `path.startsWith('/') && !path.startsWith('//')`: both parts together
  if (beginnings.includes('/') && beginnings.includes('//')) return true
  if (beginnings.some((text) => FIXED_HOST.test(text))) return true
  return parts.some((part) => {
    if (beginsWithOwn(part, key)) return true
    if (part.kind === 'call')
      // ALLOWED.includes(target.host)
      return (
        part.args.some((argument) => isOriginOf(argument, key)) ||
        endsWithDomain(part, key) ||
        isAddressChecked(part, key) ||
        isListed(part, key, depth) ||
        (depth < MAX_NESTED && comparesInside(part, key, depth + 1))
      )
    return (
      part.kind === 'operation' &&
      part.operands.some((operand) => isOriginOf(operand, key) || comparesOrigin(operand, key, depth))
    )
  })
}

/** What a name is given, once, or beside `false`: `let isOwn = false; try { isOwn = … } catch { isOwn = false }`. */
function answerBehind(value: Value): Value {
  if (value.kind !== 'reference') return value
  const given = resolveValue(value)
  if (given !== value) return given
  const answers = (value.binding?.definitions ?? []).filter((one) => one.value?.kind !== 'literal' || one.value.value !== false)
  const only = answers.length === 1 ? answers[0] : undefined
  if (only?.value === undefined || only.path.length > 0) return given
  return only.kind === 'init' || only.kind === 'assign' ? only.value : given
}

/** `address.startsWith(location.origin + '/')`: without the slash the host may go on. */
function beginsWithOwn(given: Value, key: string): boolean {
  const test = given.kind === 'operation' && given.operator === '!' ? given.operands[0] : given
  if (test?.kind !== 'call' || test.callee.kind !== 'member' || test.callee.name !== 'startsWith') return false
  const own = test.args[0] && resolveValue(test.args[0])
  const [origin, next] =
    own?.kind === 'concat'
      ? [own.parts[0], constantOf(own.parts[1] ?? own)]
      : own?.kind === 'template' && own.texts[0] === ''
        ? [own.parts[0], own.texts[1]]
        : []
  return (
    typeof next === 'string' &&
    next.startsWith('/') &&
    origin !== undefined &&
    nameOf(test.callee.object) === key &&
    accessesOf(origin).some(({ root, steps }) => OWN_ORIGIN.test([root, ...steps].join(' ')))
  )
}

const OWN_ORIGIN = /^global:(?:(?:window|document|self|globalThis) )?(?:location )?origin$/

/** What a condition holds against its beginning, negated or not: `path.startsWith(text)`, `jQuery.sap.startsWith(path, text)`, `path.indexOf(text) === 0`, `path.substring(0, 2) === text`, `path[0] === text`. */
export function beginningIn(given: Value): { readonly of: Value; readonly text: string } | undefined {
  const test = given.kind === 'operation' && given.operator === '!' ? given.operands[0] : given
  if (test?.kind === 'call' && test.callee.kind === 'member' && /^startsWith(?:IgnoreCase)?$/.test(test.callee.name ?? '')) {
    const [first, second] = test.args
    return second === undefined || typeof constantOf(second) !== 'string'
      ? beginning(test.callee.object, first)
      : beginning(first, second)
  }
  if (test?.kind !== 'operation' || !/^[!=]==?$/.test(test.operator)) return undefined
  const [left, right] = test.operands
  if (left?.kind === 'member' && (left.property === undefined ? left.name === '0' : constantOf(left.property) === 0))
    return beginning(left.object, right)
  if (left?.kind !== 'call' || left.callee.kind !== 'member' || right === undefined) return undefined
  const { object, name } = left.callee
  const [first] = left.args
  if (name === 'indexOf' || name === 'lastIndexOf') return constantOf(right) === 0 ? beginning(object, first) : undefined
  const isFront = first !== undefined && constantOf(first) === 0
  return isFront && /^(?:substr|substring|slice|charAt|at)$/.test(name ?? '') ? beginning(object, right) : undefined
}

function beginning(of: Value | undefined, text: Value | undefined): { readonly of: Value; readonly text: string } | undefined {
  const written = text && constantOf(text)
  return of === undefined || typeof written !== 'string' ? undefined : { of, text: written }
}

/** `HOSTS.some((host) => address.startsWith(host))`, `PARTNERS.some(({ origin }) => new URL(address).origin === origin)`. */
function isListed({ callee, args: [callback] }: CallValue, key: string, depth: number): boolean {
  if (callee.kind !== 'member' || callee.name !== 'some' || callback?.kind !== 'function' || depth >= MAX_NESTED) return false
  return callback.function.returns.some(
    (answer) =>
      (answer.kind === 'operation' && comparesOrigin(answer, key, depth + 1)) ||
      (answer.kind === 'call' &&
        answer.callee.kind === 'member' &&
        answer.callee.name === 'startsWith' &&
        nameOf(answer.callee.object) === key),
  )
}

/** `new URL(address).hostname.endsWith('.example.com')`: without the dot any host may end so. */
function endsWithDomain({ callee, args: [end] }: CallValue, key: string): boolean {
  if (callee.kind !== 'member' || callee.name !== 'endsWith' || end === undefined) return false
  const written = constantOf(end)
  return typeof written === 'string' && /^\.[^.]/.test(written) && isOriginOf(callee.object, key)
}

/** `isOwn(address)` of the file. */
function comparesInside({ callee, args }: CallValue, key: string, depth: number): boolean {
  const called = calledBy(callee)
  if (called === undefined) return false
  const { parameters, returns } = called
  return args.some((argument, index) => {
    const parameter = nameOf(argument) === key ? parameters[index] : undefined
    if (parameter === undefined) return false
    const own = keyOfName(parameter)
    return own !== undefined && returns.some((answer) => comparesOrigin(answer, own, depth))
  })
}

/** A constant beginning that fixes the host, or a path of the own one. */
const FIXED_HOST = /^(?:https?:\/\/[^/?#]+\/|\/[^/\\])/

/** `address.startsWith('https://host/')`, `URLListValidator.validate(address)`. */
function isAddressChecked({ callee, args }: CallValue, key: string): boolean {
  const [first] = args
  if (callee.kind !== 'member' || first === undefined) return false
  if (callee.name === 'test' || callee.name === 'exec') return nameOf(first) === key && fixesHost(callee.object)
  if (callee.name === 'match') return nameOf(callee.object) === key && fixesHost(first)
  return (
    callee.name === 'validate' &&
    nameOf(first) === key &&
    accessesOf(callee.object).some(({ root, steps }) => VALIDATORS.test([root, ...steps].join(' ')))
  )
}

/** `/^https:\/\/[\w-]+\.host\.example\//`: anchored, and no dot of the host stands for any character; `/^\/(?!\/)/`, `/^#/`: nothing but the own host. */
const FIXED_PATTERN =
  /^\^\(?(?:\?:)?https?\??:\\?\/\\?\/(?:[\w-]|\\[.w]|\[[\w\\-]{1,40}\]|[+*?]|\{\d{1,3}(?:,\d{0,3})?\}|\((?:\?:)?[\w|\\.-]{1,200}\)){1,200}(?:\\?\/|\$|\((?:\?:)?(?:\\?\/|\$))/
const OWN_PATTERN = /^\^(?:#|\\?\/(?:\w|\(\?!|\[[^\]]))/

function fixesHost(value: Value): boolean {
  const pattern = resolveValue(value)
  // each line of a text has a beginning of its own
  if (pattern.kind !== 'regex' || pattern.flags.includes('m')) return false
  return FIXED_PATTERN.test(pattern.pattern) || OWN_PATTERN.test(pattern.pattern)
}

/** Facts: API reference of SAPUI5, sap/base/security/URLListValidator and its predecessors. */
const VALIDATORS =
  /^(?:module:sap\/base\/security\/URL(?:ListValidator|Whitelist)|global:sap base security URL(?:ListValidator|Whitelist))$/

const ORIGINS: ReadonlySet<string | undefined> = new Set(['origin', 'host', 'hostname'])

/** `target.origin`, where target is the address or was made from it, also taken out of it: `const { host } = new URL(address)`. */
function isOriginOf(value: Value, key: string): boolean {
  const here = resolveValue(value)
  const object = here.kind === 'member' && ORIGINS.has(here.name) ? here.object : takenFrom(here)
  if (object === undefined) return false
  return isMadeOf(object, key)
}

function takenFrom(value: Value): Value | undefined {
  const [only, other] = value.kind === 'reference' ? (value.binding?.definitions ?? []) : []
  return only?.kind === 'init' && other === undefined && only.path.length === 1 && ORIGINS.has(only.path[0])
    ? only.value
    : undefined
}
