import { describe, expect, test } from 'vitest'
import { isRefusal } from '../../core/errors.ts'
import { DEFAULT_LIMITS } from '../../core/limits.ts'
import { openArchive } from '../../core/project/archive.ts'
import { planScan } from '../../core/project/open.ts'
import { createEngine } from '../../core/engine.ts'
import { scan } from '../../core/scan.ts'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import type { ScanLimits } from '../../core/types.ts'
import { HOSTILE, HOSTILE_LIMITS } from './hostile-archives.ts'
import { buildZip } from './zip-builder.ts'

const LIMITS = { ...DEFAULT_LIMITS, ...HOSTILE_LIMITS }
const ENGINE = createEngine([])

async function refusalOf(bytes: Uint8Array): Promise<{ code: string; reason?: string } | undefined> {
  const options = { scanId: '0', scannedAt: '2026-11-20T00:00:00.000Z', projectName: 'x', limits: LIMITS, suppressions: true }
  try {
    await scan(
      openArchive(bytes, LIMITS),
      options,
      ENGINE,
      { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() },
      {},
    )
    return undefined
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { code: error.code, ...(error.details.reason !== undefined && { reason: error.details.reason }) }
  }
}

describe('hostile archives', () => {
  test('there are at least 150, each with a name of its own', () => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(150)
    expect(new Set(HOSTILE.map(({ name }) => name)).size).toBe(HOSTILE.length)
  })

  for (const { name, code, reason, build } of HOSTILE) {
    test(`${name} is ${code}${reason === undefined ? '' : ` ${reason}`}`, async () => {
      expect(await refusalOf(build())).toEqual({ code, ...(reason !== undefined && { reason }) })
    })
  }

  test('nothing was put on a prototype', () => {
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

test('a size of two gigabytes is not believed: nothing is allocated', () => {
  const bytes = buildZip({ entries: [{ name: 'a.js', data: 'x', size: 2 ** 31, zip64: true }] })
  const before = process.memoryUsage().rss
  const plan = planScan(openArchive(bytes, LIMITS), { limits: LIMITS, suppressions: true, date: '2026-11-20' })
  expect(plan.files).toEqual([])
  expect(plan.notices.map((notice) => notice.code)).toEqual(['file-too-large'])
  expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024)
})

describe('a refusal helps', () => {
  const refusal = (bytes: Uint8Array, limits: ScanLimits = LIMITS): unknown => {
    try {
      planScan(openArchive(bytes, limits), { limits, suppressions: true, date: '2026-11-20' })
    } catch (error) {
      return isRefusal(error) ? error.details : error
    }
    return undefined
  }

  test('what is no ZIP is told by what it looks like', () => {
    const detected = ['gzip', 'rar', '7z', 'tar', 'xz', 'not-zip-html', 'not-zip-text', 'not-zip-empty'].map((name) => {
      const details = refusal(HOSTILE.find((archive) => archive.name === name)?.build() ?? new Uint8Array(0))
      return details !== null && typeof details === 'object' && 'detected' in details ? details.detected : undefined
    })
    expect(detected).toEqual(['gzip', 'rar', '7z', 'tar', 'xz', 'html', 'unknown', 'unknown'])
  })

  test('the entry is named, raw', () => {
    expect(refusal(buildZip({ entries: [{ name: '..\\a\u202e.js' }] }))).toEqual({
      reason: 'unsafe-name',
      entry: '..\\a\u202e.js',
    })
    expect(refusal(buildZip({ entries: [{ name: 'x/y.js', method: 12 }] }))).toEqual({
      reason: 'unsupported-method',
      entry: 'x/y.js',
    })
    expect(refusal(buildZip({ entries: [{ name: 'x/y.js', flags: 1 }] }))).toEqual({ entry: 'x/y.js' })
  })

  test('the limit is told', () => {
    const two = buildZip({
      entries: [
        { name: 'a.js', data: 'x' },
        { name: 'b.js', data: 'x' },
      ],
    })
    expect(refusal(two, { ...LIMITS, entries: 2 })).toBe(undefined)
    expect(refusal(two, { ...LIMITS, entries: 1 })).toEqual({ reason: 'entries', limit: 1 })
    expect(refusal(two, { ...LIMITS, inflated: 2 })).toBe(undefined)
    expect(refusal(two, { ...LIMITS, inflated: 1 })).toEqual({ reason: 'inflated', limit: 1 })
    expect(refusal(buildZip({ entries: [{ name: 'a'.repeat(1025) }] }))).toMatchObject({ reason: 'path', limit: 1024 })
    expect(refusal(buildZip({ entries: [{ name: 'a/'.repeat(65) }] }))).toMatchObject({ reason: 'path', limit: 64 })
  })
})
