import { describe, expect, test } from 'vitest'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { createEngine } from '../../core/engine.ts'
import { isRefusal } from '../../core/errors.ts'
import { DEFAULT_LIMITS } from '../../core/limits.ts'
import { openArchive } from '../../core/project/archive.ts'
import { planScan, tellCounts } from '../../core/project/open.ts'
import { scan } from '../../core/scan.ts'
import { ACCEPTED } from './accepted-archives.ts'
import { TEXT } from './hostile-archive.ts'
import { buildQuine } from './quine.ts'
import { buildZip } from './zip-builder.ts'

const OPTIONS = { limits: DEFAULT_LIMITS, suppressions: true, date: '2026-11-20' }
const ENGINE = createEngine([])
const PORTS = { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() }

describe('odd archives that are accepted', () => {
  test('each has a name of its own', () => {
    expect(ACCEPTED.length).toBeGreaterThanOrEqual(50)
    expect(new Set(ACCEPTED.map(({ name }) => name)).size).toBe(ACCEPTED.length)
  })

  for (const { name, build, paths, notices } of ACCEPTED) {
    if (paths.length === 0) continue
    test(name, async () => {
      const bytes = build()
      const plan = planScan(openArchive(bytes, DEFAULT_LIMITS), OPTIONS)
      expect(plan.files.map(({ path }) => path).sort()).toEqual([...paths].sort())
      expect(
        [...plan.notices, ...tellCounts(plan.counts)].map(
          ({ code, reason, file }) => `${code}/${reason}${file === undefined ? '' : ` ${file}`}`,
        ),
      ).toEqual(notices)
      const options = { scanId: '0', scannedAt: '2026-11-20T00:00:00.000Z', projectName: 'x', ...OPTIONS }
      const { records } = await scan(openArchive(bytes, DEFAULT_LIMITS), options, ENGINE, PORTS, {})
      // whatever stands in a name: nothing in the report that a terminal, a log or a reader of lines would obey
      for (const record of [records.en, records.fr]) {
        expect(new TextDecoder('utf-8', { fatal: true }).decode(record)).not.toMatch(
          /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
        )
      }
    })
  }

  test('the bytes behind a deflate stream are nobody’s', () => {
    const build = ACCEPTED.find(({ name }) => name === 'deflate-tail')?.build
    const [, entry] = openArchive(build?.() ?? new Uint8Array(0), DEFAULT_LIMITS).entries
    expect(new TextDecoder().decode(entry?.read())).toBe(TEXT)
  })

  test('an archive of archives alone holds nothing to scan, and is never descended', () => {
    const build = ACCEPTED.find(({ name }) => name === 'nested-42-itself')?.build
    const source = openArchive(build?.() ?? new Uint8Array(0), DEFAULT_LIMITS)
    expect(source.entries).toHaveLength(16)
    expect(() => planScan(source, OPTIONS)).toThrow('project-empty')
  })

  test('nothing was put on a prototype', () => {
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(Reflect.get({}, 'polluted')).toBe(undefined)
  })
})

describe('an archive that holds itself', () => {
  test('is what it says', () => {
    const quine = buildQuine()
    const [entry] = openArchive(quine, DEFAULT_LIMITS).entries
    expect(entry?.path).toBe('r/r.zip')
    expect(entry?.read()).toEqual(quine)
  })

  test('is a nested archive like any other', () => {
    const bytes = buildZip({
      entries: [
        { name: 'a.js', data: TEXT },
        { name: 'r.zip', data: buildQuine() },
      ],
    })
    const plan = planScan(openArchive(bytes, DEFAULT_LIMITS), OPTIONS)
    expect(plan.files.map(({ path }) => path)).toEqual(['a.js'])
    expect(plan.notices).toEqual([{ code: 'file-skipped', reason: 'archive', file: 'r.zip', partial: false }])
  })
})

test('a cut at any byte is a refusal with a code', () => {
  const bytes = buildZip({
    entries: [
      { name: 'package.json', data: '{}' },
      { name: 'a.js', data: TEXT, descriptor: 'signed' },
    ],
    zip64: 'saturated',
  })
  const codes = new Map<string, number>()
  for (let length = 0; length < bytes.length; length++) {
    try {
      openArchive(bytes.subarray(0, length), DEFAULT_LIMITS)
      expect.unreachable(`accepted at ${length}`)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const reason = error.details.reason ?? ''
      codes.set(reason, (codes.get(reason) ?? 0) + 1)
    }
  }
  // four bytes tell that it is a ZIP
  expect(codes).toEqual(
    new Map([
      ['not-a-zip', 4],
      ['truncated', bytes.length - 4],
    ]),
  )
})
