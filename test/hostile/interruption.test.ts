import { describe, expect, test } from 'vitest'
import { createEngine } from '../../core/engine.ts'
import type { Report } from '../../core/report/types.ts'
import { defineRule } from '../../core/rules/rule.ts'
import { RULES } from '../../core/rules/index.ts'
import type { Finding, ScanControl } from '../../core/types.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { ENDLESS, fail, PLAIN, THROWS } from './misbehaving.ts'
import { KNOWN, PROJECT } from './project.ts'
import { DAMAGED, scanArchive, told, toZip } from './scanning.ts'

/** The notices on time: of the scan, and of what data flow was not followed. */
function timeLimits({ notices }: Report): readonly string[] {
  const limits = notices.filter(({ code }) => code === 'time-limit')
  return limits.map(({ detail }) => (detail.startsWith('Data flow by app') ? 'apps' : 'scan'))
}

describe('an interruption', () => {
  const many = new Map([
    ...PROJECT,
    ...Array.from({ length: 40 }, (_, index): [string, string] => [`z/f${index}.js`, 'eval(location.hash)\n']),
  ])
  /** Says it from the n-th question on. */
  const from = (number: number, what: 'cancelled' | 'time'): ScanControl => {
    let asked = 0
    return { interruption: () => (++asked >= number ? what : undefined) }
  }

  test.each([1, 2, 5, 20, 46])('cancelled at question %i: an AbortError, no report', async (number) => {
    await expect(scanFiles(many, { control: from(number, 'cancelled') })).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('out of time at the start: a report without findings that says so', async () => {
    const { en } = await scanFiles(many, { control: from(1, 'time') })
    expect(allFindings(en)).toEqual([])
    expect(en.notices.map(({ code }) => code)).toEqual(['time-limit'])
    expect(en.complete).toBe(false)
    expect(en.filesScanned).toBe(many.size)
  })

  test('out of time half-way: what was found stands, the rest is read', async () => {
    const { en } = await scanFiles(many, { control: from(20, 'time') })
    const found = allFindings(en).length
    expect(found).toBeGreaterThan(3)
    expect(found).toBeLessThan(allFindings((await scanFiles(many)).en).length)
    expect(timeLimits(en)).toEqual(['scan', 'apps'])
    expect(en.filesScanned).toBe(many.size)
  })

  test('out of time in the scripts: descriptors were read first, and what they tell is there', async () => {
    const { en } = await scanFiles(many, { control: from(6, 'time') })
    const found = allFindings(en).map(({ ruleId, file }) => `${ruleId} ${file}`)
    expect(found).toContain('approuter/route-authentication-none approuter/xs-app.json')
    expect(found).toContain('btp/xsuaa-redirect-wildcard xs-security.json')
    expect(found.filter((one) => one.includes('.js '))).toEqual([])
    expect(en.notices.map(({ detail }) => detail)).toEqual([
      'The scan reached its time limit; it reports what was found until then.',
      expect.stringMatching(/^Data flow by app: followed whole: -; in part: -; not at all, since the time was over: .*webapp/),
    ])
    expect(en.complete).toBe(false)
  })

  test('out of time while models are made, at any question: a report', async () => {
    const packages = Array.from({ length: 1500 }, (_, index): [string, string] => [`p${index}/package.json`, '{"name":"a"}'])
    const files = new Map([...PROJECT, ...packages])
    const scanUntil = async (number: number): Promise<{ readonly en: Report; readonly asked: number }> => {
      let [asked, phase] = [0, '']
      const { en } = await scanFiles(files, {
        control: {
          interruption: () => (phase === 'asking' && ++asked >= number ? 'time' : undefined),
          onProgress: (progress) => void (phase = progress.phase),
        },
      })
      return { en, asked }
    }
    const { asked } = await scanUntil(Infinity)
    expect(asked).toBeGreaterThan(1)
    for (let number = 1; number <= asked; number++) {
      const { en } = await scanUntil(number)
      expect(en.filesScanned).toBe(files.size)
      if (number === 1) expect(timeLimits(en)).toContain('scan')
    }
  })

  test('out of time: damage behind it is still refused', async () => {
    const damaged = toZip(new Map([...many, [DAMAGED, 'x']]), {}, { crc: 1 })
    await expect(scanArchive(damaged, from(1, 'time'))).rejects.toMatchObject({
      code: 'archive-invalid',
      details: { reason: 'crc-mismatch', entry: 'zz.js' },
    })
  })

  test('cancelled comes before damage', async () => {
    const damaged = toZip(new Map([...many, [DAMAGED, 'x']]), {}, { crc: 1 })
    await expect(scanArchive(damaged, from(1, 'cancelled'))).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('a rule that never ends is stopped by it as well', async () => {
    const bad = defineRule({
      ...PLAIN,
      id: ENDLESS,
      on: 'project',
      *check() {
        for (;;) yield { at: { file: 'a' } }
      },
    })
    const control = from(many.size + 5, 'time')
    const { en } = await scanFiles(many, { control, engine: createEngine([...RULES, bad]) })
    expect(timeLimits(en)).toEqual(['scan', 'apps'])

    // to tell which apps were not followed takes more steps than lie between two questions
    const texts = Array.from({ length: 5000 }, (_, index): [string, string] => [`i18n/t${index}.properties`, 'a=b\n'])
    const more = new Map([...many, ...texts])
    const { en: told } = await scanFiles(more, {
      control: from(more.size + 5, 'time'),
      engine: createEngine([...RULES, bad]),
    })
    expect(timeLimits(told)).toEqual(['scan', 'apps'])
    expect(told.filesScanned).toBe(more.size)
  })
})

describe('a scan that is taken up again', () => {
  async function firstRun(): Promise<{ findings: readonly Finding[]; report: Report }> {
    const findings: Finding[] = []
    const { en } = await scanFiles(PROJECT, { control: { onFindings: (found) => void findings.push(...found) } })
    return { findings, report: en }
  }
  const notice = { code: 'memory-limit', reason: 'worker', partial: true } as const

  test('keeps the findings that were handed over, and runs no rule', async () => {
    const { findings, report } = await firstRun()
    const bad = defineRule({ ...PLAIN, id: THROWS, on: 'script', check: () => fail(new Error('x')) })
    const { en } = await scanFiles(PROJECT, { options: { resume: { findings, notice } }, engine: createEngine([...RULES, bad]) })
    expect(told(en)).toEqual(told(report))
    expect(en.notices.map(({ code }) => code)).toEqual(['memory-limit'])
    expect(en.complete).toBe(false)
    expect(en.filesScanned).toBe(report.filesScanned)
  })

  test('lists what had been read: of all files, of some, of none', async () => {
    const { findings, report } = await firstRun()
    const inventory = async (filesRead: number): Promise<number[]> => {
      const { en } = await scanFiles(PROJECT, { options: { resume: { findings, notice, filesRead } } })
      expect(told(en)).toEqual(told(report))
      const { ui5, cap, npm, approuter } = en.results
      return [ui5.apps.length, cap.services.length, npm.packages.length, approuter.routes.length]
    }
    const { ui5, cap, npm, approuter } = report.results
    const whole = [ui5.apps.length, cap.services.length, npm.packages.length, approuter.routes.length]
    expect(whole).toEqual([1, 0, 1, 1])
    expect(await inventory(1000)).toEqual(whole)
    expect(await inventory(0)).toEqual([0, 0, 0, 0])
    // package.json is read first, since it is the smallest descriptor; the manifest is third and the approuter's last of them
    expect(await inventory(3)).toEqual([1, 0, 1, 0])
    expect(await inventory(4)).toEqual([1, 0, 1, 1])
  })

  test('still refuses damage', async () => {
    const { findings } = await firstRun()
    const damaged = toZip(new Map([...PROJECT, [DAMAGED, 'xx']]), {}, { size: 1 })
    await expect(scanArchive(damaged, {}, { resume: { findings, notice } })).rejects.toMatchObject({
      details: { reason: 'size-mismatch' },
    })
  })

  test('findings are plain data: they cross a thread', async () => {
    const { findings } = await firstRun()
    expect(findings.length).toBeGreaterThanOrEqual(KNOWN.length)
    expect(structuredClone(findings)).toEqual(findings)
  })
})
