/** Turns ascending byte offsets into the UTF-8 of a text into offsets of the text itself. */
export type OffsetMap = (bytes: readonly number[]) => readonly number[]

/** Characters between two marks. */
export const STRIDE = 256

/**
 * The map of one text that has so many bytes. A text with as many characters is ASCII and needs none; of any other the bytes are counted once, at every 256th character. An offset is
 * found from the nearest mark: at once where only ASCII follows on it, by a walk to it otherwise, and ascending ones in one walk together.
 */
export function createOffsetMap(text: string, size: number): OffsetMap {
  if (text.length === size) return (bytes) => bytes
  const marks = countMarks(text)
  return (bytes) => {
    const offsets: number[] = []
    let unit = 0
    let byte = 0
    for (const wanted of bytes) {
      const mark = lastMarkBefore(marks, wanted)
      const before = marks[mark] ?? 0
      if (marks[mark + 1] === before + STRIDE) {
        offsets.push(mark * STRIDE + wanted - before)
        continue
      }
      if (mark * STRIDE > unit) {
        unit = mark * STRIDE
        byte = before
      }
      for (; byte < wanted && unit < text.length; unit++) {
        const code = text.charCodeAt(unit)
        byte += code < 0x80 ? 1 : bytesOf(code)
      }
      offsets.push(unit)
    }
    return offsets
  }
}

/** Bytes before each mark. */
function countMarks(text: string): Uint32Array {
  const marks = new Uint32Array(Math.floor(text.length / STRIDE) + 1)
  for (let mark = 1; mark < marks.length; mark++)
    marks[mark] = (marks[mark - 1] ?? 0) + countBytes(text, (mark - 1) * STRIDE, mark * STRIDE)
  return marks
}

/** A function of its own, so that it is compiled for its many calls instead of for one long loop. */
function countBytes(text: string, from: number, to: number): number {
  let bytes = to - from
  for (let unit = from; unit < to; unit++) {
    const code = text.charCodeAt(unit)
    if (code >= 0x80) bytes += bytesOf(code) - 1
  }
  return bytes
}

function lastMarkBefore(marks: Uint32Array, byte: number): number {
  let low = 0
  let high = marks.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((marks[middle] ?? 0) <= byte) low = middle
    else high = middle - 1
  }
  return low
}

/** Each half of a surrogate pair counts for two of its four bytes. */
function bytesOf(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800 || (code >= 0xd800 && code < 0xe000)) return 2
  return 3
}
