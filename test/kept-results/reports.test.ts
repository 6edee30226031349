import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLiveResults, keepInMemory, openStoredResults, type KeptResults } from '../../adapters/node/kept-results/index.ts'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { createEngine, scan, withOwnArrays, type FileReader } from '../../core/scanner.ts'
import { DEFAULT_LIMITS } from '../../core/limits.ts'
import { toFileResult } from '../../core/phases/read-file.ts'
import { RULES } from '../../core/rules/index.ts'
import { listProjects, optionsOf } from '../compare/projects.ts'
import { readLabelledProjects } from '../flow/labelled.ts'
import { createChance } from '../hostile/mutate.ts'
import { ORDERS, SHOP } from '../runners/projects.ts'
import { toSource } from '../scan-files.ts'
import { drawSecret } from '../secret-values.ts'
import { drawn, runs } from '../soak.ts'
import { editRandomly } from './edits.ts'

type Files = ReadonlyMap<string, string>

const engine = createEngine(RULES)
const ports = { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() }
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-kept-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Both reports as bytes. */
async function scanWith(files: Files, readFile?: FileReader, date = '2026-11-20'): Promise<readonly string[]> {
  const { records } = await scan(toSource(files), optionsOf('x', date), engine, ports, {}, readFile)
  return [records.en, records.fr].map((bytes) => new TextDecoder().decode(bytes))
}

const stored = (project: string): KeptResults => {
  const kept = openStoredResults({ folder, project: `/projects/${project}`, fingerprint: 'f' })
  if (kept === undefined) throw new Error('nothing can be stored')
  return kept
}

/** All of it that can be frozen: whoever writes to it throws. */
function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return value
  Object.freeze(value)
  Object.values(value).forEach(freeze)
  return value
}

/** Of all typed arrays in it, the bytes of the memory that they lie in, beyond their own. */
function heldBeyond(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (ArrayBuffer.isView(value)) return value.buffer.byteLength - value.byteLength
  return Object.values(value).reduce((sum: number, part) => sum + heldBeyond(part), 0)
}

/** The same by a scan that an equal one may answer; `isKnown`: whether one did. */
async function scanWhole(
  files: Files,
  kept: KeptResults,
  options = optionsOf('x', '2026-11-20'),
  asked = ports,
): Promise<{ readonly reports: readonly string[]; readonly isKnown: boolean }> {
  const whole = kept.whole?.(toSource(files), options, asked)
  if (whole === undefined) throw new Error('whole reports are kept on the disk')
  const known = await whole.find()
  const records = known ?? (await scan(whole.source, options, engine, whole.ports, {}, kept.readFile)).records
  if (known === undefined) whole.keep(records)
  kept.finish()
  return { reports: [records.en, records.fr].map((bytes) => new TextDecoder().decode(bytes)), isKnown: known !== undefined }
}

