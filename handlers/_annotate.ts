import type { ScanStatuses } from '../core/index.ts'

/** Where a finding begins in a report: no text holds an unescaped quote, so this is no text. */
const FINDING = /\{"id":"([\w-]{1,100})",(?:"formerIds":\[[^\]]{0,100000}\],)?"ruleId":"([\w/-]{1,100})",/g
/** More than that matches at most. */
const LONGEST = 101_000
/** Bytes that are looked through at once. */
const WINDOW = 1 << 20

interface Insertion {
  readonly at: number
  readonly text: string
}

/**
 * Puts into the report what its project tells of each finding. The bytes are neither parsed nor made one text: a report of ten thousand findings has 20 MB, as a text 40 MB and with what is put into it
 * three times that, and everybody else waits meanwhile.
 */
export function annotateReport(bytes: Uint8Array, statuses: ScanStatuses): Uint8Array<ArrayBuffer> {
  const start = findResults(bytes)
  if (start === undefined) return new Uint8Array(bytes)
  const insertions: Insertion[] = [{ at: start, text: `"decided":${statuses.decided},` }]
  for (const { end, found } of search(bytes, start, FINDING)) {
    const [, id = '', ruleId = ''] = found
    const status = statuses.of(id, ruleId)
    if (status !== undefined) insertions.push({ at: end, text: `${JSON.stringify(status).slice(1, -1)},` })
  }
  return insertAll(bytes, insertions)
}

function findResults(bytes: Uint8Array): number | undefined {
  for (const { at } of search(bytes, 0, /"results":\{/g)) return at
  return undefined
}

interface Place {
  readonly at: number
  readonly end: number
  readonly found: readonly (string | undefined)[]
}

/** Where a global expression for ASCII matches bytes, window by window. */
function* search(bytes: Uint8Array, from: number, expression: RegExp): Generator<Place> {
  // one character for each byte, whatever it stands for
  const decoder = new TextDecoder('latin1')
  for (let start = from; start < bytes.length;) {
    let next = start + WINDOW
    for (const found of decoder.decode(bytes.subarray(start, next + LONGEST)).matchAll(expression)) {
      const at = start + found.index
      if (at >= start + WINDOW) break
      const end = at + found[0].length
      yield { at, end, found }
      next = Math.max(next, end)
    }
    start = next
  }
}

/** In the order of their places. */
function insertAll(bytes: Uint8Array, insertions: readonly Insertion[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const whole = new Uint8Array(insertions.reduce((sum, { text }) => sum + sizeOf(text, encoder), bytes.length))
  let read = 0
  let written = 0
  const copy = (end?: number): void => {
    const some = bytes.subarray(read, end)
    whole.set(some, written)
    written += some.length
  }
  for (const { at, text } of insertions) {
    copy(at)
    read = at
    written += encoder.encodeInto(text, whole.subarray(written)).written
  }
  copy()
  return whole
}

/** Bytes of a text. Ten thousand buffers of some bytes each weigh more than what they hold. */
function sizeOf(text: string, encoder: TextEncoder): number {
  return /^\p{ASCII}*$/u.test(text) ? text.length : encoder.encode(text).length
}

/** Puts beside the report whether it passes a gate. */
export function tellGate(bytes: Uint8Array, found: number): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`{"gate":${JSON.stringify({ passed: found === 0, new: found })},`)
  const whole = new Uint8Array(head.length + bytes.length - 1)
  whole.set(head)
  // behind its own brace
  whole.set(bytes.subarray(1), head.length)
  return whole
}
