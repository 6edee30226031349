import { functionOf, methodOf, type Callback } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import {
  constantOf,
  stringConstantOf,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type MemberValue,
  type Value,
} from '../../facts/index.ts'
import { isWeak } from '../../secrets/index.ts'
import { isPasswordName, isRepeatedPassword } from '../../model/script/index.ts'
import { isTyped, isTypedText, passwordNameOf, unwrap } from './_password-values.ts'

const EQUAL: ReadonlySet<string> = new Set(['==', '===', '!=', '!=='])
/** Methods whose callback gets the items of a list. */
export const OF_ITEMS: ReadonlySet<string> = new Set([
  'find',
  'findIndex',
  'findLast',
  'filter',
  'some',
  'every',
  'forEach',
  'each',
  'map',
  'grep',
])
/** Names of callbacks, and of the methods that take them, which get the answer of a request. */
const OF_ANSWERS: ReadonlySet<string> = new Set(['success', 'then', 'done', 'get', 'getJSON', 'post', 'requestContexts'])
const MAX_DEPTH = 8

/** Where the account of a comparison comes from: a request of the same code, a list of whatever origin, or the code itself. */
export type Kept = 'answer' | 'list' | 'code'

/** What a comparison tells: one side is the password of an account, the other one that somebody enters. */
export function comparedAccount(
  value: Value,
  callbacks: ReadonlyMap<FunctionFact, Callback>,
): { readonly name: string; readonly kept: Kept } | undefined {
  if (value.kind !== 'operation' || !EQUAL.has(value.operator) || value.operands.length !== 2) return undefined
  const { operands } = value
  for (const [index, operand] of operands.entries()) {
    const entered = operands[1 - index]
    const account = fieldBehind(unwrap(operand))
    const text = stringConstantOf(operand)
    const typed = entered === undefined ? undefined : passwordNameOf(entered)
    if (text !== undefined && typed !== undefined && isPasswordText(text)) return { name: typed, kept: 'code' }
    if (entered === undefined) continue
    if (text !== undefined && typed !== undefined && isUnnamed(text, entered) && !isRepeatedPassword(typed))
      return { name: typed, kept: 'code' }
    const stored = storedName(account, entered)
    if (stored !== undefined) return { name: stored, kept: 'list' }
    const listed = listedName(account, entered)
    if (listed !== undefined) return { name: listed, kept: 'list' }
    if (account.kind !== 'member' || account.name === undefined) continue
    if (!isPasswordName(account.name) || isRepeatedPassword(account.name)) continue
    const other = passwordNameOf(entered)
    if (other === undefined || isRepeatedPassword(other) || constantOf(entered) !== undefined) continue
    const side = unwrap(entered)
    if (side.kind === 'member' && isSame(side, account)) continue
    const kept = keptIn(account.object, callbacks)
    // two accounts are compared with each other, not with what is entered
    const isEntered = side.kind !== 'member' || keptIn(side.object, callbacks) === undefined
    if (kept !== undefined && isEntered) return { name: account.name, kept }
  }
  return undefined
}

/** The field that a name is given and nothing else: `password = rows[index].password`. */
function fieldBehind(value: Value): Value {
  const definitions = value.kind === 'reference' ? (value.binding?.definitions ?? []) : []
  const [only, ...more] = definitions.flatMap(({ kind, value: given, path }) =>
    given !== undefined && path.length === 0 && (kind === 'init' || kind === 'assign') ? [given] : [],
  )
  return more.length === 0 && only?.kind === 'member' && definitions.every(({ kind }) => kind !== 'parameter') ? only : value
}

/** Passwords that everybody tries first, numbers in the first place. Of others the area `secrets` tells, at the text itself. */
function isPasswordText(text: string): boolean {
  return /^\d{3,8}$/.test(text) || (text.length > 3 && isWeak(text) && !MASK.test(text))
}

/** What stands in a field for a password that is kept: `********`, or the text that asks for one, `Password`. */
const MASK = /^(?:(.)\1{2,59}|Pass(?:word|wort)|Kennwort|Mot de passe|Contraseña)$/

/** A text beside a value that only its field calls a password, `this.byId("password").getValue()`: the area `secrets` reads names alone. */
function isUnnamed(text: string, entered: Value): boolean {
  return (
    /^(?!undefined$|null$|true$|false$)\S{4,60}$/.test(text) &&
    !MASK.test(text) &&
    isTypedText(entered) &&
    !isPasswordName(lastNameOf(unwrap(entered)) ?? '')
  )
}

