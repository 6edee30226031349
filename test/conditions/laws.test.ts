import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBudget } from '../../core/budget.ts'
import { solve, toFileFlow, toHit } from '../../core/flow/index.ts'
import { factsOf } from '../facts/facts-of.ts'

/** What may be refused, and sinks each of which another refusal makes harmless. */
const MARKS = ['<', "'", '"', '..', '/'] as const
type Mark = (typeof MARKS)[number]

const SINKS = `
    res.send('<p>' + name + '</p>')
    fs.readFileSync(path.join(FOLDER, name))
    cds.run("SELECT * FROM T WHERE A = '" + name + "'")
    log.info(other)
    res.send('<b>' + other + '</b>')`

/** The faults of a route that runs this before its sinks. */
function faultsOf(before: string, own = '', elsewhere = ''): readonly string[] {
  const server = `const cds = require('@sap/cds')
const fs = require('fs')
const path = require('path')
const checks = require('./checks')
const app = require('express')()
const FOLDER = '/data'
const log = cds.log('app')
${own}
app.get('/items', async (req, res) => {
    const { name, other } = req.query
    ${before}
    ${SINKS}
})
`
  const files = [
    ['srv/server.js', server],
    ['srv/checks.js', elsewhere],
  ].flatMap(([path = '', text = '']) => {
    const flow = toFileFlow({ path, realm: 'server', text, facts: factsOf(text, path), step: () => undefined })
    return flow === undefined ? [] : [{ path, flow }]
  })
  const hits = solve(files, createBudget(1_000_000)).arrivals.map((arrival) => toHit(arrival, files))
  return [...new Set(hits.map(({ fault, sink, part }) => `${fault} ${sink} ${part}`))].sort()
}

const textOf = (mark: Mark): string => JSON.stringify(mark)
const asks = (value: string, mark: Mark): string => `${value}.includes(${textOf(mark)})`
const either = (value: string, marks: readonly Mark[]): string =>
  marks.length === 0 ? 'false' : marks.map((mark) => asks(value, mark)).join(' || ')
const neither = (value: string, marks: readonly Mark[]): string =>
  marks.length === 0 ? 'true' : marks.map((mark) => `!${asks(value, mark)}`).join(' && ')

/** Ways to refuse the same characters. */
const WAYS: Readonly<Record<string, (marks: readonly Mark[]) => readonly string[]>> = {
  'one condition': (marks) => [faultsOf(`if (${either('name', marks)}) return res.sendStatus(400)`)].flat(),
  'a condition each': (marks) =>
    faultsOf(marks.map((mark) => `if (${asks('name', mark)}) return res.sendStatus(400)`).join('\n    ')),
  'what throws': (marks) => faultsOf(marks.map((mark) => `if (${asks('name', mark)}) throw new Error('no')`).join('\n    ')),
  'what lets through': (marks) => faultsOf(`if (!(${neither('name', marks)})) return res.sendStatus(400)`),
  'a place that is found': (marks) =>
    faultsOf(marks.map((mark) => `if (name.indexOf(${textOf(mark)}) >= 0) return res.sendStatus(400)`).join('\n    ')),
  'a list': (marks) => faultsOf(`if (${JSON.stringify(marks)}.some((mark) => name.includes(mark))) return res.sendStatus(400)`),
  'a name for the condition': (marks) =>
    faultsOf(`const isWrong = ${either('name', marks)}\n    if (isWrong) return res.sendStatus(400)`),
  'a predicate of the file': (marks) =>
    faultsOf('if (fits(name) === false) return res.sendStatus(400)', `function fits(text) { return ${neither('text', marks)} }`),
  'a predicate with early returns': (marks) =>
    faultsOf(
      'if (!fits(name)) return res.sendStatus(400)',
      `const fits = (text) => { ${marks.map((mark) => `if (${asks('text', mark)}) return false`).join('; ')}; return true }`,
    ),
  'a function of the file that throws': (marks) =>
    faultsOf(
      'refuse(name)',
      `function refuse(text) { ${marks.map((mark) => `if (${asks('text', mark)}) throw new Error('no')`).join('; ')} }`,
    ),
  'a predicate of another file': (marks) =>
    faultsOf(
      'if (checks.differs(name)) return res.sendStatus(400)',
      '',
      `exports.differs = (text) => { return ${either('text', marks)} }`,
    ),
  'a function of another file that throws': (marks) =>
    faultsOf(
      'checks.refuse(name)',
      '',
      `exports.refuse = (text) => { ${marks.map((mark) => `if (${asks('text', mark)}) throw new Error('no')`).join('; ')} }`,
    ),
}

