import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { runs } from '../../soak.ts'
import { failureOf, read, tell } from './reading.ts'
import { cpuTime } from '../../cpu-time.ts'

const lock = (packages: object): string =>
  JSON.stringify({ name: 'app', lockfileVersion: 3, requires: true, packages }, undefined, 2)

describe('version 2 and 3', () => {
  test('chains, scopes, workspaces, nested places', () => {
    const text = lock({
      '': {
        name: 'app',
        dependencies: { express: '^4', shared: '*' },
        devDependencies: { jest: '^29' },
        workspaces: ['packages/*'],
      },
      'node_modules/express': { version: '4.21.2', dependencies: { qs: '^6', debug: '^2' } },
      'node_modules/express/node_modules/debug': { version: '2.6.9', dependencies: { ms: '^2' } },
      'node_modules/debug': { version: '4.4.0', dev: true, dependencies: { ms: '^2' } },
      'node_modules/jest': { version: '29.7.0', dev: true, dependencies: { debug: '^4' }, peerDependencies: { peer: '*' } },
      'node_modules/ms': { version: '2.1.3' },
      'node_modules/peer': { version: '1.0.0', dev: true, peer: true },
      'node_modules/qs': { version: '6.13.0' },
      'node_modules/both': { version: '1.0.0', devOptional: true },
      'node_modules/shared': { resolved: 'packages/shared', link: true },
      'packages/shared': { name: 'shared', version: '1.0.0', dependencies: { uuid: '^9' }, devDependencies: { jest: '*' } },
      'packages/shared/node_modules/uuid': { version: '9.0.1' },
    })
    expect(tell('package-lock', text)).toEqual([
      'express@4.21.2 (production, direct) express "node_modules/express"',
      'debug@2.6.9 (production, transitive) express > debug "node_modules/express/node_modules/debug"',
      'debug@4.4.0 (development, transitive) jest > debug "node_modules/debug"',
      'jest@29.7.0 (development, direct) jest "node_modules/jest"',
      'ms@2.1.3 (production, transitive) express > debug > ms "node_modules/ms"',
      'peer@1.0.0 (development, transitive) jest > peer "node_modules/peer"',
      'qs@6.13.0 (production, transitive) express > qs "node_modules/qs"',
      'both@1.0.0 (development, transitive) - "node_modules/both"',
      'uuid@9.0.1 (production, direct) uuid "packages/shared/node_modules/uuid"',
    ])
  })

  test('aliases go by their real name; git, folders, tarballs of the disk are no packages', () => {
    const text = lock({
      '': {
        dependencies: { nick: 'npm:@real/name@1.0.0', git: 'github:a/b', dir: 'file:../dir', tar: 'file:x.tgz', plain: '1.0.0' },
      },
      'node_modules/nick': {
        name: '@real/name',
        version: '1.0.0',
        resolved: 'https://registry.example/@real/name/-/name-1.0.0.tgz',
      },
      'node_modules/git': {
        version: '1.0.0',
        resolved: 'git+ssh://git@code.example/a/b.git#0123456',
        dependencies: { plain: '1' },
      },
      'node_modules/dir': { resolved: '../dir', link: true },
      'node_modules/tar': { version: '2.0.0', resolved: 'file:x.tgz' },
      'node_modules/plain': { version: '1.0.0', inBundle: true },
      '../dir': { version: '9.9.9' },
    })
    expect(tell('package-lock', text)).toEqual([
      '@real/name@1.0.0 (production, direct) @real/name "node_modules/nick"',
      'plain@1.0.0 (production, direct) plain "node_modules/plain"',
    ])
  })

  test('the host of most is its own, another one private', () => {
    const from = (host: string, name: string): object => ({
      version: '1.0.0',
      resolved: `https://${host}/${name}/-/${name}-1.0.0.tgz`,
    })
    const text = lock({
      'node_modules/a': from('registry.example', 'a'),
      'node_modules/b': from('user:pw@REGISTRY.example:8443', 'b'),
      'node_modules/c': from('npm.corp.example', 'c'),
      'node_modules/d': { version: '1.0.0' },
    })
    expect(read('package-lock', text).map(({ name, isPrivate }) => [name, isPrivate])).toEqual([
      ['a', false],
      ['b', false],
      ['c', true],
      ['d', false],
    ])
  })

  test('finds a key where it stands: escaped, twice, with a mark before and other keys of that name', () => {
    const text =
      '\uFEFF{"node_modules/a":{"version":"9.9.9"},"x":[{"packages":{"node_modules/a":{}}}],"packages":{"node_modules/a":{"version":"1.0.0"},\n' +
      String.raw`"node_modules\/b":{"version":"1.0.0","description":"\"node_modules/a\":{\\"},"node_modules/a" : {"version":"2.0.0"}}}`
    const found = read('package-lock', text)
    expect(found.map(({ name, version }) => `${name}@${version}`)).toEqual(['a@2.0.0', 'b@1.0.0'])
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(['node_modules/a', String.raw`node_modules\/b`])
    expect(found[0]?.start).toBe(text.lastIndexOf('node_modules/a'))
  })

  test('a chain over eight packages tells its first and its last ones', () => {
    const packages = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `node_modules/p${index}`,
        { version: '1.0.0', dependencies: { [`p${index + 1}`]: '*' } },
      ]),
    )
    const found = read('package-lock', lock({ '': { dependencies: { p0: '*' } }, ...packages }))
    expect(found[7]?.path).toBe('p0 > p1 > p2 > p3 > p4 > p5 > p6 > p7')
    expect(found[11]?.path).toBe('p0 > … > p6 > p7 > p8 > p9 > p10 > p11')
  })

  test('packages that need each other', () => {
    const text = lock({
      '': { dependencies: { a: '*' } },
      'node_modules/a': { version: '1.0.0', dependencies: { b: '*', a: '*' } },
      'node_modules/b': { version: '1.0.0', dependencies: { a: '*' } },
    })
    expect(read('package-lock', text).map(({ path }) => path)).toEqual(['a', 'a > b'])
  })
})

