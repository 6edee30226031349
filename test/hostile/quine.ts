import { crc32 } from 'node:zlib'
import { joinBytes, u16, u32, utf8 } from './zip-builder.ts'

/**
 * A ZIP whose only entry is the ZIP itself, byte for byte. The construction is R. Cox's ("Zip files all the way down", 2010), made again here:
 * a program of two instructions that DEFLATE has, "these n bytes" (a stored block) and "the last n bytes once more" (one match).
 */
export function buildQuine(): Uint8Array {
  for (let time = 0; time < 64; time++) {
    const quine = withOwnCrc((crc) => assemble(crc, time))
    if (quine !== undefined) return quine
  }
  throw new Error('no CRC fits')
}

const NAME = utf8('r/r.zip')
const LITERAL = 5

function assemble(crc: number, time: number): Uint8Array {
  // the sizes don't change the length of anything, so a first round with zeros tells them
  const draft = lay(crc, time, 0, 0)
  return joinBytes(
    lay(
      crc,
      time,
      draft[1]?.length ?? 0,
      draft.reduce((sum, part) => sum + part.length, 0),
    ),
  )
}

/** Local header, deflate data, directory and end record. */
function lay(crc: number, time: number, compressed: number, size: number): [Uint8Array, Uint8Array, Uint8Array] {
  const common = joinBytes([u16(20, 0, 8, time, 0x21), u32(crc, compressed, size), u16(NAME.length, 0)])
  const head = joinBytes([u32(0x04034b50), common, NAME])
  const central = joinBytes([u32(0x02014b50), u16(20), common, u16(0, 0, 0), u32(0, 0), NAME])
  const end = joinBytes([u32(0x06054b50), u16(0, 0, 1, 1), u32(central.length, head.length + compressed), u16(0)])
  const tail = joinBytes([central, end])
  return [head, program(head, tail), tail]
}

/** Prints `head`, itself and `tail`. Each line's comment is what has been printed of the program when it has run. */
function program(head: Uint8Array, tail: Uint8Array): Uint8Array {
  const first = literal(head.length + LITERAL)
  const again = repeat([21, head.length + LITERAL - 21], head.length + LITERAL)
  const four = again.length + 3 * LITERAL
  const rewind = repeat([four], four)
  const last = LITERAL + repeat([13], 13).length
  const finish = repeat([tail.length + 9], tail.length + 9, true)
  const skip = repeat([last], last)
  const lines: readonly (readonly Uint8Array[])[] = [
    // first head first | again
    [first, head, first, again],
    // + again
    [literal(again.length), again],
    // + literal(again.length)
    [literal(LITERAL), literal(again.length)],
    // + again, both literals of the line above, and the first instruction of this line
    [literal(four), again, literal(LITERAL), literal(again.length), literal(four)],
    // + the four of the line above
    [rewind],
    // + rewind, literal, and half of this line's bytes
    [literal(four), rewind, literal(four), rewind, literal(four)],
    // + the other half, this instruction and the next one
    [rewind],
    // + these bytes: from here on the printer is where the reader is
    [literal(four), new Uint8Array(four - last), skip, literal(finish.length + tail.length)],
    // + this instruction and the next one
    [skip],
    // + these bytes
    [literal(finish.length + tail.length), finish, tail],
    // + this instruction and the tail
    [finish],
  ]
  return joinBytes(lines.flat())
}

/** A stored block's header: the next `length` bytes stand for themselves. */
function literal(length: number): Uint8Array {
  return joinBytes([new Uint8Array([0]), u16(length, length ^ 0xffff)])
}

/** A block of matches at one distance (fixed codes), and an empty stored block that fills the last byte. */
function repeat(lengths: readonly number[], distance: number, isLast = false): Uint8Array {
  const bits: number[] = []
  const low = (value: number, count: number): void => {
    for (let bit = 0; bit < count; bit++) bits.push((value >>> bit) & 1)
  }
  const code = (value: number, count: number): void => {
    for (let bit = count - 1; bit >= 0; bit--) bits.push((value >>> bit) & 1)
  }
  low(0b010, 3)
  for (const length of lengths) {
    const [symbol, extra, count] = scale(length - 3, 257, 2)
    if (symbol < 280) code(symbol - 256, 7)
    else code(0b11000000 + symbol - 280, 8)
    low(extra, count)
    const [distanceSymbol, distanceExtra, distanceCount] = scale(distance - 1, 0, 1)
    code(distanceSymbol, 5)
    low(distanceExtra, distanceCount)
  }
  code(0, 7)
  low(isLast ? 1 : 0, 3)
  while (bits.length % 8 !== 0) bits.push(0)
  const packed = Uint8Array.from({ length: bits.length / 8 }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((byte, bit, index) => byte | (bit << index), 0),
  )
  return joinBytes([packed, u16(0, 0xffff)])
}

/** Symbol, extra bits and their count, on a scale whose steps double after every 2^`width` symbols (RFC 1951, 3.2.5). */
function scale(value: number, first: number, width: number): [number, number, number] {
  const extra = Math.max(0, Math.floor(Math.log2(value + 0.5)) - width)
  const symbol = (extra << width) + (value >>> extra)
  return [first + symbol, value & ((1 << extra) - 1), extra]
}

/** The CRC is part of what it is the CRC of. CRC-32 is affine in every bit of its input, so the one that fits solves 32 equations over GF(2). */
function withOwnCrc(assembleWith: (crc: number) => Uint8Array): Uint8Array | undefined {
  const base = crc32(assembleWith(0))
  const columns = Array.from({ length: 32 }, (_, bit) => crc32(assembleWith((1 << bit) >>> 0)) ^ base ^ (1 << bit))
  // rows[i]: the coefficients of equation i, and its right-hand side
  const rows = Array.from({ length: 32 }, (_, row) => ({
    left: columns.reduce((mask, column, bit) => mask | (((column >>> row) & 1) << bit), 0),
    right: (base >>> row) & 1,
  }))
  for (let bit = 0; bit < 32; bit++) {
    const pivot = rows.findIndex(({ left }, row) => row >= bit && ((left >>> bit) & 1) === 1)
    const [picked] = pivot < 0 ? [] : rows.splice(pivot, 1)
    if (picked === undefined) return undefined
    for (const row of rows) {
      if (((row.left >>> bit) & 1) === 0) continue
      row.left ^= picked.left
      row.right ^= picked.right
    }
    rows.splice(bit, 0, picked)
  }
  const crc = rows.reduce((value, { right }, bit) => value | (right << bit), 0) >>> 0
  const quine = assembleWith(crc)
  return crc32(quine) === crc ? quine : undefined
}
