import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBudget } from '../../core/budget.ts'
import { solve, toFileFlow, toHit } from '../../core/flow/index.ts'
import { factsOf } from '../facts/facts-of.ts'

/** Where a script runs: what it makes of `name` and `other`, and the faults that are told of each. */
interface Frame {
  readonly realm: 'server' | 'browser'
  readonly main: string
  readonly refuse: string
  readonly text: (before: string, own: string, given: string) => string
}

const LIBRARIES = `const { z } = require('zod')\nconst yup = require('yup')`

const FRAMES: readonly Frame[] = [
  {
    realm: 'server',
    main: 'srv/server.js',
    refuse: 'return res.sendStatus(400)',
    text: (before, own, given) => `const cds = require('@sap/cds')
const fs = require('fs')
const checks = require('./checks')
${LIBRARIES}
const { query, validationResult } = require('express-validator')
const app = require('express')()
${own}
app.get('/items', async (req, res) => {
    const { name, other } = ${given === '' ? 'req.query' : `await ${given.replace('$', 'req.query')}`}
    ${before}
    res.send('<p>' + name + '</p>')
    await cds.run("SELECT * FROM T WHERE A = '" + name + "'")
    fs.readFileSync('/data/' + name)
    res.send('<b>' + other + '</b>')
})
`,
  },
  {
    realm: 'browser',
    main: 'app/main.js',
    refuse: 'return',
    text: (before, own, given) => `import * as checks from './checks'
import { z } from 'zod'
import * as yup from 'yup'
${own}
export async function show(model) {
    const query = { name: new URLSearchParams(location.search).get('name'), other: location.hash }
    const { name, other } = ${given === '' ? 'query' : `await ${given.replace('$', 'query')}`}
    ${before}
    document.body.innerHTML = '<p>' + name + '</p>'
    model.read("/Items?$filter=Name eq '" + name + "'")
    window.open(name)
    document.body.innerHTML = '<b>' + other + '</b>'
}
`,
  },
]

/** A module that exports this as `fits`, and by a name that promises something, in the form of the realm. */
function moduleOf({ realm }: Frame, made: string): string {
  return realm === 'server'
    ? `${LIBRARIES}\nexports.fits = ${made}\nexports.isAllowed = ${made}\n`
    : `import { z } from 'zod'\nimport * as yup from 'yup'\nexport const fits = ${made}\nexport const isAllowed = ${made}\n`
}

function faultsOf(frame: Frame, before: string, own = '', elsewhere = '', given = ''): readonly string[] {
  const main = frame.text(before, own, given)
  const files = [
    [frame.main, main],
    [frame.main.replace(/\w+\.js$/, 'checks.js'), elsewhere === '' ? '' : moduleOf(frame, elsewhere)],
  ].flatMap(([path = '', text = '']) => {
    const flow = toFileFlow({ path, realm: frame.realm, text, facts: factsOf(text, path), step: () => undefined })
    return flow === undefined ? [] : [{ path, flow }]
  })
  const hits = solve(files, createBudget(1_000_000)).arrivals.map((arrival) => toHit(arrival, files))
  // places differ by what stands above, and parts by what a value is read from
  return [...new Set(hits.map(({ fault, at }) => `${fault} ${lineAt(main, at.span?.start ?? 0)}`))].sort()
}

function lineAt(text: string, start: number): string {
  return (
    text
      .slice(text.lastIndexOf('\n', start) + 1)
      .split('\n', 1)[0]
      ?.trim() ?? ''
  )
}

const MARKS = ['<', "'", '"', '..', '/'] as const
const has = (marks: readonly string[]): string =>
  marks.length === 0 ? 'false' : marks.map((mark) => `text.includes(${JSON.stringify(mark)})`).join(' || ')

/** Ways to ask somebody else whether a text has what is refused: `wrong` is a condition on `text`. */
const WAYS: Readonly<Record<string, (frame: Frame, wrong: string) => readonly string[]>> = {
  'a predicate of the file': (frame, wrong) =>
    faultsOf(frame, `if (!fits(name)) ${frame.refuse}`, `const fits = (text) => !(${wrong})`),
  'a predicate of another file': (frame, wrong) =>
    faultsOf(frame, `if (!checks.fits(name)) ${frame.refuse}`, '', `(text) => !(${wrong})`),
  'a predicate of another file, by a name': (frame, wrong) =>
    faultsOf(frame, `const isFit = checks.fits(name)\n    if (isFit === false) ${frame.refuse}`, '', `(text) => !(${wrong})`),
  'a predicate of another file that is waited for': (frame, wrong) =>
    faultsOf(frame, `if (!(await checks.fits(name))) ${frame.refuse}`, '', `async (text) => !(${wrong})`),
  'a predicate of another file with early returns': (frame, wrong) =>
    faultsOf(frame, `if (!checks.fits(name)) ${frame.refuse}`, '', `(text) => { if (${wrong}) return false; return true }`),
  'a predicate of another file on an object': (frame, wrong) =>
    faultsOf(frame, `const found = { name }\n    if (!checks.fits(name)) ${frame.refuse}`, '', `(text) => !(${wrong})`),
  'a function of another file that throws': (frame, wrong) =>
    faultsOf(frame, 'checks.fits(name)', '', `(text) => { if (${wrong}) throw new Error('no') }`),
  'a predicate of another file whose name promises more': (frame, wrong) =>
    wrong === 'false'
      ? faultsOf(frame, '')
      : faultsOf(frame, `if (!checks.isAllowed(name)) ${frame.refuse}`, '', `(text) => !(${wrong})`),
  'a schema': (frame, wrong) =>
    faultsOf(
      frame,
      '',
      `const schema = z.object({ name: z.string().refine((text) => !(${wrong})), other: z.string() })`,
      '',
      'schema.parse($)',
    ),
  'a schema of another file': (frame, wrong) =>
    faultsOf(
      frame,
      '',
      '',
      `z.object({ name: z.string().refine((text) => !(${wrong})), other: z.string() })`,
      'checks.fits.parse($)',
    ),
  'a schema of yup': (frame, wrong) =>
    faultsOf(
      frame,
      '',
      `const schema = yup.object({ name: yup.string().test('fits', 'no', (text) => !(${wrong})), other: yup.string() })`,
      '',
      'schema.validate($)',
    ),
}

