import { spawnSync } from 'node:child_process'
import { createStorage } from 'unstorage'
import { strToU8, zipSync } from 'fflate'
import { beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../adapters/node/log.ts'
import { createScanner } from '../../handlers/index.ts'
import { createForm } from '../api/sample.ts'
import { bundleCli } from '../bundle.ts'
import { drawn } from '../soak.ts'
import { zipOf } from '../runners/projects.ts'
import { createDraw, withChecksum, type Draw } from './material/draw.ts'

/** How a credential comes to stand in a name: the text around it, and what is public of it. */
const KINDS: readonly ((draw: Draw) => { readonly written: string; readonly secret: string })[] = [
  (draw) => toToken('glpat-', draw.shape('{u20}')),
  (draw) => toToken('', withChecksum(draw, 'ghp_').slice(4), 'ghp_'),
  (draw) => toToken('xoxb-', draw.shape('{d12}-{d13}-{w24}')),
  (draw) => toToken('sk_live_', draw.shape('{w24}')),
  (draw) => toToken('SG.', draw.shape('{u22}.{u43}')),
  (draw) => toToken('shpat_', draw.shape('{h32}')),
  (draw) => toToken('password=', draw.shape('{A1}{a3}{d2}_{w12}{d2}')),
  (draw) => toToken('client_secret=', draw.shape('{A1}{d1}{a1}{w24}')),
  (draw) => toToken('apikey=', draw.shape('{A1}{d1}{a1}{w29}')),
  (draw) => toToken('token=', draw.shape('{A1}{d1}{a1}{w33}')),
  // bare ones, beside a word of the name that says so
  (draw) => toToken('db-password-', draw.shape('{A1}{a6}_{A1}{a3}{d4}')),
  (draw) => toToken('pw_', draw.shape('{A1}{a1}{d1}_{w14}{d1}')),
  (draw) => {
    const secret = draw.shape('{A1}{a1}{d1}-{w14}{d1}')
    return { written: `${secret}.password`, secret }
  },
]

function toToken(lead: string, secret: string, prefix = ''): { written: string; secret: string } {
  return { written: `${lead}${prefix}${secret}`, secret }
}

const PART = 6
const planted: string[] = []

/** One credential of each kind, other ones each time. */
function draw(place: string): string[] {
  return KINDS.map((kind, at) => {
    const { written, secret } = kind(createDraw(`refusal ${place} ${at}`))
    planted.push(secret)
    return written
  })
}

let places = 0
/** Of each place other kinds, since each is two uploads; in a soak all. */
function drawSome(place: string): string[] {
  return drawn(draw(place), 4, places++)
}

function leaksIn(said: string): string[] {
  return planted.filter((secret) => {
    for (let at = 0; at + PART <= secret.length; at++) {
      const part = secret.slice(at, at + PART)
      // hashes and ids have such digits too
      if (!/^[0-9a-f-]+$/.test(part) && said.includes(part)) return true
    }
    return false
  })
}

interface Said {
  readonly statuses: readonly number[]
  readonly text: string
}

/** What the service answers, stores and logs of one upload. */
async function upload(bytes: Uint8Array, name: string, fields: Readonly<Record<string, string>> = {}): Promise<Said> {
  const storage = createStorage()
  const logged: string[] = []
  const raw: unknown[] = []
  const logs = [createLog('text', (line) => logged.push(line)), createLog('json', (line) => logged.push(line))]
  const { app } = createScanner({
    storage,
    log(entry) {
      raw.push(entry, ...Object.values(entry).map(String))
      for (const log of logs) log(entry)
    },
  })
  const form = createForm({ project: [name, bytes], ...fields })
  const send = (headers: Record<string, string> = {}): Promise<Response> =>
    Promise.resolve(
      app.fetch(
        new Request('http://localhost/api/scan/upload', {
          method: 'POST',
          headers: { ...form.headers, ...headers },
          body: Buffer.from(form.body),
        }),
      ),
    )
  const answers = [await send(), await send({ accept: 'text/event-stream' })]
  const history = await app.fetch(new Request('http://localhost/api/scan/history'))
  const texts = await Promise.all(
    [...answers, history].map(async (answer) => `${JSON.stringify([...answer.headers])} ${await answer.text()}`),
  )
  const stored = await Promise.all((await storage.getKeys()).map(async (key) => `${key} ${String(await storage.getItem(key))}`))
  return { statuses: answers.map(({ status }) => status), text: [...texts, ...stored, ...logged, JSON.stringify(raw)].join('\n') }
}

const SHOP = { 'package.json': '{ "name": "o" }', 'srv/server.js': 'module.exports = (req) => eval(req.query.code)\n' }

describe('a credential in a name is not told', () => {
  test.each(drawSome('entry'))('of an entry that points outside: %s', async (name) => {
    const { statuses, text } = await upload(zipOf({ ...SHOP, [`../${name}/a.js`]: 'x' }), 'a.zip')
    expect(statuses[0]).toBe(422)
    expect(text).toContain('"entry"')
    expect(leaksIn(text)).toEqual([])
  })

  test.each(drawSome('long'))('of an entry whose path is too long: %s', async (name) => {
    const { statuses, text } = await upload(zipOf({ ...SHOP, [`${'a/'.repeat(140)}${name}`]: 'x' }), 'a.zip')
    expect(statuses[0]).toBe(413)
    expect(leaksIn(text)).toEqual([])
  })

  test.each(drawSome('damaged'))('of an entry that is damaged: %s', async (name) => {
    const bytes = zipSync({ [`keys/${name}.js`]: strToU8('const a = 1\n'.repeat(50)) }, { level: 0 })
    const { statuses, text } = await upload(
      bytes.map((byte, at) => (at === 300 ? byte ^ 1 : byte)),
      'a.zip',
    )
    expect(statuses[0]).toBe(422)
    expect(leaksIn(text)).toEqual([])
  })

  test.each(drawSome('file name'))('of the file that is uploaded: %s', async (name) => {
    const { statuses, text } = await upload(zipOf(SHOP), `${name}.zip`)
    expect(statuses[0]).toBe(201)
    expect(text).toContain('***')
    expect(leaksIn(text)).toEqual([])
  })

  test.each(drawSome('project name'))('of the project: %s', async (name) => {
    const { statuses, text } = await upload(zipOf(SHOP), 'a.zip', { projectName: `shop ${name}` })
    expect(statuses[0]).toBe(201)
    expect(text).toContain('shop ')
    expect(leaksIn(text)).toEqual([])
  })

  test.each(drawSome('configuration'))('of what a configuration suppresses: %s', async (name) => {
    const config = JSON.stringify({
      suppress: [
        { rule: name },
        { id: name, reason: 'old', until: '2020-01-01' },
        { rule: 'cap/code-injection', reason: `known: ${name}` },
      ],
    })
    const { statuses, text } = await upload(zipOf({ ...SHOP, 'parapet.config.json': config }), 'a.zip')
    expect(statuses[0]).toBe(201)
    expect(text).toContain('suppressions-ignored')
    expect(leaksIn(text)).toEqual([])
  })

  test('of an address that is asked for', async () => {
    const logged: string[] = []
    const { app } = createScanner({ log: (entry) => logged.push(JSON.stringify(entry)) })
    for (const name of draw('address')) {
      const answer = await app.fetch(new Request(`http://localhost/api/${'x'.repeat(270)}/${name}?${name}`))
      logged.push(await answer.text())
      logged.push(await (await app.fetch(new Request(`http://localhost/api/scan/${name}`))).text())
      await app.fetch(new Request(`http://localhost/api/${encodeURIComponent(`${name}!`)}`))
    }
    expect(logged.length).toBeGreaterThan(2 * KINDS.length)
    expect(leaksIn(logged.join('\n'))).toEqual([])
  })

  test('of an error that is logged', () => {
    const said: string[] = []
    const log = createLog('text', (line) => said.push(line))
    for (const name of draw('error')) {
      log({
        level: 'error',
        event: 'failed',
        cause: new Error(`no ${name}`, { cause: new Error(`at ${name}`) }),
        deep: [{ name }],
      })
      log({ level: 'error', event: 'uncaught', error: new Error(`open '/srv/${name}'`).stack })
    }
    expect(said.join('')).toContain('no ')
    expect(leaksIn(said.join('\n'))).toEqual([])
  })
})

describe('the command line does not repeat a credential', () => {
  const folder = new URL('../../', import.meta.url).pathname
  let cli: string
  beforeAll(() => {
    cli = bundleCli()
  })
  const [first = '', second = '', third = '', fourth = '', ...others] = draw('arguments')
  const calls: readonly (readonly [name: string, args: readonly string[], env?: Record<string, string>])[] = [
    ['an option', [`--${others.find((it) => it.startsWith('password')) ?? ''}`]],
    ['an option with a blank', ['scan', '.', `--token-${first}`]],
    ['a rule', ['scan', '.', '--rule', second]],
    ['a rule to explain', ['explain', third]],
    ['a folder', ['scan', `/nowhere/${fourth}`]],
    ['a baseline', ['scan', 'test/projects/shop', '--baseline', `/nowhere/${first}.json`]],
    ['an output', ['scan', 'test/projects/shop', '-o', `/nowhere/${others[0] ?? ''}`]],
    ['a report', ['compare', 'package.json', `/nowhere/${others[2] ?? ''}`]],
    ['a setting', ['scan', '.'], { PARAPET_MAX_UPLOAD: others[3] ?? '' }],
  ]

  test.each(calls.map(([name, args, env = {}]) => ({ name, args, env })))('$name', ({ args, env }) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PARAPET_ADVISORIES: 'bundled', ...env },
    })
    expect(status).not.toBe(0)
    expect(stderr.length).toBeGreaterThan(10)
    expect(leaksIn(stdout + stderr)).toEqual([])
  })
})

test('there are sixty and more, and one that is told would be noticed', () => {
  expect(planted.length).toBeGreaterThanOrEqual(60)
  expect(leaksIn(`… ${(planted[0] ?? '').slice(2, 10)} …`)).not.toEqual([])
})
