import { deflateSync } from 'fflate'
import { buildZip, extraField, joinBytes, u16, u32, utf8, type ArchiveSpec, type EntrySpec } from './zip-builder.ts'

/** A seeded source of chance: the same seed gives the same run, on every machine. */
export interface Chance {
  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number
  pick<Item>(items: readonly Item[]): Item
}

/** Mulberry32. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return (value ^ (value >>> 14)) >>> 0
  }
  const below = (limit: number): number => next() % limit
  return {
    below,
    pick(items) {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
  }
}

const EDGES: readonly number[] = [0, 1, 2, 7, 8, 9, 0x20, 0x2e, 0x2f, 0x50, 0x5c, 0x7f, 0x80, 0xfe, 0xff]
const SIGNATURES: readonly number[] = [
  0x04034b50, 0x02014b50, 0x06054b50, 0x06064b50, 0x07064b50, 0x08074b50, 0, 0xffffffff, 0x7fffffff,
]

/** Bytes with one to four small changes: set, moved, doubled, cut or joined with those of another. */
export function mutateBytes(bytes: Uint8Array, others: readonly Uint8Array[], chance: Chance): Uint8Array {
  let mutant: Uint8Array = bytes.slice()
  for (let change = chance.below(4); change >= 0; change--) {
    const at = chance.below(mutant.length + 1)
    const length = chance.below(chance.pick([2, 8, 40, 200]))
    switch (chance.below(9)) {
      case 0:
      case 1:
        mutant[at] = chance.below(256)
        break
      case 2:
        mutant[at] = chance.pick(EDGES)
        break
      case 3:
        mutant[at] = (mutant[at] ?? 0) ^ (1 << chance.below(8))
        break
      case 4:
        mutant.set(u32(chance.pick(SIGNATURES)).subarray(0, Math.max(0, mutant.length - at)), Math.min(at, mutant.length))
        break
      case 5:
        mutant = joinBytes([mutant.subarray(0, at), mutant.subarray(at + length)])
        break
      case 6:
        mutant = joinBytes([mutant.subarray(0, at + length), mutant.subarray(at)])
        break
      case 7: {
        const other = chance.pick(others)
        const from = chance.below(other.length + 1)
        mutant = joinBytes([mutant.subarray(0, at), other.subarray(from, from + length), mutant.subarray(at)])
        break
      }
      default:
        mutant.copyWithin(at, chance.below(mutant.length + 1), chance.below(mutant.length + 1))
    }
  }
  return mutant
}

const NAMES: readonly (string | Uint8Array)[] = [
  'a.js',
  'b.js',
  'A.js',
  'webapp/a.js',
  'webapp\\a.js',
  'webapp/',
  'webapp',
  'caf\u00e9.js',
  'cafe\u0301.js',
  '__proto__',
  '../a.js',
  'a.png',
  'lib.zip',
  new Uint8Array([0x82, 0x2e, 0x6a, 0x73]),
]
const CONTENTS: readonly string[] = ['', 'x', 'var a = 1\n'.repeat(30), '{"name":"x"}']
const MODES: readonly number[] = [0o100644, 0o040755, 0o120777, 0o010644]

/** An archive of honest and dishonest parts, right in all the rest: lies that chance would not hit byte by byte. */
export function drawArchive(chance: Chance): Uint8Array {
  const rarely = <Value>(value: () => Value): Value | undefined => (chance.below(12) === 0 ? value() : undefined)
  const number = (): number => chance.pick([0, 1, 3, 10, 300, 0xffff, 0x7fffffff, 0xffffffff])
  const drawn = Array.from({ length: chance.below(4) }, (): EntrySpec => {
    const data = chance.pick(CONTENTS)
    const mode = rarely(() => chance.pick(MODES))
    const descriptor = chance.below(3) === 0 ? chance.pick(['signed', 'plain', 'zip64'] as const) : undefined
    // no bytes behind the stream: those are ignored here and refused elsewhere
    const raw = rarely(() => deflateSync(utf8(data)).subarray(0, -chance.below(3) || undefined))
    const extra = rarely(() =>
      chance.pick([extraField(1, new Uint8Array(8)), extraField(0x7075, new Uint8Array(9)), u16(1, 9), new Uint8Array(3)]),
    )
    const gap = rarely(() => new Uint8Array(chance.pick([1, 4, 12, 16, 20, 24])))
    return {
      name: chance.pick(NAMES),
      data,
      method: chance.pick([0, 8, 8]),
      zip64: chance.below(6) === 0,
      ...(mode !== undefined && { mode }),
      ...(descriptor !== undefined && { descriptor }),
      ...(raw !== undefined && { raw, method: 8 }),
      ...(extra !== undefined && (chance.below(2) === 0 ? { extra } : { localExtra: extra })),
      ...(gap !== undefined && { gap }),
      ...lie(chance, 'flags', () => chance.pick([0, 1, 8, 0x800, 0x808])),
      ...lie(chance, 'crc', number),
      ...lie(chance, 'size', number),
      ...lie(chance, 'compressed', number),
      ...lie(chance, 'offset', number),
      ...lie(chance, 'localFlags', () => chance.pick([0, 8, 0x808])),
      ...lie(chance, 'localMethod', () => chance.pick([0, 8])),
      ...lie(chance, 'localSize', number),
      ...lie(chance, 'localCompressed', number),
      ...lie(chance, 'localCrc', number),
    }
  })
  // a folder that stands twice is accepted here and refused elsewhere
  const entries = drawn.filter(
    ({ name }, index) => name !== 'webapp/' || drawn.findIndex((entry) => entry.name === name) === index,
  )
  const zip64 = rarely(() => chance.pick(['saturated', 'start', 'both', 'disagrees', 'gap'] as const))
  const junk = (): Uint8Array => chance.pick([utf8('x'), u32(0x06054b50), buildZip({ entries: [{ name: 'b.js', data: 'y' }] })])
  const [prefix, suffix, comment] = [rarely(junk), rarely(junk), rarely(junk)]
  const spec: ArchiveSpec = {
    entries,
    ...(zip64 !== undefined && { zip64 }),
    ...(prefix !== undefined && { prefix }),
    ...(suffix !== undefined && { suffix }),
    ...(comment !== undefined && { comment }),
    ...lie(chance, 'count', number),
    ...lie(chance, 'directorySize', number),
    ...lie(chance, 'directoryStart', number),
  }
  return buildZip(spec)
}

/** Now and then, a member that says something else. */
function lie<Key extends string>(chance: Chance, key: Key, value: () => number): Partial<Record<Key, number>> {
  const made: Partial<Record<Key, number>> = {}
  if (chance.below(40) === 0) made[key] = value()
  return made
}
