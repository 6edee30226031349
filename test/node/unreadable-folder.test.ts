import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { bundleCli } from '../bundle.ts'

const report = z.looseObject({
  complete: z.boolean(),
  filesScanned: z.number(),
  notices: z.array(z.looseObject({ code: z.string(), file: z.string().optional() })),
})

/** Somebody who is not root: to root every file is readable. */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

test.runIf(process.platform === 'linux')('files and folders that nobody may read are told, the rest is scanned', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parapet-unreadable-')))
  onTestFinished(() => {
    chmodSync(join(folder, 'closed'), 0o700)
    rmSync(folder, { recursive: true })
  })
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'closed'))
  writeFileSync(join(folder, 'closed/a.js'), 'eval(location.hash)')
  writeFileSync(join(folder, 'hidden.js'), 'eval(location.hash)')
  writeFileSync(join(folder, 'open.js'), 'eval(location.hash)')
  chmodSync(join(folder, 'hidden.js'), 0)
  chmodSync(join(folder, 'closed'), 0)
  const { stdout, status } = spawnSync(process.execPath, [bundleCli(), 'scan', folder, '-f', 'json', '-q'], {
    encoding: 'utf8',
    env: { PARAPET_ADVISORIES: 'bundled' },
    cwd: folder,
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  })
  const told = report.parse(JSON.parse(stdout))
  expect(told.filesScanned).toBe(1)
  expect(told.complete).toBe(false)
  expect(told.notices.flatMap(({ code, file }) => (file === undefined ? [] : [`${code} ${file}`])).sort()).toEqual([
    'file-skipped closed',
    'file-unreadable hidden.js',
  ])
  expect(status).toBe(3)
})
