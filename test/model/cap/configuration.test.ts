import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { authStrategyOf, effectiveConfiguration, profilesOf } from '../../../core/model/cap/index.ts'
import type { CapRoot } from '../../../core/model/cap/index.ts'
import type { EnvironmentVariable } from '../../../core/model/deployment/index.ts'
import { runs } from '../../soak.ts'
import { capRootsOf, readProject } from '../project.ts'
import { cpuTime } from '../../cpu-time.ts'

type Texts = Readonly<Record<string, string>>

function rootOf(texts: Texts): CapRoot {
  const [root] = capRootsOf(readProject({ 'package.json': '{"cds":{"x":1}}', ...texts }))
  if (root === undefined) throw new Error('no root')
  return root
}

const cds = (value: unknown): string => JSON.stringify({ cds: value })

/** The kind of authentication, where it comes from, and its profile. */
function kindOf(texts: Texts, profiles: string[], variables: Record<string, string> = {}): string {
  const environment = Object.entries(variables).map(([name, value]): EnvironmentVariable => ({
    name,
    value: { kind: 'string', value, start: 0, end: value.length },
    place: { file: 'mta.yaml' },
  }))
  const { kind, setting } = authStrategyOf(effectiveConfiguration(rootOf(texts), profiles, environment))
  if (setting === undefined) return 'default'
  return [kind, setting.place.file, setting.profile && `[${setting.profile}]`, setting.variable].filter(Boolean).join(' ')
}

const mocked = { requires: { auth: 'mocked' } }

