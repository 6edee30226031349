import { GOOD, invalid, TEXT, tooLarge, withEntry, type HostileArchive } from './hostile-archive.ts'
import { buildZip } from './zip-builder.ts'

const named = (name: string, path: string | Uint8Array): HostileArchive =>
  invalid(`name-${name}`, 'unsafe-name', () => buildZip({ entries: [GOOD, { name: path, data: 'x' }] }))

const names: HostileArchive[] = [
  named('parent', '../evil.js'),
  named('parent-deep', 'a/../../evil.js'),
  named('parent-backslash', '..\\evil.js'),
  named('parent-mixed', 'a\\..\\..\\evil.js'),
  named('parent-last', 'a/..'),
  named('absolute', '/etc/passwd'),
  named('absolute-backslash', '\\windows\\evil.js'),
  named('drive', 'C:/evil.js'),
  named('drive-backslash', 'C:\\evil.js'),
  named('drive-relative', 'c:evil.js'),
  named('unc', '\\\\server\\share\\evil.js'),
  named('unc-slash', '//server/share/evil.js'),
  named('nul', 'evil.js\0.png'),
  named('empty', ''),
  named('dot', '.'),
  named('dot-segment', 'a/./b.js'),
  named('empty-segment', 'a//b.js'),
  named('slash', '/'),
  named('dots-folder', '../'),
  named('parent-bare', '..'),
  named('parent-double', 'a/b/../../../c.js'),
  named('parent-inside', 'a/../b.js'),
  named('backslash', '\\'),
  named('unc-device', '\\\\?\\C:\\evil.js'),
  named('nul-only', '\0'),
  named('nul-folder', 'a\0/b.js'),
  named('dot-folder', 'a/./'),
  named('empty-folder', 'a//'),
  named('cp437-parent', new Uint8Array([0x2e, 0x2e, 0x5c, 0x82])),
]

const paths: HostileArchive[] = [
  tooLarge('name-long', 'path', () => buildZip({ entries: [GOOD, { name: `${'a'.repeat(1022)}.js` }] })),
  tooLarge('name-long-utf8', 'path', () => buildZip({ entries: [GOOD, { name: `${'\u20ac'.repeat(341)}.js` }] })),
  tooLarge('name-65535', 'path', () => buildZip({ entries: [{ name: 'a'.repeat(65_535) }] })),
  tooLarge('name-segments', 'path', () => buildZip({ entries: [GOOD, { name: `${'a/'.repeat(64)}b.js` }] })),
  tooLarge('name-segments-backslash', 'path', () => buildZip({ entries: [GOOD, { name: `${'a\\'.repeat(64)}b.js` }] })),
  tooLarge('name-segments-folder', 'path', () => buildZip({ entries: [GOOD, { name: 'a/'.repeat(65) }] })),
  tooLarge('long-names-42MB', 'path', () =>
    buildZip({ entries: Array.from({ length: 700 }, (_, index) => ({ name: `${index}${'b'.repeat(60_000)}`, method: 0 })) }),
  ),
]

const duplicates: HostileArchive[] = [
  withEntry('dup-exact', 'duplicate-name', { name: 'package.json', data: '{}' }),
  invalid('dup-separator', 'duplicate-name', () => buildZip({ entries: [{ name: 'a/b.js' }, { name: 'a\\b.js' }] })),
  invalid('dup-nfc', 'duplicate-name', () => buildZip({ entries: [{ name: 'caf\u00e9.js' }, { name: 'cafe\u0301.js' }] })),
  invalid('dup-proto', 'duplicate-name', () => buildZip({ entries: [{ name: '__proto__' }, { name: '__proto__' }] })),
  invalid('file-and-dir', 'duplicate-name', () => buildZip({ entries: [{ name: 'a' }, { name: 'a/b.js' }] })),
  invalid('dir-and-file', 'duplicate-name', () => buildZip({ entries: [{ name: 'a/b.js' }, { name: 'a' }] })),
  invalid('file-and-dir-entry', 'duplicate-name', () => buildZip({ entries: [{ name: 'a', data: 'x' }, { name: 'a/' }] })),
  invalid('file-and-deep-dir', 'duplicate-name', () => buildZip({ entries: [{ name: 'a/b' }, { name: 'a/b/c/d.js' }] })),
  invalid('dup-backslash-folder', 'duplicate-name', () => buildZip({ entries: [{ name: 'a' }, { name: 'a\\' }] })),
  invalid('dup-cp437', 'duplicate-name', () =>
    buildZip({ entries: [{ name: new Uint8Array([0x82, 0x2e, 0x6a, 0x73]), flags: 0 }, { name: '\u00e9.js' }] }),
  ),
  invalid('dup-link', 'duplicate-name', () =>
    buildZip({
      entries: [
        { name: 'a.js', data: TEXT },
        { name: 'a.js', data: '/', mode: 0o120777 },
      ],
    }),
  ),
  invalid('file-through-link', 'duplicate-name', () =>
    buildZip({
      entries: [
        { name: 'a', data: '/etc', mode: 0o120777 },
        { name: 'a/passwd', data: TEXT },
      ],
    }),
  ),
  invalid('file-and-nfd-dir', 'duplicate-name', () =>
    buildZip({ entries: [{ name: 'caf\u00e9' }, { name: 'cafe\u0301/b.js' }] }),
  ),
  invalid('file-and-backslash-dir', 'duplicate-name', () => buildZip({ entries: [{ name: 'a/b' }, { name: 'a\\b\\c.js' }] })),
]

export const HOSTILE_NAMES: readonly HostileArchive[] = [...names, ...paths, ...duplicates]
