import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { effectiveConfiguration, type Configuration } from '../../../core/model/cap/index.ts'
import { itemsOf, membersOf, type DataNode } from '../../../core/parse/data.ts'
import { runs } from '../../soak.ts'
import { CONFIGURATIONS, LOCAL_FILES } from './configuration-cases.ts'
import { capRootsOf, readProject } from '../project.ts'

/** CAP's own reader, the oracle of ours. The last argument: with built-in defaults. */
const { for: loadEnvironment }: { for: (context: 'cds', folder: string, defaults: boolean) => object } = createRequire(
  import.meta.url,
)('@sap/cds/lib/env/cds-env.js')

/** The folder of one test run; each case has one of its own in it, for files are required by path. */
const FOLDER = mkdtempSync(join(tmpdir(), 'parapet-cds-env-'))
let count = 0

// what stands for built-in defaults where the oracle has none: only that they are true decides how values are merged
const DEFAULT = 'built-in'
writeFileSync(
  join(FOLDER, '.cdsrc.json'),
  JSON.stringify({ requires: { auth: { kind: DEFAULT }, queue: true, middlewares: true } }),
)
afterAll(() => rmSync(FOLDER, { recursive: true }))

interface Case {
  readonly files: Readonly<Record<string, string>>
  /** NODE_ENV and CDS_ENV. */
  readonly profiles: readonly string[]
  readonly variables?: Readonly<Record<string, string>>
}

/** What CAP adds by itself, and its names for profiles and variables of its own. */
const NOT_OURS = /^_|^(?:plugins|fiori|appid|env|user|config|profiles?)$/

/** Leaves by path, as JSON; undefined: CAP doesn't start with it. */
type Leaves = ReadonlyMap<string, string>

function oracle({ files, profiles, variables }: Case, defaults: boolean): Leaves | undefined {
  const folder = join(FOLDER, String(count++))
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const before = { ...process.env }
  const [node, ...others] = profiles
  for (const name of Object.keys(process.env)) if (/^cds|^VCAP|^NODE_ENV$/i.test(name)) delete process.env[name]
  Object.assign(process.env, variables, { CDS_USER_HOME: FOLDER, NODE_ENV: node ?? '' })
  if (others.length > 0) process.env['CDS_ENV'] = others.join(',')
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  try {
    const leaves = new Map<string, string>()
    for (const [key, value] of Object.entries(loadEnvironment('cds', folder, defaults)))
      if (!NOT_OURS.test(key)) flatten(value, [key], leaves)
    return leaves
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  } finally {
    warned.mockRestore()
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
  }
}

/** A word in `requires` is a kind; objects into which an array was merged, and arrays with members, are their members. */
function flatten(value: unknown, path: readonly string[], leaves: Map<string, string>): void {
  if (value === undefined || value === DEFAULT) return
  const isPlain = typeof value === 'object' && value !== null
  const keys = isPlain ? Object.keys(value).filter((key) => !Array.isArray(value) || !/^\d+$/.test(key)) : []
  if (isPlain && keys.length > 0) {
    for (const [key, member] of Object.entries(value)) if (keys.includes(key)) flatten(member, [...path, key], leaves)
  } else if (typeof value === 'string' && path.length === 2 && path[0] === 'requires') {
    leaves.set(`requires/${path[1]}/kind`, JSON.stringify(value))
  } else leaves.set(path.join('/'), JSON.stringify(value))
}

function ours({ files, profiles, variables = {} }: Case): { leaves: Leaves; hasKinds: boolean } {
  const [root] = capRootsOf(readProject(files))
  if (root === undefined) throw new Error('no root')
  const configuration = effectiveConfiguration(
    root,
    profiles,
    Object.entries(variables).map(([name, value]) => ({
      name,
      value: { kind: 'string', value, start: 0, end: 0 },
      place: { file: 'mta.yaml' },
    })),
  )
  const leaves = new Map<string, string>()
  collect(configuration, [], leaves)
  return { leaves, hasKinds: configuration.keys('requires', 'kinds').length > 0 }
}

function collect(configuration: Configuration, path: readonly string[], leaves: Map<string, string>): void {
  if (path.join('/') === 'requires/kinds' || NOT_OURS.test(path[0] ?? '')) return
  const keys = configuration.keys(...path)
  for (const key of keys) collect(configuration, [...path, key], leaves)
  const node = configuration.value(...path)?.node
  if (keys.length === 0 && node !== undefined)
    leaves.set(path.join('/'), node.kind === 'object' ? '{}' : JSON.stringify(plain(node)))
}

function plain(node: DataNode): unknown {
  if (node.kind === 'array') return itemsOf(node).map(plain)
  if (node.kind === 'object') return Object.fromEntries(membersOf(node).map(({ key, value }) => [key, plain(value)]))
  return node.value
}

/** Without what stands for built-in defaults, and what has nothing in it because of them. */
function comparable(leaves: Leaves): Record<string, string> {
  return Object.fromEntries(
    [...leaves].filter(
      ([path, value]) => !/^requires(?:\/queue|\/middlewares|\/auth)?$/.test(path) || !/^(?:true|{})$/.test(value),
    ),
  )
}

