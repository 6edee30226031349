import { describe, expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'
import { runs } from '../soak.ts'
import { HOSTILE_CONTENTS } from './hostile-contents.ts'
import { KNOWN, PROJECT } from './project.ts'
import { known } from './scanning.ts'

describe('a hostile file harms nobody but itself', () => {
  for (const { name, path, content, notices } of HOSTILE_CONTENTS) {
    test(
      `c-${name}`,
      async () => {
        const { en, fr } = await scanFiles(new Map([...PROJECT, [path, content]]))
        expect(known(en)).toEqual(KNOWN)
        const about = en.notices.filter(({ file, code }) => file === path || (code === 'file-skipped' && file === undefined))
        expect([...new Set(about.map(({ code }) => code))]).toEqual(notices)
        // no rule fails on it, and no budget is spent on so little, but for a line that repeats what costs most
        expect(en.notices.filter(({ code, file }) => code === 'rule-failed' || (code === 'time-limit' && file !== path))).toEqual(
          [],
        )
        expect(en.complete).toBe(!notices.some((code) => /^(?:file-unreadable|file-too-large|time-limit)$/.test(code)))
        expect(JSON.stringify(en).length).toBeLessThan(2 ** 20)
        expect(allFindings(fr).map(({ id }) => id)).toEqual(allFindings(en).map(({ id }) => id))
      },
      // a second per MB and two at least is the goal; what gates is that it ends
      60_000,
    )
  }

  test('nothing was put on a prototype', () => {
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(Reflect.get({}, 'polluted')).toBe(undefined)
  })
})

describe('many hits in one file', () => {
  test.each([
    ['in lines', 'eval(location.hash)\n'.repeat(runs(20_000, 4))],
    ['on one line of a megabyte', `${'eval(location.hash);'.repeat(2000)}\n${'// x\n'.repeat(2000)}`],
  ])('%s: a hundred findings, the rest is counted', async (_, content) => {
    const { en } = await scanFiles(new Map([...PROJECT, ['webapp/many.js', `sap.ui.define([], () => {\n${content}})\n`]]))
    expect(known(en)).toEqual(KNOWN)
    const many = allFindings(en).filter(({ file }) => file === 'webapp/many.js')
    expect(new Set(many.map(({ ruleId }) => ruleId)).size * 100).toBeGreaterThanOrEqual(many.length)
    expect(en.notices.map(({ code }) => code)).toContain('findings-capped')
    expect(en.complete).toBe(false)
    expect(JSON.stringify(en).length).toBeLessThan(2 ** 20)
  })
})

describe('lines that each ask about all others', () => {
  const list = (count: number, unit: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => unit(index)).join('\n')
  const routes = (count: number): string =>
    `const app = require('express')()\n${list(count, () => "app.use((req, res, next) => require('fs').readFile(req.query.a, next))")}`
  const methods = (count: number): string =>
    `sap.ui.define([], () => { const names = [${list(count, (index) => `'m${index}',`)}]; return class A {
${list(count, (index) => `m${index}(a) { return this[a](document.body.innerHTML = location.hash) }`)}
} })`
  test.each([
    ['handlers of all routes', 'srv/many.js', routes],
    ['methods that are called by computed names', 'webapp/many.js', methods],
  ])('%s: hundreds are followed, thousands end within the step budget', { timeout: 240_000 }, async (_, path, content) => {
    const scan = async (count: number) => (await scanFiles(new Map([...PROJECT, [path, content(count)]]))).en
    const hundreds = await scan(400)
    expect(allFindings(hundreds).filter(({ file }) => file === path).length).toBe(100)
    expect(hundreds.notices.map(({ code }) => code)).toEqual(['findings-capped'])
    const thousands = await scan(2000)
    expect(known(thousands)).toEqual(KNOWN)
    // what was found before the budget ended is told
    const codes = thousands.notices.map(({ code }) => code)
    expect(codes).toContain('time-limit')
    expect(codes.filter((code) => code !== 'time-limit' && code !== 'findings-capped')).toEqual([])
    expect(thousands.complete).toBe(false)
  })
})

/** More than their graphs fit, and more findings than are told: few files with many lines cost less than many with few. */
const FILES = 160
const LINES = 300

test(
  'graphs of files that are nothing but sources and sinks: those that fit are followed, the others told',
  { timeout: 240_000 },
  async () => {
    const scripts = Array.from(
      { length: FILES },
      (_, index) => [`webapp/many/${index}.js`, 'eval(location.hash)\n'.repeat(LINES)] as const,
    )
    const { en } = await scanFiles(new Map(scripts))
    expect(allFindings(en).length).toBe(10_000)
    const untold = en.notices.find(({ code }) => code === 'memory-limit')
    const files = Number(/\d+/.exec(untold?.detail ?? '')?.[0])
    expect(files).toBeGreaterThan(20)
    expect(files).toBeLessThan(80)
    const capped = en.notices.find(({ code, file }) => code === 'findings-capped' && file === undefined)
    expect(Number(/\d+/.exec(capped?.detail ?? '')?.[0])).toBeGreaterThanOrEqual((FILES - files) * 100 - 10_000)
    expect(en.complete).toBe(false)
  },
)
