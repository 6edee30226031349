import { describe, expect, test } from 'vitest'
import { TOKEN_ROWS, literalOf } from '../../core/secrets/index.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { createDice, drawShape } from './draw-shape.ts'
import { drawRow, placeOf } from './draw-row.ts'

const PART = 6
const DRAWN = '[A-Z][0-9][a-z][A-Za-z0-9]{17}[0-9]{2}'

/** Parts of a value of six characters, beyond the prefix that is public. */
function partsOf(value: string, prefix = ''): string[] {
  const rest = value.startsWith(prefix) ? value.slice(prefix.length) : value
  // ids of findings are hexadecimal, and a few digits of them are often those of a value
  const size = /^[0-9a-f.-]*$/.test(rest) ? 2 * PART : PART
  const parts = Array.from({ length: Math.max(0, rest.length - size + 1) }, (_, at) => rest.slice(at, at + size))
  return parts.filter((part) => size > PART || !/^[0-9a-f]+$/.test(part))
}

/** All that a scan says: both reports, the findings as they stream out, the history. */
async function sayAll(files: ReadonlyMap<string, string>): Promise<string> {
  const said: unknown[] = []
  const { en, fr } = await scanFiles(files, {
    control: { onFindings: (findings) => void said.push(findings), onProgress: (progress) => void said.push(progress) },
  })
  return JSON.stringify([en, fr, said])
}

const value = (seed: string): string => drawShape(DRAWN, createDice(`leak ${seed}`))

/** Credentials beside what other areas report, so that their snippets and messages would quote them. */
const BESIDE: Readonly<Record<string, (value: string) => string>> = {
  'webapp/controller/A.controller.js': (v) =>
    `sap.ui.define([], () => { const password = "${v}"; eval(location.hash + "${v}") })\n`,
  'webapp/controller/B.controller.js': (v) => `const o = { apiKey: '${v}', x: eval(location.hash + '${v}') }\n`,
  'srv/cat-service.js': (v) =>
    `module.exports = (srv) => srv.on('READ', (req) => { const pwd = '${v}'; return cds.run("SELECT '" + req.data.x + "${v}'") })\n`,
  'srv/server.js': (v) => `process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; const dbPassword = '${v}'\n`,
  'mta.yaml': (v) =>
    `_schema-version: "3.1"\nID: a\nversion: 1.0.0\nmodules:\n  - name: srv\n    type: nodejs\n    properties:\n      NODE_TLS_REJECT_UNAUTHORIZED: "0"\n      API_PASSWORD: ${v}\n      URL: http://t:${v}@corp.cloud\n`,
  'manifest.yml': (v) => `applications:\n  - name: a\n    env: { NODE_TLS_REJECT_UNAUTHORIZED: "0", DB_PASSWORD: ${v} }\n`,
  'ui5.yaml': (v) =>
    `specVersion: "3.0"\nserver:\n  customMiddleware:\n    - name: fiori-tools-proxy\n      configuration:\n        ignoreCertErrors: true\n        password: ${v}\n`,
  '.npmrc': (v) => `strict-ssl=false\n//npm.corp.cloud/:_authToken=${v}\n`,
  '.env': (v) => `DB_PASSWORD=${v}\nVCAP_SERVICES={"xsuaa":[{"credentials":{"clientid":"sb-x!t1","clientsecret":"${v}"}}]}\n`,
  'default-env.json': (v) =>
    `{ "VCAP_SERVICES": { "xsuaa": [ { "credentials": { "clientid": "sb-x!t1", "clientsecret": "${v}" } } ] }, "NODE_TLS_REJECT_UNAUTHORIZED": "0" }\n`,
  '.github/workflows/ci.yml': (v) =>
    `on: pull_request_target\njobs:\n  a:\n    runs-on: x\n    env: { DEPLOY_PASSWORD: ${v} }\n    steps:\n      - run: echo \${{ github.event.pull_request.title }} ${v}\n`,
  'deploy.sh': (v) => `cf login -u me -p '${v}' && curl -k -u "me:${v}" https://corp.cloud/?token=${v}\n`,
  'k8s/secret.yaml': (v) => `apiVersion: v1\nkind: Secret\ndata:\n  password: ${Buffer.from(v).toString('base64')}\n`,
  'requests.http': (v) => `GET http://corp.cloud\nAuthorization: Basic ${Buffer.from(`me:${v}`).toString('base64')}\n`,
  'xs-app.json': (v) =>
    `{ "routes": [ { "source": "^/${v}/(.*)$", "authenticationType": "none", "destination": "d" } ], "password": "${v}" }\n`,
  Dockerfile: (v) => `FROM node:18\nENV DB_PASSWORD ${v}\nCOPY . .\n`,
}

describe('nothing of sixty planted values is told', () => {
  test.each(Object.entries(BESIDE))('%s', async (path, write) => {
    for (const seed of ['1', '2', '3', '4']) {
      const planted = value(`${path} ${seed}`)
      const text = write(planted)
      const files = new Map([
        [path, text],
        ['README.md', 'x'],
      ])
      const said = await sayAll(files)
      const encoded = [Buffer.from(planted).toString('base64'), Buffer.from(`me:${planted}`).toString('base64').slice(0, -4)]
      const shown = [planted, ...encoded].flatMap((form) => partsOf(form)).filter((part) => said.includes(part))
      expect(shown).toEqual([])
    }
  })

  test('tokens of the whole table, each beside a fault of another area', async () => {
    const rows = TOKEN_ROWS.filter(({ shape, words }) => shape !== undefined && words === undefined)
    const drawn = rows.map((row) => drawRow(row, 'leak'))
    const lines = rows.map((row, index) => `eval(location.hash + ${JSON.stringify(placeOf(row, drawn[index] ?? ''))})\n`)
    const files = new Map([
      ['webapp/controller/A.controller.js', lines.join('')],
      ['README.md', 'x'],
    ])
    const said = await sayAll(files)
    expect(
      rows
        .filter((row, index) =>
          partsOf(drawn[index] ?? '', literalOf(row.shape ?? '')).some((part) => /\d/.test(part) && said.includes(part)),
        )
        .map(({ name }) => name),
    ).toEqual([])
  })

  test('a value under the bar of a finding is masked all the same', async () => {
    const files = new Map([
      ['webapp/controller/A.controller.js', `const o = { secret: 'red-fox-hill-77', x: eval(location.hash) }\n`],
      ['README.md', 'x'],
    ])
    const { en } = await scanFiles(files)
    expect(allFindings(en).map(({ ruleId }) => ruleId)).toEqual(['ui5/eval'])
    expect(JSON.stringify(en)).not.toContain('red-fox')
  })
})

describe('one value is one finding', () => {
  test('wherever it stands, and by the rule that knows it best', async () => {
    const secret = value('identity')
    const { en } = await scanFiles(
      new Map([
        [
          'default-env.json',
          `{ "VCAP_SERVICES": { "x": [ { "credentials": { "clientid": "sb-x!t1", "clientsecret": "${secret}" } } ] } }\n`,
        ],
        ['srv/a.js', `const clientSecret = '${secret}'\nconst other = { appSecret: '${secret}' }\n`],
        ['README.md', 'x'],
      ]),
    )
    const told = allFindings(en).filter(({ ruleId }) => ruleId.startsWith('secrets/'))
    expect(told.map(({ ruleId, file, occurrences }) => [ruleId, file, occurrences?.length])).toEqual([
      ['secrets/sap-uaa-clientsecret', 'default-env.json', 2],
    ])
  })
})
