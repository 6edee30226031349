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

test('the place that makes the user comes before those that compare the header', async () => {
  const script = `module.exports = (srv) => {
  srv.on('READ', 'Berths', async (req, next) => {
    const [row] = await next()
    if (row.owner !== req.headers['x-user']) return req.reject(403)
    return row
  })
  srv.on('READ', 'Cranes', async (req) => SELECT.from('Cranes').where({ owner: who(req) }))
}
const who = (req) => req.headers['x-user'] || req.user.id
`
  const files = { 'package.json': PACKAGE, 'srv/all.cds': CDS, 'srv/all.js': script }
  const report = await scanFiles(new Map(Object.entries(files)))
  const [found, ...others] = allFindings(report.en).filter(({ ruleId }) => ruleId === 'cap/custom-auth-unsafe')
  expect(others).toEqual([])
  expect(found).toMatchObject({ line: 9, severity: 'HIGH', occurrences: [{ line: 4 }] })
})

test('a handler that only notes the user of a header is not the place that makes it', async () => {
  const script = `module.exports = (srv) => {
  srv.before('READ', 'Berths', (req) => {
    const user = req.headers['x-user'] || req.user.id
    console.log(user)
  })
  srv.on('READ', 'Cranes', (req) => SELECT.from('Cranes').where({ owner: req.headers['x-user'] }))
}
`
  const files = { 'package.json': PACKAGE, 'srv/all.cds': CDS, 'srv/all.js': script }
  const report = await scanFiles(new Map(Object.entries(files)))
  const found = allFindings(report.en).find(({ ruleId }) => ruleId === 'cap/custom-auth-unsafe')
  expect(found).toMatchObject({ line: 6, severity: 'HIGH' })
})
