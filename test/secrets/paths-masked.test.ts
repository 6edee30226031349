import { expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'
import { createDraw } from './material/draw.ts'

const FAULT = 'module.exports = (req) => eval(req.query.code)\n'

function tokenOf(seed: string): string {
  return createDraw(`path ${seed}`).shape('glpat-{w20}')
}

/** All that a scan says, both languages, but for the true paths that identities are made of. */
async function say(files: ReadonlyMap<string, string>): Promise<string> {
  const { en, fr } = await scanFiles(files)
  return JSON.stringify([en, fr])
}

test.each(['a', 'b', 'c'])('a token in the name of a folder or a file is not told (%s)', async (seed) => {
  const token = tokenOf(seed)
  const files = new Map([
    [`keys/${token}/server.js`, `const tls = { rejectUnauthorized: false }\n${FAULT}`],
    [`srv/${token}.js`, FAULT],
    [`srv/${token}.json`, '{ "broken": '],
    ['package.json', '{ "name": "o", "dependencies": { "express": "4" } }'],
    [`${token}/package.json`, '{ "name": "p", "dependencies": { "express": "4" } }'],
  ])
  const said = await say(files)
  expect(said).toContain('keys/***/server.js')
  for (let at = 6; at + 6 <= token.length; at++) expect(said).not.toContain(token.slice(at, at + 6))
})

test('a password that a file holds is not told where another file is named by it', async () => {
  const password = createDraw('path password').generated()
  const said = await say(
    new Map([
      ['.env', `DB_PASSWORD=${password}\n`],
      [`dump-${password}/server.js`, `const tls = { rejectUnauthorized: false }\n${FAULT}`],
    ]),
  )
  expect(said).toContain('dump-***/server.js')
  expect(said).not.toContain(password)
})

test('a weak password leaves the paths as they are that have the same word', async () => {
  const said = await say(
    new Map([
      ['.env', 'DB_PASSWORD=orders1\n'],
      ['orders1/server.js', `const tls = { rejectUnauthorized: false }\n${FAULT}`],
    ]),
  )
  expect(said).toContain('orders1/server.js')
})

test('an id is that of the true path, and a suppression finds it there', async () => {
  const scan = async (token: string, config = '{}'): ReturnType<typeof scanFiles> =>
    scanFiles(
      new Map([
        ['parapet.config.json', config],
        [`keys/${token}/server.js`, 'module.exports = { rejectUnauthorized: false }\n'],
      ]),
    )
  const idsOf = async (token: string): Promise<string[]> => allFindings((await scan(token)).en).map(({ id }) => id)
  const [first, second] = [tokenOf('d'), tokenOf('e')]
  const ids = await idsOf(first)
  expect(ids.length).toBeGreaterThan(0)
  expect(await idsOf(first)).toEqual(ids)
  expect(await idsOf(second)).not.toEqual(ids)
  const ruleId = allFindings((await scan(first)).en)[0]?.ruleId
  const config = JSON.stringify({ suppress: [{ rule: ruleId, path: `keys/${first}/**`, reason: 'old' }] })
  const { en } = await scan(first, config)
  expect(en.suppressed.length).toBeGreaterThan(0)
  expect(JSON.stringify(en)).not.toContain(first)
})
