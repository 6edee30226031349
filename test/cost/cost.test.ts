import { describe, expect, test } from 'vitest'
import { createChance } from '../hostile/mutate.ts'
import { runs } from '../soak.ts'
import { grow, type Files } from './grow.ts'
import { readSeeds } from './seeds.ts'
import { watchScan, type Cost } from './watched-scan.ts'

/** A worker that counts nothing for so long can't be stopped but by ending it. */
const MAX_SILENCE = 2
/** Where others use the machine, too, the same work takes more of its time. */
const SLACK = 2

/** A second per MB, two at least; and what each of many files costs by being one. */
function allowed(files: Files, bytes: number): number {
  return SLACK * (Math.max(2, bytes / 1e6) + files.size * 0.002)
}

/** What a scan costs too much; undefined where it does not, twice in a row. */
async function findExcess(files: Files): Promise<string | undefined> {
  let cost: Cost | undefined
  for (let run = 0; run < 2; run++) {
    cost = await watchScan(files)
    if (cost.seconds <= allowed(files, cost.bytes) && cost.silence <= MAX_SILENCE) return undefined
  }
  const { bytes = 0, seconds = 0, silence = 0, after = '' } = cost ?? {}
  return `${seconds.toFixed(1)} s for ${bytes} bytes in ${files.size} files, silent for ${silence.toFixed(1)} s until ${after}`
}

const FIRST_SEED = Number(process.env['COST_SEED'] ?? 1)
const RUNS = process.env['COST_SEED'] === undefined ? runs(400, 40) : 1
/** The worst ones so far are grown once more: what costs much may cost too much. */
const KEPT = 8

