import { deflateSync } from 'fflate'
import { GOOD, TEXT } from './hostile-archive.ts'
import {
  buildZip,
  bytesOf,
  extraField,
  joinBytes,
  u32,
  u64,
  unicodePath,
  utf8,
  type ArchiveSpec,
  type EntrySpec,
} from './zip-builder.ts'

/** An odd archive that must be accepted: the paths that the scan plans to read, and its notices as `code/reason file`. */
export interface AcceptedArchive {
  readonly name: string
  readonly build: () => Uint8Array
  readonly paths: readonly string[]
  readonly notices: readonly string[]
}

/** With a good entry before it, and TEXT as the content of what has none. */
const plus = (name: string, entry: EntrySpec, path: string | undefined, ...notices: string[]): AcceptedArchive =>
  whole(
    name,
    { entries: [GOOD, { data: TEXT, ...entry }] },
    path === undefined ? ['package.json'] : ['package.json', path].sort(),
    ...notices,
  )

const whole = (name: string, spec: ArchiveSpec, paths: readonly string[], ...notices: string[]): AcceptedArchive => ({
  name,
  build: () => buildZip(spec),
  paths,
  notices,
})

const named = (name: string, path: string | Uint8Array, read: string = typeof path === 'string' ? path : ''): AcceptedArchive =>
  plus(`name-${name}`, { name: path }, read)

const LINK = 'file-skipped/link'
const INNER = 'file-skipped/inner-link'
const SPECIAL = 'file-skipped/special'
const ARCHIVE = 'file-skipped/archive'
const TAIL = bytesOf(deflateSync(utf8(TEXT)), utf8('eval(location.hash)'))

/** 42.zip: archives of 16 archives each, four floors above a file of zeros. */
function nested(floors: number): Uint8Array {
  let archive = buildZip({ entries: [{ name: '0.dll', data: new Uint8Array(4_000_000) }] })
  for (let floor = 0; floor < floors; floor++) {
    const data = archive
    const raw = deflateSync(data)
    archive = buildZip({ entries: Array.from({ length: 16 }, (_, index) => ({ name: `lib ${index}.zip`, data, raw })) })
  }
  return archive
}

