import { readFileSync, writeFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { configSchema } from '../../adapters/terminal/config-file.ts'
import { readConfig } from '../../core/project/config.ts'

const PATH = new URL('../../parapet.config.schema.json', import.meta.url)

test('the schema of parapet.config.json is that of the code', () => {
  const wanted = `${JSON.stringify(configSchema(), undefined, 2)}\n`
  if (process.env['UPDATE'] !== undefined) writeFileSync(PATH, wanted)
  expect(readFileSync(PATH, 'utf8'), 'stale: run `npm run update`').toBe(wanted)
})

test.each([
  ['{"exclude":["a/**"],"suppress":[{"rule":"ui5/eval","reason":"r","until":"2030-01-01"}],"failOn":"high","//":"x"}', true],
  ['{"exclude":"a"}', false],
  ['{"suppress":[{"//":"x","rule":"ui5/eval","reason":"r"}]}', true],
  ['{"suppress":[{"rule":"ui5/eval","reason":"r","pth":"a/**"}]}', false],
  ['{"flow":{"sink":[]}}', false],
  ['{"exclud":[]}', false],
  ['{"suppress":[{"rule":"ui5/eval","reason":"r","until":"soon"}]}', false],
])('the schema and the scan agree on %s', (text, isGood) => {
  const validate = new Ajv2020().compile(JSON.parse(readFileSync(PATH, 'utf8')))
  expect(validate(JSON.parse(text))).toBe(isGood)
  expect(readConfig(text, '2026-11-20').notices.length === 0).toBe(isGood)
})
