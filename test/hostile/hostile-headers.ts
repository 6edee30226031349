import { GOOD, invalid, TEXT, withEntry, type HostileArchive } from './hostile-archive.ts'
import { buildZip, bytesOf, extraField, u16, u32, u64, unicodePath, utf8, type EntrySpec } from './zip-builder.ts'

const methods: HostileArchive[] = [1, 2, 6, 9, 12, 14, 93, 95, 98].map((method) =>
  withEntry(`method-${method}`, 'unsupported-method', { name: 'a.js', method, raw: utf8('abc'), data: TEXT }),
)

const encrypted: HostileArchive[] = (
  [
    ['enc-flag', { name: 'a.js', data: TEXT, flags: 1 }],
    ['strong-enc', { name: 'a.js', data: TEXT, flags: 0x41 }],
    ['strong-only', { name: 'a.js', data: TEXT, flags: 0x40 }],
    ['masked', { name: 'a.js', data: TEXT, flags: 0x2000 }],
    ['method-99', { name: 'a.js', data: TEXT, method: 99, raw: utf8('x') }],
    ['enc-local-only', { name: 'a.js', data: TEXT, flags: 0, localFlags: 1 }],
    ['enc-image', { name: 'logo.png', data: TEXT, flags: 1 }],
  ] satisfies readonly (readonly [string, EntrySpec])[]
).map(([name, entry]) => ({ name, code: 'archive-encrypted', build: () => buildZip({ entries: [GOOD, entry] }) }))