describe('version 1', () => {
  test('nested dependencies, what is required, aliases', () => {
    const text = JSON.stringify({
      lockfileVersion: 1,
      requires: true,
      dependencies: {
        mocha: {
          version: '2.0.0',
          dev: true,
          requires: { ms: '0.7.1' },
          dependencies: { ms: { version: '0.7.1', dev: true, dependencies: { deep: { version: '1.0.0' } } } },
        },
        express: { version: '4.0.0', requires: { ms: '2.0.0' } },
        ms: { version: '2.0.0' },
        nick: { version: 'npm:@real/name@1.2.3' },
        git: { version: 'git+https://code.example/x.git#0123' },
        local: { version: 'file:../local' },
      },
    })
    expect(tell('package-lock', text)).toEqual([
      'mocha@2.0.0 (development, direct) mocha "mocha"',
      'ms@0.7.1 (development, transitive) mocha > ms "ms"',
      'deep@1.0.0 (development, transitive) mocha > ms > deep "deep"',
      'express@4.0.0 (production, direct) express "express"',
      'ms@2.0.0 (production, transitive) express > ms "ms"',
      '@real/name@1.2.3 (production, direct) @real/name "nick"',
    ])
  })

  test('what lies below a package and is required by another one there', () => {
    const text = JSON.stringify({
      lockfileVersion: 1,
      requires: true,
      dependencies: {
        client: {
          version: '3.0.0',
          requires: { request: '2.0.0' },
          dependencies: {
            qs: { version: '6.5.2' },
            request: { version: '2.0.0', requires: { qs: '~6.5.2' } },
            unasked: { version: '1.0.0' },
          },
        },
      },
    })
    expect(tell('package-lock', text)).toEqual([
      'client@3.0.0 (production, direct) client "client"',
      'qs@6.5.2 (production, transitive) client > request > qs "qs"',
      'request@2.0.0 (production, transitive) client > request "request"',
      'unasked@1.0.0 (production, transitive) client > unasked "unasked"',
    ])
    expect(read('package-lock', text).find(({ name }) => name === 'qs')?.neededBy).toEqual(['request'])
  })
})

const packageLock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      link: z.boolean().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
    }),
  ),
})

describe('the lock file of this project', () => {
  const text = readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8')
  const found = read('package-lock', text)
  const entries = Object.entries(packageLock.parse(JSON.parse(text)).packages).filter(([key]) => key !== '')

  test('names and versions are those of its keys', () => {
    expect(found.map(({ name, version }) => `${name}@${version}`)).toEqual(
      entries.map(([key, { version }]) => `${key.split('node_modules/').at(-1)}@${version}`),
    )
    expect(found.map(({ scope }) => scope)).toEqual(
      entries.map(([, { dev, devOptional }]) => (dev === true || devOptional === true ? 'development' : 'production')),
    )
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(entries.map(([key]) => key))
  })

  test('each has a way in that begins with a direct one', () => {
    const direct = new Set(found.filter((it) => it.direct).map(({ name }) => name))
    for (const { path, name } of found) {
      expect(direct).toContain(path?.split(' > ')[0])
      expect(path?.split(' > ').at(-1)).toBe(name)
    }
  })
})

