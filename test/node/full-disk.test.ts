import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bundleForNode } from '../bundle.ts'
import { SHOP, zipOf } from '../runners/projects.ts'
import { isHealthy, start, upload } from './running.ts'

/** Runs in the service before it: as long as a file is there, the disk takes nothing more. */
const FULL_DISK = (file: string): string => `
import files from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const { open } = files
files.open = async (...request) => {
  const handle = await open(...request)
  const { writeFile } = handle
  handle.writeFile = async (...content) => {
    if (existsSync(${JSON.stringify(file)})) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    return writeFile.apply(handle, content)
  }
  return handle
}
syncBuiltinESMExports()
`

test('two hundred clients at once while the disk is full: each gets its report or is asked to come again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-full-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [preload, full, storage] = [join(folder, 'preload.mjs'), join(folder, 'full'), join(folder, 'store')]
  writeFileSync(preload, FULL_DISK(full))
  mkdirSync(storage)
  const script = ['--import', preload, bundleForNode('adapters/node/main.ts')]
  const server = await start({ PARAPET_STORAGE: storage, PARAPET_WORKERS: '1' }, script)
  const zip = zipOf(SHOP)
  expect((await upload(server.url, zip)).status).toBe(201)
  const stored = (): string[] => readdirSync(storage, { recursive: true, encoding: 'utf8' }).sort()
  const before = stored()

  writeFileSync(full, '')
  const answers = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const answer = await upload(server.url, zip)
      const { code, report } = await answer.json()
      return `${answer.status} ${code} ${report === undefined ? '' : 'with the report'}`.trim()
    }),
  )
  const kinds = [...new Set(answers)].sort()
  expect(['503 busy', '503 storage-unavailable with the report']).toEqual(expect.arrayContaining(kinds))
  expect(kinds).toContain('503 storage-unavailable with the report')
  expect(await isHealthy(server.url)).toBe(true)
  expect(stored()).toEqual(before)

  rmSync(full)
  expect((await upload(server.url, zip)).status).toBe(201)
  expect(stored().length).toBeGreaterThan(before.length)
  expect(server.stderr()).not.toContain('internal-error')
})
