import { deflateSync, gzipSync } from 'fflate'
import { crc32 } from '../../core/project/crc32.ts'
import { empty, GOOD, invalid, TEXT, tooLarge, withEntry, type HostileArchive } from './hostile-archive.ts'
import { buildZip, bytesOf, extraField, joinBytes, u16, u32, u64, utf8 } from './zip-builder.ts'

/** Stored blocks without content, and the last one. */
const stall = (blocks: number): Uint8Array =>
  joinBytes(Array.from({ length: blocks }, () => new Uint8Array([0, 0, 0, 0xff, 0xff])))
const ENDED = new Uint8Array([1, 0, 0, 0xff, 0xff])

const sizes: HostileArchive[] = [
  withEntry('lie-low', 'size-mismatch', { name: 'a.js', data: TEXT, size: 10 }),
  withEntry('lie-zero', 'size-mismatch', { name: 'a.js', data: TEXT, size: 0 }),
  withEntry('lie-high', 'size-mismatch', { name: 'a.js', data: TEXT, size: TEXT.length + 1 }),
  withEntry('lie-low-by-one', 'size-mismatch', { name: 'a.js', data: TEXT, size: TEXT.length - 1 }),
  withEntry('stored-mismatch', 'size-mismatch', { name: 'a.js', data: TEXT, method: 0, size: 5 }),
  withEntry('deflate-short', 'size-mismatch', { name: 'a.js', data: TEXT, raw: deflateSync(utf8(TEXT)).subarray(0, 8) }),
  withEntry('deflate-empty', 'size-mismatch', { name: 'a.js', data: TEXT, raw: new Uint8Array(0) }),
  withEntry('deflate-empty-of-empty', 'size-mismatch', { name: 'a.js', data: '', raw: new Uint8Array(0) }),
  withEntry('deflate-not-final', 'size-mismatch', {
    name: 'a.js',
    data: TEXT,
    raw: bytesOf(new Uint8Array([0]), u16(TEXT.length, TEXT.length ^ 0xffff), utf8(TEXT)),
  }),
  withEntry('bomb-lies-small', 'size-mismatch', { name: 'a.js', data: new Uint8Array(30_000_000), size: 1000 }),
  withEntry('crc-bad', 'crc-mismatch', { name: 'a.js', data: TEXT, crc: 0x12345678 }),
  withEntry('crc-bad-stored', 'crc-mismatch', { name: 'a.js', data: TEXT, method: 0, crc: 0 }),
  withEntry('crc-of-other-text', 'crc-mismatch', { name: 'a.js', data: TEXT, crc: crc32(utf8('other')) }),
  withEntry('crc-empty', 'crc-mismatch', { name: 'a.js', data: '', crc: 1 }),
  withEntry('bad-huffman', 'corrupt-data', { name: 'a.js', data: TEXT, raw: new Uint8Array([0xff, 0xff, 0xff, 0xff, 0xff]) }),
  withEntry('bad-block-type', 'corrupt-data', { name: 'a.js', data: TEXT, raw: new Uint8Array([0x07, 0x00, 0x00]) }),
  withEntry('bad-distance', 'corrupt-data', {
    name: 'a.js',
    data: TEXT,
    raw: new Uint8Array([0x4b, 0x04, 0x42, 0x00, 0x1f, 0xff, 0xff]),
  }),
  withEntry('csz-overflow', 'truncated', { name: 'a.js', data: TEXT, compressed: 0x7fffffff }),
  withEntry('offset-overflow', 'truncated', { name: 'a.js', data: TEXT, offset: 0x7ffffff0 }),
  withEntry('stored-too-long', 'size-mismatch', { name: 'a.js', data: TEXT, method: 0, size: TEXT.length + 1 }),
  withEntry('lie-zero-stored', 'size-mismatch', { name: 'a.js', data: TEXT, method: 0, size: 0 }),
  // blocks that give nothing: a stream that goes on for long after its last byte
  withEntry('deflate-stall', 'size-mismatch', {
    name: 'a.js',
    data: TEXT,
    raw: joinBytes([new Uint8Array([0]), u16(TEXT.length, TEXT.length ^ 0xffff), utf8(TEXT), stall(30_000), ENDED]),
  }),
  withEntry('deflate-stall-then-more', 'size-mismatch', {
    name: 'a.js',
    data: TEXT,
    raw: joinBytes([
      new Uint8Array([0]),
      u16(TEXT.length, TEXT.length ^ 0xffff),
      utf8(TEXT),
      stall(100),
      deflateSync(utf8(TEXT)),
    ]),
  }),
  withEntry('bomb-behind-stall', 'size-mismatch', {
    name: 'a.js',
    data: '',
    raw: joinBytes([stall(10_000), deflateSync(new Uint8Array(30_000_000))]),
  }),
]