/** The name by which a model or the storage of the browser keeps the password that an entered one is compared with. */
function storedName(account: Value, entered: Value): string | undefined {
  const read = resolveValue(account)
  if (read.kind !== 'call') return undefined
  const other = passwordNameOf(entered)
  if (other === undefined || isRepeatedPassword(other) || constantOf(entered) !== undefined) return undefined
  const path = read.args[0] === undefined ? undefined : constantOf(read.args[0])
  if (typeof path !== 'string') return undefined
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (!isPasswordName(name) || isRepeatedPassword(name)) return undefined
  // a model may hold what another field of the same form was given
  const isKept = readsStorage(read) || (lastNameOf(read.callee) === 'getProperty' && isTyped(entered))
  return isKept ? name : undefined
}

/** `passwords[index] === entered`: the name of a list that holds nothing but passwords. */
function listedName(account: Value, entered: Value): string | undefined {
  if (account.kind !== 'member' || !isItem(account)) return undefined
  const name = lastNameOf(account.object)
  const single = name?.replace(/(?:s|es|er|_?list|_?array)$/i, '')
  const other = passwordNameOf(entered)
  if (single === undefined || single === name || !isPasswordName(single) || isRepeatedPassword(single)) return undefined
  return other === undefined || isRepeatedPassword(other) || constantOf(entered) !== undefined ? undefined : name
}

/** `localStorage.getItem(…)`. */
export function readsStorage({ callee }: CallValue): boolean {
  return callee.kind === 'member' && callee.name === 'getItem' && /Storage$/i.test(lastNameOf(callee.object) ?? '')
}

/** Fields of one object: `data.password !== data.confirm`. */
function isSame(one: MemberValue, other: MemberValue): boolean {
  const [first, second] = [one.object, other.object]
  return first.kind === 'reference' && second.kind === 'reference' && first.name === second.name
}

/** Where an account is kept that a password is read from; undefined: nothing says that it is one. */
export function keptIn(
  value: Value,
  callbacks: ReadonlyMap<FunctionFact, Callback>,
  depth = 0,
  seen: Set<Binding> = new Set(),
): Kept | undefined {
  if (depth > MAX_DEPTH) return undefined
  const behind = (one: Value): Kept | undefined => keptIn(one, callbacks, depth + 1, seen)
  switch (value.kind) {
    case 'member':
      // an item of a list, results[0], or a field of what was answered
      return behind(value.object) ?? (isItem(value) ? 'list' : undefined)
    case 'await':
      return value.value.kind === 'call' &&
        /^(?:json|fetch|requestObject|requestContexts|get|ajax)$/.test(lastNameOf(value.value.callee) ?? '')
        ? 'answer'
        : behind(value.value)
    case 'call': {
      const { callee } = value
      if (callee.kind !== 'member') return undefined
      if (OF_ITEMS.has(callee.name ?? '')) return behind(callee.object) ?? 'list'
      if (readsStorage(value)) return 'list'
      if (callee.name === 'getObject') return behind(callee.object)
      return callee.name === 'parse' ? (value.args[0] === undefined ? undefined : behind(value.args[0])) : undefined
    }
    case 'reference':
      if (value.binding === undefined || seen.has(value.binding)) return undefined
      // row = row.next, again and again
      seen.add(value.binding)
      return ofBinding(value.binding, callbacks, behind)
    default:
      return undefined
  }
}

function isItem({ name, property }: MemberValue): boolean {
  return property !== undefined && (name === undefined || /^\d+$/.test(name))
}

function ofBinding(
  { definitions }: Binding,
  callbacks: ReadonlyMap<FunctionFact, Callback>,
  behind: (value: Value) => Kept | undefined,
): Kept | undefined {
  for (const { kind, value, path, parameter, function: around } of definitions) {
    if (kind === 'parameter') {
      const found = parameter === undefined ? undefined : ofParameter(around, callbacks, behind)
      if (found !== undefined) return found
      continue
    }
    if (kind === 'each') return value === undefined ? 'list' : (behind(resolveValue(value)) ?? 'list')
    const found = value === undefined || path.length > 1 ? undefined : behind(value)
    if (found !== undefined) return found
  }
  return undefined
}

/** What a callback gets: an item of a list, or the answer of a request. */
function ofParameter(
  around: FunctionFact,
  callbacks: ReadonlyMap<FunctionFact, Callback>,
  behind: (value: Value) => Kept | undefined,
): Kept | undefined {
  if (OF_ANSWERS.has(around.name.slice(around.name.lastIndexOf('.') + 1))) return 'answer'
  const bound = callbacks.get(around)
  if (bound === undefined) return undefined
  const method = methodOf(bound) ?? ''
  if (OF_ITEMS.has(method)) {
    const { callee, args } = bound.call
    // $.each(list, (index, item) => …)
    const list = functionOf(args[0]) === around && callee.kind === 'member' ? callee.object : args[0]
    return (list === undefined ? undefined : behind(list)) ?? 'list'
  }
  return OF_ANSWERS.has(method) ? 'answer' : undefined
}
