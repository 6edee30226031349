import { describe, expect, it } from 'vitest'
import { findForeignHosts, findNpmProject } from '../../../core/model/npm/index.ts'
import { readProject } from '../project.ts'

const ALIAS = `https://${['registry', 'yarnpkg', 'com'].join('.')}`
const PUBLIC = `https://${['registry', 'npmjs', 'org'].join('.')}`
const OWN = 'https://packages.example'

/** `host reason: packages` of a lock file that resolves names to addresses. */
function foreignIn(resolved: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}): string[] {
  const files = readProject({
    'package.json': JSON.stringify({ name: '@corp/shop' }),
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: Object.fromEntries(
        Object.entries(resolved).map(([name, address]) => [`node_modules/${name}`, { version: '1.0.0', resolved: address }]),
      ),
    }),
    ...more,
  })
  const npm = findNpmProject(files)
  return npm.locked.flatMap((locked) =>
    findForeignHosts(locked, npm).map(
      ({ host, reason, packages }) => `${host} ${reason}: ${packages.map(({ name }) => name).join(' ')}`,
    ),
  )
}

/** The paths of a public registry. */
const at = (host: string, ...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `${host}/${name}/-/${name.slice(name.indexOf('/') + 1)}-1.0.0.tgz`]))

describe('hosts of a lock file that are neither the own one nor named by settings', () => {
  it.each<[string, Readonly<Record<string, string>>, string[]]>([
    ['the host that most come from is the own one', at('https://npm.corp.example', 'a', 'b'), []],
    ['one package', { ...at(OWN, 'a', 'b', 'c'), ...at('https://x.example', 'd') }, ['x.example unknown: d']],
    [
      'many at the paths of a registry',
      { ...at(OWN, 'a', 'b', 'c', 'd'), ...at('https://x.example', 'e', 'f', 'g') },
      ['x.example mirror: e f g'],
    ],
    ['yarn’s name for the public registry, and the registry', { ...at(ALIAS, 'a', 'b', 'c'), ...at(PUBLIC, 'd') }, []],
    ['the same the other way', { ...at(PUBLIC, 'a', 'b', 'c'), ...at(ALIAS, 'd') }, []],
    ['the alias beside an own registry', { ...at(OWN, 'a', 'b', 'c'), ...at(ALIAS, 'd') }, []],
    ['as many as of the own host', { ...at(OWN, 'a'), ...at('https://x.example', 'b') }, []],
    [
      'a whole scope of the company',
      { ...at(OWN, 'a', 'b'), ...at('https://npm.corp.example', '@corp/ui') },
      ['npm.corp.example private-scope: @corp/ui'],
    ],
    [
      'a whole scope of SAP',
      { ...at(OWN, 'a', 'b'), ...at('https://npm.corp.example', '@sap/xssec') },
      ['npm.corp.example sap-scope: @sap/xssec'],
    ],
    [
      'a part of a scope',
      { ...at(OWN, 'a', '@sap/cds'), ...at('https://npm.corp.example', '@sap/xssec') },
      ['npm.corp.example unknown: @sap/xssec'],
    ],
    [
      'a scope at a path that is not that of a registry',
      { ...at(OWN, 'a', 'b'), '@other/x': 'https://npm.corp.example/repository/npm/@other/x/-/x-1.0.0.tgz' },
      ['npm.corp.example private-scope: @other/x'],
    ],
  ])('%s', (_, resolved, expected) => expect(foreignIn(resolved)).toEqual(expected))

  it('what settings name is none', () => {
    const resolved = { ...at(OWN, 'a', 'b'), ...at('https://npm.corp.example', 'c') }
    expect(foreignIn(resolved, { '.npmrc': 'registry=https://npm.corp.example/' })).toEqual([])
    expect(foreignIn(resolved, { '.npmrc': '@corp:registry=https://npm.corp.example/' })).toEqual([])
  })

  it('what a package.json names by address is told there', () => {
    const address = 'https://x.example/d/-/d-1.0.0.tgz'
    const manifest = JSON.stringify({ dependencies: { d: address } })
    expect(foreignIn({ ...at(OWN, 'a', 'b'), d: address }, { 'package.json': manifest })).toEqual([])
  })
})
