import { expect, test } from 'vitest'
import { createFileAdvisories } from '../../core/advisories/file.ts'
import type { AdvisoryRecord } from '../../core/advisories/record.ts'
import { scanFiles } from '../scan-files.ts'

/** A lock file with so many versions of one package. */
function lockOf(versions: number): Map<string, string> {
  const packages = Array.from({ length: versions }, (_, at) => [
    `node_modules/a${at}/node_modules/lodash`,
    { version: `4.0.${at}` },
  ])
  return new Map([
    ['package.json', '{"name":"x"}'],
    ['package-lock.json', JSON.stringify({ lockfileVersion: 3, packages: Object.fromEntries(packages) })],
  ])
}

test('a hundred versions of one package are looked up, and a notice tells of the others', async () => {
  const told = async (versions: number) =>
    (await scanFiles(lockOf(versions))).en.notices.filter(({ code }) => code === 'advisories-unavailable')
  expect(await told(100)).toEqual([])
  const [notice] = await told(5000)
  expect(notice?.detail).toContain('5000 packages and versions; advisories were looked up for 100')
})

test('so many matches that no report has room for them end the search, and a notice tells of it', async () => {
  const packages = Array.from({ length: 300 }, (_, name) =>
    Array.from({ length: 100 }, (_unused, at) => ({ name: `p${name}`, version: `1.0.${at}` })),
  ).flat()
  const record = (name: string, id: string): AdvisoryRecord => ({
    id,
    aliases: [],
    package: name,
    severity: 'HIGH',
    title: '',
    cwe: [],
    malware: false,
    intervals: [{ introduced: '0' }],
  })
  const names = Array.from({ length: 300 }, (_, name) => `p${name}`)
  const records = names.flatMap((name, at) => [record(name, `GHSA-a-${at}`), record(name, `GHSA-b-${at}`)])
  const port = createFileAdvisories({ format: 'parapet-advisories', version: 1, date: '2027-01-02', packages: names, records })
  const { matches, lookedUp } = await port.query(packages)
  expect([matches.length, lookedUp]).toEqual([20_000, 10_000])
})
