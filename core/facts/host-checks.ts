import { nameOfCallee, receiverOf } from './asked-values.ts'
import { isOnTheWay, type Guarded } from './guards.ts'
import { negatedBy, unwrap } from './conditions.ts'
import { constantOf } from './constants.ts'
import { keyOf } from './keys.ts'
import { answersOf } from './own-answers.ts'
import type { Value } from './types.ts'
import { resolveValue } from './values.ts'

/** Whether the host of an address was checked: `if (!HOSTS.includes(url.hostname)) return`, for `url`, what is read from it, and the text that it was made of. */
export function isHostChecked({ guards }: Guarded, value: Value, offset: number): boolean {
  const keys = hostsOf(value)
  return guards.some((guard) => isOnTheWay(guard, offset) && asksForHost(guard.test, value, keys, offset < guard.inside.end))
}

/** The host of an address, or of what is read from it, under its names. */
export function hostsOf(value: Value): readonly string[] {
  const parent = value.kind === 'member' ? keyOf(value.object) : undefined
  return [keyOf(value), parent].flatMap((key) => (key === undefined ? [] : HOSTS.map((part) => `${key} ${part}`)))
}

function asksForHost(test: Value, value: Value, keys: readonly string[], holding: boolean): boolean {
  const own = keyOf(value)
  const isHost = (host: Value): boolean => isHostOf(host, own, keys) || isTakenBeside(host, value)
  return askedIn(test, holding).some((part) => comparesHost(part, isHost) || isAnsweredForHost(part, isHost))
}

/** `isPartner(url.hostname)` of the file, each of whose answers compares what it is given. */
function isAnsweredForHost(test: Value, isHost: (value: Value) => boolean): boolean {
  const host = test.kind === 'call' ? test.args.find(isHost) : undefined
  const given = host && keyOf(host)
  const own = given === undefined ? undefined : answersOf(test, given)
  return (
    own !== undefined &&
    own.answers.every((answer) => askedIn(answer, true).some((part) => comparesHost(part, (one) => keyOf(one) === own.key)))
  )
}

/** `hostname` beside `search` in `const { hostname, search } = new URL(address)`. */
function isTakenBeside(host: Value, value: Value): boolean {
  const [one, other] = [host, value].map((name) =>
    name.kind === 'reference' && name.binding?.definitions.length === 1 ? name.binding.definitions[0] : undefined,
  )
  return one?.value !== undefined && one.value === other?.value && one.path.length === 1 && HOSTS.includes(one.path[0] ?? '')
}

/** `HOSTS.has(url.hostname) ? url.href : undefined` */
export function isHostCheckedBy(test: Value, value: Value, holds: boolean): boolean {
  return asksForHost(test, value, hostsOf(value), holds)
}

const HOSTS = ['hostname', 'host', 'origin']

/** What a condition asks so that it lets through what fits: a list of hosts that are refused leaves all others. */
function askedIn(written: Value, holding: boolean): readonly Value[] {
  // const isOwn = url.origin === OWN
  const given = written.kind === 'reference' ? resolveValue(written) : written
  const inner = negatedBy(given)
  if (inner !== undefined) return askedIn(inner, !holding)
  if (given.kind === 'choice') return given.options.flatMap((option) => askedIn(option, holding))
  const { test, holds } = unwrap(given)
  return holds === holding ? [test] : []
}

/** `hostname.endsWith('.example.com')`, `HOSTS.has(new URL(address).hostname)`. */
function comparesHost(test: Value, isHost: (value: Value) => boolean, isOfItem = false): boolean {
  if (test.kind === 'operation') return /^[!=]==?$/.test(test.operator) && test.operands.some(isHost)
  if (test.kind !== 'call') return false
  const [suffix] = test.args
  const object = receiverOf(test)
  if (nameOfCallee(test.callee) === 'endsWith') return object !== undefined && isHost(object) && beginsWithDot(suffix, isOfItem)
  const name = nameOfCallee(test.callee) ?? ''
  // HOSTS.some((one) => host === one || host.endsWith(`.${one}`))
  if (name === 'some' && suffix?.kind === 'function' && suffix.function.returns.length > 0)
    return suffix.function.returns.every((answer) => eachOf(answer).every((part) => comparesHost(part, isHost, true)))
  return /^(?:includes|has|some|indexOf|test)$/.test(name) && test.args.some(isHost)
}

/** The alternatives of `a || b`. */
function eachOf(answer: Value): readonly Value[] {
  return answer.kind === 'choice' && answer.isAnd !== true && answer.test === undefined ? answer.options : [answer]
}

/** `.example.com`, `.${domain}`, and what nobody knows; not an item of a list of names: `host.endsWith(one)`. */
function beginsWithDot(suffix: Value | undefined, isOfItem: boolean): boolean {
  if (suffix?.kind === 'template') return suffix.texts[0]?.startsWith('.') === true
  const [first] = suffix?.kind === 'concat' ? suffix.parts : [suffix]
  const text = first && constantOf(first)
  if (text === undefined) return !(isOfItem && first?.kind === 'reference' && first.binding?.kind === 'parameter')
  return String(text).startsWith('.')
}

/** The host of an address under one of these names, or of `new URL(address)`. */
function isHostOf(value: Value, address: string | undefined, keys: readonly string[]): boolean {
  const key = keyOf(value)
  if (key !== undefined && keys.includes(key)) return true
  if (address === undefined) return false
  const [definition] = value.kind === 'reference' && value.binding?.definitions.length === 1 ? value.binding.definitions : []
  const [name, object] =
    value.kind === 'member'
      ? [value.name, value.object]
      : definition?.path.length === 1
        ? [definition.path[0], definition.value]
        : definition?.value?.kind === 'member'
          ? [definition.value.name, definition.value.object]
          : []
  if (object === undefined || !HOSTS.includes(name ?? '')) return false
  if (keyOf(object) === address) return true
  const made = resolveValue(object)
  if (made.kind !== 'new' || made.callee.kind !== 'reference' || made.callee.name !== 'URL') return false
  return made.args[0] !== undefined && keyOf(made.args[0]) === address
}
