import { deflateSync } from 'fflate'
import { expect, test } from 'vitest'
import { inflate } from '../../adapters/node/inflate.ts'
import { isRefusal } from '../../core/index.ts'
import { inflateExactly } from '../../core/project/inflate.ts'

const TEXT = new TextEncoder().encode(
  'sap.ui.define(["sap/ui/core/mvc/Controller"], (Controller) => Controller.extend("a"))\n'.repeat(2000),
)
const PACKED = deflateSync(TEXT)

/** The bytes, or why there are none. */
function outcomeOf(data: Uint8Array, size: number, inflater?: typeof inflate): string {
  try {
    return new TextDecoder().decode(inflateExactly(data, size, 'a.js', inflater))
  } catch (error) {
    if (isRefusal(error)) return error.message
    throw error
  }
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

test.each([
  ['what it declares', PACKED, TEXT.length],
  ['fewer bytes than declared', PACKED, TEXT.length + 1],
  ['more bytes than declared', PACKED, TEXT.length - 1],
  ['bytes behind the end of the stream', joined(PACKED, TEXT.subarray(0, 1000)), TEXT.length],
  ['a stream that does not end', PACKED.subarray(0, -3), TEXT.length],
  ['a stream that does not decode', joined(PACKED.subarray(0, 10), TEXT.subarray(0, 90)), TEXT.length],
  ['a file without bytes', deflateSync(new Uint8Array(0)), 0],
  ['no stream', new Uint8Array(0), 0],
  ['bytes where none are declared', PACKED, 0],
])('an archive is judged alike by the zlib of Node.js: %s', (_, data, size) => {
  expect(outcomeOf(data, size, inflate)).toBe(outcomeOf(data, size))
})

test('what does not inflate is left to the core, which names the fault', () => {
  expect(inflate(PACKED.subarray(0, -3), TEXT.length)).toBeUndefined()
  expect(inflate(PACKED, 10)).toBeUndefined()
  expect(inflate(PACKED, TEXT.length)?.constructor).toBe(Uint8Array)
})
