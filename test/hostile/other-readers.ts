import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'
import yauzl from 'yauzl'
import { decodeName } from '../../core/project/zip-names.ts'

const normal = (name: string): string => name.replaceAll('\\', '/').normalize('NFC')

/** The files of an archive as zip.js sees them in its strictest mode (their names read as ours are), and what it takes for an empty folder; what is `unread` is not inflated. Rejects where it would refuse the archive. */
export async function openWithZipJs(
  bytes: Uint8Array,
  unread: ReadonlySet<string> = new Set(),
): Promise<{ files: Map<string, Uint8Array>; folders: Set<string> }> {
  const reader = new ZipReader(new Uint8ArrayReader(bytes), {
    strictness: 'strict',
    checkSignature: true,
    checkOverlappingEntry: true,
    // names that differ in their slashes alone are one name here, and two there
    checkLocalFilename: !bytes.includes(0x5c),
    filenameValidation: 'tolerant',
    useWebWorkers: false,
  })
  const files = new Map<string, Uint8Array>()
  const folders = new Set<string>()
  try {
    for (const entry of await reader.getEntries()) {
      const name = normal(decodeName(entry.rawFilename))
      if (name.endsWith('/') || unread.has(name)) continue
      // attributes may call anything a folder; what holds something is a file by its name
      if (entry.directory && entry.uncompressedSize === 0) folders.add(name)
      else if ('getData' in entry && entry.getData !== undefined) files.set(name, await entry.getData(new Uint8ArrayWriter()))
    }
  } finally {
    await reader.close()
  }
  return { files, folders }
}

/** The names of the files of an archive as yauzl lists them. Rejects where it would refuse the archive. */
export function openWithYauzl(bytes: Uint8Array): Promise<Set<string>> {
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(Buffer.from(bytes), { lazyEntries: false, decodeStrings: false }, (error, archive) => {
      if (error !== null) return reject(error)
      const names = new Set<string>()
      archive.on('error', reject)
      archive.on('entry', ({ fileNameRaw }) => {
        const name = normal(decodeName(fileNameRaw))
        if (!name.endsWith('/')) names.add(name)
      })
      archive.on('end', () => resolve(names))
    })
  })
}