describe('hostile', () => {
  test.each([
    ['empty', '', 'syntax'],
    ['a list', '[]', 'syntax'],
    ['null', 'null', 'syntax'],
    ['marks of a merge', '{\n<<<<<<< HEAD\n"lockfileVersion": 3}', 'syntax'],
    ['half', '{"packages":{"node_modules/a":{', 'syntax'],
    ['too many values', `[${'{},'.repeat(1_500_001)}{}]`, 'too-deep'],
    ['too many numbers', `{"packages":[${'1,'.repeat(1_500_001)}1]}`, 'too-deep'],
    ['too deep', `{"packages":${'{"a":'.repeat(300)}1${'}'.repeat(301)}`, 'too-deep'],
  ])('%s', (_, text, reason) => expect(failureOf('package-lock', text)).toBe(reason))

  test('any type at any key', () => {
    for (const odd of [null, 1, 'x', true, [], [{}], { __proto__: null }]) {
      expect(read('package-lock', JSON.stringify({ packages: odd, dependencies: odd }))).toEqual([])
      read(
        'package-lock',
        lock({
          '': odd,
          'node_modules/a': odd,
          'node_modules/b': { version: odd, resolved: odd, dependencies: odd, name: odd, dev: odd },
        }),
      )
    }
    const inherited =
      '{"packages":{"":{"__proto__":{"dependencies":{"a":"1"}}},"node_modules/__proto__":{"version":"1.0.0"},"__proto__":{"node_modules/x":{"version":"1.0.0"}}}}'
    expect(read('package-lock', inherited).map(({ name }) => name)).toEqual(['__proto__'])
    expect(read('package-lock', '{"__proto__":{"packages":{"node_modules/a":{"version":"1.0.0"}}}}')).toEqual([])
    expect(
      read(
        'package-lock',
        lock({ 'node_modules/constructor': { version: '1.0.0', dependencies: { toString: '1', hasOwnProperty: '1' } } }),
      ),
    ).toHaveLength(1)
  })

  test('takes any JSON without a throw', () => {
    const key = fc.constantFrom(
      '',
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'packages/w',
      'version',
      'dependencies',
      'requires',
      'packages',
      'resolved',
      '__proto__',
      'a',
      'b',
    )
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { depthSize: 'medium' },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom('1.0.0', 'npm:x@1.0.0'),
        fc.dictionary(key, tie('json'), { maxKeys: 6 }),
      ),
    }))
    fc.assert(
      fc.property(fc.record({ packages: json, dependencies: json }, { requiredKeys: [] }), (document) => {
        const text = JSON.stringify(document)
        for (const { start, end, name } of read('package-lock', text)) {
          expect(name).not.toBe('')
          expect(text.slice(start - 1, start) + text.slice(end, end + 1)).toBe('""')
        }
      }),
      { numRuns: runs(10_000) },
    )
  })

  test('takes any text: packages or a ParseFailure', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('{', '}', '"', '\\', ':', ',', '[', ']', 'a', ' ', '"packages":', '"node_modules/a":')),
        (parts) => {
          failureOf('package-lock', parts.join(''))
        },
      ),
      { numRuns: runs(10_000) },
    )
  })

  test.each([
    [
      'nested folders',
      () =>
        lock(
          Object.fromEntries(
            Array.from({ length: 3000 }, (_, at) => [
              `${'node_modules/x/'.repeat(30)}node_modules/p${at}`,
              { version: '1.0.0', dependencies: { a: '1' } },
            ]),
          ),
        ),
    ],
    [
      'all need all',
      () => {
        const names = Array.from({ length: 600 }, (_, at) => `p${at}`)
        const dependencies = Object.fromEntries(names.map((name) => [name, '*']))
        return lock(
          Object.fromEntries(names.map((name) => [`node_modules/q/node_modules/${name}`, { version: '1.0.0', dependencies }])),
        )
      },
    ],
    [
      'a long chain',
      () =>
        lock({
          '': { dependencies: { p0: '*' } },
          ...Object.fromEntries(
            Array.from({ length: 20_000 }, (_, at) => [
              `node_modules/p${at}`,
              { version: '1.0.0', dependencies: { [`p${at + 1}`]: '*' } },
            ]),
          ),
        }),
    ],
    ['backslashes', () => lock({ 'node_modules/a': { version: '1.0.0', description: '\\"'.repeat(500_000) } })],
    ['white space', () => `{"packages":{${' '.repeat(2_000_000)}"node_modules/a"${' '.repeat(2_000_000)}:{}}}`],
  ])('in time: %s', (_, make) => {
    const text = make()
    const began = cpuTime()
    read('package-lock', text)
    expect(cpuTime() - began).toBeLessThan(20_000)
  })
})