describe('what counts', () => {
  it.each<[string, Texts, string[], string]>([
    ['nothing at all', {}, ['production'], 'default'],
    ['a shorthand', { 'package.json': cds(mocked) }, ['production'], 'mocked package.json'],
    ['an object', { 'package.json': cds({ requires: { auth: { kind: 'dummy' } } }) }, ['production'], 'dummy package.json'],
    [
      'a kind with its ending',
      { 'package.json': cds({ requires: { auth: { kind: 'mocked-auth' } } }) },
      ['production'],
      'mocked package.json',
    ],
    [
      'a strategy, which was read before version 7',
      {
        'package.json': JSON.stringify({
          dependencies: { '@sap/cds': '~6.8' },
          cds: { requires: { auth: { strategy: 'JWT' } } },
        }),
      },
      ['production'],
      'jwt package.json',
    ],
    [
      'a strategy for mocked users, without those of the kind',
      {
        'package.json': JSON.stringify({
          dependencies: { '@sap/cds': '^5.9' },
          cds: { requires: { auth: { kind: 'xsuaa', strategy: 'mock' } } },
        }),
      },
      ['production'],
      'basic package.json',
    ],
    [
      'a strategy, which nothing reads since version 7',
      {
        'package.json': JSON.stringify({
          dependencies: { '@sap/cds': '^9' },
          cds: { requires: { auth: { strategy: 'mock', users: { ann: {} } } } },
        }),
      },
      ['production'],
      'default',
    ],
    ['another profile', { 'package.json': cds({ '[development]': mocked }) }, ['production'], 'default'],
    [
      'the own profile, around all',
      { 'package.json': cds({ '[development]': mocked }) },
      ['development'],
      'mocked package.json [development]',
    ],
    [
      'the own profile, inside',
      { 'package.json': cds({ requires: { '[development]': { auth: 'mocked' } } }) },
      ['development'],
      'mocked package.json [development]',
    ],
    [
      'the own profile, inside of the service',
      { 'package.json': cds({ requires: { auth: { '[production]': { kind: 'basic' } } } }) },
      ['production'],
      'basic package.json [production]',
    ],
    [
      'a profile over none, before it in the text',
      { 'package.json': cds({ requires: { '[production]': { auth: 'ias' }, auth: 'mocked' } }) },
      ['production'],
      'ias package.json [production]',
    ],
    [
      'an object over a shorthand',
      { 'package.json': cds({ requires: { auth: 'mocked' }, '[production]': { requires: { auth: { kind: 'jwt' } } } }) },
      ['production'],
      'jwt package.json [production]',
    ],
    [
      'a shorthand over an object',
      { 'package.json': cds({ requires: { auth: { kind: 'mocked' } }, '[production]': { requires: { auth: 'jwt' } } }) },
      ['production'],
      'jwt package.json [production]',
    ],
    [
      'the last of two profiles in production',
      { 'package.json': cds({ '[x]': { requires: { auth: 'ias' } }, '[production]': { requires: { auth: 'jwt' } } }) },
      ['production', 'x'],
      'jwt package.json [production]',
    ],
    [
      'the first profile elsewhere',
      { 'package.json': cds({ '[test]': { requires: { auth: 'ias' } }, '[development]': mocked }) },
      ['test', 'development'],
      'ias package.json [test]',
    ],
    [
      'an important profile',
      { 'package.json': cds({ '[production!]': { requires: { auth: 'ias' } }, '[production]': mocked }) },
      ['production'],
      'ias package.json [production]',
    ],
    [
      'package.json over .cdsrc.json',
      { 'package.json': cds({ requires: { auth: 'jwt' } }), '.cdsrc.json': JSON.stringify(mocked) },
      ['production'],
      'jwt package.json',
    ],
    ['.cdsrc.json alone', { '.cdsrc.json': JSON.stringify(mocked) }, ['production'], 'mocked .cdsrc.json'],
    ['.cdsrc.json with cds around', { '.cdsrc.json': cds(mocked) }, ['production'], 'mocked .cdsrc.json'],
    [
      '.cdsrc.json over .cdsrc.yaml',
      { '.cdsrc.yaml': 'requires:\n  auth: dummy\n', '.cdsrc.json': JSON.stringify(mocked) },
      ['production'],
      'mocked .cdsrc.json',
    ],
    [
      '.cdsrc.yaml alone',
      { '.cdsrc.yaml': 'requires:\n  "[production]":\n    auth: dummy\n' },
      ['production'],
      'dummy .cdsrc.yaml [production]',
    ],
    [
      'a later file without profile over an earlier one with',
      { '.cdsrc.json': JSON.stringify({ '[production]': { requires: { auth: 'ias' } } }), 'package.json': cds(mocked) },
      ['production'],
      'mocked package.json',
    ],
    [
      '.cdsrc-private.json in development',
      { 'package.json': cds({ requires: { auth: 'ias' } }), '.cdsrc-private.json': JSON.stringify(mocked) },
      ['development'],
      'mocked .cdsrc-private.json',
    ],
    ['.cdsrc-private.json not in production', { '.cdsrc-private.json': JSON.stringify(mocked) }, ['production'], 'default'],
    ['.env in development', { '.env': 'cds.requires.auth.kind = basic\n' }, ['development'], 'basic .env cds.requires.auth.kind'],
    [
      'default-env.json over .env',
      { '.env': 'cds_requires_auth=basic\n', 'default-env.json': '{"cds_requires_auth":"dummy"}' },
      ['development'],
      'dummy default-env.json cds_requires_auth',
    ],
    ['.env not in production', { '.env': 'cds_requires_auth_kind=mocked\n' }, ['production'], 'default'],
    [
      'a static profile',
      { 'package.json': cds({ profile: 'sidecar', '[sidecar]': mocked }) },
      ['production'],
      'mocked package.json [sidecar]',
    ],
    [
      'static profiles',
      { 'package.json': cds({ profiles: ['a', 'sidecar'], '[sidecar]': mocked }) },
      ['production'],
      'mocked package.json [sidecar]',
    ],
    [
      'true, which switches on what is there',
      { 'package.json': cds({ requires: { auth: { kind: 'dummy' } }, '[production]': { requires: { auth: true } } }) },
      ['production'],
      'dummy package.json',
    ],
    [
      "a kind of the project's own",
      { 'package.json': cds({ requires: { auth: 'mine', kinds: { 'mine-auth': { kind: 'basic' } } } }) },
      ['production'],
      'basic package.json',
    ],
    [
      'kinds that go in circles',
      { 'package.json': cds({ requires: { auth: 'a', kinds: { a: { kind: 'b' }, b: { kind: 'a' } } } }) },
      ['production'],
      'a package.json',
    ],
  ])('%s', (_, texts, profiles, expected) => {
    expect(kindOf(texts, profiles)).toBe(expected)
  })

  it.each<[string, Record<string, string>, string]>([
    ['lower case', { cds_requires_auth_kind: 'mocked' }, 'mocked mta.yaml cds_requires_auth_kind'],
    ['upper case', { CDS_REQUIRES_AUTH_KIND: 'dummy' }, 'dummy mta.yaml CDS_REQUIRES_AUTH_KIND'],
    ['dots', { 'cds.requires.auth.kind': 'basic' }, 'basic mta.yaml cds.requires.auth.kind'],
    ['a shorthand', { cds_requires_auth: 'basic' }, 'basic mta.yaml cds_requires_auth'],
    ['JSON', { cds_requires_auth: '{"kind":"basic"}' }, 'basic mta.yaml cds_requires_auth'],
    ['the whole configuration', { CDS_CONFIG: '{"requires":{"auth":{"kind":"mocked"}}}' }, 'mocked mta.yaml CDS_CONFIG'],
    [
      'a profile in the whole configuration',
      { CDS_CONFIG: '{"requires":{"[production]":{"auth":"dummy"}}}' },
      'dummy mta.yaml [production] CDS_CONFIG',
    ],
    ['a path of a file', { CDS_CONFIG: '/etc/secrets/cds' }, 'ias package.json [production]'],
    ['broken JSON', { cds_requires_auth: '{"kind":' }, '{"kind": mta.yaml cds_requires_auth'],
    ['what is not configuration', { CDS_ENV: 'x', cdsx: 'y', cds_: 'z', AUTH_KIND: 'mocked' }, 'ias package.json [production]'],
  ])('variables over files: %s', (_, variables, expected) => {
    expect(kindOf({ 'package.json': cds({ '[production]': { requires: { auth: 'ias' } } }) }, ['production'], variables)).toBe(
      expected,
    )
  })

  it('a doubled underscore is part of a key', () => {
    const value = { kind: 'string', value: 'v', start: 0, end: 1 } as const
    const configuration = effectiveConfiguration(
      rootOf({}),
      ['production'],
      [{ name: 'cds_requires_my__service_kind', value, place: { file: 'f' } }],
    )
    expect(configuration.keys('requires')).toEqual(['my_service'])
  })

  it('an own middleware is told', () => {
    const root = rootOf({ 'package.json': cds({ requires: { auth: { kind: 'mocked', impl: 'srv/auth.js' } } }) })
    expect(authStrategyOf(effectiveConfiguration(root, ['production'])).custom).toBe(true)
  })

  it('a value says where it stands', () => {
    const text = '{ "cds": { "requires": { "[production]": { "auth": { "kind": "basic" } } } } }'
    const place = effectiveConfiguration(rootOf({ 'package.json': text }), ['production']).value(
      'requires',
      'auth',
      'kind',
    )?.place
    expect(text.slice(place?.span?.start, place?.span?.end)).toBe('basic')
  })

  it.each([
    '{"cds":[1,{"requires":null}]}',
    '{"cds":{"requires":[1]}}',
    '{"cds":{"requires":{"auth":null}}}',
    '{"cds":{"requires":{"auth":{"kind":{}}}}}',
    '{"cds":{"[production]":3,"[":{},"[]":{}}}',
    '{"cds":{"__proto__":{"requires":{"auth":"mocked"}},"constructor":1}}',
  ])('shapes of any sort are no kind: %s', (text) => {
    expect(kindOf({ 'package.json': text, 'a.cds': 'entity E { }' }, ['production'])).toBe('default')
  })
})

