import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDirectory } from '../../adapters/node/directory.ts'
import { DEFAULT_LIMITS } from '../../core/limits.ts'

const attack = vi.hoisted(() => ({ begin: (): void => undefined, end: (): void => undefined }))

/** Swaps a folder for a link in the moment in which names are listed, and back before anybody looks again. */
vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>()
  const readdirSync = (...request: Parameters<typeof real.readdirSync>): unknown => {
    attack.begin()
    try {
      return real.readdirSync(...request)
    } finally {
      attack.end()
    }
  }
  return { ...real, default: real, readdirSync }
})

test.runIf(process.platform === 'linux')(
  'a folder that is swapped for a link while it is listed gives no name of the outside away',
  () => {
    const top = realpathSync(mkdtempSync(join(tmpdir(), 'parapet-')))
    onTestFinished(() => rmSync(top, { recursive: true, force: true }))
    const [root, outside, aside] = [join(top, 'root'), join(top, 'outside'), join(top, 'aside')]
    const inside = join(root, 'a')
    for (const folder of [inside, outside]) mkdirSync(folder, { recursive: true })
    writeFileSync(join(inside, 'inside.js'), '')
    writeFileSync(join(outside, 'outside.js'), '')
    let listings = 0
    attack.begin = () => {
      // the first one is that of the root
      if (++listings !== 2) return
      renameSync(inside, aside)
      symlinkSync(outside, inside)
    }
    attack.end = () => {
      if (listings !== 2) return
      unlinkSync(inside)
      renameSync(aside, inside)
    }
    const { entries } = openDirectory(root, DEFAULT_LIMITS)
    expect(listings).toBe(2)
    expect(entries.map(({ path }) => path)).toEqual(['a/inside.js'])
  },
)
