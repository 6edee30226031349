import { deflateRawSync } from 'node:zlib'
import { strFromU8, strToU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { describeEntry, endArchive } from '../../adapters/web/state/zip-format.ts'
import { crc32 } from '../../core/project/crc32.ts'
import { openArchive } from '../../core/project/archive.ts'

const FILES: Readonly<Record<string, string>> = {
  'webapp/manifest.json': '{"sap.app":{"id":"museum"}}',
  'srv/Führungen 日本.js': 'module.exports = () => 1\n'.repeat(5000),
  'empty.txt': '',
}

/** As the page packs a folder. */
function pack(): Uint8Array {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const [path, text] of Object.entries(FILES)) {
    const bytes = strToU8(text)
    const method = path.endsWith('.txt') ? 'stored' : 'deflated'
    const packed = method === 'stored' ? bytes : deflateRawSync(bytes)
    const name = strToU8(path)
    const entry = { name, method, crc: crc32(bytes), packed: packed.length, size: bytes.length, offset } as const
    const { local, central } = describeEntry(entry)
    parts.push(local, packed)
    directory.push(central)
    offset += local.length + packed.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  return new Uint8Array(Buffer.concat([...parts, ...directory, endArchive(parts.length / 2, size, offset)]))
}

test('an archive that the page packs is read by another reader, and by the scanner, with the same files', () => {
  const read = unzipSync(pack())
  expect(Object.fromEntries(Object.entries(read).map(([path, bytes]) => [path, strFromU8(bytes)]))).toEqual(FILES)
  const { entries } = openArchive(pack(), { entries: 10 })
  expect(Object.fromEntries(entries.map((entry) => [entry.path, strFromU8(entry.read() ?? new Uint8Array(0))]))).toEqual(FILES)
})
