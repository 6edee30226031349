import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { packLines, unpackLines } from '../../core/catalogue/compact.ts'
import { readDetail, readOverview } from '../../core/catalogue/documents.ts'
import { toCatalogueLines } from '../../core/catalogue/lines.ts'
import { CATALOGUE_DATE, CATALOGUE_LINES } from '../../core/catalogue/snapshot.ts'
import { runs } from '../soak.ts'

describe('toCatalogueLines', () => {
  test('reads what the catalogue really writes', () => {
    const lines = toCatalogueLines({
      activeVersion: '1.149.0',
      versions: [
        { version: '1.71.*', support: 'Maintenance', lts: true, eom: 'Long-Term Maintenance, Q4/2030', eocp: 'Q4/2031' },
        { version: '1.149.*', version_label: '1.149 (2606)', support: 'Maintenance', lts: false, eom: '', eocp: '' },
        { version: '1.145.*', support: 'Maintenance', lts: false, eom: 'Q3/2026', eocp: 'Q3/2027' },
        { version: '1.137.*', support: 'Skipped', lts: false, eom: 'version not released see SAP Note 3617413' },
        { version: '1.133.*', support: 'Out of Maintenance', lts: false, eom: 'Q1/2025', eocp: 'Q2/2026' },
        { version: '1.132.*', support: 'Out of maintenance', eom: null, eocp: 'To Be Determined' },
        { version: '1.131.*', support: 'Beta', lts: false, eom: '', eocp: '' },
        { version: '1.131.*', support: ' MAINTENANCE ', lts: null },
        { version: '1.131.*', support: 'Skipped' },
        { version: '*', support: 'Out of Maintenance', lts: false, eom: '' },
      ],
      patches: [
        { version: '1.71.2', eocp: 'Q1/2022', removed: true },
        { eocp: 'Q1/2022', version: '1.71.10' },
        { version: '1.149.0-beta', hidden: true },
        { version: '1.149.0', eocp: 'To Be Determined' },
        { version: '1.149.0-legacy-free' },
        { version: '1.149.0' },
        { version: 'nonsense' },
        { version: '1.12.1' },
      ],
    })
    const state = { longTerm: false, endOfMaintenance: undefined, endOfProvisioning: undefined, patches: [] }
    expect(lines).toEqual([
      { ...state, minor: '1.149', support: 'maintenance', patches: ['1.149.0', '1.149.0-beta', '1.149.0-legacy-free'] },
      { ...state, minor: '1.145', support: 'maintenance', endOfMaintenance: '2026-09-30', endOfProvisioning: '2027-09-30' },
      { ...state, minor: '1.137', support: 'skipped' },
      {
        ...state,
        minor: '1.133',
        support: 'out-of-maintenance',
        endOfMaintenance: '2025-03-31',
        endOfProvisioning: '2026-06-30',
      },
      { ...state, minor: '1.132', support: 'out-of-maintenance' },
      { ...state, minor: '1.131', support: 'maintenance' },
      {
        minor: '1.71',
        support: 'maintenance',
        longTerm: true,
        endOfMaintenance: '2030-12-31',
        endOfProvisioning: '2031-12-31',
        patches: ['1.71.10', '1.71.2'],
        removed: ['1.71.2'],
      },
    ])
  })

  test.each([
    [null],
    [[]],
    [{}],
    [{ versions: {} }],
    [{ versions: [] }],
    [{ versions: [{ version: 1 }] }],
    [{ versions: [{ version: '*' }] }],
  ])('refuses %j', (document) => expect(toCatalogueLines(document)).toBeUndefined())
})

test('the readers take any JSON without a throw', () => {
  const json = fc.oneof(
    fc.jsonValue(),
    fc.record({
      versions: fc.array(fc.dictionary(fc.constantFrom('version', 'support', 'eom', 'eocp', 'lts'), fc.jsonValue())),
      patches: fc.jsonValue(),
    }),
    fc.dictionary(fc.constantFrom('name', 'version', 'libraries', 'components', 'themes', '__proto__'), fc.jsonValue()),
  )
  fc.assert(
    fc.property(json, (document) => {
      for (const line of toCatalogueLines(document) ?? []) expect(line.minor).toMatch(/^\d+\.\d+$/)
      const detail = readDetail(document)
      if (detail !== undefined) {
        expect(typeof detail.version).toBe('string')
        expect(Array.isArray(detail.libraries)).toBe(true)
      }
      for (const { version } of Object.values(readOverview(document) ?? {})) expect(typeof version).toBe('string')
    }),
    { numRuns: runs(1000) },
  )
})

describe('the snapshot', () => {
  test('is what its generator writes', () => {
    expect(packLines(unpackLines(CATALOGUE_LINES))).toBe(CATALOGUE_LINES)
    expect(CATALOGUE_DATE).toMatch(/^20\d\d-\d\d-\d\d$/)
    expect(() => unpackLines('1.1 x - - -')).toThrow('not a line')
  })

  test('is a catalogue, newest first', async () => {
    const { lines, source, complete, date } = await createBundledCatalogue().overview(true)
    expect([source, complete, date]).toEqual(['bundled', true, CATALOGUE_DATE])
    expect(lines.length).toBeGreaterThan(100)
    const minors = lines.map(({ minor }) => Number(minor.slice(2)))
    expect(minors).toEqual([...new Set(minors)].sort((a, b) => b - a))
    expect(lines.reduce((sum, { patches }) => sum + patches.length, 0)).toBeGreaterThan(1000)
    for (const { minor, patches } of lines) expect(patches.every((patch) => patch.startsWith(`${minor}.`))).toBe(true)
  })

  test('knows what is known', async () => {
    const { lines } = await createBundledCatalogue().overview(true)
    const find = (minor: string): unknown => lines.find((line) => line.minor === minor)
    expect(find('1.136')).toMatchObject({ support: 'maintenance', longTerm: true, endOfMaintenance: '2032-12-31' })
    expect(find('1.98')).toMatchObject({ support: 'out-of-maintenance', longTerm: false, endOfMaintenance: undefined })
    expect(find('1.137')).toMatchObject({ support: 'skipped' })
    expect(find('1.71')).toMatchObject({ endOfMaintenance: '2030-12-31' })
    const removed = lines.find(({ minor }) => minor === '1.108')?.removed
    expect(removed).toContain('1.108.1')
    expect(removed).not.toContain('1.108.54')
  })

  test('every line survives packing', () => {
    const day = fc.option(fc.constantFrom('2026-03-31', '2027-06-30', '2028-09-30', '2029-12-31'), { nil: undefined })
    const line = fc.record({
      minor: fc.constant('1.99'),
      support: fc.constantFrom('maintenance' as const, 'out-of-maintenance' as const, 'skipped' as const),
      longTerm: fc.boolean(),
      endOfMaintenance: day,
      endOfProvisioning: day,
      patches: fc
        .uniqueArray(fc.tuple(fc.nat(99), fc.constantFrom('', '-legacy-free', '-beta')), { selector: ([a, b]) => `${a}${b}` })
        .map((list) =>
          list.sort(([a, x], [b, y]) => b - a || x.length - y.length).map(([patch, suffix]) => `1.99.${patch}${suffix}`),
        ),
    })
    const withRemoved = fc.tuple(line, fc.nat(20)).map(([one, count]) => {
      const removed = one.patches.slice(0, count)
      return removed.length > 0 ? { ...one, removed } : one
    })
    fc.assert(
      fc.property(fc.array(withRemoved, { minLength: 1 }), (lines) => {
        expect(unpackLines(packLines(lines))).toEqual(lines)
      }),
      { numRuns: runs(1000) },
    )
  })
})