export const ACCEPTED: readonly AcceptedArchive[] = [
  plus('symlink', { name: 'webapp/a.js', data: '/etc/passwd', mode: 0o120777 }, undefined, `${LINK} webapp/a.js`),
  plus('symlink-out', { name: 'a.js', data: '../../outside.js', mode: 0o120777 }, undefined, `${LINK} a.js`),
  plus('symlink-inside', { name: 'webapp/a.json', data: '../package.json', mode: 0o120777 }, undefined, `${INNER} webapp/a.json`),
  plus('symlink-nowhere', { name: 'webapp/a.json', data: '../other.json', mode: 0o120777 }, undefined, `${LINK} webapp/a.json`),
  plus('symlink-macos', { name: 'a.js', mode: 0o120755, madeBy: 19 }, undefined, `${LINK} a.js`),
  plus('symlink-bad-crc', { name: 'a.js', mode: 0o120777, crc: 1 }, undefined, `${LINK} a.js`),
  plus('symlink-only-on-unix', { name: 'a.js', attributes: (0o120777 << 16) >>> 0, madeBy: 0 }, 'a.js'),
  plus('device-character', { name: 'dev/null', mode: 0o020666, data: '' }, undefined, `${SPECIAL} dev/null`),
  plus('device-block', { name: 'dev/sda', mode: 0o060660, data: '' }, undefined, `${SPECIAL} dev/sda`),
  plus('fifo', { name: 'pipe.js', mode: 0o010644, data: '' }, undefined, `${SPECIAL} pipe.js`),
  plus('socket', { name: 'run.sock', mode: 0o140755, data: '' }, undefined, `${SPECIAL} run.sock`),
  plus('folder-by-mode', { name: 'empty', mode: 0o040755, data: '' }, undefined),
  // what goes by names reads it, so it must not hide from us
  plus('code-in-folder-mode', { name: 'a.js', mode: 0o040755 }, 'a.js'),
  plus('setuid', { name: 'a.js', mode: 0o104755 }, 'a.js'),

  plus('nested-zip', { name: 'lib.zip', data: buildZip({ entries: [GOOD] }) }, undefined, `${ARCHIVE} lib.zip`),
  plus('nested-tgz', { name: 'lib.tgz' }, undefined, `${ARCHIVE} lib.tgz`),
  plus('nested-jar', { name: 'lib/a.jar' }, undefined, `${ARCHIVE} lib/a.jar`),
  plus('nested-case', { name: 'LIB.ZIP' }, undefined, `${ARCHIVE} LIB.ZIP`),
  plus('nested-42', { name: '42.zip', data: nested(3) }, undefined, `${ARCHIVE} 42.zip`),
  { name: 'nested-42-itself', build: () => bytesOf(nested(4)), paths: [], notices: [] },

  plus(
    'bomb-over-file-limit',
    { name: 'a.js', data: new Uint8Array(5 * 2 ** 20 + 1).fill(65) },
    undefined,
    'file-too-large/not-read a.js',
  ),
  plus(
    'bomb-1GB',
    { name: 'a.js', raw: deflateSync(new Uint8Array(8_000_000)), size: 2 ** 30 },
    undefined,
    'file-too-large/not-read a.js',
  ),
  plus('bomb-image', { name: 'a.png', data: new Uint8Array(30_000_000) }, undefined, 'file-skipped/binary'),
  plus('at-file-limit', { name: 'a.txt', data: new Uint8Array(5 * 2 ** 20).fill(65) }, 'a.txt'),
  plus('crc-bad-image', { name: 'a.png', crc: 1 }, undefined, 'file-skipped/binary'),
  plus('size-lies-image', { name: 'a.png', size: 1 }, undefined, 'file-skipped/binary'),

  named('nl', 'web\napp/a.js'),
  named('crlf', 'a\r\nSet-Cookie: x.js'),
  named('ansi', '\u001b[2J\u001b[31ma.js'),
  named('c1', 'a\u009b31m.js'),
  named('bidi', 'a\u202egnp.js'),
  named('zero-width', 'a\u200b.js'),
  named('markup', '<img src=x onerror=alert(1)>.js'),
  named('badutf8', new Uint8Array([0x61, 0xff, 0xfe, 0x2e, 0x6a, 0x73]), 'a\u00a0\u25a0.js'),
  named('cp437', new Uint8Array([0x63, 0x61, 0x66, 0x82, 0x2e, 0x6a, 0x73]), 'caf\u00e9.js'),
  named('surrogate', new Uint8Array([0xed, 0xa0, 0x80, 0x2e, 0x6a, 0x73]), '\u03c6\u00e1\u00c7.js'),
  named('overlong-slash', new Uint8Array([0x2e, 0x2e, 0xc0, 0xaf, 0x61, 0x2e, 0x6a, 0x73]), '..\u2514\u00bba.js'),
  named('nfd', 'cafe\u0301.js', 'caf\u00e9.js'),
  named('devname', 'con.js'),
  named('devname-folder', 'aux/nul.js'),
  named('trail-dot', 'a.js.'),
  named('trail-blank', 'a.js '),
  named('dots', '.../a.js'),
  named('colon-ads', 'a.js:ads'),
  named('tilde', '~/a.js'),
  named('dash', '-rf.js'),
  named('proto', '__proto__'),
  named('proto-folder', '__proto__/polluted'),
  named('constructor', 'constructor/prototype/polluted'),
  named('backslash', 'webapp\\a.js', 'webapp/a.js'),
  named('1024-bytes', `${'a'.repeat(1021)}.js`),
  named('64-segments', `${'a/'.repeat(63)}b.js`),
  whole('case-twins', { entries: [{ name: 'README' }, { name: 'readme' }, { name: 'Readme' }] }, ['README', 'Readme', 'readme']),
  whole('case-twin-of-folder', { entries: [{ name: 'A' }, { name: 'a/b.js' }] }, ['A', 'a/b.js']),
  whole('folder-twice', { entries: [{ name: 'a/' }, { name: 'a/' }, { name: 'a/b.js' }, GOOD] }, ['a/b.js', 'package.json']),

  plus('unicode-path-extra', { name: 'caf\u00e9.js', extra: unicodePath('caf\u00e9.js', 'caf\u00e9.js') }, 'caf\u00e9.js'),
  plus(
    'unicode-path-extra-cp437',
    {
      name: new Uint8Array([0x82, 0x2e, 0x6a, 0x73]),
      flags: 0,
      extra: unicodePath(new Uint8Array([0x82, 0x2e, 0x6a, 0x73]), '\u00e9.js'),
    },
    '\u00e9.js',
  ),
  // void by its own rules: the CRC is that of an earlier name
  plus('unicode-path-extra-stale', { name: 'new.js', extra: unicodePath('old.js', 'old.js') }, 'new.js'),
  plus('lfh-slash-differs', { name: 'webapp/a.js', localName: 'webapp\\a.js' }, 'webapp/a.js'),
  plus('deflate-tail', { name: 'a.js', raw: TAIL }, 'a.js'),
  plus('deflate-tail-long', { name: 'a.js', raw: bytesOf(TAIL, new Uint8Array(20_000_000)) }, 'a.js'),
  plus('deflate-tail-stream', { name: 'a.js', raw: joinBytes([deflateSync(utf8(TEXT)), deflateSync(utf8('more'))]) }, 'a.js'),
  plus('data-descriptor', { name: 'a.js', descriptor: 'signed' }, 'a.js'),
  plus('data-descriptor-plain', { name: 'a.js', descriptor: 'plain' }, 'a.js'),
  plus('data-descriptor-zip64', { name: 'a.js', descriptor: 'zip64' }, 'a.js'),
  plus('data-descriptor-stored', { name: 'a.js', method: 0, descriptor: 'signed' }, 'a.js'),
  plus('zip64-entry', { name: 'a.js', zip64: true }, 'a.js'),
  whole('zip64-legit', { entries: [GOOD, { name: 'a.js', data: TEXT, zip64: true }], zip64: 'saturated' }, [
    'a.js',
    'package.json',
  ]),
  whole('zip64-start', { entries: [GOOD], zip64: 'start' }, ['package.json']),
  plus('zip64-offset-only', { name: 'a.js', extra: extraField(0x5455, new Uint8Array(5)) }, 'a.js'),
  plus('extra-trailing-bytes', { name: 'a.js', extra: new Uint8Array(3), localExtra: new Uint8Array(2) }, 'a.js'),
  plus(
    'extra-unknown',
    { name: 'a.js', extra: extraField(0xcafe, new Uint8Array(0)), localExtra: extraField(0xcafe, u64(1)) },
    'a.js',
  ),
  plus('entry-comment', { name: 'a.js', comment: 'evil.js' }, 'a.js'),
  whole('comment-64k', { entries: [GOOD], comment: new Uint8Array(65_535).fill(65) }, ['package.json']),
  whole('comment-short', { entries: [GOOD], comment: utf8('built by hand') }, ['package.json']),
  whole(
    'nested-end-record',
    { entries: [{ name: 'a.js', method: 0, data: bytesOf(u32(0x06054b50), new Uint8Array(18), utf8('x')) }, GOOD] },
    ['a.js', 'package.json'],
  ),
  whole('directory-order', { entries: [{ name: 'z.js', data: TEXT }, GOOD, { name: 'a.js', data: TEXT }] }, [
    'a.js',
    'package.json',
    'z.js',
  ]),

  whole('top-folder', { entries: [{ name: 'shop-main/' }, { ...GOOD, name: 'shop-main/package.json' }] }, ['package.json']),
  whole(
    'top-folder-link',
    {
      entries: [
        { ...GOOD, name: 'shop/package.json' },
        { name: 'shop/a', data: 'b', mode: 0o120777 },
      ],
    },
    ['package.json'],
    `${LINK} a`,
  ),
  whole(
    'top-folder-and-link',
    {
      entries: [
        { ...GOOD, name: 'shop/package.json' },
        { name: 'a', data: 'b', mode: 0o120777 },
      ],
    },
    ['shop/package.json'],
    `${LINK} a`,
  ),
  whole(
    'top-folder-backslash',
    {
      entries: [
        { ...GOOD, name: 'shop\\package.json' },
        { name: 'shop\\a.js', data: TEXT },
      ],
    },
    ['a.js', 'package.json'],
  ),
  whole(
    'macos-top-folder',
    {
      entries: [
        { ...GOOD, name: 'shop/package.json' },
        { name: '__MACOSX/shop/._package.json', data: 'x' },
        { name: '__MACOSX/._shop', data: 'x' },
      ],
    },
    ['package.json'],
  ),
  whole('two-top-folders', { entries: [{ name: 'a/x.js' }, { name: 'b/x.js' }] }, ['a/x.js', 'b/x.js']),
  whole(
    'links-of-installed',
    { entries: [GOOD, { name: 'node_modules/.bin/cds', data: '../@sap/cds', mode: 0o120777 }] },
    ['package.json'],
    'file-skipped/installed',
  ),
]
