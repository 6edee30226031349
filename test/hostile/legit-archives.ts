import { zipSync, Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter, type ZipWriterConstructorOptions } from '@zip.js/zip.js'
import { crc32 } from '../../core/project/crc32.ts'
import {
  buildZip,
  bytesOf,
  extraField,
  joinBytes,
  u16,
  u32,
  u64,
  unicodePath,
  utf8,
  type ArchiveSpec,
  type EntrySpec,
} from './zip-builder.ts'

/** A tool's way to write a ZIP: what it writes must be read back byte for byte. */
export interface LegitWriter {
  readonly name: string
  write(files: ReadonlyMap<string, Uint8Array>): Uint8Array | Promise<Uint8Array>
}

const UNIX_FILE = 0o100644
const UNIX_FOLDER = 0o040755
const FOLDER_BIT = 0x10

// extra fields as tools write them: Info-ZIP's times (UT) and owners (ux), NTFS times, Java's mark
const ut = (isLocal: boolean): Uint8Array =>
  extraField(0x5455, bytesOf(new Uint8Array([3]), ...Array.from({ length: isLocal ? 2 : 1 }, () => u32(1_763_600_000))))
const ux = extraField(0x7875, new Uint8Array([1, 4, 0xe8, 3, 0, 0, 4, 0xe8, 3, 0, 0]))
const ntfs = extraField(0x000a, bytesOf(u32(0), u16(1, 24), u64(1), u64(1), u64(1)))
const java = extraField(0xcafe, new Uint8Array(0))

/** Writes each file with the same habits, folders before what is in them if the tool does so. */
function style(
  name: string,
  entryOf: (path: string, data: Uint8Array) => Partial<EntrySpec>,
  more: { folders?: Partial<EntrySpec>; path?: (path: string) => string; archive?: Partial<ArchiveSpec>; first?: EntrySpec } = {},
): LegitWriter {
  const { folders, path: rename = (path) => path, archive = {}, first } = more
  return {
    name,
    write(files) {
      const written = new Set<string>()
      const entries: EntrySpec[] = first === undefined ? [] : [first]
      for (const [path, data] of files) {
        const segments = rename(path).split(/(?<=[/\\])/)
        for (let count = 1; count < segments.length; count++) {
          const folder = segments.slice(0, count).join('')
          if (folders !== undefined && !written.has(folder)) entries.push({ name: folder, data: '', method: 0, ...folders })
          written.add(folder)
        }
        entries.push({ name: rename(path), data, ...entryOf(path, data) })
      }
      return buildZip({ entries, ...archive })
    },
  }
}

const infoZip = (): Partial<EntrySpec> => ({
  flags: 0,
  mode: UNIX_FILE,
  extra: joinBytes([ut(false), ux]),
  localExtra: joinBytes([ut(true), ux]),
})
const infoZipFolders: Partial<EntrySpec> = {
  flags: 0,
  mode: UNIX_FOLDER,
  attributes: ((UNIX_FOLDER << 16) | FOLDER_BIT) >>> 0,
  madeBy: 3,
  extra: joinBytes([ut(false), ux]),
}
const inFolder =
  (folder: string) =>
  (path: string): string =>
    `${folder}/${path}`

const zipJs = (name: string, options: ZipWriterConstructorOptions): LegitWriter => ({
  name,
  async write(files) {
    const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false, ...options })
    for (const [path, data] of files) await writer.add(path, new Uint8ArrayReader(data))
    return writer.close()
  },
})

const fflate = (name: string, level: 0 | 6, isStreamed: boolean): LegitWriter => ({
  name,
  write(files) {
    if (!isStreamed) return zipSync(Object.fromEntries(files), { level })
    const parts: Uint8Array[] = []
    const zip = new Zip((_, chunk) => void parts.push(chunk))
    for (const [path, data] of files) {
      const entry = level === 0 ? new ZipPassThrough(path) : new ZipDeflate(path, { level })
      zip.add(entry)
      entry.push(data, true)
    }
    zip.end()
    return joinBytes(parts)
  },
})

