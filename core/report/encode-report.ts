import { toJsonText } from './json-text.ts'

/** Objects around the lists: `results`, and an area in it. */
const LEVELS = 3

/**
 * A report as UTF-8 JSON. `lists`: what stands for each of these (empty) arrays of it, made item by item while it is written; a full report of ten thousand
 * findings as objects, masked objects and one text would take ten times its bytes.
 */
export function encodeReport(report: object, lists: ReadonlyMap<unknown, Iterable<object>>): Uint8Array {
  const encoder = new TextEncoder()
  let bytes = new Uint8Array(1 << 16)
  let size = 0
  const put = (text: string): void => {
    // a unit of UTF-16 has three bytes of UTF-8 at most
    const most = size + text.length * 3
    if (most > bytes.length) {
      const more = new Uint8Array(Math.max(most, bytes.length * 2))
      more.set(bytes.subarray(0, size))
      bytes = more
    }
    size += encoder.encodeInto(text, bytes.subarray(size)).written
  }
  const write = (value: unknown, level: number): void => {
    const items = lists.get(value)
    if (items !== undefined) {
      let separator = '['
      for (const item of items) {
        put(separator + toJsonText(item))
        separator = ','
      }
      put(separator === '[' ? '[]' : ']')
    } else if (level < LEVELS && isPlain(value)) {
      let separator = '{'
      for (const [key, inner] of Object.entries(value)) {
        if (inner === undefined) continue
        put(`${separator}${toJsonText(key)}:`)
        write(inner, level + 1)
        separator = ','
      }
      put(separator === '{' ? '{}' : '}')
    } else put(toJsonText(value))
  }
  write(report, 0)
  return bytes.slice(0, size)
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
