import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createAdvisories } from '../../adapters/node/advisories.ts'
import { readSettings } from '../../adapters/node/settings.ts'
import { fetchAdvisories } from '../../core/advisories/fetch.ts'
import { createFileAdvisories, readAdvisoryFile, type AdvisoryFile } from '../../core/advisories/file.ts'
import { sendJson, startLoopback } from '../network/loopback.ts'

const FILE: AdvisoryFile = {
  format: 'parapet-advisories',
  version: 1,
  date: '2027-01-02',
  packages: ['express', 'left'],
  records: [
    {
      id: 'GHSA-aaaa-bbbb-cccc',
      aliases: ['CVE-2027-1'],
      package: 'left',
      severity: 'HIGH',
      title: 'left() lets a prototype be polluted',
      cwe: [1321],
      malware: false,
      intervals: [{ introduced: '0', fixed: '1.2.0' }],
    },
  ],
}

const folder = mkdtempSync(join(tmpdir(), 'parapet-advisories-'))
afterAll(() => rmSync(folder, { recursive: true }))

const idsOf = async (name: string, version: string): Promise<string[]> =>
  (await createFileAdvisories(FILE).query([{ name, version }])).matches.map(({ advisory }) => advisory.id)

test('answers from the file for what it was made for, from the snapshot for the rest, and says its date', async () => {
  expect(await idsOf('left', '1.1.0')).toEqual(['GHSA-aaaa-bbbb-cccc'])
  expect(await idsOf('left', '1.2.0')).toEqual([])
  // the database was asked and knew nothing any more
  expect(await idsOf('express', '4.19.1')).toEqual([])
  expect(await idsOf('json5', '1.0.1')).toHaveLength(1)
  const { source, date, complete } = await createFileAdvisories(FILE).query([])
  expect({ source, date, complete }).toEqual({ source: 'file', date: '2027-01-02', complete: true })
})

test('what an incident list alone knows is told beside the file', async () => {
  const file = { ...FILE, packages: ['@cap-js/sqlite', 'mbt'] }
  const { matches } = await createFileAdvisories(file).query([{ name: '@cap-js/sqlite', version: '2.2.2' }])
  expect(matches.map(({ advisory }) => advisory.malware)).toEqual([true])
})

test.each([
  ['{', 'no JSON'],
  ['{}', 'format'],
  [JSON.stringify({ ...FILE, date: 'today' }), 'date'],
  [JSON.stringify({ ...FILE, version: 2 }), 'version'],
  [JSON.stringify({ ...FILE, more: 1 }), 'more'],
  [JSON.stringify({ ...FILE, records: [{ ...FILE.records[0], id: '<script>' }] }), 'records.0.id'],
  [JSON.stringify({ ...FILE, records: [{ ...FILE.records[0], intervals: [{ introduced: 'x' }] }] }), 'records.0.intervals.0'],
])('refused: %s', (json, reason) => {
  expect(readAdvisoryFile(json)).toContain(reason)
})

test('the setting takes such a file alone', async () => {
  const read = (text: string): (() => unknown) => {
    const path = join(folder, 'advisories.json')
    writeFileSync(path, text)
    return () => createAdvisories(readSettings({ PARAPET_ADVISORIES: path }), () => {})
  }
  expect(read(JSON.stringify(FILE))).not.toThrow()
  expect(read('[]')).toThrow('PARAPET_ADVISORIES names no file')
  const missing = readSettings({ PARAPET_ADVISORIES: join(folder, 'missing.json') })
  expect(() => createAdvisories(missing, () => {})).toThrow('cannot be read')
  expect(() => readSettings({ PARAPET_ADVISORIES: 'advisories.json' })).toThrow('an absolute file')
})

test('fetching asks for names alone, and what it writes can be read', async () => {
  const asked: string[] = []
  const { url } = await startLoopback((request, response) => {
    asked.push(request.body)
    if (request.path === '/v1/querybatch')
      return sendJson(response, { results: [{ vulns: [{ id: 'GHSA-1111-2222-3333' }] }, {}] })
    sendJson(response, {
      id: 'GHSA-1111-2222-3333',
      aliases: ['CVE-2027-2'],
      summary: 'Bad thing in @sap/left',
      affected: [
        {
          package: { ecosystem: 'npm', name: '@sap/left' },
          ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }],
        },
        { package: { ecosystem: 'npm', name: 'other' }, versions: ['1.0.0'] },
      ],
      database_specific: { severity: 'HIGH', cwe_ids: ['CWE-1333'] },
    })
  })
  const found = await fetchAdvisories({ url, date: '2027-01-02' }, ['right', '@sap/left', 'right', 'no name'])
  expect(JSON.parse(asked[0] ?? '')).toEqual({
    queries: ['@sap/left', 'right'].map((name) => ({ package: { ecosystem: 'npm', name } })),
  })
  expect(found.packages).toEqual(['@sap/left', 'right'])
  expect(readAdvisoryFile(JSON.stringify(found))).toEqual(found)
  expect(found.records.map((record) => [record.id, record.package, record.severity, record.title])).toEqual([
    ['GHSA-1111-2222-3333', '@sap/left', 'HIGH', 'Bad thing in @sap/left'],
  ])
})
