import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../soak.ts'
import { failureOf, read, tell } from './reading.ts'
import { cpuTime } from '../../cpu-time.ts'

describe('pnpm-lock.yaml', () => {
  test('version 9: importers, peers, snapshots, aliases', () => {
    const text = `lockfileVersion: '9.0'

settings:
  autoInstallPeers: true

importers:

  .:
    dependencies:
      '@scope/web':
        specifier: ^1.0.0
        version: 1.2.0(react@18.3.1(x@1.0.0))
      nick:
        specifier: npm:real@^2.0.0
        version: real@2.0.0
      sibling:
        specifier: workspace:*
        version: link:packages/sibling
    devDependencies:
      jest:
        specifier: ^29.0.0
        version: 29.7.0

  packages/sibling:
    dependencies:
      tarball:
        specifier: https://downloads.example/t.tgz
        version: https://downloads.example/t.tgz

packages:

  '@scope/web@1.2.0':
    resolution: {integrity: sha512-AAAA==}
    peerDependencies:
      react: '*'

  jest@29.7.0:
    resolution: {integrity: sha512-AAAA==}
    hasBin: true

  ms@2.1.3:
    resolution: {integrity: sha512-AAAA==, tarball: https://npm.corp.example/ms/-/ms-2.1.3.tgz}

  react@18.3.1:
    resolution: {integrity: sha512-AAAA==}

  real@2.0.0:
    resolution: {integrity: sha512-AAAA==}

  tarball@https://downloads.example/t.tgz:
    resolution: {tarball: https://downloads.example/t.tgz}
    version: 3.0.0

  git@https://code.example/x/tar.gz/0123:
    resolution: {tarball: https://code.example/x/tar.gz/0123}
    version: 3.0.0

snapshots:

  '@scope/web@1.2.0(react@18.3.1(x@1.0.0))':
    dependencies:
      react: 18.3.1

  jest@29.7.0:
    dependencies:
      ms: 2.1.3
    optionalDependencies:
      real: 2.0.0
    transitivePeerDependencies:
      - supports-color

  ms@2.1.3: {}

  react@18.3.1: {}

  real@2.0.0: {}
`
    const expected = [
      '@scope/web@1.2.0 (production, direct) @scope/web "@scope/web@1.2.0"',
      'jest@29.7.0 (development, direct) jest "jest@29.7.0"',
      'ms@2.1.3 (development, transitive, private) jest > ms "ms@2.1.3"',
      'react@18.3.1 (production, transitive) @scope/web > react "react@18.3.1"',
      'real@2.0.0 (production, direct) real "real@2.0.0"',
    ]
    expect(tell('pnpm-lock', text)).toEqual(expected)
    expect(tell('pnpm-lock', text.replaceAll('\n', '\r\n'))).toEqual(expected)
  })

  test('version 6: one project, slashes, flags', () => {
    const text = `lockfileVersion: '6.0'

dependencies:
  '@scope/a':
    specifier: ^1.0.0
    version: 1.0.0(b@2.0.0)
  nick:
    specifier: npm:@real/c@1
    version: /@real/c@1.0.0

devDependencies:
  d:
    specifier: 1.0.0
    version: 1.0.0

packages:

  /@scope/a@1.0.0(b@2.0.0):
    resolution: {integrity: sha512-AAAA==}
    dependencies:
      b: 2.0.0
    dev: false

  /@real/c@1.0.0:
    resolution: {integrity: sha512-AAAA==}
    dev: false

  /b@2.0.0:
    resolution: {integrity: sha512-AAAA==}

  /d@1.0.0:
    resolution: {integrity: sha512-AAAA==}
    dev: true

  github.com/owner/repo/0123456789:
    resolution: {tarball: https://codeload.example/owner/repo/tar.gz/0123456789}
    name: repo
    version: 1.0.0
    dev: false

  file:packages/e:
    resolution: {directory: packages/e, type: directory}
    name: e
    version: 1.0.0
`
    expect(tell('pnpm-lock', text)).toEqual([
      '@scope/a@1.0.0 (production, direct) @scope/a "/@scope/a@1.0.0(b@2.0.0)"',
      '@real/c@1.0.0 (production, direct) @real/c "/@real/c@1.0.0"',
      'b@2.0.0 (production, transitive) @scope/a > b "/b@2.0.0"',
      'd@1.0.0 (development, direct) d "/d@1.0.0"',
    ])
  })

  test('version 5: slashes before versions, peers behind an underscore, another registry', () => {
    const text = `lockfileVersion: 5.4

importers:

  .:
    specifiers:
      '@scope/a': ^1.0.0
      d: 1.0.0
    dependencies:
      '@scope/a': 1.0.0_b@2.0.0
      nick: /real_name/1.0.0
    devDependencies:
      d: 1.0.0

packages:

  /@scope/a/1.0.0_b@2.0.0:
    resolution: {integrity: sha512-AAAA==}
    dependencies:
      b: 2.0.0_abc123
    dev: false

  /b/2.0.0_abc123:
    resolution: {integrity: sha512-AAAA==}
    dev: false

  /real_name/1.0.0:
    resolution: {integrity: sha512-AAAA==}
    dev: false

  /d/1.0.0:
    resolution: {integrity: sha512-AAAA==}
    dev: true

  npm.corp.example/e/1.0.0:
    resolution: {integrity: sha512-AAAA==}
    dev: true
`
    expect(tell('pnpm-lock', text)).toEqual([
      '@scope/a@1.0.0 (production, direct) @scope/a "/@scope/a/1.0.0_b@2.0.0"',
      'b@2.0.0 (production, transitive) @scope/a > b "/b/2.0.0_abc123"',
      'real_name@1.0.0 (production, direct) real_name "/real_name/1.0.0"',
      'd@1.0.0 (development, direct) d "/d/1.0.0"',
      'e@1.0.0 (development, transitive, private) - "npm.corp.example/e/1.0.0"',
    ])
  })

  test.each([
    ['empty', ''],
    ['another document', 'name: x\npackages:\n  /a@1.0.0:\n'],
    ['marks of a merge', "lockfileVersion: '9.0'\n<<<<<<< HEAD\npackages:\n=======\n"],
  ])('refuses %s', (_, text) => expect(failureOf('pnpm-lock', text)).toBe('syntax'))
})