/** True: CAP starts with it, and both read the same. */
function expectSame(one: Case): boolean {
  const wanted = oracle(one, false)
  const { leaves: found, hasKinds } = ours(one)
  if (wanted === undefined) return false
  expect(comparable(found)).toEqual(comparable(wanted))
  // whatever a project sets counts beside built-in defaults too, but for kinds, which these resolve, and profiles in the place of a word
  const whole = oracle(one, true)
  for (const [path, value] of found) {
    if (/^requires\/[^/]+(?:\/kind)?$|\/\[/.test(path) || value === '{}' || (hasKinds && path.startsWith('requires/'))) continue
    expect(`${path} ${whole?.get(path)}`).toBe(`${path} ${value}`)
  }
  return true
}

const manifest = (cds: unknown): string => JSON.stringify({ name: 'x', dependencies: { '@sap/cds': '9.9.3' }, cds })

describe('cds.env and ours are the same', () => {
  const SETS: string[][] = [['production'], ['production', 'a'], ['development'], ['test', 'a'], ['a', 'b']]
  it.each(CONFIGURATIONS)('%s', (_, cds, more = {}, variables = {}) => {
    const files = { 'package.json': manifest(cds), ...more }
    for (const profiles of SETS) expect(expectSame({ files, profiles, variables })).toBe(true)
  })

  it.each(LOCAL_FILES)('%s', (_, more, variables = {}) => {
    const files = { 'package.json': manifest({ requires: { auth: 'x' } }), ...more }
    for (const profiles of SETS.slice(2)) expect(expectSame({ files, profiles, variables })).toBe(true)
  })
})

const PROFILES = ['[production]', '[development]', '[test]', '[a]', '[b]', '[a!]', '[production!]', '[development!]']
const WORDS = ['mocked', 'a', 'b', 'mine', 'x y', '']
const scalar = fc.constantFrom<unknown>(...WORDS, true, false, null, 0, 1, -2.5)
// objects are merged into lists, and into every other use of the same list: nothing that anybody means
const list = fc.array(fc.constantFrom<unknown>('a', 1, { x: 1 }), { maxLength: 2 })
const kind = fc.constantFrom<unknown>(...WORDS, null, false)
const { requires, level } = fc.letrec((tie) => ({
  // no profile is null: CAP does not start with it
  level: members(['log', 'x', 'list', 'kind'], tie('level'), fc.oneof(scalar, tie('level'))),
  service: members(
    ['kind', 'x', 'users', 'credentials', 'list'],
    tie('service'),
    fc.oneof({ arbitrary: scalar, weight: 2 }, tie('level')),
  ),
  requires: members(
    ['auth', 'db', 'api', 'api2'],
    tie('requires'),
    // a service is no number
    fc.oneof(
      scalar.filter((value) => typeof value !== 'number'),
      tie('service'),
    ),
    {
      kinds: fc.dictionary(fc.constantFrom('a', 'b', 'mine', 'a-auth', 'auth-b', 'api', 'auth', 'db-defaults'), tie('service'), {
        maxKeys: 3,
      }),
    },
  ),
}))

function members(
  keys: readonly string[],
  profiled: fc.Arbitrary<unknown>,
  value: fc.Arbitrary<unknown>,
  more: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<unknown> {
  const plain = fc
    .constantFrom(...keys)
    .chain((key) => fc.tuple(fc.constant(key), key === 'kind' ? kind : key === 'list' ? list : value))
  const inProfile = fc.tuple(fc.constantFrom(...PROFILES), profiled)
  const others = Object.entries(more).map(([key, arbitrary]) => fc.tuple(fc.constant(key), arbitrary))
  return fc
    .array(fc.oneof({ depthSize: 'small', withCrossShrink: true }, plain, inProfile, ...others), { maxLength: 3 })
    .map((entries): unknown => Object.fromEntries(entries))
}
const root = fc
  .array(
    fc.oneof(
      fc.tuple(fc.constant('requires'), requires),
      fc.tuple(fc.constantFrom(...PROFILES), fc.record({ requires })),
      fc.tuple(fc.constantFrom('log', 'server', 'x'), fc.oneof(scalar, level)),
      fc.constantFrom<[string, unknown]>(['profile', 'a'], ['profiles', ['b', 'a']], ['profile', '']),
    ),
    { maxLength: 4 },
  )
  .map((entries): unknown => Object.fromEntries(entries))

const word = fc.constantFrom(...WORDS, 'true', 'false', '{"kind":"b","[a]":{"kind":"x"}}', '{"kind":', ' mocked')
const any = fc.oneof(word, fc.constantFrom('1', '-2.5', '0x10', '[1]', '[', 'null'))
const variables = fc.record(
  {
    CDS_REQUIRES_AUTH_KIND: any,
    cds_requires_auth: word,
    cds_requires_db_kind: any,
    'cds.requires.db.credentials.url': any,
    'cds.x.y': any,
    CDS_X_Y: any,
    Cds_Requires_API_Kind: any,
    cds_requires_my__api_kind: any,
    cds_log: any,
    CDS_CONFIG: root.map((value) => JSON.stringify(value)),
    cdsx: any,
  },
  { requiredKeys: [] },
)

it('generated', () => {
  let started = 0
  const total = runs(2000, 30)
  fc.assert(
    fc.property(
      root,
      root,
      root,
      root,
      fc.constantFrom<string[][]>(
        ['production'],
        ['production', 'a'],
        ['production', 'b', 'a'],
        ['development'],
        ['test', 'a'],
        ['a', 'b'],
      ),
      variables,
      (one, two, three, mine, profiles, variables) => {
        const files: Record<string, string> = {
          'package.json': manifest(one),
          '.cdsrc.json': JSON.stringify(two),
          '.cdsrc.yaml': JSON.stringify(three),
        }
        if (!profiles.includes('production')) files['.cdsrc-private.json'] = JSON.stringify(mine)
        if (expectSame({ files, profiles, variables })) started++
      },
    ),
    { numRuns: total },
  )
  expect(started).toBeGreaterThan(total / 2)
})
