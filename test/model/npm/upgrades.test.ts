import { expect, test } from 'vitest'
import type { ReportUpgrade } from '../../../core/report/types.ts'
import { summarizeUpgrades } from '../../../core/report/upgrade-words.ts'
import { scanFiles } from '../../scan-files.ts'

type Entry = Readonly<Record<string, unknown>>

/** What the report says to move, of a project with this package.json and these entries of its lock file. */
async function upgradesOf(
  manifest: Entry,
  entries: Readonly<Record<string, Entry>>,
  more: Entry = {},
): Promise<readonly ReportUpgrade[]> {
  const lock = { name: 'shop', lockfileVersion: 3, packages: { '': { name: 'shop', ...manifest }, ...entries } }
  const files = new Map([
    ['package.json', JSON.stringify({ name: 'shop', ...manifest })],
    ['package-lock.json', JSON.stringify(lock)],
    ...Object.entries(more).map(([path, content]): [string, string] => [path, JSON.stringify(content)]),
  ])
  return (await scanFiles(files)).en.results.npm.upgrades
}

const file = 'package-lock.json'

test('a direct dependency moves to the lowest version that clears all of its advisories', async () => {
  const entries = { 'node_modules/express': { version: '4.19.1' }, 'node_modules/passport': { version: '0.5.3' } }
  expect(await upgradesOf({ dependencies: { express: '^4.0.0', passport: '^0.5.0' } }, entries)).toEqual([
    {
      package: 'express',
      from: '4.19.1',
      to: '4.20.0',
      direct: true,
      breaking: false,
      file,
      repairs: { packages: 1, advisories: 2 },
    },
    {
      package: 'passport',
      from: '0.5.3',
      to: '0.6.0',
      direct: true,
      breaking: true,
      file,
      repairs: { packages: 1, advisories: 1 },
    },
  ])
})

test('what the ranges of its requirers allow moves by itself, in the lock file', async () => {
  const entries = {
    'node_modules/left': { version: '1.0.0', dependencies: { json5: '^1.0.1' } },
    'node_modules/json5': { version: '1.0.1' },
  }
  expect(await upgradesOf({ dependencies: { left: '^1.0.0' } }, entries)).toEqual([
    {
      package: 'json5',
      from: '1.0.1',
      to: '1.0.2',
      direct: false,
      breaking: false,
      file,
      repairs: { packages: 1, advisories: 1 },
    },
  ])
})

test.each([
  ['pins one version', { dependencies: { middle: '1.0.0' } }, { dependencies: { json5: '1.0.1' } }, {}],
  ['ships it in its archive', { dependencies: { middle: '1.0.0' } }, { dependencies: { json5: '^1.0.1' } }, { inBundle: true }],
  ['takes it from an address', { dependencies: { middle: '1.0.0' } }, { dependencies: { json5: 'file:json5.tgz' } }, {}],
])('what another package holds needs a release of the direct dependency above: it %s', async (_, top, middle, held) => {
  const entries = {
    'node_modules/top': { version: '3.0.0', ...top },
    'node_modules/middle': { version: '1.0.0', ...middle },
    'node_modules/middle/node_modules/json5': { version: '1.0.1', ...held },
  }
  expect(await upgradesOf({ dependencies: { top: '^3.0.0' } }, entries)).toEqual([
    { package: 'top', from: '3.0.0', direct: true, breaking: true, file, repairs: { packages: 1, advisories: 1 } },
  ])
})

test('an override moves itself, and what a package without a fixed version needs is not guessed', async () => {
  const entries = {
    'node_modules/top': { version: '3.0.0', dependencies: { json5: '1.0.1', 'node-serialize': '0.0.4' } },
    'node_modules/json5': { version: '1.0.1' },
    'node_modules/node-serialize': { version: '0.0.4' },
  }
  const manifest = { dependencies: { top: '^3.0.0' }, overrides: { json5: '1.0.1' } }
  expect(await upgradesOf(manifest, entries)).toEqual([
    {
      package: 'json5',
      from: '1.0.1',
      to: '1.0.2',
      direct: true,
      breaking: false,
      file,
      repairs: { packages: 1, advisories: 1 },
    },
  ])
})

