import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import satisfies from 'semver/functions/satisfies.js'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { packRecords, unpackRecords } from '../../core/advisories/compact.ts'
import { scoreOf, severityOfScore } from '../../core/advisories/cvss.ts'
import { intervalOf } from '../../core/advisories/intervals.ts'
import { mergeAliases, toAdvisory, type AdvisoryRecord } from '../../core/advisories/record.ts'
import { titleInFrench } from '../../core/advisories/french-titles.ts'
import { toTitle } from '../../adapters/scripts/advisory-titles.ts'
import { ADVISORY_DATE, ADVISORY_RECORDS } from '../../core/advisories/snapshot.ts'
import { runs } from '../soak.ts'
import type { Interval } from '../../core/advisories/types.ts'

function recordOf(...intervals: Interval[]): AdvisoryRecord {
  return { id: 'GHSA-1', aliases: [], package: 'p', severity: 'HIGH', title: 't', cwe: [], malware: false, intervals }
}

describe('intervalOf', () => {
  const record = recordOf(
    { introduced: '0', fixed: '1.2.3' },
    { introduced: '2.0.0-beta.1', lastAffected: '2.4.0' },
    { introduced: '3.0.0' },
  )
  test.each([
    ['0.0.1', true],
    ['1.2.2', true],
    ['1.2.3-rc.1', true],
    ['1.2.3', false],
    ['1.9.0', false],
    ['2.0.0-alpha.9', false],
    ['2.0.0-beta.1', true],
    ['2.4.0', true],
    ['2.4.1', false],
    ['3.0.0', true],
    ['99.0.0', true],
    ['3.0.0-rc.1', false],
    ['latest', false],
    ['', false],
    ['1.2', false],
    ['1'.repeat(1000), false],
  ])('%s', (version, affected) => expect(intervalOf(record, version) !== undefined).toBe(affected))

  test('bounds that are no versions affect nothing', () => {
    for (const interval of [{ introduced: 'x' }, { introduced: '0', fixed: 'x' }, { introduced: '0', lastAffected: '' }])
      expect(intervalOf(recordOf(interval), '1.0.0')).toBeUndefined()
  })

  test('the range that an advisory tells means the same', () => {
    const { affected, fixed } = toAdvisory(record, record.intervals[0])
    expect(affected).toBe('<1.2.3 || >=2.0.0-beta.1 <=2.4.0 || >=3.0.0')
    expect(fixed).toBe('1.2.3')
    expect(toAdvisory(recordOf({ introduced: '0' }), undefined)).toMatchObject({ affected: '*' })
    expect(toAdvisory(recordOf({ introduced: '2.2.2', lastAffected: '2.2.2' }), undefined).affected).toBe('2.2.2')
    const number = fc.nat(4)
    fc.assert(
      fc.property(number, number, number, (major, minor, patch) => {
        const version = `${major}.${minor}.${patch}`
        expect(satisfies(version, affected)).toBe(intervalOf(record, version) !== undefined)
      }),
      { numRuns: runs(1000) },
    )
  })
})

test.each([
  ['Incorrect comparison', [697, 1333], 'Regular expression denial of service', 'Déni de service par expression régulière'],
  ['Improper input validation', [20, 400], 'Denial of service through resource exhaustion', undefined],
  ['Code injection', [94], 'Code injection', 'Injection de code'],
  ['Sandbox escape', [94, 693], 'Sandbox escape', undefined],
  ['', [20, 89], 'SQL injection', 'Injection SQL'],
  ['thing() lets a prototype be polluted', [1321], 'thing() lets a prototype be polluted', 'Pollution de prototype'],
  ['', [], 'GHSA-1', 'GHSA-1'],
])('titled %j with CWEs %j: %s', (title, cwe, en, fr) => {
  const told = toAdvisory({ ...recordOf({ introduced: '0' }), title, cwe }, undefined)
  expect(told.title.en).toBe(en)
  if (fr !== undefined) expect(told.title.fr).toBe(fr)
})

