import { describe, expect, it } from 'vitest'
import {
  isForProduction,
  isMtxSidecar,
  keyIn,
  placeKey,
  productionSettings,
  remoteCredentials,
  type CapRoot,
} from '../../../core/model/cap/index.ts'
import { capRootsOf, readProject } from '../project.ts'

function rootOf(texts: Readonly<Record<string, string>>): CapRoot {
  const [root] = capRootsOf(readProject(texts))
  if (root === undefined) throw new Error('no root')
  return root
}

const packageOf = (cds: object): string => JSON.stringify({ dependencies: { '@sap/cds': '^9' }, cds })

/** Two ways to deploy the project, one of them with a variable. */
const MTA = `
_schema-version: '3.3'
ID: x
modules:
  - { name: a, type: nodejs, path: gen/srv }
  - { name: b, type: nodejs, path: gen/srv, properties: { cds_log_levels_app: debug } }
`

describe('what a path is set to in production', () => {
  it('once for each place', () => {
    const root = rootOf({ 'package.json': packageOf({ log: { levels: { app: 'info' } } }), 'mta.yaml': MTA })
    const settings = [...productionSettings(root, 'log', 'levels', 'app')]
    expect(settings.map((setting) => [setting.place.file, keyIn(setting, 'log', 'levels', 'app')])).toEqual([
      ['package.json', 'cds.log.levels.app'],
      ['mta.yaml', 'cds_log_levels_app'],
    ])
    expect(new Set(settings.map(placeKey)).size).toBe(2)
  })

  it('leaves out other profiles, and names keys of .cdsrc.json without cds', () => {
    const root = rootOf({ '.cdsrc.json': JSON.stringify({ '[development]': { x: 1 }, y: 2 }) })
    expect([...productionSettings(root, 'x')]).toEqual([])
    expect([...productionSettings(root, 'y')].map((setting) => keyIn(setting, 'y'))).toEqual(['y'])
  })

  it.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['for no profile, of what nothing deploys', { 'package.json': packageOf({ x: 1 }) }, false],
    ['for no profile, of what is deployed', { 'package.json': packageOf({ x: 1 }), 'mta.yaml': MTA }, true],
    ['for production', { 'package.json': packageOf({ '[production]': { x: 1 } }) }, true],
  ])('%s', (_, texts, expected) => {
    const root = rootOf(texts)
    expect([...productionSettings(root, 'x')].map((setting) => isForProduction(root, setting))).toEqual([expected])
  })
})

describe('credentials of remote services', () => {
  const credentials = (requires: object): string[] =>
    [...remoteCredentials(rootOf({ 'package.json': packageOf({ requires }) }))].map(
      ({ service, kind, value }) => `${service} ${kind} ${value('url') === undefined ? '-' : 'url'}`,
    )

  it.each<[string, object, string[]]>([
    ['of a service', { S4: { kind: 'odata', credentials: { url: 'https://a.example' } } }, ['S4 odata url']],
    ['without a kind', { S4: { credentials: { username: 'x' } } }, ['S4  -']],
    [
      'a destination settles the rest',
      { S4: { kind: 'odata', credentials: { destination: 'S4', url: 'https://a.example' } } },
      [],
    ],
    ['none', { S4: { kind: 'odata' } }, []],
    ["CAP's own services", { db: { credentials: { url: 'x' } }, 'cds.xt.ModelProviderService': { credentials: {} } }, []],
  ])('%s', (_, requires, expected) => expect(credentials(requires)).toEqual(expected))

  it('those that several deployments share come once', () => {
    const requires = { S4: { kind: 'odata', credentials: { url: 'https://a.example' } } }
    const root = rootOf({ 'package.json': packageOf({ requires }), 'mta.yaml': MTA })
    expect(root.productive()).toHaveLength(2)
    expect([...remoteCredentials(root)]).toHaveLength(1)
  })
})

describe('the sidecar of multitenancy', () => {
  it.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['by its profile', { 'package.json': packageOf({ profile: 'mtx-sidecar' }) }, true],
    ['by its folder', { 'mtx/sidecar/package.json': packageOf({}) }, true],
    ['another application', { 'package.json': packageOf({ profile: 'with-mtx-sidecar' }) }, false],
  ])('%s', (_, texts, expected) => expect(isMtxSidecar(rootOf(texts))).toBe(expected))
})
