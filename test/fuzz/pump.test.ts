import { describe, expect, test } from 'vitest'
import { watchScan } from '../cost/watched-scan.ts'
import { createChance } from '../hostile/mutate.ts'
import { allFindings } from '../scan-files.ts'
import { drawn, runs } from '../soak.ts'
import { drawPair, findFault, PUMPS } from './pump/index.ts'

/** Bytes up to which a project grows, in a soak twice as far; `npm run fuzz pump` goes further. */
const MOST = process.env['SOAK'] === undefined ? 20_000 : 40_000

describe('cost grows with the input, and with nothing else', () => {
  test('there are pumps for all that is read', () => {
    expect(PUMPS.length).toBeGreaterThan(400)
    expect(new Set(PUMPS.map(({ name }) => name)).size).toBe(PUMPS.length)
  })

  test('of each construct, singly and nested', { timeout: 3_600_000 }, async () => {
    const faults: string[] = []
    for (const pump of drawn(PUMPS, 80)) {
      const fault = await findFault(pump, MOST)
      if (fault !== undefined) faults.push(fault)
    }
    expect(faults).toEqual([])
  })

  test('of two that chance puts together', { timeout: 3_600_000 }, async () => {
    const faults: string[] = []
    for (let seed = 1; seed <= runs(200, 40); seed++) {
      const fault = await findFault(drawPair(createChance(seed)), MOST)
      if (fault !== undefined) faults.push(`seed ${seed}: ${fault}`)
    }
    expect(faults).toEqual([])
  })

  const lines = (count: number, unit: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => unit(index)).join('\n')
  test.each([
    [
      'functions in a chain',
      `${lines(4000, (i) => `function f${i}(a) { document.body.innerHTML = a; return f${i + 1}(a) }`)}\nf0(location.hash)`,
    ],
    [
      'assignments in a chain',
      `var v0 = location.hash\n${lines(12_000, (i) => `var v${i + 1} = v${i}; document.body.innerHTML = v${i + 1}`)}`,
    ],
  ])('%s end at the budget of the flow, and what was found is told', { timeout: 120_000 }, async (_, text) => {
    const { report, silence } = await watchScan(new Map([['webapp/a.js', `sap.ui.define([], () => {\n${text}\n})\n`]]))
    expect(report.notices.map(({ code }) => code)).toContain('time-limit')
    expect(allFindings(report).length).toBeGreaterThan(20)
    expect(silence).toBeLessThan(2)
  })

  test.each([
    [
      'branches on one variable',
      `var x = location.hash\n${lines(2000, (i) => `if (x !== 'a${i}') { document.body.innerHTML = x }`)}`,
    ],
    [
      'fields that hold each other',
      `var o = {}\no.f0 = location.hash\n${lines(2000, (i) => `o.f${i + 1} = o.f${i}; o.f${i} = o.f${i + 1}`)}\ndocument.body.innerHTML = o.f2000; eval(location.hash)`,
    ],
    [
      'fields of this that hold each other',
      `function A() { this.f0 = location.hash\n${lines(2000, (i) => `this.f${i + 1} = this.f${i}; this.f${i} = this.f${i + 1}`)}\ndocument.body.innerHTML = this.f2000; eval(location.hash) }\nnew A()`,
    ],
  ])('%s end, and what was found is told', { timeout: 120_000 }, async (_, text) => {
    const { report, silence, seconds } = await watchScan(new Map([['webapp/a.js', `sap.ui.define([], () => {\n${text}\n})\n`]]))
    expect(allFindings(report).length).toBeGreaterThan(0)
    expect(silence).toBeLessThan(2)
    expect(seconds).toBeLessThan(20)
  })

  test('one that does grow is found', { timeout: 600_000 }, async () => {
    const fault = await findFault(
      { name: 'squares', grow: (count) => new Map([['a.txt', 'password = a\n'.repeat((count * count) / 16)]]) },
      3_000_000,
    )
    expect(fault).toMatch(/^squares: grows: /)
  })
})