describe('yarn.lock', () => {
  test('yarn 1', () => {
    const text = `# THIS IS AN AUTOGENERATED FILE. DO NOT EDIT THIS FILE DIRECTLY.
# yarn lockfile v1


"@babel/code-frame@^7.0.0", "@babel/code-frame@^7.8.3":
  version "7.8.3"
  resolved "https://registry.example/@babel/code-frame/-/code-frame-7.8.3.tgz#0123"
  integrity sha512-AAAA==
  dependencies:
    "@babel/highlight" "^7.8.3"
    js-tokens "^4.0.0 || ^5.0.0"

"@babel/highlight@^7.8.3":
  version "7.9.0"
  resolved "https://registry.example/@babel/highlight/-/highlight-7.9.0.tgz#0123"
  optionalDependencies:
    ms "2"

"js-tokens@^4.0.0 || ^5.0.0":
  version "4.0.0"
  resolved "https://npm.corp.example/js-tokens/-/js-tokens-4.0.0.tgz#0123"

ms@2, ms@^2.1.1:
  version "2.1.3"
  resolved "https://registry.example/ms/-/ms-2.1.3.tgz#0123"

"nick@npm:@real/name@^1.0.0":
  version "1.0.0"
  resolved "https://registry.example/@real/name/-/name-1.0.0.tgz#0123"

"gitdep@git+https://code.example/x.git":
  version "1.0.0"
  resolved "git+https://code.example/x.git#0123"
`
    expect(tell('yarn-lock', text)).toEqual([
      '@babel/code-frame@7.8.3 (unknown, direct) @babel/code-frame "@babel/code-frame@^7.0.0"',
      '@babel/highlight@7.9.0 (unknown, transitive) @babel/code-frame > @babel/highlight "@babel/highlight@^7.8.3"',
      'js-tokens@4.0.0 (unknown, transitive, private) @babel/code-frame > js-tokens "js-tokens@^4.0.0 || ^5.0.0"',
      'ms@2.1.3 (unknown, transitive) @babel/code-frame > @babel/highlight > ms "ms@2"',
      '@real/name@1.0.0 (unknown, direct) @real/name "nick@npm:@real/name@^1.0.0"',
    ])
  })

  test('yarn 2 and later', () => {
    const text = `# This file is generated by running "yarn install" inside your project.
# Manual changes might be lost - proceed with caution!

__metadata:
  version: 8
  cacheKey: 10

"app@workspace:.":
  version: 0.0.0-use.local
  resolution: "app@workspace:."
  dependencies:
    "@babel/code-frame": ^7.0.0
    nick: "npm:@real/name@^1.0.0"
  bin:
    app: "./x.js"
  languageName: unknown
  linkType: soft

"@babel/code-frame@npm:^7.0.0, @babel/code-frame@npm:^7.8.3":
  version: 7.8.3
  resolution: "@babel/code-frame@npm:7.8.3"
  dependencies:
    js-tokens: "npm:^4.0.0"
  checksum: 10/0123
  languageName: node
  linkType: hard

"js-tokens@npm:^4.0.0":
  version: 4.0.0
  resolution: "js-tokens@npm:4.0.0::__archiveUrl=https%3A%2F%2Fnpm.corp.example%2Fjs-tokens%2F-%2Fjs-tokens-4.0.0.tgz"
  languageName: node
  linkType: hard

"nick@npm:@real/name@^1.0.0":
  version: 1.0.0
  resolution: "@real/name@npm:1.0.0"
  languageName: node
  linkType: hard

"typescript@patch:typescript@npm%3A^5.0.0#optional!builtin<compat/typescript>":
  version: 5.0.0
  resolution: "typescript@patch:typescript@npm%3A5.0.0#optional!builtin<compat/typescript>::version=5.0.0&hash=01"
  languageName: node
  linkType: hard
`
    expect(tell('yarn-lock', text)).toEqual([
      '@babel/code-frame@7.8.3 (unknown, direct) @babel/code-frame "@babel/code-frame@npm:^7.0.0"',
      'js-tokens@4.0.0 (unknown, transitive, private) @babel/code-frame > js-tokens "js-tokens@npm:^4.0.0"',
      '@real/name@1.0.0 (unknown, direct) @real/name "nick@npm:@real/name@^1.0.0"',
    ])
  })

  test('an empty one is a new project', () => {
    expect(read('yarn-lock', '')).toEqual([])
    expect(
      read('yarn-lock', '# THIS IS AN AUTOGENERATED FILE. DO NOT EDIT THIS FILE DIRECTLY.\n# yarn lockfile v1\n\n\n'),
    ).toEqual([])
  })

  test.each([
    ['another document', 'hello world\n'],
    ['marks of a merge', '# yarn lockfile v1\n\n<<<<<<< HEAD\na@1:\n  version "1.0.0"\n=======\n'],
  ])('refuses %s', (_, text) => expect(failureOf('yarn-lock', text)).toBe('syntax'))
})

