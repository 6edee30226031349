import { describe, expect, it } from 'vitest'
import { cdsWithin, dependencyOf, lockedAs, packageOf, type CapRoot } from '../../../core/model/cap/index.ts'
import { findNpmProject } from '../../../core/model/npm/index.ts'
import { capRootsOf, readProject } from '../project.ts'

const json = (value: object): string => JSON.stringify(value)
const lockOf = (versions: Readonly<Record<string, string>>): string =>
  json({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: Object.fromEntries(Object.keys(versions).map((name) => [name, '*'])) },
      ...Object.fromEntries(Object.entries(versions).map(([name, version]) => [`node_modules/${name}`, { version }])),
    },
  })

function rootIn(files: ReturnType<typeof readProject>, folder = ''): CapRoot {
  const root = capRootsOf(files).find((one) => one.root === folder)
  if (root === undefined) throw new Error('no root')
  return root
}

describe('the version of CAP that runs', () => {
  it.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['a range', { 'package.json': json({ dependencies: { '@sap/cds': '^9.1.0' } }) }, true],
    ['a wider range', { 'package.json': json({ dependencies: { '@sap/cds': '>=8' } }) }, false],
    ['a tag', { 'package.json': json({ dependencies: { '@sap/cds': 'latest' } }) }, false],
    [
      'what the lock file resolves counts more',
      { 'package.json': json({ dependencies: { '@sap/cds': '>=8' } }), 'package-lock.json': lockOf({ '@sap/cds': '9.2.0' }) },
      true,
    ],
    ['for development alone', { 'package.json': json({ devDependencies: { '@sap/cds': '9.2.0' } }) }, false],
    ['of no package', { '.cdsrc.json': '{}' }, false],
  ])('%s', (_, texts, expected) => {
    const files = readProject(texts)
    expect(cdsWithin(rootIn(files), findNpmProject(files), '>=9.0.0 <10')).toBe(expected)
  })
})

it("a root's package, and what its lock file resolves a name to", () => {
  const files = readProject({
    'package.json': json({ name: 'around' }),
    'shop/package.json': json({ name: 'shop', dependencies: { '@sap/cds': '^9' } }),
    'shop/package-lock.json': lockOf({ '@sap/cds': '9.2.0', express: '4.18.0' }),
  })
  const own = packageOf(rootIn(files, 'shop'), findNpmProject(files))
  expect(own?.name).toBe('shop')
  expect(own && lockedAs(own, 'express').map(({ version }) => version)).toEqual(['4.18.0'])
  expect(own && lockedAs(own, 'koa')).toEqual([])
})

describe('where a root has a package from', () => {
  const CDS = { '@sap/cds': '^9' }
  it.each<[string, Readonly<Record<string, string>>, string | undefined]>([
    ['its own package.json', { 'a/package.json': json({ dependencies: { ...CDS, x: '1' } }) }, 'production'],
    ['an optional one', { 'a/package.json': json({ dependencies: CDS, optionalDependencies: { x: '1' } }) }, 'production'],
    ['for development', { 'a/package.json': json({ dependencies: CDS, devDependencies: { x: '1' } }) }, 'development'],
    [
      'its srv decides first',
      {
        'a/srv/package.json': json({ dependencies: { x: '1' } }),
        'a/package.json': json({ dependencies: CDS, devDependencies: { x: '1' } }),
      },
      'production',
    ],
    [
      'a folder around it, the nearest first',
      { 'package.json': json({ devDependencies: { x: '1' } }), 'a/package.json': json({ dependencies: CDS }) },
      'development',
    ],
    [
      'nowhere',
      { 'a/package.json': json({ dependencies: CDS }), 'b/package.json': json({ dependencies: { x: '1' } }) },
      undefined,
    ],
  ])('%s', (_, texts, expected) => {
    const files = readProject(texts)
    expect(dependencyOf(rootIn(files, 'a'), files, 'x')).toBe(expected)
  })
})
