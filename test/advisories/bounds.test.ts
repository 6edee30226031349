import { expect, test } from 'vitest'
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
