import { describe, expect, test } from 'vitest'
import { createEngine } from '../../core/engine.ts'
import type { Report } from '../../core/report/types.ts'
import { defineRule, type Rule } from '../../core/rules/rule.ts'
import { RULES } from '../../core/rules/index.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { ENDLESS, fail, PLAIN, THROWS } from './misbehaving.ts'
import { KNOWN, PROJECT } from './project.ts'
import { known } from './scanning.ts'

describe('a rule that misbehaves', () => {
  const scanWith = (...rules: readonly Rule[]): Promise<{ en: Report }> =>
    scanFiles(PROJECT, { engine: createEngine([...RULES, ...rules]), control: { onFault: () => undefined } })

  const throwing: readonly [string, Rule][] = [
    ['at once', defineRule({ ...PLAIN, id: THROWS, on: 'script', check: () => fail(new TypeError('x is undefined')) })],
    [
      'after a match',
      defineRule({
        ...PLAIN,
        id: THROWS,
        on: 'script',
        *check({ path }) {
          yield { at: { file: path } }
          fail(new RangeError('Maximum call stack size exceeded'))
        },
      }),
    ],
    ['what is no error', defineRule({ ...PLAIN, id: THROWS, on: 'script', check: () => fail(null) })],
    ['in the phase check', defineRule({ ...PLAIN, id: THROWS, on: 'project', check: () => fail(new Error('x')) })],
    ['among the first', defineRule({ ...PLAIN, id: 'approuter/a-throws', on: 'approuter', check: () => fail(new Error('x')) })],
  ]
  test.each(throwing)('throws %s: that is told, the others speak', async (_, bad) => {
    const { en } = await scanWith(bad)
    expect(known(en)).toEqual(KNOWN)
    expect(en.notices.filter(({ code }) => code === 'rule-failed').map(({ ruleId }) => ruleId)).toEqual([bad.id])
    expect(en.complete).toBe(false)
    expect(JSON.stringify(en)).not.toMatch(/undefined|call stack|node_modules/)
  })

  test('on each of many approuters is told once', async () => {
    const bad = defineRule({ ...PLAIN, id: 'approuter/a-throws', on: 'approuter', check: () => fail(new Error('x')) })
    const files = ['a', 'b', 'c'].map((name): [string, string] => [`${name}/xs-app.json`, '{"routes":[]}'])
    const { en } = await scanFiles(new Map(files), { engine: createEngine([bad]), control: { onFault: () => undefined } })
    expect(en.notices).toEqual([expect.objectContaining({ code: 'rule-failed', ruleId: bad.id })])
  })

  const endless: readonly [string, Rule][] = [
    [
      'yields',
      defineRule({
        ...PLAIN,
        id: ENDLESS,
        on: 'script',
        *check({ path }) {
          for (let at = 0; ; at++) yield { at: { file: path, span: { start: 0, end: at % 100 } } }
        },
      }),
    ],
    [
      'counts steps',
      defineRule({
        ...PLAIN,
        id: ENDLESS,
        on: 'script',
        check({ budget }) {
          for (;;) budget.step()
        },
      }),
    ],
    [
      'yields in the phase check',
      defineRule({
        ...PLAIN,
        id: ENDLESS,
        on: 'project',
        *check() {
          for (let at = 0; ; at++) yield { at: { file: 'package.json', span: { start: 0, end: at % 10 } } }
        },
      }),
    ],
  ]
  test.each(endless)('%s endlessly: its budget stops it, the others speak', async (_, bad) => {
    const { en } = await scanWith(bad)
    expect(known(en)).toEqual(KNOWN)
    const stopped = en.notices.filter(({ code }) => code === 'time-limit')
    expect(stopped.map(({ ruleId }) => ruleId)).toEqual([bad.id])
    expect(en.complete).toBe(false)
    expect(allFindings(en).filter(({ ruleId }) => ruleId === bad.id).length).toBeLessThanOrEqual(100)
  })

  test.each(endless)('%s endlessly: the same on every run', async (_, bad) => {
    expect((await scanWith(bad)).en).toEqual((await scanWith(bad)).en)
  })
})

test('a function that signs a great many tokens is read once', async () => {
  const signed = Array.from(
    { length: 1600 },
    (_, i) =>
      `const u${i} = await SELECT.one.from('Users').where({ status: 'active' }); const t${i} = jwt.sign({ sub: u${i}.ID }, K)`,
  )
  const { en } = await scanFiles(
    new Map([
      ['package.json', '{ "dependencies": { "@sap/cds": "^9", "jsonwebtoken": "^9" } }'],
      ['srv/s.cds', 'service S { action go(); }'],
      [
        'srv/s.js',
        `const jwt = require('jsonwebtoken')\nmodule.exports = (srv) => { srv.on('go', async (req) => {\n${signed.join('\n')}\n}) }`,
      ],
    ]),
  )
  expect(en.notices).toEqual([])
}, 60_000)