it('thousands of services and kinds cost what their text costs', () => {
  const kinds = Object.fromEntries(
    Array.from({ length: 5000 }, (_, index) => [`k${index}`, { kind: `k${index + 1}`, x: index, y: { z: index } }]),
  )
  const services = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`s${index}`, `k${index % 3}`]))
  const root = rootOf({ 'package.json': cds({ requires: { ...services, auth: 'mocked', kinds } }) })
  const before = cpuTime()
  const configuration = effectiveConfiguration(root, ['production'])
  expect(configuration.keys('requires')).toHaveLength(5002)
  expect(cpuTime() - before).toBeLessThan(20_000)
})

it('configuration of any shape is read, or is none', () => {
  const key = fc.constantFrom(
    'requires',
    'auth',
    'kind',
    'kinds',
    'impl',
    'profile',
    'profiles',
    '[production]',
    '[x!]',
    '[',
    '__proto__',
    'cds',
    'jwt',
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom('mocked', 'jwt', true, false, null, 3, ''),
      fc.array(tie('tree'), { maxLength: 2 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(tree, tree, tree, (one, two, variable) => {
      const texts = { 'package.json': cds(one), '.cdsrc.json': JSON.stringify(two), 'srv/s.cds': 'service S { }' }
      expect(kindOf(texts, ['production', 'x'], { CDS_CONFIG: JSON.stringify(variable) })).toEqual(expect.any(String))
    }),
    { numRuns: runs(10_000, 25) },
  )
})

describe('profilesOf', () => {
  const named = (variables: Record<string, string>): string[] =>
    profilesOf(
      Object.entries(variables).map(([name, value]) => ({
        name,
        value: { kind: 'string', value, start: 0, end: 0 },
        place: { file: 'f' },
      })),
    )
  it.each<[Record<string, string>, string[]]>([
    [{}, ['production']],
    [{ NODE_ENV: 'development' }, ['development']],
    [{ CDS_ENV: 'hybrid, x' }, ['production', 'hybrid', 'x']],
    [{ NODE_ENV: '', CDS_ENV: '' }, ['production']],
  ])('%j', (variables, expected) => {
    expect(named(variables)).toEqual(expected)
  })
})
