import { expect, test } from 'vitest'
import { listPackages } from '../../../core/inventory/npm.ts'
import type { Report, ReportFinding } from '../../../core/report/types.ts'
import { allFindings, scanFiles } from '../../scan-files.ts'
import { toAdvisory } from '../../../core/advisories/record.ts'
import { createRepairFinder } from '../../../core/advisories/repair.ts'
import type { Advisory, AdvisoryPort, PackageVersion } from '../../../core/advisories/types.ts'
import { createBundledCatalogue } from '../../../core/catalogue/bundled.ts'
import { createEngine } from '../../../core/engine.ts'
import { DEFAULT_LIMITS } from '../../../core/limits.ts'
import { scan } from '../../../core/scan.ts'
import { toSource } from '../../scan-files.ts'

/** What a scan of these files asks the port for. */
async function askedFor(files: Readonly<Record<string, string | object>>): Promise<PackageVersion[]> {
  const asked: PackageVersion[] = []
  const advisories: AdvisoryPort = {
    async query(packages) {
      asked.push(...packages)
      return { source: 'osv', date: '2026-11-20', complete: true, matches: [] }
    },
  }
  const options = {
    scanId: '00000000-0000-7000-8000-000000000000',
    scannedAt: '2026-11-20T12:00:00.000Z',
    projectName: 'x',
    limits: DEFAULT_LIMITS,
    suppressions: true,
  }
  const entries = Object.entries(files).map(([path, content]): [string, string] => [
    path,
    typeof content === 'string' ? content : JSON.stringify(content),
  ])
  await scan(
    toSource(new Map([...entries, ['README.md', '']])),
    options,
    createEngine([]),
    { advisories, catalogue: createBundledCatalogue() },
    {},
  )
  return asked
}

const lock = (...names: string[]): object => ({
  lockfileVersion: 3,
  packages: Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }])),
})

test('scopes that .npmrc maps are private', async () => {
  const asked = await askedFor({
    'package-lock.json': lock('@corp/a', '@corporate/b', 'c'),
    '.npmrc': 'strict-ssl=true\n@corp:registry=https://npm.corp.example/\n#@other:registry=x',
  })
  expect(asked).toEqual([
    { name: '@corp/a', version: '1.0.0', isPrivate: true },
    { name: '@corporate/b', version: '1.0.0', isPrivate: false },
    { name: 'c', version: '1.0.0', isPrivate: false },
  ])
})

test('a package.json is judged where no lock file that tells for it names the package', async () => {
  const asked = await askedFor({
    'package-lock.json': lock('locked'),
    'srv/package.json': {
      name: 'srv',
      dependencies: {
        locked: '2.0.0',
        pinned: '2.0.0',
        equal: '=2.0.1',
        ranged: '^2.1.0',
        nick: 'npm:@real/name@3.0.0',
        sibling: '1.0.0',
        odd: 7,
        '../x': '1.0.0',
      },
      devDependencies: { tool: 'v4.0.0' },
      peerDependencies: { peer: '1.0.0' },
    },
    'srv/lib/package.json': {
      name: 'sibling',
      dependencies: {
        latest: 'latest',
        star: '*',
        url: 'https://downloads.example/x.tgz',
        git: 'github:a/b',
        ws: 'workspace:*',
        file: 'file:../x',
        none: '',
      },
    },
    'test/package.json': { dependencies: { tested: '1.0.0' } },
    'other/package-lock.json': lock('pinned'),
  })
  expect(asked.map(({ name, version }) => `${name}@${version}`).sort()).toEqual(
    [
      '@real/name@3.0.0',
      'equal@2.0.1',
      'locked@1.0.0',
      'locked@2.0.0',
      'pinned@1.0.0',
      'pinned@2.0.0',
      'ranged@2.1.0',
      'star@0.0.0',
      'tool@4.0.0',
    ].sort(),
  )
})

