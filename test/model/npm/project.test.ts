import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBudget, StopSignal } from '../../../core/budget.ts'
import { findNpmProject, type NpmPackage, type NpmProject } from '../../../core/model/npm/index.ts'
import { runs } from '../../soak.ts'
import { readProject } from '../project.ts'
import { cpuTime } from '../../cpu-time.ts'

const read = (texts: Readonly<Record<string, string | object>>): NpmProject =>
  findNpmProject(
    readProject(
      Object.fromEntries(
        Object.entries(texts).map(([path, text]) => [path, typeof text === 'string' ? text : JSON.stringify(text)]),
      ),
    ),
  )

const packageIn = (project: NpmProject, folder: string): NpmPackage | undefined =>
  project.packages.find((candidate) => candidate.folder === folder)

const lock = (packages: object): object => ({ lockfileVersion: 3, packages })

describe('package.json', () => {
  test('dependencies of all sorts, scripts, engines, overrides, with their places', () => {
    const text = JSON.stringify({
      name: 'shop',
      private: true,
      dependencies: { a: '^1', odd: 5, '': '1' },
      devDependencies: { b: ' 2 ' },
      optionalDependencies: { c: '3' },
      peerDependencies: { d: '4' },
      scripts: { start: 'node .', odd: [] },
      engines: { node: '>=22' },
      overrides: { e: '5', f: { '.': '6', g: '7' } },
      resolutions: { '**/h': '8', '@s/i@^1': '9' },
      pnpm: { overrides: { 'j>k': '10' } },
    })
    const found = packageIn(read({ 'package.json': text }), '')
    expect(found?.dependencies.map(({ name, member, range }) => [name, member, range])).toEqual([
      ['a', 'dependencies', '^1'],
      ['b', 'devDependencies', '2'],
      ['c', 'optionalDependencies', '3'],
      ['d', 'peerDependencies', '4'],
    ])
    expect(found?.scripts.map(({ name, command }) => [name, command])).toEqual([['start', 'node .']])
    expect(found?.node?.range).toBe('>=22')
    expect(found?.overrides.map(({ name, range }) => `${name} ${range}`).sort()).toEqual([
      '@s/i 9',
      'e 5',
      'f 6',
      'g 7',
      'h 8',
      'k 10',
    ])
    const [first] = found?.dependencies ?? []
    expect(text.slice(first?.start, first?.end)).toBe('^1')
    expect(text.slice(first?.nameSpan.start, first?.nameSpan.end)).toBe('a')
    expect(found?.isPrivate).toBe(true)
  })

  test('tests are left out', () => {
    expect(read({ 'test/package.json': { name: 'x' }, 'package.json': { name: 'y' } }).packages.map(({ name }) => name)).toEqual([
      'y',
    ])
  })
})

