/** What a ZIP archive says of its files (APPNOTE 6.3.10, 4.3.7, 4.3.12, 4.3.16); all numbers are little-endian. */
export interface ZipEntry {
  readonly name: Uint8Array
  readonly method: 'stored' | 'deflated'
  readonly crc: number
  /** Bytes in the archive, and bytes of the file. */
  readonly packed: number
  readonly size: number
  /** Where its local header begins. */
  readonly offset: number
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
/** Names are in UTF-8. */
const UTF8 = 0x0800
/** 1 January 1980: the first day that the format knows. An archive says nothing of when its files were changed. */
const FIRST_DAY = 0x21

/** Numbers of two (`[2, n]`) and four bytes, one after the other, with bytes behind them. */
function write(numbers: readonly (readonly [2 | 4, number])[], bytes: Uint8Array = new Uint8Array(0)): Uint8Array<ArrayBuffer> {
  const length = numbers.reduce((sum, [width]) => sum + width, 0)
  const result = new Uint8Array(length + bytes.length)
  const view = new DataView(result.buffer)
  let at = 0
  for (const [width, value] of numbers) {
    if (width === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += width
  }
  result.set(bytes, length)
  return result
}

/** The header before the bytes of a file, and its entry in the directory at the end. */
export function describeEntry({ name, method, crc, packed, size, offset }: ZipEntry): {
  readonly local: Uint8Array<ArrayBuffer>
  readonly central: Uint8Array<ArrayBuffer>
} {
  const common = [
    [2, 20],
    [2, UTF8],
    [2, method === 'stored' ? 0 : 8],
    [2, 0],
    [2, FIRST_DAY],
    [4, crc],
    [4, packed],
    [4, size],
    [2, name.length],
    [2, 0],
  ] as const
  return {
    local: write([[4, LOCAL], ...common], name),
    // no comment, the first disk, no attributes
    central: write([[4, CENTRAL], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]], name),
  }
}

/** What ends an archive of so many files, whose directory has `size` bytes and begins at `offset`. */
export function endArchive(files: number, size: number, offset: number): Uint8Array<ArrayBuffer> {
  return write([
    [4, END],
    [2, 0],
    [2, 0],
    [2, files],
    [2, files],
    [4, size],
    [4, offset],
    [2, 0],
  ])
}