test('a package of two places is asked for once, and private if one of them is', async () => {
  const text = JSON.stringify({
    packages: {
      'node_modules/a': { version: '1.0.0', resolved: 'https://registry.example/a.tgz' },
      'node_modules/b': { version: '1.0.0', resolved: 'https://registry.example/b.tgz' },
      'node_modules/b/node_modules/a': { version: '1.0.0', resolved: 'https://npm.corp.example/a.tgz' },
    },
  })
  expect(await askedFor({ 'package-lock.json': text })).toEqual([
    { name: 'a', version: '1.0.0', isPrivate: true },
    { name: 'b', version: '1.0.0', isPrivate: false },
  ])
})

test('the inventory lists what is resolved, each version once, production first, and ranges that nothing resolves', () => {
  const it = { start: 0, end: 1, direct: true, isPrivate: false }
  const packages = [
    { ...it, name: 'a', version: '1.0.0', scope: 'development' as const, path: 'b > a' },
    { ...it, name: 'a', version: '1.0.0', scope: 'production' as const, path: 'a' },
    { ...it, name: 'a', version: '1.0.0', scope: 'development' as const, path: 'c > a' },
    { ...it, name: 'd', version: '1.0.0' },
    { ...it, name: 'e', version: '1.0.0', range: '^1.0.0' },
  ]
  expect(listPackages([{ file: 'x', packages }], () => undefined)).toEqual([
    { name: 'a', version: '1.0.0', scope: 'production', path: 'a' },
    { name: 'd', version: '1.0.0' },
    { name: 'e', range: '^1.0.0' },
  ])
})

function knownOnes(report: Report): ReportFinding[] {
  return allFindings(report).filter(({ ruleId }) => ruleId === 'npm/known-vulnerability')
}

/** A lock file with express alone, in one of the places that npm may choose. */
function lockExpress(version: string, place = 'node_modules/express'): string {
  return JSON.stringify({ lockfileVersion: 3, packages: { [place]: { version } } }, undefined, 2)
}

async function scanExpress(lock: string, config?: object): Promise<Report> {
  const files = new Map([
    ['package-lock.json', lock],
    ['README.md', ''],
    // what its advisories are about
    ['srv/server.js', "const express = require('express')\nexpress().get('/old', (req, res) => res.redirect('/new'))\n"],
  ])
  if (config !== undefined) files.set('parapet.config.json', JSON.stringify(config))
  return (await scanFiles(files)).en
}

test('several advisories about one version are one finding, as severe as the worst, that names what ends all of them', async () => {
  const [finding, ...others] = knownOnes(await scanExpress(lockExpress('4.19.1')))
  expect(others).toEqual([])
  expect(finding?.severity).toBe('MEDIUM')
  expect(finding?.advisories?.map(({ id, severity, fixedIn, url }) => ({ id, severity, fixedIn, url }))).toEqual([
    {
      id: 'GHSA-rv95-896h-c2vc',
      severity: 'MEDIUM',
      fixedIn: '4.19.2',
      url: 'https://github.com/advisories/GHSA-rv95-896h-c2vc',
    },
    {
      id: 'GHSA-qw6h-vgh9-j6wx',
      severity: 'LOW',
      fixedIn: '4.20.0',
      url: 'https://github.com/advisories/GHSA-qw6h-vgh9-j6wx',
    },
  ])
  expect(finding?.message).toBe(
    'express 4.19.1 has 2 known vulnerabilities (most severe: open redirect, GHSA-rv95-896h-c2vc). All are fixed in 4.20.0. Dependency path: express.',
  )
})

test('a finding keeps its id when npm moves the package, and gets another one with the next version', async () => {
  const idsOf = async (lock: string): Promise<string[]> => knownOnes(await scanExpress(lock)).map(({ id }) => id)
  const ids = await idsOf(lockExpress('4.19.1'))
  expect(await idsOf(lockExpress('4.19.1', 'node_modules/a/node_modules/express'))).toEqual(ids)
  expect(await idsOf(lockExpress('4.19.0'))).not.toEqual(ids)
})