const headers: HostileArchive[] = [
  withEntry('lfh-cdh-name-differ', 'ambiguous', { name: 'good.js', localName: 'evil.js', data: TEXT }),
  withEntry('lfh-name-longer', 'ambiguous', { name: 'good.js', localName: 'good.json', data: TEXT }),
  withEntry('lfh-method-differs', 'ambiguous', { name: 'a.js', data: TEXT, localMethod: 0 }),
  withEntry('lfh-crc-differs', 'ambiguous', { name: 'a.js', data: TEXT, localCrc: 1 }),
  withEntry('lfh-size-differs', 'ambiguous', { name: 'a.js', data: TEXT, localSize: 1 }),
  withEntry('lfh-descriptor-flag-differs', 'ambiguous', { name: 'a.js', data: TEXT, localFlags: 0x0808 }),
  withEntry('unicode-path-extra', 'ambiguous', {
    name: 'good.js',
    data: TEXT,
    extra: unicodePath('good.js', 'evil.js'),
  }),
  withEntry('extra-overruns', 'ambiguous', { name: 'a.js', data: TEXT, extra: u16(0x5455, 500) }),
  invalid('lfh-signature', 'ambiguous', () =>
    buildZip({ entries: [GOOD, { name: 'a.js', offset: 3, phantom: true, data: '' }] }),
  ),
  invalid('prefix-junk', 'ambiguous', () => buildZip({ entries: [GOOD], prefix: utf8('#!/bin/sh\n') })),
  invalid('prefix-junk-unadjusted', 'ambiguous', () => buildZip({ entries: [GOOD], prefix: utf8('MZ junk'), unadjusted: true })),
  invalid('prefix-zip', 'ambiguous', () =>
    buildZip({ entries: [GOOD], prefix: buildZip({ entries: [{ name: 'evil.js', data: TEXT }] }) }),
  ),
  invalid('prefix-zip-unadjusted', 'ambiguous', () =>
    buildZip({ entries: [GOOD], prefix: buildZip({ entries: [{ name: 'evil.js', data: TEXT }] }), unadjusted: true }),
  ),
  invalid('suffix-junk', 'ambiguous', () => buildZip({ entries: [GOOD], suffix: utf8('more') })),
  invalid('suffix-zeros', 'ambiguous', () => buildZip({ entries: [GOOD], suffix: new Uint8Array(1000) })),
  invalid('double-eocd', 'ambiguous', () =>
    buildZip({ entries: [GOOD], suffix: u32(0x06054b50, 0, 0, 0, 0, 0).subarray(0, 22) }),
  ),
  invalid('eocd-in-comment', 'ambiguous', () =>
    buildZip({ entries: [GOOD], comment: bytesOf(utf8('x'), u32(0x06054b50, 0, 0, 0, 0).subarray(0, 20), u16(0)) }),
  ),
  invalid('polyglot-html', 'ambiguous', () =>
    buildZip({ entries: [GOOD], prefix: utf8('<!doctype html><script>alert(1)</script>') }),
  ),
  invalid('gap-between', 'ambiguous', () => buildZip({ entries: [{ ...GOOD, gap: utf8('hidden') }, { name: 'a.js' }] })),
  invalid('gap-before-directory', 'ambiguous', () => buildZip({ entries: [GOOD], beforeDirectory: utf8('hidden') })),
  invalid('gap-after-directory', 'ambiguous', () => buildZip({ entries: [GOOD], afterDirectory: utf8('hidden') })),
  invalid('hidden-entry', 'ambiguous', () =>
    buildZip({ entries: [GOOD], beforeDirectory: buildZip({ entries: [{ name: 'b.js', data: TEXT }] }) }),
  ),
  invalid('count-low', 'ambiguous', () => buildZip({ entries: [GOOD, { name: 'a.js' }], count: 1 })),
  invalid('count-high', 'ambiguous', () => buildZip({ entries: [GOOD, { name: 'a.js' }], count: 3 })),
  invalid('count-huge', 'ambiguous', () => buildZip({ entries: [GOOD], count: 19_999 })),
  invalid('count-zero', 'ambiguous', () => buildZip({ entries: [GOOD], count: 0 })),
  invalid('directory-size-low', 'ambiguous', () => buildZip({ entries: [GOOD], directorySize: 46 })),
  invalid('directory-start-low', 'ambiguous', () => buildZip({ entries: [GOOD], directoryStart: 0 })),
  invalid('directory-signature', 'ambiguous', () => {
    const bytes = buildZip({ entries: [GOOD] })
    const at = new DataView(bytes.buffer).getUint32(bytes.length - 6, true)
    bytes[at + 2] = 0x09
    return bytes
  }),
  invalid('multi-disk', 'multi-disk', () => buildZip({ entries: [GOOD], disk: 1 })),
  invalid('multi-disk-start', 'multi-disk', () => buildZip({ entries: [GOOD], startDisk: 1 })),
  invalid('multi-disk-count', 'multi-disk', () => buildZip({ entries: [GOOD, { name: 'a.js' }], countHere: 1 })),
  withEntry('multi-disk-entry', 'multi-disk', { name: 'a.js', data: TEXT, disk: 2 }),
  withEntry('lfh-utf8-flag-differs', 'ambiguous', { name: 'caf\u00e9.js', data: TEXT, localFlags: 0 }),
  withEntry('lfh-compressed-differs', 'ambiguous', { name: 'a.js', data: TEXT, localCompressed: 1 }),
  withEntry('lfh-size-zero', 'ambiguous', { name: 'a.js', data: TEXT, localSize: 0 }),
  withEntry('lfh-crc-differs-deferred', 'ambiguous', { name: 'a.js', data: TEXT, localCrc: 1, descriptor: 'signed' }),
  withEntry('lfh-size-differs-deferred', 'ambiguous', { name: 'a.js', data: TEXT, localSize: 1, descriptor: 'signed' }),
  withEntry('lfh-unicode-path-extra', 'ambiguous', {
    name: 'good.js',
    data: TEXT,
    localExtra: unicodePath('good.js', 'evil.js'),
  }),
  withEntry('lfh-extra-overruns', 'ambiguous', { name: 'a.js', data: TEXT, localExtra: u16(0x5455, 500) }),
  withEntry('lfh-zip64-differs', 'ambiguous', {
    name: 'a.js',
    data: TEXT,
    localSize: 0xffffffff,
    localCompressed: 0xffffffff,
    localExtra: extraField(1, bytesOf(u64(1), u64(1))),
  }),
  withEntry('lfh-case-differs', 'ambiguous', { name: 'good.js', localName: 'Good.js', data: TEXT }),
  withEntry('descriptor-without-flag', 'ambiguous', { name: 'a.js', data: TEXT, gap: u32(0x08074b50, 0, 0, 0) }),
  withEntry('descriptor-too-long', 'ambiguous', { name: 'a.js', data: TEXT, descriptor: 'signed', gap: new Uint8Array(4) }),
  withEntry('descriptor-lies-crc', 'ambiguous', {
    name: 'a.js',
    data: TEXT,
    flags: 0x0808,
    localCrc: 0,
    localSize: 0,
    localCompressed: 0,
    gap: u32(0x08074b50, 1, 2, 3),
  }),
  withEntry('descriptor-missing', 'ambiguous', { name: 'a.js', data: TEXT, flags: 0x0808 }),
  withEntry('descriptor-unsigned-lies', 'ambiguous', { name: 'a.js', data: TEXT, flags: 0x0808, gap: new Uint8Array(12) }),
  withEntry('descriptor-hides-entry', 'ambiguous', {
    name: 'a.js',
    data: TEXT,
    descriptor: 'signed',
    gap: buildZip({ entries: [{ name: 'b.js', data: TEXT }] }),
  }),
  invalid('eocd-in-comment-exact', 'ambiguous', () => {
    const inner = buildZip({ entries: [{ name: 'evil.js', data: TEXT }] })
    return buildZip({ entries: [GOOD], comment: inner })
  }),
  invalid('eocd-in-comment-and-below', 'ambiguous', () =>
    buildZip({
      entries: [GOOD, { name: 'inner.zip', method: 0, data: buildZip({ entries: [GOOD] }) }],
      comment: bytesOf(u32(0x06054b50), new Uint8Array(60)),
    }),
  ),
  invalid('eocd-in-comment-end', 'ambiguous', () => buildZip({ entries: [GOOD], comment: bytesOf(utf8('x'), u32(0x06054b50)) })),
  invalid('eocd-below-exact', 'ambiguous', () => {
    // the stored entry ends in an end record whose comment reaches the end of the file too
    const tail = 46 + 'inner.js'.length + 22
    const record = bytesOf(u32(0x06054b50, 0, 0, 0), u32(0), u16(tail))
    return buildZip({ entries: [{ name: 'inner.js', method: 0, data: record }] })
  }),
  invalid('zip64-end-gap', 'ambiguous', () => buildZip({ entries: [GOOD], zip64: 'gap' })),
  invalid('zip64-end-signature', 'ambiguous', () => buildZip({ entries: [GOOD], zip64: 'unsigned' })),
  invalid('zip64-plain-count-differs', 'ambiguous', () => buildZip({ entries: [GOOD], zip64: 'start', countHere: 0 })),
  invalid('zip64-unsaturated', 'ambiguous', () => buildZip({ entries: [GOOD], zip64: 'both' })),
  invalid('zip64-plain-size-differs', 'ambiguous', () => buildZip({ entries: [GOOD], zip64: 'start', directorySize: 1 })),
  invalid('zip64-plain-start-differs', 'ambiguous', () => buildZip({ entries: [GOOD], zip64: 'both', directoryStart: 1 })),
  invalid('zip64-plain-disk', 'multi-disk', () => buildZip({ entries: [GOOD], zip64: 'start', disk: 1 })),
  invalid('polyglot-pdf', 'ambiguous', () => buildZip({ entries: [GOOD], prefix: utf8('%PDF-1.7\n') })),
  invalid('suffix-newline', 'ambiguous', () => buildZip({ entries: [GOOD], suffix: utf8('\n') })),
  invalid('suffix-zip', 'ambiguous', () =>
    bytesOf(buildZip({ entries: [GOOD] }), buildZip({ entries: [{ name: 'evil.js', data: TEXT }] })),
  ),
]

export const HOSTILE_HEADERS: readonly HostileArchive[] = [...methods, ...encrypted, ...headers]
