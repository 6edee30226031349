import { describe, expect, it } from 'vitest'
import { readDeployment } from '../../../core/model/deployment/index.ts'
import { declaredRoles, indexSecurity } from '../../../core/model/authorization/index.ts'
import { capRootsOf, PACKAGE, readProject } from '../project.ts'

const descriptorOf = (...scopes: readonly string[]): string =>
  JSON.stringify({ xsappname: 'app', scopes: scopes.map((name) => ({ name })) })
const mtaOf = (parameters: string): string => `
_schema-version: '3.3'
ID: x
modules: [{ name: srv, type: nodejs, path: gen/srv }]
resources: [{ name: uaa, type: org.cloudfoundry.managed-service, parameters: { service: xsuaa, ${parameters} } }]
`

/** The scopes that hold for each root. */
function scopesOf(texts: Readonly<Record<string, string>>): Record<string, string[]> {
  const files = readProject(texts)
  const deployment = readDeployment(files)
  const capRoots = capRootsOf(files)
  const securityOf = indexSecurity(deployment, capRoots)
  return Object.fromEntries(capRoots.map((root) => [root.root, [...declaredRoles(securityOf(root)).scopes].sort()]))
}

describe('security descriptors of a CAP project', () => {
  it.each<[string, string, string[]]>([
    ['of the application', '$XSAPPNAME.Admin', ['Admin']],
    ['of an instance', '$XSAPPNAME($XSSERVICENAME).Sales.Read', ['Sales.Read']],
    ['by the name of the application', 'app.Admin', ['Admin']],
    ['of another one', 'other!t1.Admin', ['Admin', 'other!t1.Admin']],
    ['without a prefix', 'uaa', ['uaa']],
  ])('scopes %s', (_, scope, expected) => {
    expect(scopesOf({ 'package.json': PACKAGE, 'xs-security.json': descriptorOf(scope) })).toEqual({ '': expected })
  })

  it('lie in the root or around it, and not in another root', () => {
    const texts = {
      'xs-security.json': descriptorOf('$XSAPPNAME.All'),
      'a/package.json': PACKAGE,
      'a/srv/xs-security.json': descriptorOf('$XSAPPNAME.A'),
      'b/package.json': PACKAGE,
    }
    expect(scopesOf(texts)).toEqual({ a: ['A', 'All'], b: ['All'] })
  })

  it('of an MTA that deploys another project are of that one', () => {
    const texts = {
      'mta.yaml': mtaOf('path: ./xs-security.json').replace('gen/srv', 'a/gen/srv'),
      'xs-security.json': descriptorOf('$XSAPPNAME.A'),
      'a/package.json': PACKAGE,
      'a/srv/s.cds': 'service A {}',
      'b/package.json': PACKAGE,
    }
    expect(scopesOf(texts)).toEqual({ a: ['A'], b: [] })
    const inside = {
      'package.json': PACKAGE,
      'xs-security.json': descriptorOf('$XSAPPNAME.A'),
      'samples/x/package.json': PACKAGE,
    }
    expect(scopesOf(inside)).toEqual({ '': ['A'], 'samples/x': [] })
  })

  it('that the MTA names and that have roles count alone', () => {
    const texts = { 'package.json': PACKAGE, 'xs-security.json': descriptorOf('$XSAPPNAME.Old'), 'srv/s.cds': 'service S {}' }
    const named = { ...texts, 'srv/cds-security.json': descriptorOf('$XSAPPNAME.New') }
    expect(scopesOf({ ...named, 'mta.yaml': mtaOf('path: srv/cds-security.json') })).toEqual({ '': ['New'] })
    expect(scopesOf({ ...texts, 'mta.yaml': mtaOf('config: { xsappname: x }') })).toEqual({ '': ['Old'] })
    expect(scopesOf({ ...texts, 'mta.yaml': mtaOf('config: { scopes: [{ name: $XSAPPNAME.Inline }] }') })).toEqual({
      '': ['Inline'],
    })
  })
})