const cut =
  (keep: number): (() => Uint8Array) =>
  () => {
    const bytes = buildZip({ entries: [GOOD, { name: 'a.js', data: TEXT }] })
    return bytes.subarray(0, keep < 0 ? bytes.length + keep : keep)
  }

const truncated: HostileArchive[] = [
  invalid('trunc-1', 'truncated', cut(-1)),
  invalid('trunc-10', 'truncated', cut(-10)),
  invalid('trunc-eocd', 'truncated', cut(-22)),
  invalid('trunc-directory', 'truncated', cut(-60)),
  invalid('trunc-data', 'truncated', cut(60)),
  invalid('trunc-header', 'truncated', cut(30)),
  invalid('comment-length-lies', 'truncated', () => buildZip({ entries: [GOOD], commentLength: 100 })),
  invalid('directory-start-high', 'truncated', () => buildZip({ entries: [GOOD], directoryStart: 0x70000000 })),
  invalid('directory-size-high', 'truncated', () => buildZip({ entries: [GOOD], directorySize: 0x70000000 })),
  invalid('zip64-missing', 'truncated', () => buildZip({ entries: [GOOD], zip64: 'missing' })),
  invalid('zip64-huge', 'truncated', () => buildZip({ entries: [GOOD], zip64: 'huge' })),
  invalid('zip64-locator-only', 'truncated', () => buildZip({ entries: [GOOD], zip64: 'locator-only' })),
  invalid('zip64-disagrees', 'ambiguous', () => buildZip({ entries: [GOOD], zip64: 'disagrees' })),
  invalid('zip64-disks', 'multi-disk', () => buildZip({ entries: [GOOD], zip64: 'disks' })),
  withEntry('zip64-extra-missing', 'truncated', { name: 'a.js', data: TEXT, size: 0xffffffff, compressed: 5 }),
  withEntry('zip64-extra-short', 'truncated', { name: 'a.js', data: TEXT, size: 0xffffffff, extra: extraField(1, u32(5)) }),
  withEntry('zip64-extra-huge', 'truncated', {
    name: 'a.js',
    data: TEXT,
    size: 0xffffffff,
    extra: extraField(1, u64(0xfffffffffffffn * 1024n)),
  }),
  withEntry('zip64-extra-twice', 'ambiguous', {
    name: 'a.js',
    data: TEXT,
    extra: bytesOf(extraField(1, u64(1)), extraField(1, u64(2))),
  }),
  withEntry('lfh-zip64-missing', 'truncated', { name: 'a.js', data: TEXT, localSize: 0xffffffff, localCompressed: 0xffffffff }),
  withEntry('offset-huge', 'truncated', { name: 'a.js', data: TEXT, zip64: true, offset: 2 ** 40, phantom: true }),
  invalid('trunc-with-inner-zip', 'truncated', () => {
    const inner = buildZip({ entries: [GOOD] })
    const bytes = buildZip({
      entries: [
        { name: 'inner.zip', method: 0, data: inner },
        { name: 'a.js', data: TEXT },
      ],
    })
    return bytes.subarray(0, bytes.length - 30)
  }),
]

