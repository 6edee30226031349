import { expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'

const SERVICE = `const cds = require('@sap/cds')
const fs = require('fs')
const trimmed = (text) => text.trim()

module.exports = (srv) => {
  srv.on('first', ({ data }) => fs.readFileSync(trimmed(data.one)))
  srv.on('second', ({ data }) => fs.readFileSync(trimmed(data.two)))
  srv.on('third', ({ data }) => fs.readFileSync(trimmed(trimmed(data.three))))
}
`

test('a path goes back to the caller that the value came from, though another one called the same function first', async () => {
  const { en } = await scanFiles(
    new Map([
      ['package.json', '{"dependencies":{"@sap/cds":"^9"}}'],
      ['srv/shop.js', SERVICE],
    ]),
  )
  const lines = allFindings(en)
    .filter(({ ruleId }) => ruleId === 'cap/path-traversal')
    .map(({ line, flow = [] }) => [line, [...new Set(flow.map((step) => step.line))].filter((one) => one !== 3)])
  expect(lines).toEqual([
    [6, [6]],
    [7, [7]],
    [8, [8]],
  ])
})
