import type { Files } from '../../cost/grow.ts'
import type { Chance } from '../../hostile/mutate.ts'

/** One construct of a language or a format, that a file may hold as often as its author likes. */
export interface Construct {
  /** `JavaScript: branches on one variable`. */
  readonly name: string
  readonly path: string
  readonly head: string
  /** The construct once more; `index` counts up from 0, `count` is how many there will be. */
  readonly unit: (index: number, count: number) => string
  readonly foot: string
  /** Where it may stand in itself: what stands before and behind the inner one. */
  readonly nest?: readonly [open: (index: number) => string, close: string]
  /** Other files of the project, without which nobody asks about this one. */
  readonly beside: readonly (readonly [string, string])[]
}

/** A project that grows with `count`. */
export interface Pump {
  readonly name: string
  readonly grow: (count: number) => Files
}

/** Parsers refuse more than 200 levels, and some constructs open three. */
const DEPTH = 50

const list = (count: number, unit: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => unit(index)).join('')

function wrap({ path, head, foot, beside }: Construct, body: string): Files {
  return new Map([...beside, [path, head + body + foot]])
}

export function single(construct: Construct): Pump {
  return {
    name: construct.name,
    grow: (count) =>
      wrap(
        construct,
        list(count, (index) => construct.unit(index, count)),
      ),
  }
}

function nestOf({ nest: [open, close] = [() => '', ''] }: Construct, from: number, depth: number, inner: string): string {
  return list(depth, (level) => open(from + level)) + inner + close.repeat(depth)
}

/** In itself, as deep as parsers go; beyond that one such tower beside the other. */
export function nested(construct: Construct): Pump[] {
  if (construct.nest === undefined) return []
  const grow = (count: number): Files => {
    const towers = Math.ceil(count / DEPTH)
    const tower = (index: number): string =>
      nestOf(construct, index * DEPTH, Math.min(DEPTH, count - index * DEPTH), construct.unit(index, count))
    return wrap(construct, list(towers, tower))
  }
  return [{ name: `${construct.name}, nested`, grow }]
}

/** Two constructs that chance put together: in turns in one file, one in the other, or in a file each. */
export function pair(constructs: readonly Construct[], chance: Chance): Pump {
  const one = chance.pick(constructs)
  const kin = constructs.filter(({ path, head }) => path === one.path && head === one.head)
  const other = chance.pick(chance.below(3) === 0 ? constructs : kin)
  const [a, b] = [one.name, other.name]
  if (other.path !== one.path || other.head !== one.head)
    return {
      name: `${a} beside ${b}`,
      grow: (count) => new Map([...single(one).grow(count), ...single(other).grow(count)]),
    }
  if (one.nest !== undefined && chance.below(2) === 0) {
    const depth = 1 + chance.below(8)
    return {
      name: `${b} within ${depth} of ${a}`,
      grow: (count) =>
        wrap(
          one,
          list(Math.ceil(count / depth), (index) => nestOf(one, index * depth, depth, other.unit(index, count))),
        ),
    }
  }
  return {
    name: `${a} in turns with ${b}`,
    grow: (count) =>
      wrap(
        one,
        list(count, (index) => one.unit(index, count) + other.unit(index, count)),
      ),
  }
}
