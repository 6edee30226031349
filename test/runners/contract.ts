import { getEventListeners } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isRefusal } from '../../core/errors.ts'
import type { Report } from '../../core/report/types.ts'
import type { Outcome, ScanProgress, ScanRunner } from '../../core/types.ts'
import { allFindings } from '../scan-files.ts'
import { scanOptions, SHOP, SHOP_RULES, slowProject, zipOf } from './projects.ts'

export interface RunnerUnderTest {
  readonly runner: ScanRunner
  close(): Promise<void>
}

const readReport = (bytes: Uint8Array): Report => JSON.parse(new TextDecoder().decode(bytes))
const idsOf = (outcome: Outcome): string[] =>
  allFindings(readReport(outcome.records.en)).map(({ id, ruleId }) => `${ruleId} ${id}`)

/** What every runner must do, in the same way. */
export function describeRunner(name: string, create: () => RunnerUnderTest): void {
  describe(name, () => {
    let it: RunnerUnderTest
    let folder: string

    beforeAll(() => {
      it = create()
      folder = mkdtempSync(join(tmpdir(), 'parapet-'))
      for (const [path, text] of Object.entries(SHOP)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
    })
    afterAll(async () => {
      await it.close()
      rmSync(folder, { recursive: true })
    })

    const archive = (bytes: Uint8Array): Parameters<ScanRunner>[0] => ({ kind: 'archive', bytes, name: 'shop' })

    test('gives both languages of one report', async () => {
      const { entry, records } = await it.runner(archive(zipOf(SHOP)), scanOptions(), {})
      const [en, fr] = [readReport(records.en), readReport(records.fr)]
      expect([...new Set(allFindings(en).map(({ ruleId }) => ruleId))]).toEqual(expect.arrayContaining([...SHOP_RULES]))
      expect(entry.summary.total).toBe(allFindings(en).length)
      expect(allFindings(fr).map(({ id }) => id)).toEqual(allFindings(en).map(({ id }) => id))
      expect(allFindings(fr).map(({ title }) => title)).not.toEqual(allFindings(en).map(({ title }) => title))
    })

    test('archive, archive with a top folder and directory give the same ids', async () => {
      const [flat, nested, directory] = await Promise.all([
        it.runner(archive(zipOf(SHOP)), scanOptions(), {}),
        it.runner(archive(zipOf(SHOP, 'shop-main/')), scanOptions(), {}),
        it.runner({ kind: 'directory', path: folder, name: 'shop' }, scanOptions(), {}),
      ])
      expect(idsOf(nested)).toEqual(idsOf(flat))
      expect(idsOf(directory)).toEqual(idsOf(flat))
      expect(idsOf(flat).length).toBeGreaterThanOrEqual(SHOP_RULES.length)
    })

    test('an archive in shared memory is read as it lies there', async () => {
      const bytes = zipOf(SHOP)
      const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength + 100), 50, bytes.byteLength)
      shared.set(bytes)
      const outcome = await it.runner(archive(shared), scanOptions(), {})
      expect(Buffer.from(shared).equals(Buffer.from(bytes))).toBe(true)
      expect(idsOf(outcome)).toEqual(idsOf(await it.runner(archive(bytes), scanOptions(), {})))
    })

    test('a refusal keeps its code and details', async () => {
      const refused = await it
        .runner(archive(new TextEncoder().encode('hello')), scanOptions(), {})
        .catch((error: unknown) => error)
      expect(isRefusal(refused) && { code: refused.code, reason: refused.details.reason }).toEqual({
        code: 'archive-invalid',
        reason: 'not-a-zip',
      })
    })

    test('tells its phases in order', async () => {
      const seen: ScanProgress[] = []
      await it.runner(archive(slowProject(10)), scanOptions(), { onProgress: (progress) => void seen.push(progress) })
      const phases = [...new Set(seen.map(({ phase }) => phase))].filter((phase) => phase !== 'waiting')
      expect(phases).toEqual(['reading', 'asking', 'checking', 'reporting'])
    })

    test('a cancelled scan ends with an AbortError, and the next one works', async () => {
      const controller = new AbortController()
      const running = it.runner(archive(slowProject(400)), scanOptions(), {
        signal: controller.signal,
        onProgress: ({ phase }) => phase === 'reading' && controller.abort(),
      })
      await expect(running).rejects.toMatchObject({ name: 'AbortError' })
      expect(idsOf(await it.runner(archive(zipOf(SHOP)), scanOptions(), {})).length).toBeGreaterThan(0)
    })

    test('a scan that is over is not held by the signal that could have cancelled it', async () => {
      const { signal } = new AbortController()
      await it.runner(archive(zipOf(SHOP)), scanOptions(), { signal })
      expect(getEventListeners(signal, 'abort')).toEqual([])
    })

    test('the time limit gives a report of what was found, and damage is still refused', async () => {
      const options = scanOptions({ limits: { ...scanOptions().limits, scanTime: 1 } })
      const { records } = await it.runner(archive(slowProject(300)), options, {})
      const report = readReport(records.en)
      expect(report.complete).toBe(false)
      expect(report.notices.map(({ code }) => code)).toContain('time-limit')
      expect(report.filesScanned).toBe(300)
      const damaged = slowProject(300)
      // the last entry's data: found only when it is read
      const at = damaged.lastIndexOf(0x50, damaged.length - 400 * 60)
      damaged.fill(0xff, at - 300, at - 290)
      const refused = await it.runner(archive(damaged), options, {}).catch((error: unknown) => error)
      expect(isRefusal(refused) && refused.code).toBe('archive-invalid')
    })

    test('parallel scans do not mix', async () => {
      const one = { 'package.json': '{}', 'approuter/xs-app.json': SHOP['approuter/xs-app.json'] ?? '' }
      const all = await Promise.all(
        Array.from({ length: 6 }, (_, index) => it.runner(archive(zipOf(index % 2 === 0 ? SHOP : one)), scanOptions(), {})),
      )
      expect(all.map((outcome) => outcome.entry.summary.total)).toEqual(
        all.map((_, index) => all[index % 2]?.entry.summary.total ?? -1),
      )
      expect(all[1]?.entry.summary.total).toBe(1)
    })
  })
}
