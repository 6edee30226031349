import { describe, expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'

const RULES = /^ui5\/xss-html-control$/
const ODATA = `{ "sap.app": { "id": "shop", "dataSources": { "main": { "uri": "/odata/" } } },
  "sap.ui5": { "models": { "": { "dataSource": "main" }, "i18n": { "type": "sap.ui.model.resource.ResourceModel" } } } }`
const JSON_MODEL = (settings = '{}'): string =>
  `{ "sap.app": { "id": "shop" }, "sap.ui5": { "models": { "view": { "type": "sap.ui.model.json.JSONModel", "settings": ${settings} } } } }`

/** What is found in a view of these controls: severity and what is bound. */
async function foundIn(controls: string, files: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const view = `<mvc:View xmlns:mvc="sap.ui.core.mvc" xmlns:core="sap.ui.core" xmlns="sap.m" controllerName="shop.controller.Main">${controls}</mvc:View>`
  const { en } = await scanFiles(
    new Map(Object.entries({ 'webapp/manifest.json': ODATA, 'webapp/view/Main.view.xml': view, 'README.md': '', ...files })),
  )
  return allFindings(en)
    .filter(({ ruleId }) => RULES.test(ruleId))
    .map(
      ({ severity, snippet, line, flow }) =>
        `${severity} ${/content="([^"]*)"/.exec(snippet ?? '')?.[1] ?? line} ${flow?.length}`,
    )
}

describe('who writes what a view shows as markup', () => {
  test.each([
    ['a backend', '<core:HTML content="{/descr}"/>', 'MEDIUM {/descr} 2'],
    ['a list of a backend', '<List items="{/rows}"><core:HTML content="{text}"/></List>', 'MEDIUM {text} 2'],
    ['an expression', `<core:HTML content="{= '&lt;b>' + \${/descr}}"/>`, `MEDIUM {= '&lt;b>' + \${/descr}} 2`],
  ])('%s', async (_, controls, expected) => {
    expect(await foundIn(controls)).toEqual([expected])
  })

  test('only the user', async () => {
    const controls = '<Input value="{view>/text}"/><core:HTML content="{view>/text}"/>'
    expect(await foundIn(controls, { 'webapp/manifest.json': JSON_MODEL() })).toEqual(['INFO {view>/text} 4'])
  })

  test.each([
    ['another field', '<Input value="{view>/name}"/><core:HTML content="{view>/text}"/>'],
    [
      'a field of other items',
      '<List items="{view>/a}"><Input value="{view>name}"/></List><core:HTML content="{view>/b/name}"/>',
    ],
    ['one way', `<Input value="{path: 'view>/text', mode: 'OneWay'}"/><core:HTML content="{view>/text}"/>`],
    ['another model', '<Input value="{other>/text}"/><core:HTML content="{view>/text}"/>'],
    ['a number', '<StepInput value="{view>/text}"/><core:HTML content="{view>/text}"/>'],
    ['texts of the app', '<core:HTML content="{i18n>text}"/>'],
  ])('not: %s', async (_, controls) => {
    const found = await foundIn(controls, { 'webapp/manifest.json': JSON_MODEL() })
    expect(found).toEqual([])
  })

  test('not: a model that is one way', async () => {
    const controls = '<Input value="{view>/text}"/><core:HTML content="{view>/text}"/>'
    const manifest = JSON_MODEL('{ "defaultBindingMode": "OneWay" }')
    expect(await foundIn(controls, { 'webapp/manifest.json': manifest })).toEqual([])
  })

  test('a file of the app holds nothing that others write, what a server gives does', async () => {
    const manifest = (uri: string): string =>
      `{ "sap.app": { "id": "shop" }, "sap.ui5": { "models": { "": { "type": "sap.ui.model.json.JSONModel", "uri": "${uri}" } } } }`
    const controls = '<core:HTML content="{/text}"/>'
    expect(await foundIn(controls, { 'webapp/manifest.json': manifest('model/texts.json') })).toEqual([])
    expect(await foundIn(controls, { 'webapp/manifest.json': manifest('/api/texts') })).toEqual(['MEDIUM {/text} 2'])
  })

  test('two apps side by side never mix', async () => {
    const view = (control: string): string =>
      `<mvc:View xmlns:mvc="sap.ui.core.mvc" xmlns:core="sap.ui.core" xmlns="sap.m">${control}</mvc:View>`
    const { en } = await scanFiles(
      new Map([
        ['README.md', ''],
        ['a/webapp/manifest.json', JSON_MODEL()],
        ['a/webapp/view/Main.view.xml', view('<Input value="{view>/text}"/>')],
        ['b/webapp/manifest.json', JSON_MODEL()],
        ['b/webapp/view/Main.view.xml', view('<core:HTML content="{view>/text}"/>')],
      ]),
    )
    expect(allFindings(en).filter(({ ruleId }) => RULES.test(ruleId))).toEqual([])
  })

  const controller = (body: string): string =>
    `sap.ui.define(['sap/ui/core/mvc/Controller', 'sap/ui/core/HTML'], (Controller, HTML) => Controller.extend('shop.controller.Main', { ${body} }))`

  test('a handler gets what a view hands to it', async () => {
    const files = {
      'webapp/controller/Main.controller.js': controller(
        'onOpen(text, kind) { new HTML({ content: text }); new HTML({ content: kind }) }',
      ),
    }
    expect(await foundIn('<Button press=".onOpen(${/note}, \'plain\')"/>', files)).toEqual(['MEDIUM 1 3'])
  })

  test('a controller reads a control by its id, and fills one', async () => {
    const files = {
      'webapp/controller/Main.controller.js': controller(
        "onSave() { this.byId('out').setContent(this.byId('name').getValue()) }",
      ),
    }
    expect(await foundIn('<Input id="name"/><core:HTML id="out"/>', files)).toEqual(['INFO 1 2'])
  })

  test('a model that a script fills with constants holds nothing of others', async () => {
    const fill = (data: string): Readonly<Record<string, string>> => ({
      'webapp/controller/Main.controller.js': `sap.ui.define(['sap/ui/core/mvc/Controller', 'sap/ui/model/json/JSONModel'], (Controller, JSONModel) =>
        Controller.extend('shop.controller.Main', { onInit() { this.getView().setModel(new JSONModel(${data}), 'page') } }))`,
    })
    const html = '<core:HTML content="{page>/text}"/>'
    expect(await foundIn(html, fill("{ text: '<b>fixed</b>', name: location.hash }"))).toEqual([])
    expect(await foundIn(html, fill('{ text: location.hash }'))).toEqual(['HIGH {page>/text} 4'])
  })
})
