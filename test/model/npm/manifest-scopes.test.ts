import { describe, expect, test } from 'vitest'
import { findNpmProject } from '../../../core/model/npm/index.ts'
import { readProject } from '../project.ts'

/** `name@version scope chain`, a star for a direct one. */
function tell(texts: Readonly<Record<string, string | object>>): string[] {
  const written = Object.entries(texts).map(([path, text]): [string, string] => [
    path,
    typeof text === 'string' ? text : JSON.stringify(text),
  ])
  const { locked } = findNpmProject(readProject(Object.fromEntries(written)))
  return locked
    .flatMap(({ packages }) => packages)
    .map(
      ({ name, version, scope, direct, path }) => `${name}@${version} ${scope ?? 'unknown'}${direct ? '*' : ''} ${path ?? '-'}`,
    )
}

const CLASSIC = `# yarn lockfile v1


express@^4.0.0:
  version "4.18.0"
  dependencies:
    ms "^2.0.0"
    qs "6.11.0"

jest@^29.0.0:
  version "29.7.0"
  dependencies:
    ms "^2.0.0"
    tool "^1.0.0"

left@^1.0.0:
  version "1.0.0"

ms@^2.0.0:
  version "2.1.3"

qs@6.11.1:
  version "6.11.1"

tool@^1.0.0:
  version "1.2.0"
`

const BERRY = `__metadata:
  version: 8

"app@workspace:.":
  version: 0.0.0-use.local
  resolution: "app@workspace:."
  dependencies:
    express: "npm:^4.0.0"
    jest: "npm:^29.0.0"
    peer: "npm:^3.0.0"
    types: "npm:^5.0.0"
  languageName: unknown
  linkType: soft

"express@npm:^4.0.0":
  version: 4.18.0
  resolution: "express@npm:4.18.0"
  dependencies:
    ms: "npm:^2.0.0"
  peerDependencies:
    peer: ">=3"
    types: ">=4"
  peerDependenciesMeta:
    types:
      optional: true
  languageName: node
  linkType: hard

"jest@npm:^29.0.0":
  version: 29.7.0
  resolution: "jest@npm:29.7.0"
  dependencies:
    tool: "npm:^1.0.0"
  languageName: node
  linkType: hard

"ms@npm:^2.0.0":
  version: 2.1.3
  resolution: "ms@npm:2.1.3"
  languageName: node
  linkType: hard

"peer@npm:^3.0.0":
  version: 3.1.0
  resolution: "peer@npm:3.1.0"
  languageName: node
  linkType: hard

"tool@npm:^1.0.0":
  version: 1.2.0
  resolution: "tool@npm:1.2.0"
  languageName: node
  linkType: hard

"types@npm:^5.0.0":
  version: 5.0.0
  resolution: "types@npm:5.0.0"
  languageName: node
  linkType: hard
`

describe('what package.json says of the packages of a yarn.lock', () => {
  test('yarn 1: production counts more, an override is found by its name, what nothing names stays unknown', () => {
    const manifest = { dependencies: { express: '^4.0.0' }, devDependencies: { jest: '^29.0.0' } }
    expect(tell({ 'package.json': manifest, 'yarn.lock': CLASSIC })).toEqual([
      'express@4.18.0 production* express',
      'jest@29.7.0 development* jest',
      'left@1.0.0 unknown* left',
      'ms@2.1.3 production express > ms',
      'qs@6.11.1 production express > qs',
      'tool@1.2.0 development jest > tool',
    ])
  })

  test('yarn 1: without a package.json the names of tools tell what is for development', () => {
    expect(tell({ 'yarn.lock': CLASSIC })).toContain('jest@29.7.0 development* jest')
    expect(tell({ 'yarn.lock': CLASSIC, 'package.json': { name: 'x' } })).toContain('tool@1.2.0 development jest > tool')
  })

  test('yarn 1: a workspace below names one for production', () => {
    const texts = {
      'package.json': { workspaces: ['packages/*'], devDependencies: { jest: '^29.0.0' } },
      'packages/a/package.json': { dependencies: { tool: '^1.0.0', express: '^4.0.0' } },
      'yarn.lock': CLASSIC,
    }
    expect(tell(texts)).toContain('tool@1.2.0 production* tool')
    expect(tell(texts)).toContain('jest@29.7.0 development* jest')
  })

  test('a nearer lock file speaks for what lies below it', () => {
    const texts = {
      'package.json': { devDependencies: { jest: '^29.0.0' } },
      'yarn.lock': CLASSIC,
      'app/package.json': { dependencies: { tool: '^1.0.0' } },
      'app/package-lock.json': { lockfileVersion: 3, packages: {} },
    }
    expect(tell(texts)).toContain('tool@1.2.0 development jest > tool')
  })

  test('yarn 2 and later: peers of production are of production, optional ones are not', () => {
    const manifest = {
      name: 'app',
      dependencies: { express: '^4.0.0' },
      devDependencies: { jest: '^29.0.0', peer: '^3.0.0', types: '^5.0.0' },
    }
    expect(tell({ 'package.json': manifest, 'yarn.lock': BERRY })).toEqual([
      'express@4.18.0 production* express',
      'jest@29.7.0 development* jest',
      'ms@2.1.3 production express > ms',
      'peer@3.1.0 production* express > peer',
      'tool@1.2.0 development jest > tool',
      'types@5.0.0 development* types',
    ])
    expect(tell({ 'yarn.lock': BERRY })).toContain('jest@29.7.0 development* jest')
  })
})

