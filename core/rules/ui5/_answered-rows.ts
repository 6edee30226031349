import { defineExtract, type Extract } from '../../extracts/extract.ts'
import {
  constantOf,
  stringConstantOf,
  findPart,
  resolveValue,
  valuesOf,
  type CallValue,
  type ObjectValue,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createInnerIndex, isWithin } from '../../facts/span-index.ts'
import { findHandlers } from '../../model/cap/index.ts'
import { isDeveloperFile, isOfUi5App } from '../../model/script/index.ts'
import { lastName } from '../../paths.ts'
import type { Project } from '../subjects.ts'

/** What the handler of an operation makes of the rows that it reads. */
interface AnsweredRows {
  readonly operation: string
  /** Entities by the names that the handler has for them. */
  readonly sets: readonly string[]
  /** `{ Mail: order.Email }`: fields of an object, with the field of another one that each is filled with as it is. */
  readonly fields: readonly (readonly [string, string])[]
}

/** `this.on("findOrders", async () => (await SELECT.from(Orders)).map((order) => ({ Mail: order.Email })))`. */
export const answeredRows: Extract<AnsweredRows> = defineExtract({
  name: 'cap-answered-rows',
  keywords: ['.from('],
  prefilter: (text) => /\.on\s{0,20}\(/.test(text),
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  *collect({ facts, step }) {
    const callsIn = createInnerIndex(facts.calls)
    const objectsIn = createInnerIndex(valuesOf(facts).flatMap(({ value }) => (value.kind === 'object' ? [value] : [])))
    for (const { events, fact, phase } of findHandlers(facts)) {
      if (fact === undefined || phase !== 'on') continue
      const sets = setsRead(callsIn(fact), step)
      const fields = sets.length === 0 ? [] : fieldsFilled(objectsIn(fact), step)
      if (fields.length === 0) continue
      for (const operation of events) if (operation !== undefined) yield { operation, sets, fields }
    }
  },
})

function setsRead(own: readonly CallValue[], step: (count?: number) => void): string[] {
  // rows of the caller show nothing of others
  const limited = own.filter(
    ({ callee, args }) =>
      /^(?:where|and|byKey)$/.test(lastNameOf(callee) ?? '') && args.some((one) => findPart(one, isUser) !== undefined),
  )
  step(own.length * limited.length)
  const names = own.flatMap((call) =>
    isSelect(call) && !limited.some((one) => isWithin(call, one)) ? (setIn(call.args[0]) ?? []) : [],
  )
  return [...new Set(names)]
}

/** `req.user`, also under another name, `'$user'`. */
function isUser(value: Value): boolean {
  return (value.kind === 'member' && value.name === 'user') || String(constantOf(value) ?? '').startsWith('$user')
}

function isSelect({ callee }: CallValue): boolean {
  return callee.kind === 'member' && callee.name === 'from' && lastNameOf(callee.object) === 'SELECT'
}

/** `Orders`, `this.entities.Orders`, `"shop.Orders"`. */
function setIn(given: Value | undefined): string | undefined {
  if (given === undefined) return undefined
  const text = stringConstantOf(given)
  const name = text ?? lastNameOf(given)
  return name === undefined ? undefined : lastName(name)
}

function fieldsFilled(objects: readonly ObjectValue[], step: (count?: number) => void): (readonly [string, string])[] {
  return objects.flatMap(({ fields }) => {
    step(fields.length)
    return fields.flatMap(({ key, value }): (readonly [string, string])[] => {
      const field = fieldIn(value)
      return key === undefined || field === undefined ? [] : [[key, field]]
    })
  })
}

const MAX_DEPTH = 8
/** Methods that leave markup in a text. */
const LEAVES = /^(?:trim|toString|toUpperCase|toLowerCase)$/

/** `Email` of `order.Email`, `order.Email || "-"`, `order.Email?.trim()`. */
function fieldIn(given: Value, seen: Set<Value> = new Set(), depth = 0): string | undefined {
  const value = resolveValue(given)
  if (depth > MAX_DEPTH || seen.has(value)) return undefined
  seen.add(value)
  const asked = (one: Value): string | undefined => fieldIn(one, seen, depth + 1)
  if (value.kind === 'choice') return value.options.map(asked).find((one) => one !== undefined)
  if (value.kind === 'call') {
    const { callee, args } = value
    if (callee.kind !== 'member') return lastNameOf(callee) === 'String' && args[0] !== undefined ? asked(args[0]) : undefined
    return LEAVES.test(callee.name ?? '') ? asked(callee.object) : undefined
  }
  return value.kind === 'member' && value.object.kind === 'reference' ? value.name : undefined
}

/** Entities of whose rows the operations of this name answer with fields, and which fields of them stand under these names. */
export function rowsAnswered(
  operation: string,
  shown: readonly string[],
  { capRoots }: Pick<Project, 'capRoots'>,
): readonly { readonly set: string; readonly names: readonly string[] }[] {
  return capRoots.flatMap(({ scripts }) =>
    scripts.get(answeredRows).flatMap(({ value }) => {
      if (value.operation !== operation) return []
      const names = value.fields.flatMap(([field, of]) => (shown.includes(field) ? of : []))
      return names.length === 0 ? [] : value.sets.map((set) => ({ set, names }))
    }),
  )
}
