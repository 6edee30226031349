import { lastNameOf } from '../../facts/literals.ts'
import { fieldOf, resolveValue, stringConstantOf, type Value } from '../../facts/index.ts'

/** What a name stands for in a loop over what is written out: two names of one loop have the same list, and one item for each of its turns. */
export interface Loop {
  readonly list: Value
  /** A key is a text; undefined: nobody can tell. */
  readonly items: readonly (Value | string | undefined)[]
}

const MAX_TURNS = 200

/** `entity` of `for (const entity of ['Books', 'Authors'])`, and each name of `for (const [entity, path] of Object.entries({ Books: 'owner' }))`. */
export function loopOf(value: Value): Loop | undefined {
  const [definition, other] = ('binding' in value && value.binding?.definitions) || []
  if (definition?.kind !== 'each' || definition.value === undefined || other !== undefined) return undefined
  const { value: list, path } = definition
  if (isFilledLater(list)) return undefined
  const turns = turnsOf(list)
  return turns !== undefined && turns.length > 0 && turns.length <= MAX_TURNS
    ? { list, items: turns.map((turn) => partAt(turn, path)) }
    : undefined
}

/** `names.push('Orders')`, `paths.Orders = 'owner'`: what a name is given later, its value does not show. */
function isFilledLater(list: Value): boolean {
  const read = 'callee' in list && 'args' in list ? list.args[0] : list
  return read !== undefined && 'binding' in read && (read.binding?.additions.length ?? 0) > 0
}

/** The same as texts. */
export function loopedTexts(value: Value): { readonly list: Value; readonly texts: readonly (string | undefined)[] } | undefined {
  const loop = loopOf(value)
  return loop && { list: loop.list, texts: loop.items.map(textOf) }
}

function textOf(item: Value | string | undefined): string | undefined {
  return typeof item === 'string' ? item : stringConstantOf(item)
}

type Part = Value | string
/** An item of a list, or key and value of an entry. */
type Turn = Part | readonly [string, Value]

/** Fact: ECMAScript 2025, 20.1.2: `Object.keys`, `Object.values` and `Object.entries` have the same order. */
function turnsOf(list: Value): readonly Turn[] | undefined {
  const here = resolveValue(list)
  if ('items' in here) return here.items
  if (!('callee' in here) || !('args' in here)) return undefined
  const [first] = here.args
  const name = lastNameOf(here.callee) ?? ''
  if (first === undefined || !/^(?:keys|values|entries)$/.test(name) || !isOfObject(here.callee)) return undefined
  const made = resolveValue(first)
  if (!('fields' in made)) return undefined
  const entries = made.fields.flatMap(({ key, value }) => (key === undefined ? [] : [[key, value] as const]))
  if (entries.length < made.fields.length) return undefined
  return name === 'entries' ? entries : entries.map(([key, value]) => (name === 'keys' ? key : value))
}

function isOfObject(callee: Value): boolean {
  return 'object' in callee && 'name' in callee.object && callee.object.name === 'Object'
}

function partAt(turn: Turn, path: readonly string[]): Part | undefined {
  if (typeof turn === 'string') return path.length === 0 ? turn : undefined
  if (isEntry(turn)) {
    const [index, ...rest] = path
    return index === '0' && rest.length === 0 ? turn[0] : index === '1' ? partAt(turn[1], rest) : undefined
  }
  let here: Value | undefined = turn
  for (const name of path) {
    const made: Value | undefined = here && resolveValue(here)
    here = made !== undefined && 'items' in made ? made.items[Number(name)] : fieldOf(made, name)?.value
  }
  return here
}

function isEntry(turn: Turn): turn is readonly [string, Value] {
  return Array.isArray(turn)
}
