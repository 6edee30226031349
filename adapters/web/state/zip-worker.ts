import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

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

/** One file after the other, so that no more than one is held beside the archive. */
async function pack(files: readonly FolderFile[]): Promise<void> {
  const parts: BlobPart[] = []
  const zip = new Zip((error, chunk, final) => {
    if (error !== null) throw error
    parts.push(new Uint8Array(chunk))
    if (final) postMessage({ kind: 'archive', blob: new Blob(parts, { type: 'application/zip' }) } satisfies Packed)
  })
  for (const [index, { path, file }] of files.entries()) {
    const bytes = await file.arrayBuffer().catch(() => undefined)
    // it was changed or deleted since it was chosen
    if (bytes === undefined) return postMessage({ kind: 'unreadable', path } satisfies Packed)
    const entry = DENSE.test(path) ? new ZipPassThrough(path) : new ZipDeflate(path, { level: 6 })
    zip.add(entry)
    entry.push(new Uint8Array(bytes), true)
    if (index % 50 === 49) postMessage({ kind: 'progress', done: index + 1 } satisfies Packed)
  }
  zip.end()
}

addEventListener('message', ({ data }: MessageEvent<readonly FolderFile[]>) => void pack(data))