/** Names of modules by packages and paths, views in several forms, a configuration with functions of the project's own. */
const WORKSPACES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "all", "workspaces": ["libs/*", "srv"], "dependencies": { "@sap/cds": "^9", "@all/run": "*" } }',
  'libs/run/package.json': '{ "name": "@all/run", "main": "index.js" }',
  'libs/run/index.js': "const { exec } = require('node:child_process')\nexports.run = (text) => exec(text)\n",
  'libs/clean/package.json': '{ "name": "@all/clean", "main": "index.js" }',
  'libs/clean/index.js': "exports.clean = (text) => text.replace(/[^a-z]/g, '')\n",
  'tsconfig.json': '{ "compilerOptions": { "baseUrl": ".", "paths": { "~/*": ["libs/*"] } } }',
  'srv/orders.cds':
    "service Orders @(requires: 'any') { action start(name : String) returns String; entity Books { key ID : Integer; } }\n",
  'srv/orders.js':
    "const { run } = require('@all/run')\nmodule.exports = (srv) => {\n  srv.on('start', (req) => run(req.data.name))\n  srv.on('READ', 'Books', (req) => run('ls ' + req.data.ID))\n}\n",
  'srv/other.ts': "import { run } from '~/run'\nexport const go = (name: string) => run(name)\n",
  'app/webapp/manifest.json':
    '{ "sap.app": { "id": "all.app", "type": "application" }, "sap.ui5": { "rootView": "all.app.view.Main" } }',
  'app/webapp/view/Main.view.xml':
    '<mvc:View xmlns:mvc="sap.ui.core.mvc" xmlns="sap.m" xmlns:c="sap.ui.core" controllerName="all.app.controller.Main"><c:HTML content="{/text}"/><Input value="{/text}"/></mvc:View>\n',
  'app/webapp/controller/Main.controller.js':
    "sap.ui.define(['sap/ui/core/mvc/Controller', 'sap/ui/model/json/JSONModel'], (Controller, JSONModel) =>\n  Controller.extend('all.app.controller.Main', {\n    onInit() {\n      const model = new JSONModel({ text: '' })\n      this.getView().setModel(model)\n      model.setProperty('/text', new URLSearchParams(location.search).get('a'))\n    },\n  }))\n",
  'parapet.config.json': '{ "exclude": ["docs/**"] }',
}

const largest = (area: string): Files => {
  const [first] = [...readLabelledProjects(area)].toSorted((a, b) => b.files.size - a.files.size)
  return first?.files ?? new Map()
}

const PROJECTS: readonly (readonly [string, Files])[] = [
  ['shop', new Map(Object.entries(SHOP))],
  ['orders', new Map(Object.entries(ORDERS))],
  ['workspaces', new Map(Object.entries(WORKSPACES))],
  ['labelled service', largest('cap')],
  ['labelled app', largest('ui5')],
]

