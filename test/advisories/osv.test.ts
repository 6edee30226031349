import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readBatch, readDetails } from '../../core/advisories/osv.ts'
import { runs } from '../soak.ts'

const DETAILS = {
  id: 'GHSA-aaaa-bbbb-cccc',
  aliases: ['CVE-2026-1'],
  summary: 'Something  bad\r\n\u202Ein\u0007 axios',
  affected: [
    {
      package: { ecosystem: 'npm', name: 'axios' },
      ranges: [
        { type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '0.28.0' }, { introduced: '1.0.0' }, { fixed: '1.6.0' }] },
      ],
    },
    {
      package: { ecosystem: 'npm', name: 'axios' },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '2.0.0' }, { last_affected: '2.1.0' }] }],
    },
    {
      package: { ecosystem: 'npm', name: 'other' },
      ranges: [
        { type: 'GIT', events: [{ introduced: '0' }] },
        { type: 'SEMVER', events: [{ introduced: '3.0.0' }] },
      ],
      versions: ['3.0.0'],
    },
    { package: { ecosystem: 'PyPI', name: 'axios' }, ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }] }] },
    { package: null },
  ],
  severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
  database_specific: { severity: 'MODERATE', cwe_ids: ['CWE-79', 'nonsense', 7] },
}

describe('readDetails', () => {
  test('gives a record per npm package', () => {
    const shared = {
      id: 'GHSA-aaaa-bbbb-cccc',
      aliases: ['CVE-2026-1'],
      severity: 'MEDIUM',
      title: 'Something bad in axios',
      cwe: [79],
      malware: false,
    }
    expect(readDetails(DETAILS)).toEqual([
      {
        ...shared,
        package: 'axios',
        intervals: [
          { introduced: '0', fixed: '0.28.0' },
          { introduced: '1.0.0', fixed: '1.6.0' },
          { introduced: '2.0.0', lastAffected: '2.1.0' },
        ],
      },
      { ...shared, package: 'other', intervals: [{ introduced: '3.0.0' }] },
    ])
  })

  test('a withdrawn one says nothing', () => expect(readDetails({ ...DETAILS, withdrawn: '2026-01-01T00:00:00Z' })).toEqual([]))

  test.each([
    ['the score where there is no class', undefined, 'CRITICAL'],
    ['the class', 'LOW', 'LOW'],
    ['a class of another type', 7, 'CRITICAL'],
  ])('severity: %s', (_, severity, expected) => {
    expect(readDetails({ ...DETAILS, database_specific: { severity } })?.[0]?.severity).toBe(expected)
  })

  test('severity: neither class nor score', () =>
    expect(
      readDetails({ id: 'GHSA-1', affected: DETAILS.affected, severity: [{ type: 'CVSS_V4', score: 'CVSS:4.0/AV:N' }] })?.[0]
        ?.severity,
    ).toBe('MEDIUM'))

  test('malware is critical; its versions are a list', () => {
    const affected = [{ package: { ecosystem: 'npm', name: 'chalk' }, versions: ['5.6.1', 'nonsense'] }]
    const [record] = readDetails({ id: 'MAL-2026-7', affected, database_specific: { severity: 'LOW' } }) ?? []
    expect(record).toMatchObject({
      malware: true,
      severity: 'CRITICAL',
      intervals: [{ introduced: '5.6.1', lastAffected: '5.6.1' }],
    })
    expect(readDetails({ id: 'GHSA-1', affected, database_specific: { cwe_ids: ['CWE-506'] } })?.[0]).toMatchObject({
      malware: true,
      severity: 'CRITICAL',
    })
  })

  test.each([
    [null],
    [{}],
    [{ id: '../../x' }],
    [{ id: 'a/b' }],
    [{ id: 'GHSA-1', aliases: 'x' }],
    [{ id: 'GHSA-1', affected: [{ package: 1 }] }],
  ])('refuses %j', (it) => expect(readDetails(it)).toBeUndefined())

  test('takes any JSON without a throw', () => {
    const json = fc.oneof(
      fc.jsonValue(),
      fc.record(
        Object.fromEntries(Object.entries(DETAILS).map(([key, value]) => [key, fc.oneof(fc.constant(value), fc.jsonValue())])),
      ),
    )
    fc.assert(
      fc.property(json, (document) => {
        for (const record of readDetails(document) ?? []) expect(record.title.length).toBeLessThanOrEqual(201)
        expect(readBatch(document, 1)).toBeUndefined()
      }),
      { numRuns: runs(1000) },
    )
  })
})

describe('readBatch', () => {
  test('keeps the order; nothing found is an empty object, or null', () => {
    const results = [
      { vulns: [{ id: 'GHSA-1', modified: 'x' }], next_page_token: 'more' },
      {},
      null,
      { vulns: null, next_page_token: '' },
    ]
    expect(readBatch({ results }, 4)).toEqual([{ ids: ['GHSA-1'], next: 'more' }, { ids: [] }, { ids: [] }, { ids: [] }])
  })

  test.each([
    [{}],
    [{ results: {} }],
    [{ results: [] }],
    [{ results: [{}, {}] }],
    [{ results: [{ vulns: [{ id: '../x' }] }] }],
    [{ results: [{ vulns: [{}] }] }],
  ])('refuses %j for one query', (document) => expect(readBatch(document, 1)).toBeUndefined())
})