test('suppressions of all former findings of a version still hold; one alone hides nothing, and says so', async () => {
  const lock = lockExpress('4.19.1')
  // fingerprints of the two findings that version 0.1.0 made of it
  const former = ['081d44165a100747436a86bf', 'f07e712f9057b3e4b57d9bb3']
  expect(knownOnes(await scanExpress(lock)).map(({ formerIds }) => formerIds)).toEqual([former])
  const suppress = former.map((id) => ({ id, reason: 'r' }))
  const hidden = await scanExpress(lock, { suppress })
  expect(knownOnes(hidden)).toEqual([])
  expect(hidden.suppressed.map(({ ruleId }) => ruleId)).toEqual(['npm/known-vulnerability'])
  const partly = await scanExpress(lock, { suppress: suppress.slice(1) })
  expect(knownOnes(partly)).toHaveLength(1)
  expect(partly.notices.map(({ detail }) => detail)).toEqual([expect.stringContaining('covers one of several advisories')])
})

test.each([
  ['1.7.0', ['<1.8.2 || >=2.0.0 <2.0.5', '<2.0.3'], '2.0.5'],
  ['1.7.0', ['<1.8.2', '<=1.9.0'], undefined],
  ['1.7.0', ['<1.8.0', '<1.10.0'], '1.10.0'],
  ['1.7.0', ['<2.0.0-beta.3'], '2.0.0'],
  ['2.0.0-beta.1', ['<2.0.0-beta.3'], '2.0.0-beta.3'],
])('%s, affected %j: the lowest version that repairs all is %s', (version, ranges, repaired) => {
  expect(createRepairFinder()(version, ranges.map(advisoryOn))).toBe(repaired)
})

test('an upgrade leads to no other advisory, where there is such a version', () => {
  const advisories = [advisoryOn('<1.8.2')]
  expect(createRepairFinder()('1.7.0', advisories, [{ introduced: '1.8.2', fixed: '1.8.5' }])).toBe('1.8.5')
  expect(createRepairFinder()('1.7.0', advisories, [{ introduced: '1.8.2' }])).toBe('1.8.2')
})

function advisoryOn(range: string): Advisory {
  const intervals = range.split(' || ').map((part) => {
    const [, introduced = '0', end = '', bound = ''] = /^(?:>=(\S+) )?<(=?)(\S+)$/.exec(part) ?? []
    return end === '=' ? { introduced, lastAffected: bound } : { introduced, fixed: bound }
  })
  const record = {
    id: 'GHSA-1',
    aliases: [],
    package: 'p',
    severity: 'HIGH',
    title: 't',
    cwe: [],
    malware: false,
    intervals,
  } as const
  return toAdvisory(record, intervals[0])
}

test('equal versions in several places, and in two lock files of a folder, are one finding with occurrences', async () => {
  const packageLock = JSON.stringify(
    {
      lockfileVersion: 3,
      packages: { 'node_modules/json5': { version: '1.0.1' }, 'node_modules/x/node_modules/json5': { version: '1.0.1' } },
    },
    undefined,
    2,
  )
  const yarnLock = '# yarn lockfile v1\n\n\njson5@^1.0.0:\n  version "1.0.1"\n'
  const { en } = await scanFiles(
    new Map([
      ['a/package-lock.json', packageLock],
      ['a/yarn.lock', yarnLock],
      ['b/yarn.lock', yarnLock],
      ['README.md', ''],
    ]),
  )
  expect(knownOnes(en).map(({ file, line, occurrences }) => ({ file, line, occurrences }))).toEqual([
    {
      file: 'a/package-lock.json',
      line: 4,
      occurrences: [
        { file: 'a/package-lock.json', line: 7 },
        { file: 'a/yarn.lock', line: 4 },
      ],
    },
    { file: 'b/yarn.lock', line: 4, occurrences: undefined },
  ])
})

