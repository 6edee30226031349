import { crc32 } from '../../../core/project/crc32.ts'
import { describeEntry, endArchive } from './zip-format.ts'

/** A file of a folder, and where it lies in it. */
export interface FolderFile {
  readonly path: string
  readonly file: File
}

/** What the worker tells: how many files are packed, then the archive, or that a file could not be read. */
export type Packed =
  | { readonly kind: 'progress'; readonly done: number }
  | { readonly kind: 'archive'; readonly blob: Blob }
  | { readonly kind: 'unreadable'; readonly path: string }

/** Files that are as small as they get. */
const DENSE = /\.(?:png|jpe?g|gif|webp|avif|woff2?|zip|gz|jar|mp4|mp3|pdf)$/i

/** Every browser has it: no library is needed to pack. */
function deflate(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  return new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer()
}

/** One file after the other, so that no more than one is held beside the archive. */
async function pack(files: readonly FolderFile[]): Promise<void> {
  const parts: BlobPart[] = []
  const directory: BlobPart[] = []
  let offset = 0
  let size = 0
  for (const [index, { path, file }] of files.entries()) {
    const bytes = await file.arrayBuffer().catch(() => undefined)
    // it was changed or deleted since it was chosen
    if (bytes === undefined) return postMessage({ kind: 'unreadable', path } satisfies Packed)
    const isDense = DENSE.test(path)
    const packed = isDense ? bytes : await deflate(bytes)
    const { local, central } = describeEntry({
      name: new TextEncoder().encode(path),
      method: isDense ? 'stored' : 'deflated',
      crc: crc32(new Uint8Array(bytes)),
      packed: packed.byteLength,
      size: bytes.byteLength,
      offset,
    })
    parts.push(local, packed)
    directory.push(central)
    offset += local.byteLength + packed.byteLength
    size += central.byteLength
    if (index % 50 === 49) postMessage({ kind: 'progress', done: index + 1 } satisfies Packed)
  }
  const blob = new Blob([...parts, ...directory, endArchive(files.length, size, offset)], { type: 'application/zip' })
  postMessage({ kind: 'archive', blob } satisfies Packed)
}

addEventListener('message', ({ data }: MessageEvent<readonly FolderFile[]>) => void pack(data))
