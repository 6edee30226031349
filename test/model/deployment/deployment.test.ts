import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDeployment, textOf, variableText } from '../../../core/model/deployment/index.ts'
import { at } from '../../../core/parse/data.ts'
import { runs } from '../../soak.ts'
import { readProject } from '../project.ts'

const MTA = `
ID: shop
parameters: { host: 'shop-\${stage}', stage: dev }
modules:
  - name: srv
    type: nodejs
    path: gen/srv
    properties: { LEVEL: debug, WHERE: '\${host}' }
    requires: [{ name: uaa }, { name: db }]
    provides: [{ name: srv-api, properties: { srv-url: '\${default-url}' } }]
  - name: web
    type: approuter.nodejs
    path: app/router
    parameters: { routes: [{ route: web.apps.internal }] }
    requires:
      - name: srv-api
        group: destinations
        properties: { name: backend, url: '~{srv-url}', forwardAuthToken: true }
  - name: deployer
    type: hdb
resources:
  - name: uaa
    type: org.cloudfoundry.managed-service
    parameters: { service: xsuaa, service-plan: application, path: ./xs-security.json, config: { tenant-mode: shared } }
  - name: db
    type: com.sap.xs.hdi-container
    requires: [{ name: ops }]
  - name: ops
    type: org.cloudfoundry.existing-service
  - name: dest
    parameters:
      service: destination
      config:
        init_data:
          instance:
            destinations:
              - { Name: a, URL: '~{srv-api/srv-url}/x', Type: HTTP }
              - { Name: b, URL: 'https://\${stage}.example', Type: HTTP }
  - name: off
    active: false
    parameters: { service: identity }
`
const SECURITY = '{"xsappname":"shop","tenant-mode":"dedicated","scopes":[{"name":"$XSAPPNAME.A"}]}'
const PRODUCTION = `
ID: shop-prod
extends: shop
parameters: { stage: prod }
modules:
  - { name: srv, properties: { LEVEL: info } }
resources:
  - { name: uaa, parameters: { config: { oauth2-configuration: { token-validity: 900 } } } }
`

describe('what an MTA deploys', () => {
  const files = readProject({ 'mta.yaml': MTA, 'xs-security.json': SECURITY })
  const deployment = readDeployment(files)

  it('runs modules that have a process', () => {
    expect(
      deployment.applications.map(({ name, folder, isApprouter, hasPublicRoute }) => [name, folder, isApprouter, hasPublicRoute]),
    ).toEqual([
      ['srv', 'srv', false, true],
      ['web', 'app/router', true, false],
    ])
  })

  it('binds them to services, also through others', () => {
    const [srv] = deployment.applications
    expect(srv?.bindings.map(({ name, service }) => [name, service]).sort()).toEqual([
      ['db', 'hana'],
      ['ops', undefined],
      ['uaa', 'xsuaa'],
    ])
  })

  it('resolves what it defines, and leaves the rest', () => {
    const [srv] = deployment.applications
    const texts = srv?.variables.map((variable) => variableText(variable, srv))
    expect(texts).toEqual(['debug', 'shop-dev'])
    expect(deployment.destinations.map((d) => [d.kind, d.name, (d.property('url') ?? d.property('URL'))?.text])).toEqual([
      ['service', 'a', '${default-url}/x'],
      ['service', 'b', 'https://dev.example'],
      ['approuter', 'backend', '${default-url}'],
    ])
  })

  it('lays the configuration of a service over its file', () => {
    expect(deployment.services.map(({ name, plan }) => [name, plan])).toEqual([['uaa', 'application']])
    const [uaa] = deployment.services
    const mode = uaa && at(uaa.config, 'tenant-mode')
    expect(textOf(mode)).toBe('shared')
    expect(mode && deployment.placeOf(mode).file).toBe('mta.yaml')
    const scopes = uaa && at(uaa.config, 'scopes')
    expect(scopes && deployment.placeOf(scopes).file).toBe('xs-security.json')
  })
})

describe('extensions', () => {
  it('change values, and say where they stand', () => {
    const { applications, services, placeOf } = readDeployment(
      readProject({ 'mta.yaml': MTA, 'xs-security.json': SECURITY, 'prod.mtaext': PRODUCTION }),
    )
    const [srv] = applications
    expect(srv?.variables.map((variable) => [variableText(variable, srv), variable.place.file])).toEqual([
      ['info', 'prod.mtaext'],
      ['shop-prod', 'mta.yaml'],
    ])
    const validity = services[0] && at(services[0].config, 'oauth2-configuration', 'token-validity')
    expect(validity && placeOf(validity).file).toBe('prod.mtaext')
  })

  it.each([
    ['a chain', { 'a.mtaext': 'ID: a\nextends: shop', 'b.mtaext': 'ID: b\nextends: a' }, 1],
    ['two landscapes', { 'a.mtaext': 'ID: a\nextends: shop', 'b.mtaext': 'ID: b\nextends: shop' }, 2],
    ['a cycle', { 'a.mtaext': 'ID: a\nextends: b', 'b.mtaext': 'ID: b\nextends: a' }, 1],
    ['one of another MTA', { 'a.mtaext': 'ID: a\nextends: other' }, 1],
  ])('%s', (_, extensions, count) => {
    expect(readDeployment(readProject({ 'mta.yaml': MTA, ...extensions })).mtas).toHaveLength(count)
  })
})

