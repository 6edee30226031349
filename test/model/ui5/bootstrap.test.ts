import { describe, expect, test } from 'vitest'
import { settingOf } from '../../../core/model/ui5/index.ts'
import type { BootstrapSetting, Ui5Page } from '../../../core/model/ui5/index.ts'
import { readProject, ui5AppsOf } from '../project.ts'

function pageOf(texts: Readonly<Record<string, string>>): Ui5Page {
  const page = ui5AppsOf(readProject(texts)).flatMap((app) => app.pages)[0]
  if (page === undefined) throw new Error('no page')
  return page
}

function frameOptions(head: string, texts: Readonly<Record<string, string>> = {}): BootstrapSetting | undefined {
  return settingOf(pageOf({ ...texts, 'index.html': head }).bootstrap, 'frameoptions')
}

const boot = (attributes = ''): string => `<script id="sap-ui-bootstrap" src="resources/sap-ui-core.js" ${attributes}></script>`

describe('the bootstrap tag', () => {
  test.each([
    ['by its id', '<script id="sap-ui-bootstrap" src="/ui5/start.js"></script>'],
    ['by its source', '<script src="https://ui5.sap.com/resources/sap-ui-core.js?x"></script>'],
    ['by a variant of its source', '<script src="sap-ui-core-nojQuery.js"></script>'],
    ['by sap-ui-boot', '<script src="../resources/sap-ui-boot-dbg.js"></script>'],
  ])('is found %s', (_, html) => {
    const { bootstrap } = pageOf({ 'index.html': `<script src="jquery.js"></script>${html}` })
    expect(`<script src="jquery.js"></script>${html}`.slice(bootstrap.at.span?.start, bootstrap.at.span?.end)).toBe(
      html.replace('</script>', ''),
    )
  })

  test('a page in a test folder and a sandbox launchpad are test pages', () => {
    expect(pageOf({ 'webapp/index.html': boot() }).test).toBe(false)
    expect(pageOf({ 'webapp/test/unit.html': boot() }).test).toBe(true)
    expect(pageOf({ 'webapp/flpSandbox.html': boot() }).test).toBe(true)
    const sandbox = '<script src="https://ui5.sap.com/test-resources/sap/ushell/bootstrap/sandbox.js"></script>'
    expect(pageOf({ 'app/launchpad.html': sandbox + boot() }).test).toBe(true)
  })
})