test('advisories that share an id are one, told by the GHSA id', () => {
  const base = toAdvisory(recordOf({ introduced: '0' }), undefined)
  const merged = mergeAliases([
    { ...base, id: 'MAL-2026-1', aliases: ['GHSA-a'], malware: true, severity: 'CRITICAL' },
    { ...base, id: 'CVE-2026-1', aliases: ['GHSA-b'], fixed: '1.0.0' },
    { ...base, id: 'GHSA-a', aliases: ['CVE-2026-2'] },
    { ...base, id: 'GHSA-b', aliases: ['CVE-2026-1'] },
    { ...base, id: 'GHSA-c' },
    { ...base, id: 'GHSA-c' },
  ])
  expect(merged.map(({ id }) => id)).toEqual(['GHSA-a', 'GHSA-b', 'GHSA-c'])
  expect(merged[0]).toMatchObject({
    aliases: ['CVE-2026-2', 'MAL-2026-1', 'GHSA-a'].filter((id) => id !== 'GHSA-a'),
    malware: true,
    severity: 'CRITICAL',
  })
  expect(merged[1]).toMatchObject({ aliases: ['CVE-2026-1', 'GHSA-b'].filter((id) => id !== 'GHSA-b'), fixed: '1.0.0' })
})

// vectors and scores: CVSS 3.1 user guide and well-known records
test.each([
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8, 'CRITICAL'],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10, 'CRITICAL'],
  ['CVSS:3.0/AV:N/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:N', 5.4, 'MEDIUM'],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', 7.5, 'HIGH'],
  ['CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N', 5.9, 'MEDIUM'],
  ['CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', 1.8, 'LOW'],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1, 'MEDIUM'],
  ['CVSS:3.1/AV:P/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0, 'LOW'],
])('%s is %d', (vector, score, severity) => {
  expect(scoreOf(vector)).toBe(score)
  expect(severityOfScore(score)).toBe(severity)
})

test.each([
  '',
  'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
  'CVSS:3.1/AV:N',
  'CVSS:3.1/AV:N/AC:L/PR:X/UI:N/S:U/C:H/I:H/A:H',
  'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:Q/C:H/I:H/A:H',
  'AV:N/AC:L/Au:N/C:P/I:P/A:P',
])('no score: %s', (vector) => expect(scoreOf(vector)).toBeUndefined())

