import { describe, expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'

const CODE = `const cds = require('@sap/cds')
module.exports = cds.service.impl(function () {
  this.on('load', async (req) => fetch(req.data.url))
  this.on('more', async (req) => fetch('https://host.example/' + req.data.path))
})`

/** Severity and reach of each finding of the rule on requests, by line. */
async function grades(config: object, suppressions = true): Promise<string[]> {
  const files = new Map([
    ['package.json', JSON.stringify({ dependencies: { '@sap/cds': '^9' } })],
    ['srv/load.cds', `service Load @(requires: 'authenticated-user') { action load(url: String); action more(path: String); }`],
    ['srv/load.js', CODE],
    ['parapet.config.json', JSON.stringify(config)],
  ])
  const { en } = await scanFiles(files, { options: { suppressions } })
  return allFindings(en)
    .filter(({ ruleId }) => ruleId === 'cap/ssrf')
    .map(({ severity, grade }) => `${severity} ${grade?.reach} ${grade?.usage}`)
}

describe('what a project says of its grades', () => {
  const reason = 'reviewed'
  test.each<[string, object, string[]]>([
    ['nothing', {}, ['HIGH user deployed', 'LOW user deployed']],
    [
      'the reach of a path',
      { reach: [{ path: 'srv/**', reach: 'privileged', reason }] },
      ['MEDIUM privileged deployed', 'LOW privileged deployed'],
    ],
    [
      'the reach of a service',
      { reach: [{ service: 'Load', reach: 'anyone', reason }] },
      ['CRITICAL anyone deployed', 'MEDIUM anyone deployed'],
    ],
    [
      'what a folder is for: nothing is hidden',
      { usage: [{ path: 'srv/**', usage: 'unused', reason }] },
      ['INFO nobody unused', 'INFO nobody unused'],
    ],
    [
      'a reach that the table leaves out: nothing is hidden',
      { reach: [{ path: 'srv/**', reach: 'self', reason }] },
      ['INFO self deployed', 'INFO self deployed'],
    ],
    [
      'the severity of a rule',
      { severity: [{ rule: 'cap/ssrf', severity: 'low', reason }] },
      ['LOW user deployed', 'LOW user deployed'],
    ],
    [
      'that of another rule',
      { severity: [{ rule: 'ui5/eval', severity: 'low', reason }] },
      ['HIGH user deployed', 'LOW user deployed'],
    ],
    ['without a reason', { severity: [{ rule: 'cap/ssrf', severity: 'low' }] }, ['HIGH user deployed', 'LOW user deployed']],
  ])('%s', async (_, config, expected) => {
    expect(await grades(config)).toEqual(expected)
  })

  test('is ignored where suppressions are', async () => {
    expect(await grades({ severity: [{ rule: 'cap/ssrf', severity: 'low', reason }] }, false)).toEqual(await grades({}))
  })
})