describe('a report is the same byte for byte', () => {
  test.each(PROJECTS)('%s: when nothing changed, from memory and from the disk', async (name, files) => {
    const wanted = await scanWith(files)
    const memory = keepInMemory()
    for (let round = 0; round < 2; round++) expect(await scanWith(files, memory.readFile)).toEqual(wanted)
    // the same results again and again, as they are: no scan may change them
    const live = createLiveResults((...args) => freeze(toFileResult(...args)))
    for (let round = 0; round < 3; round++) {
      expect(await scanWith(files, live.readFile)).toEqual(wanted)
      live.finish()
    }
    for (let round = 0; round < 2; round++) {
      const kept = stored(name)
      expect(await scanWith(files, kept.readFile)).toEqual(wanted)
      kept.finish()
      if (round === 1) expect(kept.counts().kept).toBeGreaterThan(kept.counts().read)
    }
  })

  // each of them is two scans and more
  test.each(PROJECTS)('%s: after each of many random edits', async (name, start) => {
    const chance = createChance(39)
    const memory = keepInMemory()
    const live = createLiveResults()
    let files = start
    for (let round = 0; round < runs(60, 12); round++) {
      const { told, edited } = editRandomly(files, start, chance)
      files = edited
      const wanted = await scanWith(files)
      expect(await scanWith(files, memory.readFile), `memory, ${told}`).toEqual(wanted)
      expect(await scanWith(files, live.readFile), `live, ${told}`).toEqual(wanted)
      live.finish()
      const kept = stored(`edited ${name}`)
      expect(await scanWith(files, kept.readFile), `disk, ${told}`).toEqual(wanted)
      kept.finish()
      for (const isKnown of [false, true]) {
        const whole = await scanWhole(files, stored(`whole ${name}`))
        expect(whole.reports, `whole, ${told}`).toEqual(wanted)
        // an edit may have been undone, and then the report from before it is known
        if (isKnown) expect(whole.isKnown, told).toBe(true)
      }
    }
    expect(memory.counts().kept).toBeGreaterThan(memory.counts().read)
  })

  test('by results that were kept of an earlier session, when the names of modules lead elsewhere', async () => {
    const files = new Map(Object.entries(WORKSPACES))
    const before = stored('earlier session')
    await scanWith(files, before.readFile)
    before.finish()
    const live = createLiveResults(stored('earlier session').readFile)
    expect(await scanWith(files, live.readFile)).toEqual(await scanWith(files))
    live.finish()
    expect(live.counts().read).toBeGreaterThan(0)
    const renamed = new Map([...files, ['libs/run/package.json', '{ "name": "@all/other", "main": "index.js" }']])
    const wanted = await scanWith(renamed)
    expect(wanted).not.toEqual(await scanWith(files))
    expect(await scanWith(renamed, live.readFile)).toEqual(wanted)
  })

  test('with arrays that hold no more memory than their own', async () => {
    const files = new Map(Object.entries(ORDERS))
    let held = 0
    let shared = 0
    const tell: FileReader = (...file) => {
      const result = kept.readFile(...file)
      const copy: typeof result = deserialize(serialize(result))
      shared += heldBeyond(copy)
      held += heldBeyond(result) + heldBeyond(withOwnArrays(copy))
      return result
    }
    let kept = stored('own arrays')
    await scanWith(files, kept.readFile)
    kept.finish()
    kept = stored('own arrays')
    await scanWith(files, tell)
    expect(kept.counts().kept).toBeGreaterThan(kept.counts().read)
    expect(held).toBe(0)
    // otherwise there would be nothing to do
    expect(shared).toBeGreaterThan(0)
  })

  test('of an earlier session, which lets go of them after its first scan', async () => {
    const files = new Map(Object.entries(ORDERS))
    const before = stored('first scan alone')
    await scanWith(files, before.readFile)
    before.finish()
    const older = stored('first scan alone')
    const live = createLiveResults(older.readFile)
    await scanWith(files, live.readFile)
    live.finish()
    const asked = older.counts()
    expect(asked.kept).toBeGreaterThan(0)
    const edited = new Map([...files].map(([path, text]) => [path, `${text}\n`]))
    expect(await scanWith(edited, live.readFile)).toEqual(await scanWith(edited))
    expect(older.counts()).toEqual(asked)
  })

  test('as a whole: with the number and time of its own scan, and only for the same day, settings, list of files and answers', async () => {
    const files = new Map(Object.entries(ORDERS))
    const kept = stored('whole')
    const options = optionsOf('x', '2026-11-20')
    const full = async (own: typeof options, of: Files = files, asked = ports): Promise<readonly string[]> => {
      const { records } = await scan(toSource(of), own, engine, asked, {})
      return [records.en, records.fr].map((bytes) => new TextDecoder().decode(bytes))
    }
    expect((await scanWhole(files, kept)).isKnown).toBe(false)
    const later = { ...options, scanId: '11111111-1111-7111-8111-111111111111', scannedAt: '2026-11-20T23:59:59.999Z' }
    expect(await scanWhole(files, kept, later)).toEqual({ isKnown: true, reports: await full(later) })
    const others = [
      { ...options, scannedAt: '2026-11-21T00:00:00.000Z' },
      { ...options, suppressions: false },
      { ...options, projectName: 'y' },
      { ...options, limits: { ...DEFAULT_LIMITS, parse: 100 } },
      { ...options, fingerprintKey: 'another key of this server' },
    ]
    for (const other of others)
      expect(await scanWhole(files, kept, other)).toEqual({ isKnown: false, reports: await full(other) })
    // of a file that no scan reads the name counts
    const more = new Map([...files, ['app/logo.png', 'x']])
    expect(await scanWhole(more, kept)).toEqual({ isKnown: false, reports: await full(options, more) })
    const unreachable = {
      ...ports,
      catalogue: { overview: async (needed: boolean) => ({ ...(await ports.catalogue.overview(needed)), complete: false }) },
    }
    expect(await scanWhole(files, kept, options, unreachable)).toEqual({
      isKnown: false,
      reports: await full(options, files, unreachable),
    })
  })

  test('as a whole: what is cut or changed on the disk is scanned again', async () => {
    const files = new Map(Object.entries(SHOP))
    const wanted = await scanWith(files)
    const before = new Set(readdirSync(join(folder, 'results')))
    await scanWhole(files, stored('spoilt'))
    const pack = readdirSync(join(folder, 'results')).find((name) => !before.has(name)) ?? ''
    const bytes = readFileSync(join(folder, 'results', pack))
    const chance = createChance(7)
    for (let round = 0; round < runs(100, 20); round++) {
      const spoilt = Buffer.from(bytes)
      const at = chance.below(spoilt.length)
      spoilt[at] = (spoilt[at] ?? 0) ^ (1 << chance.below(8))
      writeFileSync(join(folder, 'results', pack), round % 4 === 0 ? bytes.subarray(0, at) : spoilt)
      expect((await scanWhole(files, stored('spoilt'))).reports).toEqual(wanted)
    }
  })

  test('on another day, and with other limits', async () => {
    const files = new Map(Object.entries(SHOP))
    const { readFile } = keepInMemory()
    for (const date of ['2026-11-20', '2031-01-01', '2019-01-01'])
      expect(await scanWith(files, readFile, date)).toEqual(await scanWith(files, undefined, date))
    const options = { ...optionsOf('x', '2026-11-20'), limits: { ...DEFAULT_LIMITS, parse: 100 }, suppressions: false }
    const reportOf = async (reader?: FileReader): Promise<string> =>
      new TextDecoder().decode((await scan(toSource(files), options, engine, ports, {}, reader)).records.en)
    expect(await reportOf(readFile)).toBe(await reportOf())
  })
})