describe('settings', () => {
  test.each([
    ['data-sap-ui-frameOptions="allow"', 'allow'],
    ['data-sap-ui-frame-options="allow"', 'allow'],
    ["DATA-SAP-UI-FRAMEOPTIONS=' Deny '", 'Deny'],
    ['data-sap-ui-theme="x"', undefined],
    [`data-sap-ui-config="libs: 'sap.m', frameOptions: 'allow'"`, 'allow'],
    [`data-sap-ui-config='"frameOptions": "deny"'`, 'deny'],
    [`data-sap-ui-config="frameOptions: 'allow'" data-sap-ui-frame-options="deny"`, 'deny'],
    [`data-sap-ui-config="frameOptions: 'allow"`, undefined],
  ])('of an attribute: %s', (attribute, value) => {
    expect(frameOptions(boot(attribute))?.value).toBe(value)
  })

  test.each([
    ['window["sap-ui-config"] = { theme: "x", frameOptions: "allow" }', 'allow'],
    ['window["sap-ui-config"] = window["sap-ui-config"] || {}; window["sap-ui-config"].frameOptions = "allow"', 'allow'],
    ['window["sap-ui-config"] = window["sap-ui-config"] || { "frame-options": "allow" }', 'allow'],
    ['globalThis["sap-ui-config"]["frame-options"] = "trusted"', 'trusted'],
    ['var config = window["sap-ui-config"]; config.frameOptions = "allow"', 'allow'],
    ['var config = { frameOptions: "allow" }; window["sap-ui-config"] = config', 'allow'],
    ['window["sap-ui-config"] = Object.assign(window["sap-ui-config"] || {}, { frameOptions: "allow" })', 'allow'],
    ['var base = { frameOptions: "deny" }; window["sap-ui-config"] = { ...base, theme: "x" }', 'deny'],
    ['function start() { window["sap-ui-config"] = { frameOptions: mode() } }', undefined],
    ['// window["sap-ui-config"] = { frameOptions: "allow" }', undefined],
    ['other["x"] = { frameOptions: "allow" }; "sap-ui-config"', undefined],
    ['window["sap-ui-config"] = { frameOptions: ', undefined],
  ])('of a script: %s', (script, value) => {
    const html = `<script>\n${script}\n</script>${boot()}`
    const setting = frameOptions(html)
    expect(setting?.value).toBe(value)
    if (value !== undefined) expect(html.slice(setting?.at.span?.start, setting?.at.span?.end)).toContain(value)
  })

  test('of a script that the page loads', () => {
    const texts = { 'config/start.js': 'window["sap-ui-config"] = { frameOptions: "allow" }' }
    expect(frameOptions(`<script src="./config/start.js?v=1"></script>${boot()}`, texts)?.at.file).toBe('config/start.js')
    expect(frameOptions(`<script src="/config/start.js"></script>${boot()}`, texts)).toBeUndefined()
    expect(frameOptions(`<script src="../config/start.js"></script>${boot()}`, texts)).toBeUndefined()
  })

  test('the last that UI5 reads counts: an attribute over the object, a meta tag over both', () => {
    const config = '<script>window["sap-ui-config"] = { frameOptions: "allow" }</script>'
    expect(frameOptions(config + boot('data-sap-ui-frameOptions="deny"'))?.value).toBe('deny')
    expect(
      frameOptions(`<meta name="sap-ui-frame-options" content="trusted">${config}${boot('data-sap-ui-frameOptions="deny"')}`)
        ?.value,
    ).toBe('trusted')
  })
})

describe('names with hyphens', () => {
  const page = (version: string, attribute: string): Ui5Page =>
    pageOf({
      'index.html': `<script id="sap-ui-bootstrap" src="https://ui5.sap.com/${version}/resources/sap-ui-core.js" ${attribute}></script>`,
    })

  test.each([
    ['1.71.0', 'data-sap-ui-frame-options="deny"', false],
    ['1.119', 'data-sap-ui-frame-options="deny"', false],
    ['1.120', 'data-sap-ui-frame-options="deny"', true],
    ['1.71.0', 'data-sap-ui-frameOptions="deny"', true],
  ])('%s: %s', (version, attribute, isRead) => {
    const { bootstrap } = page(version, attribute)
    expect(settingOf(bootstrap, 'frameoptions')?.value).toBe(isRead ? 'deny' : undefined)
    expect(bootstrap.ignored.map(({ value }) => value)).toEqual(isRead ? [] : ['deny'])
  })

  test('the prefix xx- is part of a name', () => {
    expect(settingOf(page('1.71.0', 'data-sap-ui-xx-designMode="true"').bootstrap, 'xxdesignmode')?.value).toBe('true')
  })

  test('fields of the configuration object, by the version of ui5.yaml', () => {
    const texts = {
      'webapp/index.html': `<script>window["sap-ui-config"] = { "frame-options": "deny" }</script>${boot()}`,
      'webapp/manifest.json': '{"sap.app": {"id": "shop"}, "sap.ui5": {}}',
    }
    const yaml = (version: string): string => `specVersion: "3.0"\nframework: { name: SAPUI5, version: "${version}" }\n`
    expect(settingOf(pageOf({ ...texts, 'ui5.yaml': yaml('1.108.1') }).bootstrap, 'frameoptions')).toBeUndefined()
    expect(settingOf(pageOf({ ...texts, 'ui5.yaml': yaml('1.136.1') }).bootstrap, 'frameoptions')?.value).toBe('deny')
    expect(settingOf(pageOf(texts).bootstrap, 'frameoptions')?.value).toBe('deny')
  })
})