test('where a package.json names a version that is installed is told beside the lock file', async () => {
  const manifest = JSON.stringify({ name: 'shop', dependencies: { json5: '^1.0.0' } }, undefined, 2)
  const yarnLock = '# yarn lockfile v1\n\n\njson5@^1.0.0:\n  version "1.0.1"\n'
  const { en } = await scanFiles(
    new Map([
      ['package.json', manifest],
      ['yarn.lock', yarnLock],
      ['tools/package.json', manifest.replace('^1.0.0', '^1.0.2')],
    ]),
  )
  expect(knownOnes(en).map(({ file, line, occurrences }) => ({ file, line, occurrences }))).toEqual([
    { file: 'yarn.lock', line: 4, occurrences: [{ file: 'package.json', line: 4 }] },
  ])
})

test('the path is that by which production gets a version, also where only development holds it', async () => {
  const lock = {
    name: 'shop',
    lockfileVersion: 3,
    packages: {
      '': { name: 'shop', dependencies: { server: '^1.0.0' }, devDependencies: { tool: '^1.0.0' } },
      'node_modules/json5': { version: '1.0.1' },
      'node_modules/server': { version: '1.0.0', dependencies: { json5: '^1.0.0' } },
      'node_modules/tool': { version: '1.0.0', dev: true, dependencies: { json5: '1.0.1' } },
      'node_modules/tool/node_modules/json5': { version: '1.0.1', dev: true },
    },
  }
  const { en } = await scanFiles(
    new Map([
      ['package-lock.json', JSON.stringify(lock)],
      ['README.md', ''],
    ]),
  )
  expect(knownOnes(en).map(({ message }) => message)).toEqual([expect.stringContaining('Dependency path: server > json5.')])
})

/** A router with what it brings along. */
const routerLock = (version: string, below: Readonly<Record<string, object>>): string =>
  JSON.stringify({
    name: 'gate',
    lockfileVersion: 3,
    packages: {
      '': { name: 'gate', dependencies: { '@sap/approuter': version } },
      'node_modules/@sap/approuter': { version, dependencies: { 'body-parser': '1.99.0', request: '2.99.0', lodash: '4.17.21' } },
      'node_modules/body-parser': { version: '1.99.0', dependencies: { qs: '6.5.2' } },
      ...below,
      'node_modules/qs': { version: '6.5.2' },
      'node_modules/request': { version: '2.99.0', dependencies: { qs: '~6.5.2' } },
    },
  })

test('a router that reads JSON alone parses no query with qs; a later one may', async () => {
  const levelOf = async (version: string): Promise<string | undefined> => {
    const { en } = await scanFiles(new Map([['package-lock.json', routerLock(version, {})]]))
    return knownOnes(en).find(({ message }) => message.startsWith('qs '))?.severity
  }
  expect(await levelOf('16.8.2')).toBe('MEDIUM')
  expect(await levelOf('20.10.0')).toBe('HIGH')
})

test('the path is that of the place which a finding marks, also where a shorter one leads to another place', async () => {
  const lock = routerLock('16.8.2', {
    'node_modules/@sap/approuter/node_modules/logger': { version: '7.0.0', dependencies: { lodash: '4.17.21' } },
    'node_modules/@sap/approuter/node_modules/logger/node_modules/lodash': { version: '4.17.21' },
    'node_modules/lodash': { version: '4.17.21' },
  }).replace('"request":"2.99.0"', '"request":"2.99.0","logger":"7.0.0"')
  const { en } = await scanFiles(new Map([['package-lock.json', lock]]))
  expect(knownOnes(en).flatMap(({ message }) => (message.startsWith('lodash ') ? message : []))).toEqual([
    expect.stringContaining('Dependency path: @sap/approuter > logger > lodash.'),
  ])
})