describe('the snapshot', () => {
  const records = unpackRecords(ADVISORY_RECORDS)

  test('is what its generator writes', () => {
    expect(packRecords(records)).toBe(ADVISORY_RECORDS)
    expect(() => unpackRecords('=a\nGHSA-1|X||0<1.0.0|t')).toThrow('not a line')
    expect(() => unpackRecords('GHSA-1|H||0<1.0.0|t')).toThrow('not a line')
  })

  test('is sound', () => {
    expect(records.length).toBeGreaterThan(1000)
    expect(ADVISORY_DATE).toMatch(/^20\d\d-\d\d-\d\d$/)
    const keys = records.map((record) => `${record.package} ${record.id}`)
    expect(keys).toEqual([...new Set(keys)].sort())
    for (const { id, aliases, title, intervals, cwe } of records) {
      expect(id).toMatch(/^(?:GHSA(?:-[0-9a-z]{4}){3}|CVE-\d{4}-\d{4,}|[A-Z][A-Z0-9-]+)$/)
      for (const alias of aliases) expect(alias).toMatch(/^(?:CVE|MAL)-\d{4}-\d+$/)
      expect(title).toMatch(/^[^|\n]{5,120}$/)
      expect(cwe.every((number) => number > 0)).toBe(true)
      expect(intervals.length).toBeGreaterThan(0)
      // what is affected by a bound of its own
      for (const interval of intervals) {
        const [first, last] = [interval.introduced === '0' ? '0.0.0-0' : interval.introduced, interval.lastAffected]
        expect(intervalOf({ ...recordOf(interval) }, last ?? first)).toBe(interval)
        if (interval.fixed !== undefined) expect(intervalOf(recordOf(interval), interval.fixed)).toBeUndefined()
      }
    }
  })

  test('its titles are worded as its generator words them', () => {
    for (const record of records) expect(toTitle(record.title, record.package)).toBe(record.title)
    expect(toTitle('Regular-expression denial of service in axios', 'axios')).toBe('Regular expression denial of service')
    expect(toTitle('Endless loop (axios)', 'axios')).toBe('Infinite loop')
    expect(toTitle('Endless loop in axios', 'tar')).toBe('Endless loop in axios')
  })

  test('every title of the snapshot has its French; another one is told by its weakness, or as it is', () => {
    const same = records.filter((record) => titleInFrench(record) === record.title).map(({ title }) => title)
    expect([...new Set(same)]).toEqual(['Injection'])
    expect(titleInFrench({ title: 'thing lets a prototype be polluted', cwe: [99_999, 1321, 79] })).toBe('Pollution de prototype')
    expect(titleInFrench({ title: 'thing is weak', cwe: [99_999] })).toBe('thing is weak')
    expect(titleInFrench({ title: 'constructor', cwe: [] })).toBe('constructor')
  })

  test('malware is matched exactly or nearly so, and is severe', () => {
    const malware = records.filter((record) => record.malware)
    expect(malware.length).toBeGreaterThan(20)
    for (const { intervals } of malware) expect(intervals.every(({ introduced }) => introduced !== '0')).toBe(true)
  })

  test('answers for what is known', async () => {
    const port = createBundledAdvisories()
    const ask = async (name: string, version: string): Promise<string[]> =>
      (await port.query([{ name, version }])).matches.map(
        ({ advisory }) => `${advisory.id} ${advisory.severity} ${advisory.fixed ?? ''}`,
      )
    expect(await ask('@sap/xssec', '3.5.0')).toEqual(['GHSA-p2vx-qj66-88q3 CRITICAL 3.6.0'])
    expect(await ask('@sap/xssec', '4.13.0')).toEqual([])
    expect(await ask('@cap-js/sqlite', '2.2.2')).toEqual(['GHSA-pvw4-cvr4-97p8 CRITICAL '])
    expect(await ask('@cap-js/sqlite', '2.2.1')).toEqual([])
    expect(await ask('express', '4.19.1')).toEqual(['GHSA-qw6h-vgh9-j6wx LOW 4.20.0', 'GHSA-rv95-896h-c2vc MEDIUM 4.19.2'])
    expect(await ask('axios', '1.18.0')).toEqual([])
    expect(await ask('constructor', '1.0.0')).toEqual([])
    expect(await port.query([])).toEqual({
      source: 'bundled',
      date: ADVISORY_DATE,
      complete: true,
      matches: [],
      others: new Map(),
    })
  })

  test('private packages are judged here too', async () => {
    const { matches } = await createBundledAdvisories().query([{ name: '@sap/xssec', version: '3.5.0', isPrivate: true }])
    expect(matches).toHaveLength(1)
  })

  test('every record survives packing', () => {
    const version = fc.tuple(fc.nat(99), fc.nat(99), fc.constantFrom('0', '1-beta.1', '2-rc')).map((parts) => parts.join('.'))
    const interval: fc.Arbitrary<Interval> = fc.oneof(
      fc.record({ introduced: version }),
      fc.record({ introduced: fc.oneof(version, fc.constant('0')), fixed: version }),
      fc.record({ introduced: version, lastAffected: version }),
    )
    const record: fc.Arbitrary<AdvisoryRecord> = fc.record({
      id: fc.constantFrom('GHSA-1', 'CVE-1'),
      aliases: fc.array(fc.constantFrom('CVE-2', 'MAL-3')),
      package: fc.constantFrom('a', '@b/c', '__proto__'),
      severity: fc.constantFrom('CRITICAL' as const, 'HIGH' as const, 'MEDIUM' as const, 'LOW' as const),
      title: fc.constantFrom('A title', 'x'),
      cwe: fc.array(fc.nat(2000)),
      malware: fc.boolean(),
      intervals: fc.array(interval, { minLength: 1 }),
    })
    fc.assert(
      fc.property(fc.array(record, { minLength: 1 }), (list) => {
        expect(unpackRecords(packRecords(list))).toEqual(list)
      }),
      { numRuns: runs(1000) },
    )
  })
})
