import { expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'

const PACKAGE = '{ "dependencies": { "@sap/cds": "^9" }, "cds": { "requires": { "auth": "xsuaa" } } }'
const CDS = `
@requires: 'authenticated-user' service Docks { @readonly entity Berths { key ID : UUID; owner : String; } }
@requires: 'authenticated-user' service Yards { @readonly entity Cranes { key ID : UUID; owner : String; } }
`
const PEOPLE = `module.exports.find = (req) => {
  const user = req.headers['x-user'] || req.user.id
  return SELECT.one.from('People').where({ owner: user })
}`
const handler = (entity: string, before = ''): string => `${before}
module.exports = (srv) => srv.on('READ', '${entity}', async (req) => {
  ${before === '' ? '' : 'const person = await find(req)'}
  const user = req.headers['x-user'] || req.user.id
  return SELECT.from('${entity}').where({ owner: user })
})`

async function countOf(scripts: Readonly<Record<string, string>>): Promise<number> {
  const files = { 'package.json': PACKAGE, 'srv/all.cds': CDS, ...scripts }
  const report = await scanFiles(new Map(Object.entries(files)))
  return allFindings(report.en).filter(({ ruleId }) => ruleId === 'cap/custom-auth-unsafe').length
}

test('handlers of several services that read a header by themselves are faults of their own', async () => {
  expect(await countOf({ 'srv/docks.js': handler('Berths'), 'srv/yards.js': handler('Cranes') })).toBe(2)
})

test('a handler that reads the header which its look-up reads is the same fault', async () => {
  const importing = "const { find } = require('./people')"
  expect(await countOf({ 'srv/docks.js': handler('Berths', importing), 'srv/people.js': PEOPLE })).toBe(1)
})