const NAMED = { dependencies: { relay: '^2.0.0' }, devDependencies: { 'ui5-middleware-tide': '^1.0.0' } }

/** `relay` is a dependency that a tool of development needs too, and both need `wire`; `buoy` is there for the tool alone. */
const BOTH: Readonly<Record<string, Readonly<Record<string, string | object>>>> = {
  'package-lock.json of version 1': {
    'package-lock.json': {
      lockfileVersion: 1,
      requires: true,
      dependencies: {
        relay: { version: '2.1.0', requires: { wire: '^1.0.0' } },
        'ui5-middleware-tide': { version: '1.0.0', dev: true, requires: { relay: '^2.0.0', buoy: '^1.0.0' } },
        wire: { version: '1.0.0' },
        buoy: { version: '1.0.0', dev: true },
      },
    },
  },
  'package-lock.json of version 3': {
    'package-lock.json': {
      lockfileVersion: 3,
      packages: {
        '': NAMED,
        'node_modules/relay': { version: '2.1.0', dependencies: { wire: '^1.0.0' } },
        'node_modules/ui5-middleware-tide': {
          version: '1.0.0',
          dev: true,
          dependencies: { relay: '^2.0.0', buoy: '^1.0.0' },
        },
        'node_modules/wire': { version: '1.0.0' },
        'node_modules/buoy': { version: '1.0.0', dev: true },
      },
    },
  },
  'yarn.lock': {
    'yarn.lock': `# yarn lockfile v1


relay@^2.0.0:
  version "2.1.0"
  dependencies:
    wire "^1.0.0"

ui5-middleware-tide@^1.0.0:
  version "1.0.0"
  dependencies:
    relay "^2.0.0"
    buoy "^1.0.0"

wire@^1.0.0:
  version "1.0.0"

buoy@^1.0.0:
  version "1.0.0"
`,
  },
  'pnpm-lock.yaml': {
    'pnpm-lock.yaml': `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      relay:
        specifier: ^2.0.0
        version: 2.1.0
    devDependencies:
      ui5-middleware-tide:
        specifier: ^1.0.0
        version: 1.0.0

packages:

  relay@2.1.0:
    resolution: {integrity: sha512-AAAA}

  ui5-middleware-tide@1.0.0:
    resolution: {integrity: sha512-AAAA}

  wire@1.0.0:
    resolution: {integrity: sha512-AAAA}

  buoy@1.0.0:
    resolution: {integrity: sha512-AAAA}

snapshots:

  relay@2.1.0:
    dependencies:
      wire: 1.0.0

  ui5-middleware-tide@1.0.0:
    dependencies:
      buoy: 1.0.0
      relay: 2.1.0

  wire@1.0.0: {}

  buoy@1.0.0: {}
`,
  },
}

describe('what production names and a tool of development needs too', () => {
  for (const [format, files] of Object.entries(BOTH))
    test(`${format}: the way of production counts`, () => {
      expect(tell({ 'package.json': NAMED, ...files })).toEqual([
        'relay@2.1.0 production* relay',
        'ui5-middleware-tide@1.0.0 development* ui5-middleware-tide',
        'wire@1.0.0 production relay > wire',
        'buoy@1.0.0 development ui5-middleware-tide > buoy',
      ])
    })

  test('package-lock.json of version 1 without a package.json: its own marks tell', () => {
    expect(tell(BOTH['package-lock.json of version 1'] ?? {})).toContain('relay@2.1.0 production* relay')
  })
})

describe('a runtime that a packager delivers', () => {
  const lock = {
    lockfileVersion: 3,
    packages: {
      '': {},
      'node_modules/electron': { version: '30.0.0', dev: true, dependencies: { '@electron/get': '^2.0.0' } },
      'node_modules/@electron/get': { version: '2.0.3', dev: true },
    },
  }
  const packed = { main: 'main.js', devDependencies: { electron: '^30.0.0', 'electron-builder': '^24.0.0' } }
  const files = (manifest: typeof packed | object): Readonly<Record<string, object>> => ({
    'package.json': manifest,
    'package-lock.json': { ...lock, packages: { ...lock.packages, '': manifest } },
  })

  test('it is for production, what installs it is not', () => {
    expect(tell(files(packed))).toEqual([
      'electron@30.0.0 production* electron',
      '@electron/get@2.0.3 development electron > @electron/get',
      'electron-builder@24.0.0 development* electron-builder',
    ])
  })

  test('without a lock file too, and not without a packager', () => {
    expect(tell({ 'package.json': packed })).toContain('electron@30.0.0 production* electron')
    expect(tell(files({ devDependencies: { electron: '^30.0.0' } }))).toContain('electron@30.0.0 development* electron')
  })
})