describe('workspaces and lock files', () => {
  test('a workspace by its glob, in both forms, and by pnpm', () => {
    const project = read({
      'package.json': { workspaces: ['packages/*', './apps/**'] },
      'packages/a/package.json': {},
      'packages/a/deep/package.json': {},
      'apps/x/y/package.json': {},
      'other/package.json': { workspaces: { packages: ['*'] } },
      'other/one/package.json': {},
    })
    const members = Object.fromEntries(project.packages.map(({ folder, memberOf }) => [folder, memberOf]))
    expect(members).toEqual({
      '': undefined,
      'apps/x/y': '',
      other: undefined,
      'other/one': 'other',
      'packages/a': '',
      'packages/a/deep': undefined,
    })
    const membersOf = (workspace: string): string[] =>
      read({
        'package.json': {},
        'pnpm-workspace.yaml': workspace,
        'a/package.json': {},
        'packages/b/package.json': {},
        'packages/c/package.json': {},
      })
        .packages.filter(({ memberOf }) => memberOf === '')
        .map(({ folder }) => folder)
    expect(membersOf("packages: ['a', 'packages/*', '!packages/c']")).toEqual(['a', 'packages/b'])
    expect(membersOf('packages:\n  - packages/**\n')).toEqual(['packages/b', 'packages/c'])
    expect(membersOf('overrides: { b: 1.0.0 }')).toEqual(['a', 'packages/b', 'packages/c'])
  })

  test('a lock file tells for its folder, for workspaces, and for folders that it knows', () => {
    const project = read({
      'package.json': { workspaces: ['a'] },
      'a/package.json': {},
      'b/package.json': {},
      'c/package.json': {},
      'package-lock.json': lock({ '': {}, b: { name: 'b' } }),
      'c/yarn.lock': '# yarn lockfile v1\n',
    })
    const files = Object.fromEntries(project.packages.map(({ folder, locks }) => [folder, locks.map(({ file }) => file)]))
    expect(files).toEqual({ '': ['package-lock.json'], a: ['package-lock.json'], b: ['package-lock.json'], c: ['c/yarn.lock'] })
  })

  test('what deploys a package', () => {
    const project = read({
      'mta.yaml': 'modules:\n  - { name: srv, type: nodejs, path: gen/srv }\n  - { name: app, type: html5, path: app }',
      'package.json': {},
      'app/package.json': {},
      'worker/package.json': {},
      'worker/Dockerfile': 'FROM node:24',
    })
    expect(project.packages.map(({ folder, deployedBy }) => [folder, deployedBy])).toEqual([
      ['', ['mta.yaml']],
      ['app', []],
      ['worker', ['worker/Dockerfile']],
    ])
  })

  test('globs of a hostile project cost little', () => {
    const texts: Record<string, object> = {
      'package.json': { workspaces: Array.from({ length: 200 }, () => '**/*a*a*a*a*b/**/c*') },
    }
    for (let at = 0; at < 2000; at++) texts[`${'aaaaaaaaaaaaaaaaaaaa/'.repeat(8)}p${at}/package.json`] = {}
    const files = readProject(Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, JSON.stringify(text)])))
    const budget = createBudget(1_000_000)
    expect(() => findNpmProject(files, budget.step)).toThrow(StopSignal)
  })
})

describe('settings', () => {
  const settings = (texts: Readonly<Record<string, string>>): string[] =>
    read(texts).settings.map(
      ({ key, value, place }) => `${key}=${value} ${texts[place.file]?.slice(place.span?.start, place.span?.end)}`,
    )

  test('.npmrc: comments, sections, quotes, arrays, Windows line ends', () => {
    const text =
      '; a=b\r\n# c=d\r\n[section]\r\n  strict-ssl = false\r\nregistry="https://r.example/"\r\nca[]="x"\r\nfoo\r\n//r.example/:_authToken=${T}\r\n'
    expect(settings({ '.npmrc': text })).toEqual([
      'strict-ssl=false strict-ssl = false',
      'registry=https://r.example/ registry="https://r.example/"',
      'ca[]=x ca[]="x"',
      'foo=true foo',
      '//r.example/:_authtoken=${T} //r.example/:_authToken=${T}',
    ])
  })

  test('yarn 1 and yarn 2', () => {
    expect(settings({ '.yarnrc': '# x\n"@corp:registry" "https://c.example/"\nstrict-ssl false\n' })).toEqual([
      '@corp:registry=https://c.example/ "@corp:registry" "https://c.example/"',
      'strict-ssl=false strict-ssl false',
    ])
    const yaml =
      'enableStrictSsl: false\nenableScripts: false\nnpmScopes: { corp: { npmRegistryServer: "https://c.example" } }\nnpmRegistryServer: [x]\n'
    expect(settings({ '.yarnrc.yml': yaml })).toEqual([
      'strict-ssl=false enableStrictSsl: false',
      'ignore-scripts=true enableScripts: false',
      '@corp:registry=https://c.example https://c.example',
    ])
  })
})

