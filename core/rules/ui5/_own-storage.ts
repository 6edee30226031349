import type { Callback } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { constantOf, findPart, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../facts/index.ts'
import { isPasswordName } from '../../model/script/index.ts'
import { OF_ITEMS, readsStorage } from './_compared-accounts.ts'

/** What a script puts into the storage of the browser, or adds to what it has read there. */
export interface StorageWrite {
  readonly key: string
  /** What it has read there, with what it adds for this user. */
  readonly isOwn: boolean
}

/** All of a script, read once. */
export function storageWrites(
  { calls }: Pick<ScriptFacts, 'calls'>,
  callbacks: ReadonlyMap<FunctionFact, Callback>,
  step: (count?: number) => void,
): readonly StorageWrite[] {
  step(calls.length)
  return calls.flatMap((call) => writeOf(call, callbacks) ?? [])
}

const WRITES = /^(?:setItem|push|unshift|splice|concat)$/

function writeOf({ callee, args }: CallValue, callbacks: ReadonlyMap<FunctionFact, Callback>): StorageWrite | undefined {
  if (callee.kind !== 'member' || !WRITES.test(callee.name ?? '')) return undefined
  if (callee.name === 'setItem') {
    const [name, list] = args
    const key = name === undefined ? undefined : constantOf(name)
    return typeof key === 'string' ? { key, isOwn: list !== undefined && storageKey(list, callbacks) === key } : undefined
  }
  if (!args.some((added) => findPart(added, isFixedAccount) !== undefined)) return undefined
  const key = storageKey(callee.object, callbacks)
  return key === undefined ? undefined : { key, isOwn: false }
}

/** `{ name: 'admin', password: '…' }`: everybody who has the page knows it. */
function isFixedAccount(part: Value): boolean {
  return (
    part.kind === 'object' &&
    part.fields.some(({ key, value }) => key !== undefined && isPasswordName(key) && typeof constantOf(value) === 'string')
  )
}

/**
 * Whether a comparison is with what the same user has entered before: each call of the script that stores something by that name stores what it has read there, with what it adds.
 * Fact: HTML standard, "Web storage": the storage of a browser is one for each of its users. What other scripts store by that name is not seen.
 */
export function isOfOwnStorage(
  compared: Value,
  writes: readonly StorageWrite[],
  callbacks: ReadonlyMap<FunctionFact, Callback>,
  step: (count?: number) => void,
): boolean {
  if (compared.kind !== 'operation') return false
  const [key, ...more] = compared.operands.flatMap((operand) => storageKey(operand, callbacks) ?? [])
  if (key === undefined || more.length > 0) return false
  step(writes.length)
  const own = writes.filter((one) => one.key === key)
  return own.length > 0 && own.every(({ isOwn }) => isOwn)
}

const MAX_DEPTH = 8

/** The name by which the storage keeps what a value is read from, and nothing else. */
function storageKey(value: Value, callbacks: ReadonlyMap<FunctionFact, Callback>, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return undefined
  const behind = (one: Value | undefined): string | undefined => one && storageKey(one, callbacks, depth + 1)
  switch (value.kind) {
    case 'member':
      return behind(value.object)
    case 'choice': {
      const keys = new Set(value.options.flatMap((one) => (isEmpty(one) ? [] : [behind(one)])))
      return keys.size === 1 ? [...keys][0] : undefined
    }
    case 'call': {
      const { callee, args } = value
      if (callee.kind !== 'member') return undefined
      if (callee.name === 'parse' || callee.name === 'stringify') return behind(args[0])
      if (OF_ITEMS.has(callee.name ?? '')) return behind(callee.object)
      const key = readsStorage(value) && args[0] !== undefined ? constantOf(args[0]) : undefined
      return typeof key === 'string' ? key : undefined
    }
    case 'reference': {
      const [only, ...more] = value.binding?.definitions ?? []
      if (only === undefined || more.length > 0) return undefined
      const call = only.kind === 'parameter' ? callbacks.get(only.function)?.call : undefined
      if (call === undefined) return only.kind === 'parameter' ? undefined : behind(only.value)
      return OF_ITEMS.has(lastNameOf(call.callee) ?? '') && call.callee.kind === 'member' ? behind(call.callee.object) : undefined
    }
    default:
      return undefined
  }
}

/** `[]`, `{}`, `'[]'`, `null`: nobody's account. */
function isEmpty(value: Value): boolean {
  if (value.kind === 'array') return value.items.length === 0
  if (value.kind === 'object') return value.fields.length === 0
  const text = constantOf(value)
  return text === null || text === '' || text === '[]' || text === '{}'
}