const others: HostileArchive[] = [
  invalid('not-zip-empty', 'not-a-zip', () => new Uint8Array(0)),
  invalid('not-zip-text', 'not-a-zip', () => utf8('hello')),
  invalid('not-zip-html', 'not-a-zip', () => utf8('<!DOCTYPE html><html><body>login</body></html>')),
  invalid('not-zip-one-byte', 'not-a-zip', () => new Uint8Array([0x50])),
  invalid('not-zip-zeros', 'not-a-zip', () => new Uint8Array(70_000)),
  invalid('gzip', 'not-a-zip', () => gzipSync(utf8(TEXT))),
  invalid('rar', 'not-a-zip', () => bytesOf(utf8('Rar!'), new Uint8Array([0x1a, 7, 1, 0]), new Uint8Array(40))),
  invalid('7z', 'not-a-zip', () => bytesOf(new Uint8Array([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]), new Uint8Array(40))),
  invalid('eocd-signatures', 'truncated', () => bytesOf(...Array.from({ length: 17_500 }, () => u32(0x06054b50)))),
  invalid('tar', 'not-a-zip', () => bytesOf(new Uint8Array(257), utf8('ustar'), new Uint8Array(250))),
  invalid('xz', 'not-a-zip', () => bytesOf(new Uint8Array([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), new Uint8Array(40))),
  invalid('directory-only-signature', 'not-a-zip', () => bytesOf(u32(0x02014b50), new Uint8Array(100))),
  empty('empty-zip', () => buildZip({ entries: [] })),
  empty('folders-only', () => buildZip({ entries: [{ name: 'a/' }, { name: 'b/' }] })),
  empty('images-only', () =>
    buildZip({
      entries: [
        { name: 'logo.png', data: 'x' },
        { name: 'a.woff2', data: 'x' },
      ],
    }),
  ),
  empty('binary-only', () => buildZip({ entries: [{ name: 'data', data: new Uint8Array(500) }] })),
  empty('node-modules-only', () => buildZip({ entries: [{ name: 'node_modules/a/index.js', data: 'x' }] })),
  empty('links-only', () => buildZip({ entries: [{ name: 'a.js', data: '/etc/passwd', mode: 0o120777 }] })),
  empty('archives-only', () =>
    buildZip({
      entries: [
        { name: 'a.zip', data: 'x' },
        { name: 'b.mtar', data: 'x' },
      ],
    }),
  ),
  empty('macos-only', () =>
    buildZip({
      entries: [
        { name: '__MACOSX/._a.js', data: 'x' },
        { name: '.DS_Store', data: 'x' },
      ],
    }),
  ),
  tooLarge('many-20001', 'entries', () =>
    buildZip({ entries: Array.from({ length: 20_001 }, (_, index) => ({ name: `f${index}`, method: 0 })) }),
  ),
  // decided from the end record alone, whatever the rest is
  tooLarge('many-65535', 'entries', () => buildZip({ entries: [], count: 65_535 })),
  tooLarge('many-claimed', 'entries', () => buildZip({ entries: [GOOD], count: 60_000 })),
  tooLarge('many-zip64', 'entries', () => buildZip({ entries: [GOOD], zip64: 'saturated', count: 2 ** 40 })),
  tooLarge('bomb-sum', 'inflated', () =>
    buildZip({
      entries: Array.from({ length: 5 }, (_, index) => ({ name: `f${index}.js`, data: new Uint8Array(4_000_000).fill(65) })),
    }),
  ),
  tooLarge('bomb-just-under', 'inflated', () => {
    // 1 GB in 1 MB: each file is under its limit
    const raw = deflateSync(new Uint8Array(2_000_000).fill(65))
    return buildZip({
      entries: Array.from({ length: 500 }, (_, index) => ({ name: `f${index}.js`, raw, size: 2_000_000, crc: 1 })),
    })
  }),
]

export const HOSTILE_SIZES: readonly HostileArchive[] = [...sizes, ...truncated, ...others]