test('what files leave is plain: as it was written, so it is read', { timeout: 300_000 }, async () => {
  const wrong: string[] = []
  const check: FileReader = (planned, decoded, context) => {
    const result = toFileResult(planned, decoded, context)
    const copy: unknown = deserialize(serialize(result))
    try {
      expect(copy).toEqual(result)
    } catch {
      wrong.push(planned.path)
    }
    return result
  }
  for (const project of drawn([...listProjects(['examples', 'labelled', 'projects'], [], [])], 100))
    await scan(project.open(), optionsOf(project.name, project.date), engine, ports, {}, check)
  expect(wrong).toEqual([])
})

test('no credential, and no other text of a file, stands on the disk', async () => {
  const token = drawSecret('password-signs', 'kept')
  const files = new Map([
    [
      'srv/a.js',
      `const password = '${token}'\nmodule.exports = (srv) => srv.on('READ', (req) => eval(req.data.unrecognisedWords))\n`,
    ],
    // nothing tells that this is one
    [
      'srv/b.js',
      "const phrase = 'the heron never lands twice'\nmodule.exports = (srv) => srv.on('READ', (req) => eval(req.data.name + phrase))\n",
    ],
    ['default-env.json', '{ "VCAP_SERVICES": { "note": "the heron never lands twice" } }'],
    ['package.json', '{ "dependencies": { "@sap/cds": "^9" } }'],
  ])
  const kept = stored('credentials')
  const [report] = await scanWith(files, kept.readFile)
  expect(report).toContain('secrets/')
  kept.finish()
  const again = stored('credentials')
  await scanWith(files, again.readFile)
  // that with the token is read again
  expect(again.counts()).toEqual({ kept: 3, read: 1 })
  for (const name of readdirSync(join(folder, 'results'))) {
    const bytes = readFileSync(join(folder, 'results', name)).toString('latin1')
    for (const text of [token, token.slice(0, 16), 'heron', 'unrecognisedWords', 'srv/a.js', 'VCAP_SERVICES'])
      expect(bytes).not.toContain(text)
    expect(statSync(join(folder, 'results', name)).mode & 0o777).toBe(0o600)
  }
  expect(statSync(join(folder, 'results')).mode & 0o777).toBe(0o700)
})
