import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keepInMemory, openStoredResults, type KeptResults } from '../../adapters/node/kept-results/index.ts'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { createEngine, scan, type FileReader } from '../../core/host.ts'
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
    let files = start
    for (let round = 0; round < runs(60, 6); round++) {
      const { told, edited } = editRandomly(files, start, chance)
      files = edited
      const wanted = await scanWith(files)
      expect(await scanWith(files, memory.readFile), `memory, ${told}`).toEqual(wanted)
      const kept = stored(`edited ${name}`)
      expect(await scanWith(files, kept.readFile), `disk, ${told}`).toEqual(wanted)
      kept.finish()
    }
    expect(memory.counts().kept).toBeGreaterThan(memory.counts().read)
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
  for (const project of drawn([...listProjects(['examples', 'labelled', 'projects'], [], [])], 40))
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
