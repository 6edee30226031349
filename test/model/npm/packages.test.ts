import { expect, test } from 'vitest'
import { listPackages } from '../../../core/inventory/npm.ts'
import type { Report, ReportFinding } from '../../../core/report/types.ts'
import { allFindings, scanFiles } from '../../scan-files.ts'
import type { AdvisoryPort, PackageVersion } from '../../../core/advisories/types.ts'
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

test('a package.json is judged where no lock file of its folder or above names the package', async () => {
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

test('the inventory lists what is resolved, each version once, production first', () => {
  const it = { start: 0, end: 1, direct: true, isPrivate: false }
  const packages = [
    { ...it, name: 'a', version: '1.0.0', scope: 'development' as const, path: 'b > a' },
    { ...it, name: 'a', version: '1.0.0', scope: 'production' as const, path: 'a' },
    { ...it, name: 'a', version: '1.0.0', scope: 'development' as const, path: 'c > a' },
    { ...it, name: 'd', version: '1.0.0' },
    { ...it, name: 'e', version: '1.0.0', range: '^1.0.0' },
  ]
  expect(listPackages([{ file: 'x', packages }])).toEqual([
    { name: 'a', version: '1.0.0', scope: 'production', path: 'a' },
    { name: 'd', version: '1.0.0' },
  ])
})

function knownOnes(report: Report): ReportFinding[] {
  return allFindings(report).filter(({ ruleId }) => ruleId === 'npm/known-vulnerability')
}

test('several advisories of one place are several findings, and each keeps its id when another one comes', async () => {
  const files = (version: string): Map<string, string> =>
    new Map([
      [
        'package-lock.json',
        JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/express': { version } } }, undefined, 2),
      ],
      ['README.md', ''],
    ])
  const idsOf = async (version: string): Promise<Map<string, string>> =>
    new Map(knownOnes((await scanFiles(files(version))).en).map(({ id, message }) => [/GHSA[\w-]+/.exec(message)?.[0] ?? '', id]))
  const [old, newer] = [await idsOf('4.19.1'), await idsOf('4.19.2')]
  expect([...old.keys()].sort()).toEqual(['GHSA-qw6h-vgh9-j6wx', 'GHSA-rv95-896h-c2vc'])
  expect([...newer.keys()]).toEqual(['GHSA-qw6h-vgh9-j6wx'])
  expect(newer.get('GHSA-qw6h-vgh9-j6wx')).toBe(old.get('GHSA-qw6h-vgh9-j6wx'))
  expect(new Set(old.values()).size).toBe(2)
})

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