describe('whatever a project holds', () => {
  test('it costs a second per MB at most, and is counted all along', { timeout: 3_600_000 }, async () => {
    const seeds = readSeeds()
    expect(seeds.length).toBeGreaterThan(1000)
    const worst: { readonly name: string; readonly files: Files; readonly rate: number }[] = []
    const faults: string[] = []
    for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
      const chance = createChance(seed)
      // one in three goes on from what was the worst, as long as that is known
      const from = worst.length > 0 && RUNS > 1 && chance.below(3) === 0 ? chance.pick(worst) : chance.pick(seeds)
      let files = grow(from.files, chance.pick([20_000, 60_000, 200_000]), chance)
      if (chance.below(3) === 0) files = grow(files, 50_000, chance)
      if (sizeOf(files) > 800_000) continue
      const cost = await watchScan(files)
      worst.push({ name: from.name, files, rate: cost.seconds / allowed(files, cost.bytes) + cost.silence / MAX_SILENCE })
      worst.sort((a, b) => b.rate - a.rate).splice(KEPT)
      if (cost.seconds <= allowed(files, cost.bytes) && cost.silence <= MAX_SILENCE) continue
      const excess = await findExcess(files)
      if (excess !== undefined) faults.push(`seed ${seed} (${from.name}): ${excess}`)
    }
    expect(faults).toEqual([])
  })

  const PATHS = 'aaaaaaaaaaaaaaaaaaaa/'.repeat(8)
  const known: Readonly<Record<string, () => Files>> = {
    'the path of a module is slashes': () =>
      new Map([
        [
          'mta.yaml',
          `_schema-version: "3.1"\nID: a\nversion: 1.0.0\nmodules:\n  - name: a\n    type: nodejs\n    path: ${'/'.repeat(500_000)}\n`,
        ],
      ]),
    'route sources that are hard to decide': () =>
      new Map([
        [
          'xs-app.json',
          JSON.stringify({
            routes: Array.from({ length: 200 }, (_, index) => ({
              source: `^/.*a.*(?:(?:a{0,14}){0,13}X|b${index}).{20}$`,
              target: '/x/$1',
              destination: 'd',
              authenticationType: index % 2 === 0 ? 'none' : 'xsuaa',
            })),
          }),
        ],
      ]),
    'one service again and again': () =>
      new Map([
        ['package.json', '{"dependencies":{"@sap/cds":"9"}}'],
        [
          'srv/a.cds',
          Array.from({ length: 3000 }, (_, index) => `service Shop { entity E${index} { key ID: UUID; } }\n`).join(''),
        ],
      ]),
    'one constant that a check demands gets a value again and again': () =>
      new Map([
        [
          'a.js',
          Array.from({ length: 4000 }, (_, index) => `REQUIRED_PASSWORD = ${JSON.stringify(`kT4%dx${index}mW`)}`).join('\n'),
        ],
      ]),
    'workspaces by globs that hardly fit': () =>
      new Map([
        ['package.json', JSON.stringify({ workspaces: Array.from({ length: 200 }, () => '**/*a*a*a*a*b/**/c*') })],
        ...Array.from({ length: 2000 }, (_, index): [string, string] => [`${PATHS}p${index}/package.json`, '{}']),
      ]),
    'a control that is made and set again and again': () =>
      new Map([['webapp/a.view.js', `var a;\n${'a = new sap.m.Link({ href: "{x}" }); a.setHref(a);\n'.repeat(5000)}`]]),
    'an action that adds to many rows and sets many states': () =>
      new Map([
        ['package.json', '{"dependencies":{"@sap/cds":"9"}}'],
        ['srv/a.cds', 'service Shop { action go(); }\n'],
        [
          'srv/a.js',
          `module.exports = (srv) => { srv.on('go', 'Jobs', async (req) => {\nconst already = 1\n${Array.from(
            { length: 250 },
            (_, index) =>
              `await UPDATE('Parts${index}', already).with({ stock: { '-=': 1 } })\nawait UPDATE('Jobs${index}', already).with({ state: 'DONE' })\n`,
          ).join('')}}) }\n`,
        ],
      ]),
    'a function that catches what it throws of the caller, and handlers that ask what it gives': () =>
      new Map([
        ['package.json', '{"dependencies":{"@sap/cds":"9"}}'],
        ['srv/a.cds', 'service Crew { entity Crews { key ID : UUID; } }\n'],
        [
          'srv/a.js',
          `const p = async (user) => { try {\nconst row = await SELECT.one.from('Crew').where({ mail: user.id })\n${"if (!row) throw new Error('User')\n".repeat(300)}return row } catch (error) { console.error(error) } }\nmodule.exports = (srv) => {\n${"srv.before('READ', 'Crews', async (req) => { if (!(await p(req.user))) return req.reject(403) })\n".repeat(300)}}\n`,
        ],
      ]),
    'routes that store prices of the client again and again': () =>
      new Map([
        ['package.json', '{"dependencies":{"express":"4.21.2"}}'],
        [
          'server.js',
          `const app = require('express')()\n${Array.from(
            { length: 1000 },
            (_, index) =>
              `app.post('/o${index}', async (req, res) => { for (const item of req.body.items) await db.query('INSERT INTO order_items (product, price) VALUES (?, ?)', [item.id, item.price]) })\n`,
          ).join('')}`,
        ],
      ]),
    'a kept user that is set to itself again and again': () =>
      new Map([
        ['webapp/manifest.json', '{"sap.app":{"id":"a"},"sap.ui5":{}}'],
        [
          'webapp/Component.js',
          `sap.ui.define(["sap/ui/model/json/JSONModel"], (JSONModel) => {\nlet u = localStorage.getItem("other")\n${'if (a()) u = u\n'.repeat(2000)}new JSONModel().setData(u)\n})\n`,
        ],
      ]),
    'a method that returns itself again and again': () =>
      new Map([
        ['webapp/manifest.json', '{"sap.app":{"id":"a"},"sap.ui5":{}}'],
        [
          'webapp/controller/A.controller.js',
          `sap.ui.define([], () => Controller.extend("A", {\nb() {\n${'if (a()) return this.b()\n'.repeat(500)}return localStorage.getItem("userId")\n},\nc() { this.getModel().read("/Orders", { filters: [new Filter("UserId", "EQ", this.b())] }) }\n}))\n`,
        ],
      ]),
    'as many forms are sent as fields are bound': () =>
      new Map([
        ['webapp/manifest.json', '{"sap.app":{"id":"a"},"sap.ui5":{}}'],
        [
          'webapp/view/A.view.xml',
          `<mvc:View xmlns="sap.m" xmlns:mvc="sap.ui.core.mvc">${'<Input value="{signUp>/name}"/>\n'.repeat(3000)}</mvc:View>`,
        ],
        [
          'webapp/controller/A.controller.js',
          `sap.ui.define([], () => Controller.extend("A.Register", {\nonLogin() { const pw = this.byId("password").getValue(); this.getModel().read("/Users('1')", { success: (o) => { if (o.Password === pw) this.getRouter().navTo("home") } }) },\nonRegister() {\nconst m = this.getModel()\n${'m.create("/Users", this.getModel("signUp").getData())\n'.repeat(3000)}}\n}))\n`,
        ],
      ]),
    'a project of many roots': () =>
      new Map(
        Array.from({ length: runs(1000, 2) }, (_, index): readonly [string, string][] => [
          [`d${index}/package.json`, '{"dependencies":{"@sap/cds":"6"},"cds":{"requires":{"auth":false,"db":"hana"}}}'],
          [`d${index}/srv/a.cds`, 'service Shop { entity Orders { key ID: UUID; } }\n'],
        ]).flat(),
      ),
  }
  test.each(Object.entries(known))('%s', async (_, make) => {
    expect(await findExcess(make())).toBeUndefined()
  })
})

function sizeOf(files: Files): number {
  return [...files.values()].reduce((sum, text) => sum + text.length, 0)
}

test('the watchdog hears who counts nothing', async () => {
  const quiet = new Map([['package.json', '{}']])
  const { silence } = await watchScan(quiet, () => {
    const until = performance.now() + 300
    while (performance.now() < until);
  })
  expect(silence).toBeGreaterThan(0.05)
  expect((await watchScan(quiet)).silence).toBeLessThan(MAX_SILENCE)
})