describe('hostile', () => {
  const words = [
    '\n',
    '\n',
    '\n  ',
    '\n    ',
    '\n      ',
    '\n        ',
    '\r\n',
    ':',
    ': ',
    '"',
    "'",
    '@',
    '/',
    '(',
    ')',
    '_',
    ',',
    ', ',
    '? ',
    '{',
    '}',
    'lockfileVersion: 9',
    'packages:',
    'importers:',
    'snapshots:',
    'dependencies:',
    'version',
    'resolution',
    'dev: true',
    'a',
    '1.0.0',
    '__proto__',
    'constructor',
    'a@1.0.0',
    '"a@npm:^1":',
    'tarball: ',
    '\u0000',
    '\u2028',
  ]
  test.each(['pnpm-lock', 'yarn-lock'] as const)('%s: any text gives packages or a ParseFailure', (role) => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 60 }), (parts) => {
        const text = (role === 'pnpm-lock' ? 'lockfileVersion: 9\n' : '# yarn lockfile v1\n') + parts.join('')
        if (failureOf(role, text) !== undefined) return
        for (const { start, end, version } of read(role, text)) {
          expect(version).toMatch(/^\d/)
          expect(0 <= start && start < end && end <= text.length).toBe(true)
        }
      }),
      { numRuns: runs(10_000) },
    )
  })

  test.each([
    ['pnpm-lock', `lockfileVersion: 9\npackages:\n  '${'@a/'.repeat(1_000_000)}`],
    ['pnpm-lock', `lockfileVersion: 9\npackages:\n${'  /a/1.0.0:\n    resolution: {tarball: }\n'.repeat(50_000)}`],
    ['pnpm-lock', `lockfileVersion: 9\npackages:\n  a@1.0.0:\n    dependencies:\n${'      a: 1.0.0\n'.repeat(200_000)}`],
    ['yarn-lock', `a@1:\n  version "1.0.0"\n  dependencies:\n${'    a "1"\n'.repeat(200_000)}`],
    ['yarn-lock', '"a@1, '.repeat(500_000)],
    ['yarn-lock', `${'"a@1", '.repeat(2500)}b@1:\n`.repeat(100)],
    ['yarn-lock', '\n'.repeat(5_000_000)],
  ] as const)('in time: %s %#', (role, text) => {
    const began = cpuTime()
    failureOf(role, text)
    expect(cpuTime() - began).toBeLessThan(20_000)
  })
})
