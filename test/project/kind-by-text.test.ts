import { describe, expect, test } from 'vitest'
import { parseJson } from '../../core/parse/json.ts'
import { parseYaml } from '../../core/parse/yaml.ts'
import { classifyPath } from '../../core/project/kinds.ts'
import { DESCRIPTOR_KEYWORDS, languageByText, roleByContent } from '../../core/project/kind-by-text.ts'

function languageOf(path: string, text: string): string | undefined {
  const found = classifyPath(path)
  return found.class === 'out' ? undefined : languageByText(path, found.kind, (keyword) => text.includes(keyword))
}

describe('files that are descriptors by what stands in them', () => {
  test.each([
    ['security/uaa.json', '{"xsappname":"a"}', 'json'],
    ['security/UAA.JSON', '{"tenant-mode":"shared"}', 'json'],
    ['deploy/all.yml', 'apiVersion: v1', 'yaml'],
    ['approuter/xs-app.json', '{"xsappname":"a"}', 'json'],
    // its name says what it is, nothing in it is worth the while, another ending
    ['approuter/xs-app.json', '{"routes":[]}', undefined],
    ['xs-security.json', '{"xsappname":"a"}', undefined],
    ['package.json', '{"xsappname":"a"}', undefined],
    ['config.json', '{"name":"a"}', undefined],
    ['notes.md', 'xsappname', undefined],
    ['srv/auth.js', 'xsappname', undefined],
  ])('%s of %s is read as %s', (path, text, expected) => {
    expect(languageOf(path, text)).toBe(expected)
  })

  test.each([
    ['{"xsappname":"a"}', 'xs-security'],
    ['{"role-templates":[]}', 'xs-security'],
    ['{"oauth2-configuration":{}}', 'xs-security'],
    ['{"provided-apis":[]}', 'xs-security'],
    ['{"scopes":[{"name":"$XSAPPNAME.Admin"}]}', 'xs-security'],
    ['{"clientid":"c","xsappname":"a!t1"}', undefined],
    ['{"properties":{"xsappname":{}}}', undefined],
    ['{"xsappname":{"type":"string"}}', undefined],
    ['{"scopes":["openid"]}', undefined],
    ['[{"xsappname":"a"}]', undefined],
    ['{"VCAP_SERVICES":{"xsuaa":[]}}', 'default-env'],
    ['{"VCAP_SERVICES":"{}"}', 'default-env'],
    ['{"env":{"VCAP_SERVICES":"{}"}}', undefined],
    ['{"init_data":{}}', 'destination'],
    ['{"Name":"s4","ProxyType":"Internet"}', 'destination'],
    ['[{"Name":"s4","ProxyType":"Internet"}]', 'destination'],
    ['{"destinations":[{"name":"s4","ProxyType":"Internet"}]}', 'destination'],
    ['{"Name":"s4","Type":"HTTP"}', undefined],
    ['{"apiVersion":"v1","kind":"Secret"}', 'kubernetes'],
    ['null', undefined],
  ])('JSON %s is %s', (text, expected) => {
    expect(roleByContent([parseJson(text)])).toBe(expected)
  })

  test.each([
    ['_schema-version: "3.1"\nID: a\nmodules: []', 'mta'],
    ['_schema-version: "3.1"\nID: a.dev\nextends: a', 'mtaext'],
    ['applications: [{ name: a, memory: 128M }]', 'cf-manifest'],
    ['applications: [{ name: a, source: x }]', undefined],
    ['xsappname: a', 'xs-security'],
    ['# first\n---\na: 1\n---\napiVersion: v1\nkind: Pod', 'kubernetes'],
    ['auth: { serviceOfferingName: xsuaa }', 'kubernetes'],
    ['shop: { auth: { serviceOfferingName: xsuaa } }', 'kubernetes'],
    ['apiVersion: v2\nname: chart', undefined],
    ['', undefined],
  ])('YAML %j is %s', (text, expected) => {
    expect(roleByContent(parseYaml(text))).toBe(expected)
  })

  test('keywords are words that rules could have', () => {
    for (const keyword of DESCRIPTOR_KEYWORDS) expect(keyword.length).toBeGreaterThan(6)
  })
})