describe('what is refused', () => {
  const subsets = fc.subarray([...MARKS])

  test('without it, each sink is a fault', () => {
    const faults = faultsOf('').map((one) => one.split(' ')[0])
    for (const fault of ['cap/reflected-xss', 'cap/path-traversal', 'cap/cql-injection']) expect(faults).toContain(fault)
  })

  test.each(Object.keys(WAYS))('counts the same in %s', (way) => {
    fc.assert(
      fc.property(subsets, (marks) => {
        expect(WAYS[way]?.(marks)).toEqual(WAYS['one condition']?.(marks))
      }),
      { numRuns: 12 },
    )
  })

  test('is never more of a fault for being more', () => {
    fc.assert(
      fc.property(subsets, subsets, (marks, more) => {
        const all = MARKS.filter((mark) => marks.includes(mark) || more.includes(mark))
        const faults = faultsOf(`if (${either('name', marks)}) return res.sendStatus(400)`)
        for (const fault of faultsOf(`if (${either('name', all)}) return res.sendStatus(400)`)) expect(faults).toContain(fault)
      }),
      { numRuns: 30 },
    )
  })

  test('of one value says nothing of another', () => {
    fc.assert(
      fc.property(subsets, (marks) => {
        const ofOther = (faults: readonly string[]): readonly string[] => faults.filter((fault) => fault.includes('other'))
        expect(ofOther(faultsOf(`if (${either('name', marks)}) return res.sendStatus(400)`))).toEqual(ofOther(faultsOf('')))
      }),
      { numRuns: 12 },
    )
    expect(faultsOf('').some((fault) => fault.includes('other'))).toBe(true)
  })

  test('counts on the side where it was refused alone, and only where each way leads through it', () => {
    const faults = faultsOf('')
    expect(faultsOf(`if (!name.includes('<')) return res.sendStatus(400)`)).toEqual(faults)
    expect(faultsOf(`if (name.includes('<') && other) return res.sendStatus(400)`)).toEqual(faults)
    expect(faultsOf(`if (name.indexOf('<') === 0) return res.sendStatus(400)`)).toEqual(faults)
    expect(faultsOf(`if (other.includes('<')) return res.sendStatus(400)`).filter((one) => !one.includes('other'))).toEqual(
      faults.filter((one) => !one.includes('other')),
    )
  })
})

const OF_TEXTS = /^cap\/(?:reflected-xss|path-traversal|cql-injection) /

/** What may be asked so that a value passes. */
const CHECKS: Readonly<Record<string, (value: string) => string>> = {
  'a list': (value) => `['a', 'b'].includes(${value})`,
  'a set in small letters': (value) => `new Set(['a', 'b']).has(${value}.toLowerCase())`,
  'a table': (value) => `({ a: 1, b: 2 })[${value}]`,
  'one text or another': (value) => `(${value} === 'a' || ${value} === 'b')`,
  'a form': (value) => `/^[a-z]{1,8}$/.test(${value})`,
  'a form that is matched': (value) => `${value}.match(/^[a-z]{1,8}$/) !== null`,
  'characters that must not occur': (value) => `!/[^a-z]/.test(${value})`,
  'each character': (value) => `[...${value}].every((one) => 'abc'.includes(one))`,
  'a number': (value) => `typeof ${value} === 'number'`,
}

/** Ways to let pass what fits. */
const LETTING: Readonly<Record<string, (asks: (value: string) => string) => readonly string[]>> = {
  'a condition': (asks) => faultsOf(`if (!(${asks('name')})) return res.sendStatus(400)`),
  'a condition that throws': (asks) => faultsOf(`if (!(${asks('name')})) throw new Error('no')`),
  'a condition beside others': (asks) =>
    faultsOf(`if (typeof name === 'object' || !(${asks('name')})) return res.sendStatus(400)`),
  'a name for the condition': (asks) => faultsOf(`const fits = ${asks('name')}\n    if (!fits) return res.sendStatus(400)`),
  'a predicate of the file': (asks) =>
    faultsOf('if (!fits(name)) return res.sendStatus(400)', `function fits(text) { return ${asks('text')} }`),
  'a predicate with early returns': (asks) =>
    faultsOf(
      'if (!fits(name)) return res.sendStatus(400)',
      `const fits = (text) => { if (${asks('text')}) return true; return false }`,
    ),
  'a function of the file that throws': (asks) =>
    faultsOf('refuse(name)', `function refuse(text) { if (!(${asks('text')})) throw new Error('no') }`),
  'a predicate of another file': (asks) =>
    faultsOf('if (!checks.fits(name)) return res.sendStatus(400)', '', `exports.fits = (text) => { return ${asks('text')} }`),
  'a function of another file that throws': (asks) =>
    faultsOf('checks.refuse(name)', '', `exports.refuse = (text) => { if (!(${asks('text')})) throw new Error('no') }`),
}

describe('what is let pass', () => {
  const ofName = (faults: readonly string[]): readonly string[] =>
    faults.filter((fault) => OF_TEXTS.test(fault) && !fault.includes('other'))

  test.each(Object.keys(CHECKS))('by %s is no fault, however that is asked', (check) => {
    const asks = CHECKS[check] ?? String
    for (const [way, read] of Object.entries(LETTING)) expect(ofName(read(asks)), way).toEqual([])
  })

  test.each(Object.keys(CHECKS))('by %s on the wrong side, or of another value, is one', (check) => {
    const asks = CHECKS[check] ?? String
    const faults = ofName(faultsOf(''))
    expect(ofName(faultsOf(`if (!(${asks('other')})) return res.sendStatus(400)`))).toEqual(faults)
    expect(ofName(faultsOf(`if (${asks('name')} && other) return res.sendStatus(400)`))).toEqual(faults)
    expect(ofName(faultsOf(`if (!(${asks('name')}) && other) return res.sendStatus(400)`))).toEqual(faults)
    expect(ofName(faultsOf(`if (!(${asks('name')})) log.warn('no')`))).toEqual(faults)
  })
})
