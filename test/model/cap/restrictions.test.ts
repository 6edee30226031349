import { describe, expect, it } from 'vitest'
import {
  isEmptyRestriction,
  openElements,
  restrictionsOf,
  restrictionWithoutRole,
  servedServices,
  type CapRoot,
} from '../../../core/model/cap/index.ts'
import { capRootsOf, PACKAGE, readProject } from '../project.ts'

function rootOf(cds: string, path = 'srv/a.cds'): CapRoot {
  const [root] = capRootsOf(readProject({ 'package.json': PACKAGE, [path]: cds }))
  if (root === undefined) throw new Error('no root')
  return root
}

describe('served services', () => {
  it('leaves out internal and external ones', () => {
    const root = rootOf(`
      service A { }
      @protocol: 'none' service B { }
      @cds.external service C { }`)
    expect(servedServices(root).map(({ name }) => name)).toEqual(['A'])
  })

  it('leaves out those of a root that is a test', () => {
    const [root] = capRootsOf(readProject({ 'test/shop/package.json': PACKAGE, 'test/shop/srv/a.cds': 'service A { }' }))
    expect(root?.test).toBe(true)
    expect(root && servedServices(root)).toEqual([])
  })
})

it('an element is open where nothing but its service decides', () => {
  const [service] = rootOf(
    `service A { entity E { key ID: Integer; } @requires: 'Admin' entity F { key ID: Integer; } }`,
  ).services
  expect(service && openElements(service).map(({ name }) => name)).toEqual(['E'])
})

it.each<[string, boolean]>([
  ['@requires: []', true],
  [`@requires: ''`, true],
  ['@restrict: []', true],
  [`@restrict: [{ grant: '*', to: [] }]`, true],
  [`@requires: 'Admin'`, false],
  [`@restrict: [{ grant: '*' }, { to: 'Admin' }]`, false],
  ['@requires: null', false],
  ['', false],
])('%s names no role: %s', (annotation, expected) => {
  const [service] = rootOf(`${annotation} service A { }`).services
  expect(service && isEmptyRestriction(service.annotations)).toBe(expected)
})

it('finds the annotation that names no role', () => {
  const [service] = rootOf(`@requires: 'Admin' @restrict: [] service A { }`).services
  expect(service && restrictionWithoutRole(service.annotations, 'requires')).toBeUndefined()
  expect(service && restrictionWithoutRole(service.annotations, 'restrict')).toMatchObject({ value: { kind: 'array' } })
})

it('lists restrictions of services and of their elements', () => {
  const root = rootOf(`
    @requires: 'Admin' service A {
      entity E { key ID: Integer; }
      @restrict: [{ grant: 'READ', to: 'Viewer' }] @requires: 'Viewer' entity F { key ID: Integer; }
    }
    @requires: 'Admin' @protocol: 'none' service B { }`)
  expect(
    [...restrictionsOf(root)].map(({ name, service, element }) => `${service.name} ${element?.name ?? '-'} ${name}`),
  ).toEqual(['A - requires', 'A F requires', 'A F restrict'])
})
