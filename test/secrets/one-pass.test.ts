import { expect, test } from 'vitest'
import { createEngine } from '../../core/engine.ts'
import { RULES } from '../../core/rules/index.ts'
import { scanFiles } from '../scan-files.ts'
import { drawSecret } from '../secret-values.ts'
import { SECRET_RULES } from './open-credentials.ts'

const encoded = Buffer.from(`{"clientid":"sb-orders!t1","clientsecret":"${drawSecret('password', 'pass')}"}`).toString('base64')
const FILES = new Map([
  ['srv/server.js', `const password = '${drawSecret('password', 'one')}'\nmodule.exports = (req) => eval(req.query.code)\n`],
  ['default-env.json', `{ "key": "${encoded}" }\n`],
  ['webapp/Component.js', 'sap.ui.define([], () => {})\n'.repeat(500)],
  ['README.md', 'é\n'],
])

test.each([
  ['of the area', SECRET_RULES],
  ['of all areas', RULES],
])('the bytes of a file go through the automaton once, for all rules %s', async (_, rules) => {
  const engine = createEngine(rules)
  const sizes: number[] = []
  const find: typeof engine.keywords.find = (bytes) => {
    sizes.push(bytes.length)
    return engine.keywords.find(bytes)
  }
  await scanFiles(FILES, { engine: { ...engine, keywords: { find } } })
  const names = Buffer.byteLength(['shop', ...FILES.keys()].join('\n'))
  const ofFiles = [...FILES.values()].map((text) => Buffer.byteLength(text))
  // beside them the names of the project and its files, as one text
  const others = ofFiles.reduce<number[]>((rest, size) => rest.toSpliced(rest.indexOf(size), rest.includes(size) ? 1 : 0), sizes)
  expect(sizes.length).toBe(FILES.size + 1)
  expect(others.length).toBe(1)
  expect(others[0]).toBeLessThan(names + 40)
})

test('a file with more base64 than is decoded says so', async () => {
  const text = Array.from(
    { length: 4000 },
    (_, at) => `k${at}: ${Buffer.from(`{"number": ${at}, "text": "some text"}`).toString('base64')}`,
  )
  const { en } = await scanFiles(new Map([['config/a.txt', text.join('\n')]]))
  expect(en.notices.map(({ code, detail }) => [code, detail])).toEqual([['time-limit', expect.stringContaining('base64')]])
  expect(en.complete).toBe(false)
})
