import { describe, expect, test } from 'vitest'
import { createBudget } from '../../core/budget.ts'
import { solve, toFileFlow, toHit } from '../../core/flow/index.ts'
import { factsOf } from '../facts/facts-of.ts'

type Fault = 'cap/path-traversal' | 'cap/ssrf' | 'cap/open-redirect'

/** The faults of a server that runs this before it reads a file, asks another host and leads elsewhere. */
function faultsOf(before: string, own = '', elsewhere = '', used = 'name'): readonly Fault[] {
  const server = `const fs = require('fs')
const path = require('path')
const checks = require('./checks')
const app = require('express')()
const FOLDER = path.join(__dirname, 'maps')
const HOSTS = ['a.example', 'b.example']
${own}
app.get('/maps', async (req, res) => {
    const { name, other } = req.query
    ${before}
    if (req.query.way === 'file') fs.readFile(${used}, () => undefined)
    if (req.query.way === 'host') await fetch(${used})
    res.redirect(${used})
})
`
  const files = [
    ['srv/server.js', server],
    ['srv/checks.js', `const path = require('path')\nconst FOLDER = path.join(__dirname, 'maps')\n${elsewhere}`],
  ].flatMap(([path = '', text = '']) => {
    const flow = toFileFlow({ path, realm: 'server', text, facts: factsOf(text, path), step: () => undefined })
    return flow === undefined ? [] : [{ path, flow }]
  })
  const found = new Set(solve(files, createBudget(1_000_000)).arrivals.map((arrival) => toHit(arrival, files).fault))
  return FAULTS.filter((fault) => found.has(fault))
}

const FAULTS: readonly Fault[] = ['cap/path-traversal', 'cap/ssrf', 'cap/open-redirect']

/** What may be asked of a value, and the faults that are left then. */
const CHECKS: Readonly<Record<string, { readonly asks: (value: string) => string; readonly left: readonly Fault[] }>> = {
  'a folder of a resolved path': { asks: (value) => `path.resolve(FOLDER, ${value}).startsWith(FOLDER)`, left: [] },
  'a folder by its place': { asks: (value) => `path.normalize(${value}).indexOf(FOLDER) === 0`, left: [] },
  'the way from a folder': { asks: (value) => `!path.relative(FOLDER, ${value}).startsWith('..')`, left: [] },
  'the host': { asks: (value) => `['a.example'].includes(new URL(${value}).host)`, left: ['cap/path-traversal'] },
  'the end of the host': {
    asks: (value) => `new URL(${value}).hostname.endsWith('.corp.example')`,
    left: ['cap/path-traversal'],
  },
  'one slash': { asks: (value) => `${value}.startsWith('/') && !${value}.startsWith('//')`, left: ['cap/path-traversal'] },
  'one slash by characters': { asks: (value) => `${value}[0] === '/' && ${value}[1] !== '/'`, left: ['cap/path-traversal'] },
  'one slash by a pattern': { asks: (value) => String.raw`/^\/(?!\/)/.test(${value})`, left: ['cap/path-traversal'] },
  'one slash alone': { asks: (value) => `${value}.startsWith('/')`, left: FAULTS },
  'a scheme': { asks: (value) => `${value}.startsWith('https://')`, left: FAULTS },
  'a host that goes on': { asks: (value) => `${value}.startsWith('https://a.example')`, left: FAULTS },
  'a word': { asks: (value) => `${value}.startsWith('ORDER')`, left: ['cap/path-traversal', 'cap/ssrf'] },
  'a word or a longer text': {
    asks: (value) => `(${value}.startsWith('/app/') || ${value}.startsWith('orders'))`,
    left: ['cap/path-traversal', 'cap/ssrf'],
  },
  'the beginning of a scheme': { asks: (value) => `${value}.startsWith('ht')`, left: FAULTS },
  'an end': { asks: (value) => `${value}.endsWith('.example')`, left: FAULTS },
  'another value': { asks: (value) => `${value} === process.env.OTHER`, left: FAULTS },
}

