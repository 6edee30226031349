import { Refusal } from '../errors.ts'
import { MAX_PATH_BYTES } from '../limits.ts'
import { resolvePath } from '../paths.ts'
import type { Notice, ProjectSource, ScanLimits, SourceEntry } from '../types.ts'
import { crc32 } from './crc32.ts'
import { decodeText } from './decode.ts'
import { inflateExactly, type Inflater } from './inflate.ts'
import { findDirectory, refuse } from './zip-directory.ts'
import { readExtra, type WideFields } from './zip-extra.ts'
import { decodeName, normaliseName } from './zip-names.ts'

const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const DESCRIPTOR_SIGNATURE = 0x08074b50
const CENTRAL_SIZE = 46
const LOCAL_SIZE = 30
const ENCRYPTED = 0x0001
const DESCRIPTOR = 0x0008
const STRONG = 0x0040
const MASKED = 0x2000
const UTF8 = 0x0800

/** One entry of the central directory, judged. */
interface CentralEntry {
  readonly path: string
  readonly rawName: Uint8Array
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly compressed: number
  readonly size: number
  readonly local: number
  readonly type: 'file' | 'folder' | 'link' | 'special'
}

/** Where an entry's local header and data lie. */
interface Extent {
  readonly entry: CentralEntry
  readonly nameEnd: number
  readonly dataStart: number
  readonly dataEnd: number
}

/**
 * The gate: the whole central directory is judged before a byte is inflated; then the targets of links are read, which are paths. Throws the refusals `archive-invalid`,
 * `archive-encrypted` and `archive-too-large`; reading an entry throws `size-mismatch`, `crc-mismatch` and `corrupt-data`.
 */
export function openArchive(bytes: Uint8Array, limits: Pick<ScanLimits, 'entries'>, inflater?: Inflater): ProjectSource {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const directory = findDirectory(bytes, limits.entries)
  const central: CentralEntry[] = []
  let at = directory.start
  for (let index = 0; index < directory.count; index++) {
    if (at + CENTRAL_SIZE > directory.end || view.getUint32(at, true) !== CENTRAL) refuse('ambiguous')
    const next = at + CENTRAL_SIZE + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    if (next > directory.end) refuse('ambiguous')
    central.push(readCentral(bytes, view, at))
    at = next
  }
  if (at !== directory.end) refuse('ambiguous')
  const names = refuseDuplicates(central, limits.entries)
  const extents = central.map((entry) => locate(view, entry, directory.start))
  const ordered = [...extents].sort((a, b) => a.entry.local - b.entry.local)
  refuseOverlaps(ordered)
  for (const extent of ordered) compareLocal(bytes, view, extent)
  refuseGaps(view, ordered, directory.start)

  const entries: SourceEntry[] = []
  const notices: Notice[] = []
  for (const extent of extents) {
    const { path, type } = extent.entry
    if (type === 'link') {
      const isInner = leadsInside(toSourceEntry(bytes, extent, inflater), names)
      notices.push({ code: 'file-skipped', reason: isInner ? 'inner-link' : 'link', file: path, partial: !isInner })
    } else if (type === 'special') notices.push({ code: 'file-skipped', reason: type, file: path, partial: true })
    else if (type === 'file') entries.push(toSourceEntry(bytes, extent, inflater))
  }
  return { entries, notices, leftOut: [], isArchive: true }
}

