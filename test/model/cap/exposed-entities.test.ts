import { describe, expect, it } from 'vitest'
import { exposedEntities, exposedMembers, type CapRoot } from '../../../core/model/cap/index.ts'
import { capRootsOf, PACKAGE, readProject } from '../project.ts'

function rootOf(cds: string): CapRoot {
  const [root] = capRootsOf(readProject({ 'package.json': PACKAGE, 'srv/a.cds': cds }))
  if (root === undefined) throw new Error('no root')
  return root
}

/** `name < source`, `+`: clients write it, `…`: it is not written into the service. */
function entitiesOf(cds: string): string[] {
  return [...exposedEntities(rootOf(cds))].map(
    ({ name, source, isDirect, isWritten }) => `${name} < ${source.name}${isWritten ? ' +' : ''}${isDirect ? '' : ' …'}`,
  )
}

describe('entities that clients see', () => {
  it.each<[string, string, string[]]>([
    ['written into a service', 'service A { entity E { key ID: Integer; } }', ['A.E < A.E +']],
    [
      'what is read in the end',
      'entity D { key ID: Integer; } service A { @readonly entity E as projection on D; }',
      ['A.E < D'],
    ],
    [
      'a composition brings its target',
      `entity D { key ID: Integer; items: Composition of many I; } entity I { key ID: Integer; }
       service A { entity E as projection on D; }`,
      ['A.E < D +', 'A.E/items < I + …'],
    ],
    ['nobody may call it', 'service A { @restrict: [] entity E { key ID: Integer; } }', []],
    ['the API ignores it', 'service A { @cds.api.ignore entity E { key ID: Integer; } }', []],
    ['actions are none', 'service A { action go(); }', []],
    ['an internal service', `@protocol: 'none' service A { entity E { key ID: Integer; } }`, []],
  ])('%s', (_, cds, expected) => expect(entitiesOf(cds)).toEqual(expected))

  it('what a composition brings has the restriction of the entity that it belongs to, unless it has its own', () => {
    const root = rootOf(`
      entity D { key ID: Integer; items: Composition of many I; notes: Composition of many N; }
      entity I { key ID: Integer; }
      @requires: 'Writer' entity N { key ID: Integer; }
      service A { @requires: 'Admin' entity E as projection on D; }`)
    const roles = [...exposedEntities(root)].map(({ name, entity }) => [name, entity.annotations.get('requires')?.value])
    expect(roles).toMatchObject([
      ['A.E', { value: 'Admin' }],
      ['A.E/items', { value: 'Admin' }],
      ['A.E/notes', { value: 'Writer' }],
    ])
  })
})

it('members that clients see: hidden ones are left out', () => {
  const root = rootOf(`service A { entity E { key ID: Integer; name: String; @cds.api.ignore secret: String; } }`)
  expect([...exposedMembers(root)].map(({ name, member }) => `${name} ${member.name}`)).toEqual(['A.E ID', 'A.E name'])
})