/** Where that may be asked. */
const WAYS: Readonly<Record<string, (asks: (value: string) => string) => readonly Fault[]>> = {
  'a condition': (asks) => faultsOf(`if (!(${asks('name')})) return res.sendStatus(400)`),
  'a condition that throws': (asks) => faultsOf(`if (!(${asks('name')})) throw new Error('no')`),
  'a name for it': (asks) => faultsOf(`const fits = ${asks('name')}\n    if (!fits) return res.sendStatus(400)`),
  'two negations': (asks) => faultsOf(`if (!!!(${asks('name')})) return res.sendStatus(400)`),
  'a condition beside another': (asks) => faultsOf(`if (!name || !(${asks('name')})) return res.sendStatus(400)`),
  'a predicate': (asks) =>
    faultsOf('if (!looked(name)) return res.sendStatus(400)', `const looked = (text) => { return ${asks('text')} }`),
  'a predicate with early returns': (asks) =>
    faultsOf(
      'if (!looked(name)) return res.sendStatus(400)',
      `function looked(text) { if (!text) return false; if (!(${asks('text')})) return false; return true }`,
    ),
  'a function that throws': (asks) =>
    faultsOf('refuse(name)', `function refuse(text) { if (!(${asks('text')})) throw new Error('no') }`),
  'a predicate of another file': (asks) =>
    faultsOf('if (!checks.looked(name)) return res.sendStatus(400)', '', `exports.looked = (text) => { return ${asks('text')} }`),
  'a function of another file that throws': (asks) =>
    faultsOf('checks.refuse(name)', '', `exports.refuse = (text) => { if (!(${asks('text')})) throw new Error('no') }`),
}

describe('what paths and addresses begin with', () => {
  test('is asked, or each of them is a fault', () => expect(faultsOf('')).toEqual(FAULTS))

  test.each(Object.keys(CHECKS))('counts the same wherever it is asked: %s', (check) => {
    const { asks = String, left = [] } = CHECKS[check] ?? {}
    for (const [way, read] of Object.entries(WAYS)) expect(read(asks), way).toEqual(left)
  })

  test.each(Object.keys(CHECKS))(
    'says nothing on the other side, of another value, or where another way leads past it: %s',
    (check) => {
      const { asks = String } = CHECKS[check] ?? {}
      expect(faultsOf(`if (${asks('name')}) return res.sendStatus(400)`)).toEqual(FAULTS)
      expect(faultsOf(`if (!(${asks('other')})) return res.sendStatus(400)`)).toEqual(FAULTS)
      expect(faultsOf(`if (!(${asks('name')}) && other) return res.sendStatus(400)`)).toEqual(FAULTS)
    },
  )

  test('of one field is nothing of another, and of an address all that is read from it', () => {
    const made = 'const url = new URL(name)\n    if (!HOSTS.includes(url.hostname)) return res.sendStatus(400)'
    for (const used of ['name', 'url', 'url.href', 'url.pathname']) {
      expect(faultsOf(made, '', '', used), used).not.toContain('cap/ssrf')
      expect(faultsOf(made, '', '', used), used).not.toContain('cap/open-redirect')
    }
    const ofQuery = 'if (!HOSTS.includes(req.query.host)) return res.sendStatus(400)'
    expect(faultsOf(ofQuery, '', '', 'req.query.target')).toEqual(FAULTS)
  })

  test('is not believed of a path that was put together or came in as it is', () => {
    const asked = (value: string): string => `if (!${value}.startsWith(FOLDER)) return res.sendStatus(400)`
    expect(faultsOf(asked('name'))).toEqual(['cap/path-traversal'])
    expect(faultsOf(asked('req.query.file'), '', '', 'req.query.file')).toEqual(['cap/path-traversal'])
    const joined = 'const file = FOLDER + name\n    '
    expect(faultsOf(`${joined}${asked('file')}`, '', '', 'file')).toContain('cap/path-traversal')
    const resolved = 'const file = path.resolve(FOLDER, name)\n    '
    expect(faultsOf(`${resolved}${asked('file')}`, '', '', 'file')).not.toContain('cap/path-traversal')
  })

  test('may be the folder itself as well', () => {
    const made = 'const file = path.resolve(FOLDER, name)\n    '
    for (const asked of [
      `file !== FOLDER && !file.startsWith(FOLDER + path.sep)`,
      `!(file === FOLDER || file.startsWith(FOLDER + path.sep))`,
      `path.relative(FOLDER, file) && path.relative(FOLDER, file).startsWith('..')`,
    ])
      expect(faultsOf(`${made}if (${asked}) return res.sendStatus(400)`, '', '', 'file'), asked).not.toContain(
        'cap/path-traversal',
      )
  })
})