export const LEGIT: readonly LegitWriter[] = [
  style('Info-ZIP zip -r', infoZip, { folders: infoZipFolders }),
  style('Info-ZIP zip -r, in a folder', infoZip, { folders: infoZipFolders, path: inFolder('shop') }),
  style('Info-ZIP zip -0', (path) => ({ ...infoZip(), method: 0, flags: path.includes('\u00e9') ? 0x0800 : 0 })),
  style('Info-ZIP zip to a pipe', () => ({ ...infoZip(), flags: 0, descriptor: 'signed' })),
  style('Info-ZIP zip -fz', () => ({ ...infoZip(), zip64: true }), { archive: { zip64: 'start' } }),
  style('Info-ZIP with unicode paths', (path) => ({ flags: 0, extra: unicodePath(path, path), mode: UNIX_FILE })),
  style('Info-ZIP with a comment', infoZip, { archive: { comment: utf8('release 1.0\nbuilt nightly') } }),
  style('Info-ZIP on DOS', () => ({ flags: 0, madeBy: 0, attributes: 0x20 })),
  style('7-Zip', () => ({ madeBy: 0, attributes: 0x20, extra: ntfs, flags: 0x0800 }), {
    folders: { madeBy: 0, attributes: FOLDER_BIT, extra: ntfs },
  }),
  style('7-Zip on Linux', () => ({ madeBy: 3, mode: UNIX_FILE, attributes: ((UNIX_FILE << 16) | 0x8000) >>> 0, extra: ntfs })),
  style('WinRAR', () => ({ madeBy: 0, attributes: 0x20, extra: unicodeTimes(), flags: 0x0800 })),
  style('Windows Explorer', () => ({ madeBy: 0, attributes: 0x20, flags: 0 })),
  style('Windows Explorer, in a folder', () => ({ madeBy: 0, attributes: 0x20, flags: 0 }), { path: inFolder('shop') }),
  style('PowerShell 5.1 Compress-Archive', () => ({ madeBy: 0, flags: 0x0800 }), {
    path: (path) => path.replaceAll('/', '\\'),
    folders: { madeBy: 0 },
  }),
  style('PowerShell 7 Compress-Archive', () => ({ madeBy: 0, attributes: 0x20, flags: 0x0800 }), { folders: { madeBy: 0 } }),
  style('.NET ZipArchive to a stream', () => ({ madeBy: 0, flags: 0x0800, descriptor: 'signed' })),
  style(
    'macOS Archive Utility',
    () => ({ madeBy: 3, mode: UNIX_FILE, flags: 0, descriptor: 'signed', localExtra: extraField(0x5855, new Uint8Array(12)) }),
    {
      path: inFolder('shop'),
      first: { name: '__MACOSX/shop/._package.json', data: 'Mac OS X', flags: 0, descriptor: 'signed' },
    },
  ),
  style(
    'macOS ditto',
    () => ({ madeBy: 3, mode: UNIX_FILE, flags: 0, descriptor: 'signed', extra: extraField(0x5855, new Uint8Array(8)) }),
    { folders: infoZipFolders },
  ),
  style(
    'git archive',
    () => ({
      mode: 0,
      attributes: 0,
      madeBy: 3,
      flags: 0,
      extra: extraField(0x5455, bytesOf(new Uint8Array([1]), u32(1))),
      localExtra: extraField(0x5455, bytesOf(new Uint8Array([1]), u32(1))),
    }),
    {
      archive: { comment: utf8('0123456789abcdef0123456789abcdef01234567') },
    },
  ),
  style('GitHub download', () => ({ madeBy: 0, flags: 0x0800, attributes: 0 }), {
    path: inFolder('shop-main'),
    folders: { madeBy: 0, attributes: FOLDER_BIT },
    archive: { comment: utf8('0123456789abcdef0123456789abcdef01234567') },
  }),
  style('Business Application Studio export', () => ({ madeBy: 3, mode: 0o100664, flags: 0x0808, descriptor: 'signed' }), {
    path: inFolder('shop'),
  }),
  style('MBT .mtar', () => ({ madeBy: 0, flags: 0x0808, descriptor: 'signed' }), {
    first: { name: 'META-INF/MANIFEST.MF', data: 'Manifest-Version: 1.0\n', flags: 0x0808, descriptor: 'signed' },
  }),
  style('Go archive/zip', (path) => ({
    madeBy: 3,
    mode: UNIX_FILE,
    flags: path.includes('\u00e9') ? 0x0808 : 0x0008,
    descriptor: 'signed',
    extra: extraField(0x5455, new Uint8Array([1, 0, 0, 0, 0])),
  })),
  style('Go archive/zip, zip64 descriptors', () => ({ madeBy: 3, mode: UNIX_FILE, descriptor: 'zip64' })),
  style('jar', () => ({ madeBy: 0, flags: 0x0808, descriptor: 'signed' }), {
    first: { name: 'META-INF/', data: '', flags: 0x0808, method: 8, descriptor: 'signed', extra: java, localExtra: java },
  }),
  style('jar -0', () => ({ madeBy: 0, method: 0, flags: 0x0800 })),
  style('Java ZipOutputStream, zip64', () => ({ madeBy: 0, flags: 0x0808, descriptor: 'zip64' }), {
    archive: { zip64: 'saturated' },
  }),
  style('Python zipfile', (path) => ({ madeBy: 3, mode: UNIX_FILE, method: 0, flags: path.includes('\u00e9') ? 0x0800 : 0 })),
  style('Python zipfile, deflated', (path) => ({ madeBy: 3, mode: UNIX_FILE, flags: path.includes('\u00e9') ? 0x0800 : 0 })),
  style('Python zipfile to a pipe', () => ({ madeBy: 3, mode: UNIX_FILE, descriptor: 'signed' })),
  forceZip64('Python zipfile, force_zip64'),
  style('yazl', () => ({ madeBy: 3, mode: 0o100664, flags: 0x0808, descriptor: 'signed' })),
  style('yazl from buffers', () => ({ madeBy: 3, mode: 0o100664, flags: 0x0800 })),
  style('JSZip', () => ({ madeBy: 0, method: 0, flags: 0 }), { folders: { madeBy: 0, attributes: FOLDER_BIT } }),
  style('JSZip, streamed', () => ({ madeBy: 0, flags: 0x0808, descriptor: 'signed' })),
  style('adm-zip', () => ({ madeBy: 10, attributes: 0o644 << 16, flags: 0x0800 })),
  fflate('fflate', 6, false),
  fflate('fflate, stored', 0, false),
  fflate('fflate, streamed', 6, true),
  zipJs('zip.js', {}),
  zipJs('zip.js, stored', { level: 0 }),
  zipJs('zip.js, zip64', { zip64: true }),
  zipJs('zip.js, no descriptors', { dataDescriptor: false }),
  zipJs('zip.js, unsigned descriptors', { dataDescriptor: true, dataDescriptorSignature: false }),
]

/** WinRAR writes the times of a file with a precision of 100 ns. */
function unicodeTimes(): Uint8Array {
  return joinBytes([ntfs, extraField(0x5455, new Uint8Array([1, 0, 0, 0, 0]))])
}

/** The local header has zip64 sizes, the directory plain ones. */
function forceZip64(name: string): LegitWriter {
  return style(name, (_, data) => ({
    mode: UNIX_FILE,
    method: 0,
    crc: crc32(data),
    localSize: 0xffffffff,
    localCompressed: 0xffffffff,
    localExtra: extraField(1, bytesOf(u64(data.length), u64(data.length))),
  }))
}