describe('destinations of other places', () => {
  it.each([
    ['default-env.json', '{"destinations":[{"name":"a","url":"http://x"}]}', ['approuter', true]],
    ['default-env.json', '{"destinations":"[{\\"name\\":\\"a\\",\\"url\\":\\"http://x\\"}]"}', ['approuter', true]],
    ['.env', 'destinations=[{"name":"a","url":"http://x"}]', ['approuter', true]],
    [
      'manifest.yml',
      'applications:\n- name: r\n  env:\n    destinations: >\n      [{"name":"a","url":"http://x"}]',
      ['approuter', false],
    ],
    ['destinations.json', '[{"Name":"a","URL":"http://x"}]', ['service', false]],
    ['s4-destination.json', '{"Name":"a","URL":"http://x"}', ['service', false]],
    ['destination.json', '{"init_data":{"subaccount":{"destinations":[{"Name":"a","URL":"http://x"}]}}}', ['service', false]],
    ['destination-s4.properties', 'Name=a\nURL=http\\://x\n', ['service', false]],
  ])('%s', (path, text, [kind, isLocal]) => {
    const { destinations } = readDeployment(readProject({ [path]: text }))
    expect(destinations.map((d) => [d.kind, d.isLocal, d.name, d.property('URL')?.text])).toEqual([
      [kind, isLocal, 'a', 'http://x'],
    ])
  })
})

it('a deployment keeps destinations that exist, unless their level says otherwise', () => {
  const level = (policy: string): string =>
    `{"init_data":{"subaccount":{${policy}"destinations":[{"Name":"a","URL":"http://x"}]}}}`
  const isKept = (text: string): boolean | undefined =>
    readDeployment(readProject({ 'destination.json': text })).destinations[0]?.isKept
  expect(isKept(level(''))).toBe(true)
  expect(isKept(level('"existing_destinations_policy":"ignore",'))).toBe(true)
  expect(isKept(level('"existing_destinations_policy":"update",'))).toBe(false)
  expect(isKept('{"Name":"a","URL":"http://x"}')).toBe(false)
})

it('references that double each other end', () => {
  const parameters = Array.from({ length: 30 }, (_, index) => `  p${index}: "\${p${index + 1}}\${p${index + 1}}"`).join('\n')
  const { mtas } = readDeployment(readProject({ 'mta.yaml': `ID: x\nparameters:\n${parameters}\n` }))
  expect(mtas[0]?.resolve('${p0}').length).toBeLessThan(5000)
})

describe('hostile descriptors', () => {
  const keys = [
    'name',
    'modules',
    'resources',
    'requires',
    'provides',
    'parameters',
    'properties',
    'type',
    'service',
    'config',
    'path',
    'init_data',
    'instance',
    'destinations',
    'applications',
    'env',
    'routes',
    'extends',
    'ID',
    'scopes',
    'URL',
    'group',
  ]
  const words = fc.constantFrom(
    'xsuaa',
    'nodejs',
    'destination',
    'destinations',
    'identity',
    '~{a/b}',
    '${a}',
    '${b}',
    'a',
    'x',
    './xs-security.json',
    '[{"name":"a"}]',
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 7, withCrossShrink: true },
      words,
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), tie('tree'), { maxKeys: 6 }),
    ),
  }))

  it('are read whatever they hold', () => {
    fc.assert(
      fc.property(tree, tree, tree, (one, two, three) => {
        const files = readProject({
          'mta.yaml': JSON.stringify(typeof one === 'object' ? { ...one, ID: 'a' } : one),
          'a.mtaext': JSON.stringify({ ...(typeof two === 'object' ? two : {}), extends: 'a' }),
          'xs-security.json': JSON.stringify(three),
          'manifest.yml': JSON.stringify(two),
          'destinations.json': JSON.stringify(three),
          'default-env.json': JSON.stringify(one),
          'chart/values.yaml': JSON.stringify(two),
        })
        const { destinations, services, applications, placeOf } = readDeployment(files)
        for (const { config } of services) placeOf(config)
        for (const { place } of destinations) expect(files.has(place.file)).toBe(true)
        for (const application of applications) for (const variable of application.variables) variableText(variable, application)
      }),
      { numRuns: runs(10_000) },
    )
  })
})

describe('entries of the archive that an mtad.yaml describes', () => {
  const MTAD = 'ID: orchards\nmodules: [{ name: gate, type: nodejs, path: gate }]\n'
  const named = (name: string): string => JSON.stringify({ name, dependencies: { '@sap/approuter': '^23' } })
  const foldersOf = (files: Readonly<Record<string, string>>): (string | undefined)[] =>
    readDeployment(readProject({ 'mtad.yaml': MTAD, ...files })).applications.map(({ folder }) => folder)

  it('are built from the one package of that name', () => {
    expect(foldersOf({ 'web/package.json': named('gate') })).toEqual(['web'])
  })

  it('are folders of the project where these hold files, whatever a package elsewhere is called', () => {
    expect(foldersOf({ 'gate/src/main.js': '', 'web/package.json': named('gate') })).toEqual(['gate'])
  })

  it('are unknown where several packages have the name', () => {
    expect(foldersOf({ 'web/package.json': named('gate'), 'copy/package.json': named('gate') })).toEqual(['gate'])
  })
})