describe('where packages come from', () => {
  test('hashes, addresses, scripts, ends, holders', () => {
    const project = read({
      'package-lock.json': lock({
        '': {},
        'node_modules/a': { version: '1.0.0', integrity: 'sha512-x', hasInstallScript: true, dependencies: { b: '1.0.0' } },
        'node_modules/b': { version: '1.0.0', integrity: 'sha1-x', deprecated: 'gone' },
        'node_modules/c': { version: '1.0.0', resolved: 'https://r.example/c.tgz', hasShrinkwrap: true },
        'node_modules/c/node_modules/d': { version: '1.0.0', inBundle: true },
        'node_modules/e': { version: '1.0.0', resolved: 'git+ssh://git@code.example/e.git#0' },
      }),
    })
    const [found] = project.locked
    expect(
      found?.packages.map(({ name, integrity, runsOnInstall, deprecated, heldBy }) => [
        name,
        integrity,
        runsOnInstall,
        deprecated,
        heldBy,
      ]),
    ).toEqual([
      ['a', 'strong', true, undefined, undefined],
      ['b', 'weak', undefined, 'gone', 'a'],
      ['c', 'none', undefined, undefined, undefined],
      ['d', undefined, undefined, undefined, 'c'],
    ])
    expect(found?.lock?.others.map(({ name, resolved }) => [name, resolved])).toEqual([
      ['e', 'git+ssh://git@code.example/e.git#0'],
    ])
    expect(found?.lock?.ownHost).toBe('r.example')
  })

  test('what a folder’s dependencies are resolved to', () => {
    const project = read({
      'package-lock.json': lock({
        '': { dependencies: { a: '^1', link: '*', gone: '*' } },
        'p/q': { dependencies: { a: '^2' } },
        'node_modules/a': { version: '1.0.0' },
        'node_modules/link': { link: true, resolved: 'p/q' },
        'p/q/node_modules/a': { version: '2.0.0' },
      }),
    })
    const importers = project.locked[0]?.lock?.importers ?? []
    expect(importers.map(({ folder, versions }) => [folder, Object.fromEntries(versions)])).toEqual([
      ['', { a: '1.0.0', link: undefined }],
      ['p/q', { a: '2.0.0' }],
    ])
  })
})

describe('hostile input', () => {
  const keys = [
    'name',
    'private',
    'dependencies',
    'devDependencies',
    'scripts',
    'engines',
    'node',
    'overrides',
    'resolutions',
    'pnpm',
    'workspaces',
    'packages',
    '.',
    'a',
    '__proto__',
  ]
  const anything = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(null, true, 0, '', '*', '^1', '**', 'file:x', 'constructor', '\u0000'),
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...keys), tie('node'), { maxKeys: 6 }),
    ),
  })).node

  test('any JSON in package.json', () => {
    fc.assert(
      fc.property(anything, anything, (top, below) => {
        const project = read({ 'package.json': JSON.stringify(top), 'a/package.json': JSON.stringify(below) })
        for (const { dependencies } of project.packages)
          for (const { start, end } of dependencies) expect(start).toBeLessThanOrEqual(end)
      }),
      { numRuns: runs(10_000) },
    )
  })

  test('any text in .npmrc and .yarnrc', () => {
    const part = fc.constantFrom(
      '=',
      ' ',
      '\n',
      '\r\n',
      '"',
      "'",
      ';',
      '#',
      '[',
      ']',
      'registry',
      '@a:registry',
      'strict-ssl',
      'false',
      '\t',
      '\u2028',
      '\u0000',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = parts.join('')
        for (const { place } of read({ '.npmrc': text, '.yarnrc': text }).settings) {
          expect(place.span?.start).toBeLessThan(place.span?.end ?? 0)
          expect(place.span?.end).toBeLessThanOrEqual(text.length)
        }
      }),
      { numRuns: runs(10_000) },
    )
  })

  test.each([' '.repeat(400_000), '='.repeat(400_000), 'a '.repeat(200_000), '"'.repeat(400_000), 'a\n'.repeat(200_000)])(
    'settings in time %#',
    (text) => {
      const began = cpuTime()
      read({ '.npmrc': text, '.yarnrc': text })
      expect(cpuTime() - began).toBeLessThan(20_000)
    },
  )
})