function readCentral(bytes: Uint8Array, view: DataView, at: number): CentralEntry {
  const flags = view.getUint16(at + 8, true)
  const method = view.getUint16(at + 10, true)
  const nameLength = view.getUint16(at + 28, true)
  const nameEnd = at + CENTRAL_SIZE + nameLength
  const rawName = bytes.subarray(at + CENTRAL_SIZE, nameEnd)
  const name = decodeName(rawName)
  const path = normaliseName(name, nameLength)
  if ((flags & (ENCRYPTED | STRONG | MASKED)) !== 0 || method === 99) throw new Refusal('archive-encrypted', { entry: path })
  if (method !== 0 && method !== 8) refuse('unsupported-method', path)
  const fields: WideFields = {
    size: view.getUint32(at + 24, true),
    compressed: view.getUint32(at + 20, true),
    local: view.getUint32(at + 42, true),
    disk: view.getUint16(at + 34, true),
  }
  const wide = readExtra(bytes, nameEnd, nameEnd + view.getUint16(at + 30, true), { rawName, path, fields })
  if (wide.disk !== 0) refuse('multi-disk', path)
  const { size, compressed, local } = wide
  if (method === 0 && size !== compressed) refuse('size-mismatch', path)
  const type = typeOf(path, size, view.getUint8(at + 5), view.getUint32(at + 38, true))
  return { path, rawName, flags, method, crc: view.getUint32(at + 16, true), size, compressed, local, type }
}

const UNIX = 3
const MACOS = 19

function typeOf(path: string, size: number, madeBy: number, attributes: number): CentralEntry['type'] {
  if (path.endsWith('/')) return 'folder'
  if (madeBy !== UNIX && madeBy !== MACOS) return 'file'
  const format = (attributes >>> 16) & 0xf000
  if (format === 0xa000) return 'link'
  // what calls itself a folder and holds something is a file to those who go by names
  if (format === 0x4000) return size === 0 ? 'folder' : 'file'
  return format === 0x8000 || format === 0 ? 'file' : 'special'
}

/** Names of files and folders to their types. Folders that no entry names count as entries do: 70,000 files, each in 62 folders of its own, would fill the memory by their names. */
function refuseDuplicates(central: readonly CentralEntry[], most: number): ReadonlyMap<string, CentralEntry['type']> {
  const names = new Map<string, CentralEntry['type']>()
  const folders = new Set<string>()
  for (const { path, type } of central) {
    const name = path.endsWith('/') ? path.slice(0, -1) : path
    // a folder that stands twice is the same folder
    if (names.has(name) && !(type === 'folder' && names.get(name) === 'folder')) refuse('duplicate-name', path)
    names.set(name, type)
    for (let slash = name.lastIndexOf('/'); slash > 0; slash = name.lastIndexOf('/', slash - 1)) {
      const folder = name.slice(0, slash)
      if (folders.has(folder)) break
      folders.add(folder)
      if (folders.size > most) throw new Refusal('archive-too-large', { reason: 'entries', limit: most })
    }
  }
  for (const folder of folders) {
    if ((names.get(folder) ?? 'folder') !== 'folder') refuse('duplicate-name', folder)
    names.set(folder, 'folder')
  }
  return names
}

/** Whether the target that a link's data names is a file or a folder of the archive, which is looked at where it lies. */
function leadsInside(link: SourceEntry, names: ReadonlyMap<string, CentralEntry['type']>): boolean {
  const target = targetOf(link)
  const named = target === undefined ? undefined : resolvePath(link.path, target)
  const type = named === '' ? 'folder' : names.get(named ?? '')
  return type === 'file' || type === 'folder'
}