test('one entry for a direct dependency, with what it keeps; what is suppressed is not counted', async () => {
  const entries = {
    'node_modules/express': { version: '4.19.1', dependencies: { json5: '1.0.1' } },
    'node_modules/json5': { version: '1.0.1' },
  }
  const manifest = { dependencies: { express: '^4.0.0' } }
  const express = { package: 'express', from: '4.19.1', to: '4.20.0', direct: true, breaking: false, file }
  expect(await upgradesOf(manifest, entries)).toEqual([{ ...express, repairs: { packages: 2, advisories: 3 } }])
  const config = { suppress: [{ rule: 'npm/known-vulnerability', path: 'package-lock.json', reason: 'r' }] }
  expect(await upgradesOf(manifest, entries, { 'parapet.config.json': config })).toEqual([])
})

test('pnpm-lock.yaml does not tell the ranges: the direct dependency above is named', async () => {
  const lock = `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      top:
        specifier: ^3.0.0
        version: 3.0.0

packages:

  json5@1.0.1:
    resolution: {integrity: sha512-AAAA}

  top@3.0.0:
    resolution: {integrity: sha512-AAAA}

snapshots:

  json5@1.0.1: {}

  top@3.0.0:
    dependencies:
      json5: 1.0.1
`
  const files = new Map([
    ['package.json', '{ "name": "shop", "dependencies": { "top": "^3.0.0" } }'],
    ['pnpm-lock.yaml', lock],
  ])
  expect((await scanFiles(files)).en.results.npm.upgrades).toMatchObject([{ package: 'top', from: '3.0.0', direct: true }])
})

test.each([
  ['without ranges of what it nests: the package around it is named', {}, { package: 'top', from: '3.0.0', direct: true }],
  [
    'with ranges, which decide',
    { requires: { json5: '^1.0.0' } },
    { package: 'json5', from: '1.0.1', to: '1.0.2', direct: false },
  ],
])('package-lock.json of version 1 %s', async (_, requires, expected) => {
  const top = { version: '3.0.0', ...requires, dependencies: { json5: { version: '1.0.1' } } }
  const files = new Map([
    ['package.json', '{ "name": "shop", "dependencies": { "top": "^3.0.0" } }'],
    ['package-lock.json', JSON.stringify({ name: 'shop', lockfileVersion: 1, dependencies: { top } })],
  ])
  expect((await scanFiles(files)).en.results.npm.upgrades).toMatchObject([expected])
})

test('yarn.lock: ranges decide as well', async () => {
  const lock =
    '# yarn lockfile v1\n\n\njson5@^1.0.0:\n  version "1.0.1"\n\ntop@^3.0.0:\n  version "3.0.0"\n  dependencies:\n    json5 "^1.0.0"\n'
  const files = new Map([
    ['package.json', '{ "name": "shop", "dependencies": { "top": "^3.0.0" } }'],
    ['yarn.lock', lock],
  ])
  expect((await scanFiles(files)).en.results.npm.upgrades).toMatchObject([
    { package: 'json5', from: '1.0.1', to: '1.0.2', direct: false },
  ])
})

test('the summary says what there is and what ends it', async () => {
  const entries = {
    'node_modules/express': { version: '4.19.1', dependencies: { json5: '^1.0.0' } },
    'node_modules/json5': { version: '1.0.1' },
  }
  const lock = { name: 'shop', lockfileVersion: 3, packages: { '': { dependencies: { express: '^4.0.0' } }, ...entries } }
  const { en } = await scanFiles(new Map([['package-lock.json', JSON.stringify(lock)]]))
  expect(summarizeUpgrades(en, 'en')).toBe(
    '3 advisories in 2 packages; upgrading 1 direct dependency repairs 2; updating 1 other in the lock file repairs 1.',
  )
  // the same packages once more, in another folder
  const twice = await scanFiles(
    new Map(['package-lock.json', 'app/package-lock.json'].map((path): [string, string] => [path, JSON.stringify(lock)])),
  )
  expect(twice.en.results.npm.upgrades).toHaveLength(4)
  expect(summarizeUpgrades(twice.en, 'en')).toBe(summarizeUpgrades(en, 'en'))
  const clean = await scanFiles(new Map([['package.json', '{}']]))
  expect(summarizeUpgrades(clean.en, 'en')).toBe('')
})