describe('what a chain of express-validator refuses', () => {
  const [frame] = FRAMES
  const behind = (chain: string): readonly string[] =>
    frame === undefined
      ? []
      : faultsOf(
          { ...frame, text: (...given) => frame.text(...given).replace("'/items', ", `'/items', ${chain}, `) },
          'if (!validationResult(req).isEmpty()) return res.sendStatus(400)',
        ).filter(isOfText)
  // what stands in front of a route may ask who calls
  const isOfText = (fault: string): boolean => !fault.startsWith('cap/express-route')
  const here = (wrong: string): readonly string[] =>
    frame === undefined
      ? []
      : faultsOf(frame, `if (${wrong.replaceAll('text', 'name')}) return res.sendStatus(400)`).filter(isOfText)

  test('counts what it counts in a condition', () => {
    for (const wrong of [
      ...MARKS.map((mark) => has([mark])),
      has(MARKS),
      "!['a', 'b'].includes(text)",
      '!/^[a-z]{1,8}$/.test(text)',
    ])
      expect(behind(`query('name').custom((text) => !(${wrong}))`), wrong).toEqual(here(wrong))
    expect(behind("query('name').isIn(['a', 'b'])")).toEqual(here("!['a', 'b'].includes(text)"))
    expect(behind("query('name').trim().matches(/^[a-z]{1,8}$/)")).toEqual(here('!/^[a-z]{1,8}$/.test(text)'))
    expect(behind("query('other').isIn(['a', 'b'])")).toEqual(here("!['a', 'b'].includes(other)"))
  })
})

describe.each(FRAMES.map((frame) => [frame.realm, frame] as const))('what somebody else refuses on the %s side', (_, frame) => {
  const here = (marks: readonly string[]): readonly string[] =>
    faultsOf(frame, `if (${has(marks).replaceAll('text', 'name')}) ${frame.refuse}`)

  test('is a fault unless it is refused, and each mark takes another one away', () => {
    const faults = here([])
    expect(faults.length).toBeGreaterThan(3)
    expect(here(['<']).length).toBeLessThan(faults.length)
    expect(here([...MARKS]).length).toBeLessThan(here(['<']).length)
  })

  test.each(Object.keys(WAYS))('counts in %s what it counts in a condition', (way) => {
    fc.assert(
      fc.property(fc.subarray([...MARKS]), (marks) => {
        expect(WAYS[way]?.(frame, has(marks))).toEqual(here(marks))
      }),
      { numRuns: 10 },
    )
  })

  test.each(Object.keys(WAYS))('counts in %s where it is a list or a form', (way) => {
    const faults = faultsOf(frame, '')
    for (const fits of ["['a', 'b'].includes(text)", '/^[a-z]{1,8}$/.test(text)']) {
      const expected = faultsOf(frame, `if (!(${fits.replaceAll('text', 'name')})) ${frame.refuse}`)
      expect(expected.length, fits).toBeLessThan(faults.length)
      expect(WAYS[way]?.(frame, `!${fits}`), fits).toEqual(expected)
    }
  })

  test('counts nothing where nobody waits for it, where it is only told, or where the name alone promises it', () => {
    const faults = faultsOf(frame, '')
    expect(faultsOf(frame, `if (!checks.fits(name)) ${frame.refuse}`, '', `async (text) => ['a'].includes(text)`)).toEqual(faults)
    expect(faultsOf(frame, `if (!checks.fits(name)) console.warn('no')`, '', `(text) => ['a'].includes(text)`)).toEqual(faults)
    expect(faultsOf(frame, `if (!checks.fits(other)) ${frame.refuse}`, '', `(text) => text !== 'a'`)).toEqual(faults)
  })

  test('counts of the option that a condition chooses', () => {
    const chosen = (condition: string, elsewhere: string): readonly string[] =>
      faultsOf(
        { ...frame, text: (...given) => frame.text(...given).replace('const { name, other }', 'const { name: raw, other }') },
        `const name = ${condition} ? raw : ''`,
        '',
        elsewhere,
      )
    expect(chosen('checks.fits(raw)', `(text) => !(${has(['<'])})`)).toEqual(chosen(`!raw.includes('<')`, 'null'))
    expect(chosen('checks.isAllowed(raw)', `(text) => !(${has(['<'])})`)).toEqual(chosen(`!raw.includes('<')`, 'null'))
    expect(chosen('!checks.fits(raw)', `(text) => ${has([...MARKS])}`)).toEqual(
      chosen(`!(${has([...MARKS]).replaceAll('text', 'raw')})`, 'null'),
    )
  })
})