/** Undefined where it is damaged or too long for a path: nothing of it is analysed, so it refuses nothing. */
function targetOf({ size, read }: SourceEntry): string | undefined {
  if (size > MAX_PATH_BYTES) return undefined
  try {
    const target = read()
    return target && decodeText(target)?.text
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Where an entry lies, as far as the header in front of its data tells. */
function locate(view: DataView, entry: CentralEntry, directoryStart: number): Extent {
  const { local, path, compressed } = entry
  if (local + LOCAL_SIZE > view.byteLength) refuse('truncated', path)
  if (view.getUint32(local, true) !== LOCAL) refuse('ambiguous', path)
  const nameEnd = local + LOCAL_SIZE + view.getUint16(local + 26, true)
  const dataStart = nameEnd + view.getUint16(local + 28, true)
  const dataEnd = dataStart + compressed
  if (dataEnd > view.byteLength) refuse('truncated', path)
  if (dataEnd > directoryStart) refuse('overlap', path)
  return { entry, nameEnd, dataStart, dataEnd }
}

/** Readers that stream believe the local header: it must say what the directory says. */
function compareLocal(bytes: Uint8Array, view: DataView, { entry, nameEnd, dataStart }: Extent): void {
  const { local, path, rawName, flags } = entry
  const localFlags = view.getUint16(local + 6, true)
  if ((localFlags & (ENCRYPTED | STRONG | MASKED)) !== 0) throw new Refusal('archive-encrypted', { entry: path })
  const localName = bytes.subarray(local + LOCAL_SIZE, nameEnd)
  if (!sameName(localName, rawName)) refuse('ambiguous', path)
  if (view.getUint16(local + 8, true) !== entry.method || ((localFlags ^ flags) & (DESCRIPTOR | UTF8)) !== 0)
    refuse('ambiguous', path)
  const fields = { size: view.getUint32(local + 22, true), compressed: view.getUint32(local + 18, true) }
  const told = readExtra(bytes, nameEnd, dataStart, { rawName: localName, path, fields: { local: 0, disk: 0, ...fields } })
  const crc = view.getUint32(local + 14, true)
  // with a descriptor behind the data they may be left for it to say
  const isDeferred = (flags & DESCRIPTOR) !== 0
  const differs = (one: number, other: number): boolean => one !== other && !(isDeferred && one === 0)
  if (differs(crc, entry.crc) || differs(told.size, entry.size) || differs(told.compressed, entry.compressed))
    refuse('ambiguous', path)
}

/** Equal but for the direction of slashes: some tools write `\` in one of the two headers. */
function sameName(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  return one.every((byte, index) => byte === other[index] || (isSlash(byte) && isSlash(other[index])))
}

function isSlash(byte: number | undefined): boolean {
  return byte === 0x2f || byte === 0x5c
}

function refuseOverlaps(ordered: readonly Extent[]): void {
  let end = 0
  for (const { entry, dataEnd } of ordered) {
    if (entry.local < end) refuse('overlap', entry.path)
    end = dataEnd
  }
}

/** Every byte before the directory belongs to exactly one entry: header, data, and the data descriptor of those that have one. */
function refuseGaps(view: DataView, ordered: readonly Extent[], directoryStart: number): void {
  let previous: Extent | undefined
  for (const extent of [...ordered, undefined]) {
    const from = previous?.dataEnd ?? 0
    const to = extent?.entry.local ?? directoryStart
    const isFilled =
      previous !== undefined && (previous.entry.flags & DESCRIPTOR) !== 0
        ? isDescriptor(view, from, to, previous.entry)
        : from === to
    if (!isFilled) refuse('ambiguous', extent?.entry.path ?? previous?.entry.path)
    previous = extent
  }
}

/** Whether these bytes are the entry's data descriptor: with or without its signature, with narrow or wide sizes, and true (APPNOTE 6.3.10, 4.3.9). */
function isDescriptor(view: DataView, from: number, to: number, { crc, compressed, size }: CentralEntry): boolean {
  const length = to - from
  if (![12, 16, 20, 24].includes(length)) return false
  const at = length === 16 || length === 24 ? from + 4 : from
  if (at !== from && view.getUint32(from, true) !== DESCRIPTOR_SIGNATURE) return false
  if (view.getUint32(at, true) !== crc) return false
  if (length < 20) return view.getUint32(at + 4, true) === compressed && view.getUint32(at + 8, true) === size
  return view.getBigUint64(at + 4, true) === BigInt(compressed) && view.getBigUint64(at + 12, true) === BigInt(size)
}

/** Holds what a read needs and nothing else: there may be a hundred thousand of them for the whole scan. */
function toSourceEntry(
  bytes: Uint8Array,
  { entry: { path, size, method, crc }, dataStart, dataEnd }: Extent,
  inflater: Inflater | undefined,
): SourceEntry {
  return {
    path,
    size,
    read() {
      const data = bytes.subarray(dataStart, dataEnd)
      const content = method === 0 ? data : inflateExactly(data, size, path, inflater)
      if (crc32(content) !== crc) refuse('crc-mismatch', path)
      return content
    },
  }
}
