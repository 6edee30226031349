import {
  constantOf,
  fieldOf,
  findPart,
  functionAround,
  resolveValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { append } from '../../../lists.ts'
import type { Span } from '../../../types.ts'
import { isCondition } from './replaced-conditions.ts'

/** What a function does with the condition of the request: puts something beside it, or makes parentheses around it. */
interface Piece extends Span {
  readonly isBeside: boolean
  readonly wraps: boolean
  /** It begins a condition where the request has none: `query.SELECT.where = []`. */
  readonly begins: boolean
}

/**
 * Tells whether a condition stands beside that of the request without parentheses around the latter: `where.push('and', …)`, `[...where, 'and', …]`.
 * Facts: capire, CXN (a condition is a flat list; `xpr` and '(' group); `and` binds closer than `or`, so of `a or b and own` the first part alone is enough.
 * @sap/cds 9.9.3, lib/ql/Whereable.js: `query.where` puts the former condition into an `xpr` where it holds an `or`.
 */
export function createLooseReader(facts: ScriptFacts, step: (count?: number) => void): (addition: Span) => boolean {
  let known: ReadonlyMap<FunctionFact, readonly Piece[]> | undefined
  return (addition) => {
    const around = functionAround(facts, addition.start)
    if (around === undefined) return false
    const pieces = (known ??= piecesOf(facts, step)).get(around) ?? []
    step(pieces.length)
    return (
      besideTheRequest(pieces, addition).some(({ isBeside }) => isBeside) &&
      !pieces.some(({ wraps }) => wraps) &&
      pieces.some((one) => isSame(one, addition))
    )
  }
}

/** Behind `where = []` nothing stands beside the condition of the request until a word joins the two again, in another branch. */
function besideTheRequest(pieces: readonly Piece[], addition: Span): readonly Piece[] {
  const begun = pieces.filter(({ begins, start }) => begins && start < addition.start).map(({ start }) => start)
  const last = Math.max(...begun)
  return begun.length === 0 ? pieces : pieces.filter(({ start }) => start > last && start <= addition.start)
}

/** Where functions put something beside the condition of the request without parentheses around the latter: the first place of each. */
export function looseAdditions(facts: ScriptFacts, step: (count?: number) => void): ReadonlyMap<FunctionFact, Span> {
  return new Map(
    [...piecesOf(facts, step)].flatMap(([fact, pieces]) => {
      const first = pieces.find(({ isBeside }) => isBeside)
      return first === undefined || pieces.some(({ wraps }) => wraps) ? [] : [[fact, first] as const]
    }),
  )
}

function isSame(one: Span, other: Span): boolean {
  return one.start === other.start && one.end === other.end
}

function piecesOf(facts: ScriptFacts, step: (count?: number) => void): ReadonlyMap<FunctionFact, readonly Piece[]> {
  const found = new Map<FunctionFact, Piece[]>()
  const add = (piece: Piece): void => {
    const around = functionAround(facts, piece.start)
    if (around !== undefined) append(found, around, piece)
  }
  step(facts.calls.length + facts.assignments.length)
  for (const { callee, args, start, end } of facts.calls) {
    if (callee.kind !== 'member' || (callee.name !== 'push' && callee.name !== 'unshift') || !isCondition(callee.object)) continue
    const wraps = callee.name === 'unshift' && isWord(args.at(-1), '(')
    add({ start, end, isBeside: args.some((one) => isWord(one, 'and')), wraps, begins: false })
  }
  for (const { target, value, start, end } of facts.assignments)
    if (isCondition(target)) {
      const isBeside = findPart(value, standsBeside) !== undefined
      add({ start, end, isBeside, wraps: findPart(value, groups) !== undefined, begins: isEmptyList(value) })
    }
  return found
}

/** `[]`, `new Array()` */
function isEmptyList(value: Value): boolean {
  const made = resolveValue(value)
  if (made.kind === 'array') return made.items.length === 0
  return made.kind === 'new' && made.args.length === 0 && lastNameOf(made.callee) === 'Array'
}

function isWord(value: Value | undefined, word: string): boolean {
  return value !== undefined && constantOf(value) === word
}

/** `[...req.query.SELECT.where, 'and', …]`, `[…, 'and', ...req.query.SELECT.where]`. */
function standsBeside(part: Value): boolean {
  if (part.kind !== 'array') return false
  const { items } = part
  return items.some((item, at) => {
    const isJoined = isWord(items[at - 1], 'and') || isWord(items[at + 1], 'and')
    return item.kind === 'spread' && isCondition(item.value) && isJoined
  })
}

/** `{ xpr: req.query.SELECT.where }`, `['(', ...req.query.SELECT.where, ')']`; not `{ xpr: [own, 'or', shared] }` beside it. */
function groups(part: Value): boolean {
  if (part.kind !== 'array') {
    const inner = fieldOf(part, 'xpr')?.value
    const made = inner && resolveValue(inner)
    const items = made?.kind === 'array' ? made.items : [made]
    return items.some((item) => item !== undefined && isCondition(item.kind === 'spread' ? item.value : item))
  }
  const { items } = part
  return items.some((item, at) => item.kind === 'spread' && isCondition(item.value) && isWord(items[at - 1], '('))
}
