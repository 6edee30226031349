import { expect, it } from 'vitest'
import { capRootOf, capSecurityOf } from '../../../core/model/authorization/index.ts'
import { readDeployment } from '../../../core/model/deployment/index.ts'
import { capRootsOf, PACKAGE, readProject } from '../project.ts'

it('tells what models ask of a user', () => {
  const { roles, attributes } = capSecurityOf(
    capRootsOf(
      readProject({
        'package.json': PACKAGE,
        'srv/a.cds': `
          @requires: ['Admin', 'any']
          service A {
            @restrict: [{ grant: 'READ', to: 'Viewer', where: 'country = $user.country and owner = $user.id' }, { grant: '*', to: ['Editor'] }]
            entity E { key ID : Integer; country : String; owner : String; } actions { @(requires: 'Boss') action close(); }
          }
          annotate A.E with @(restrict: [{ to: 'authenticated-user', where: (unit = $user.attr.unit) }]);`,
        'test/b.cds': `@requires: 'Nobody' service B { }`,
      }),
    ),
  )
  expect([...roles.keys()].sort()).toEqual(['Admin', 'Boss', 'Editor', 'Viewer'])
  expect([...attributes.keys()].sort()).toEqual(['country', 'unit'])
})

it('finds the CAP project that an application runs', () => {
  const files = readProject({
    'shop/package.json': PACKAGE,
    'shop/srv/a.cds': 'service A { }',
    'mta.yaml': `
_schema-version: '3.3'
ID: x
modules:
  - { name: srv, type: nodejs, path: shop/gen/srv }
  - { name: router, type: approuter.nodejs, path: router }
`,
  })
  const roots = capRootsOf(files)
  const { applications } = readDeployment(files)
  expect(applications.map((application) => [application.name, capRootOf(application, roots)?.root])).toEqual([
    ['srv', 'shop'],
    ['router', undefined],
  ])
})
