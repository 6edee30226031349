import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CapRoot } from '../../../core/model/cap/index.ts'
import { runs } from '../../soak.ts'
import { capRootsOf, PACKAGE, readProject } from '../project.ts'

function rootOf(...sources: readonly string[]): CapRoot {
  const texts = Object.fromEntries(sources.map((source, index) => [`srv/s${index}.cds`, source]))
  const [root] = capRootsOf(readProject({ 'package.json': PACKAGE, ...texts }))
  if (root === undefined) throw new Error('no root')
  return root
}

describe('members of a definition', () => {
  const namesOf = (source: string, name: string): string => {
    const root = rootOf(source)
    return [...root.membersOf(name).keys(), ...(root.lookUp(name, 'nothing') === 'missing' ? [] : ['…'])].join(' ')
  }

  it.each<[string, string, string, string]>([
    ['its own', 'entity E { key a: Integer; b: String; }', 'E', 'a b'],
    ['included', 'aspect X { x: Integer; } entity E : X { a: Integer; }', 'E', 'x a'],
    [
      'of @sap/cds/common',
      "using { cuid, managed as tracked, sap.common.CodeList } from '@sap/cds/common'; entity E : cuid, tracked, CodeList { }",
      'E',
      '',
    ],
    ['of a package that is not there', "using { managed } from '@x/common'; entity E : managed { a: Integer; }", 'E', 'a …'],
    ['projected', 'entity D { a: Integer; b: Integer; } entity E as projection on D;', 'E', 'a b'],
    ['renamed', 'entity D { a: Integer; b: Integer; } entity E as projection on D { a as x, D.b };', 'E', 'x b'],
    ['left out', 'entity D { a: Integer; b: Integer; } entity E as projection on D { *, a as x } excluding { a };', 'E', 'b x'],
    ['of a projection on what is not there', 'entity E as projection on x.D;', 'E', '…'],
    ['chosen of what is not there', 'entity E as projection on x.D { a, b };', 'E', 'a b'],
    ['of a join', 'entity D {} entity E as select from D join D as F on 1 = 1 { D.a, F.* };', 'E', 'a …'],
    ['of a union', 'entity D { a: Integer; } entity E as select from D { a } union select from D { a };', 'E', 'a …'],
    ['lifted', 'entity D { a: { b: Integer; }; } entity E as projection on D { a.{ b } };', 'E', '…'],
    [
      'added by extend',
      'entity D {} aspect X { x: Integer; } entity E as projection on D; extend D with { a: Integer; } extend E with X;',
      'E',
      'a x',
    ],
    ['of nothing', '', 'E', '…'],
    ['circles', 'entity A as projection on B; entity B as projection on A;', 'A', '…'],
  ])('%s', (_, source, name, expected) => {
    expect(namesOf(`type T: Integer; ${source}`, name)).toBe(expected)
  })
})

describe('paths of elements', () => {
  const root = rootOf(
    `using { managed } from '@sap/cds/common';
     type Address { street: String; geo: { lat: Decimal; }; }
     entity E : managed { key ID: Integer; a: Association to P; home: Address; ship: { zip: String; }; items: Composition of many { pos: Integer; }; far: Association to x.Y; }
     entity P { key ID: Integer; name: String; boss: Association to P; e: Association to E; }
     service S { entity V as projection on E { *, a as b : redirected to Q } excluding { a }; entity Q as projection on P excluding { boss }; }`,
  )
  it.each<[string, string, 'found' | 'missing' | 'unknown']>([
    ['E', 'createdBy', 'found'],
    ['E', 'a.name', 'found'],
    ['E', 'a.boss.boss.e.home.street', 'found'],
    ['E', 'home.geo.lat', 'found'],
    ['E', 'ship.zip', 'found'],
    ['E', 'a_ID', 'found'],
    ['E', 'home_geo_lat', 'found'],
    ['E', 'IsActiveEntity', 'found'],
    ['E', 'owner', 'missing'],
    ['E', 'a.owner', 'missing'],
    ['E', 'home.city', 'missing'],
    ['E', 'home.geo.long', 'missing'],
    ['E', 'ship.city', 'missing'],
    ['E', 'far.anything', 'unknown'],
    ['E', 'items.pos', 'found'],
    ['E', 'items.x', 'unknown'],
    ['E', 'createdBy.x', 'unknown'],
    ['S.V', 'a', 'missing'],
    ['S.V', 'b.name', 'found'],
    ['S.V', 'b.boss', 'missing'],
    ['x.Y', 'a', 'unknown'],
    ['E', `a${'.boss'.repeat(100)}`, 'unknown'],
  ])('%s %s: %s', (name, path, expected) => {
    expect(root.lookUp(name, path)).toBe(expected)
  })

  it('of any text lead somewhere or nowhere', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '.', '_', 'b', 'home', 'x') }), (path) => {
        expect(['found', 'missing', 'unknown']).toContain(root.lookUp('S.V', path))
      }),
      { numRuns: runs(1000) },
    )
  })
})
