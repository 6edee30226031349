import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  excludesOf,
  findDeprecatedLibraries,
  manifestModelsOf,
  serviceAddressesOf,
  toolingSteps,
} from '../../../core/model/ui5/index.ts'
import type { Ui5App } from '../../../core/model/ui5/index.ts'
import { runs } from '../../soak.ts'
import { readProject, ui5AppsOf } from '../project.ts'

const MANIFEST = '{"sap.app": {"id": "shop"}, "sap.ui5": {}}'

function appOf(texts: Readonly<Record<string, string>>): Ui5App {
  const [app] = ui5AppsOf(readProject(texts))
  if (app === undefined) throw new Error('no app')
  return app
}

test('models get the address of their data source', () => {
  const app = appOf({
    'manifest.json': `{
      "sap.app": {"dataSources": {"main": {"uri": "/odata/"}, "other": {"uri": "https://a/"}}},
      "sap.ui5": {"models": {"": {"dataSource": "main", "settings": {"tokenHandling": false}}, "x": {"uri": "y.json"}, "z": {"dataSource": "none"}}}
    }`,
  })
  expect(manifestModelsOf(app).map(({ uri }) => uri)).toEqual(['/odata/', 'y.json', undefined])
})

test('services of scripts: beginnings that name the host, requests by other names, cookies told later, cards', () => {
  const script = `sap.ui.define(["sap/ui/thirdparty/jquery"], function (jQuery) {
    const base = "https://a.example.com"
    fetch(base + "/items/" + id)
    fetch(base + id)
    fetch(\`https://\${host}/x\`)
    jQuery.getJSON("b")
    model.loadData("c" )
    const request = new XMLHttpRequest()
    request.open("POST", "https://d.example.com/")
    request.withCredentials = true
    dialog.open("GET")
    window.open("https://no.example.com/", "_blank")
  })`
  const card = '{"sap.app": {"id": "card"}, "sap.card": {"header": {"data": {"request": {"url": "e", "withCredentials": true}}}}}'
  const found = (texts: Readonly<Record<string, string>>): unknown =>
    [...serviceAddressesOf(appOf(texts))].map(({ address, credentials }) => [address, credentials !== undefined])
  expect(found({ 'manifest.json': MANIFEST, 'a.js': script })).toEqual([
    ['https://a.example.com/items/', false],
    ['b', false],
    ['c', false],
    ['https://d.example.com/', true],
  ])
  expect(found({ 'manifest.json': card })).toEqual([['e', true]])
})

test('services of scripts: models, fetch and ajax with constant addresses, tests left out', () => {
  const script = `sap.ui.define(["sap/ui/model/odata/v4/ODataModel", "./Other"], function (ODataModel, Other) {
    const base = "https://a.example.com/"
    new ODataModel({ serviceUrl: base + "v4/" })
    new Other("https://no.example.com/")
    fetch(base, { credentials: "include" })
    fetch(unknown)
    $.ajax({ url: "b", xhrFields: {} })
    new sap.ui.model.odata.v2.ODataModel("c", { withCredentials: true })
  })`
  const app = appOf({ 'manifest.json': MANIFEST, 'a.js': script, 'test/b.js': 'fetch("https://test.example.com/")' })
  expect([...serviceAddressesOf(app)].map(({ address, credentials }) => [address, credentials !== undefined])).toEqual([
    ['https://a.example.com/v4/', false],
    ['https://a.example.com/', true],
    ['b', false],
    ['c', true],
  ])
})

test('steps of the tooling and what a build leaves out', () => {
  const app = appOf({
    'ui5.yaml':
      'specVersion: "3.0"\nserver: { customMiddleware: [{ name: a, configuration: { x: 1 } }, { name: b }] }\nbuilder: { resources: { excludes: ["/test/**"] } }',
    'ui5-deploy.yaml':
      'specVersion: "3.0"\nbuilder: { customTasks: [{ name: deploy-to-abap, configuration: { exclude: ["/localService/"] } }] }',
  })
  expect(toolingSteps(app).map(({ file, kind, name }) => [file, kind, name])).toEqual([
    ['ui5.yaml', 'middleware', 'a'],
    ['ui5-deploy.yaml', 'task', 'deploy-to-abap'],
  ])
  expect(excludesOf(app)).toEqual(['/test/**', '/localService/'])
})

test('deprecated libraries by whole names', () => {
  const app = appOf({
    'manifest.json': '{"sap.app": {}, "sap.ui5": {"dependencies": {"libs": {"sap.me": {}, "sap.m": {}, "sap.merge": {}}}}}',
    'a.view.xml': '<mvc:View xmlns:mvc="sap.ui.core.mvc" xmlns:c="sap.ui.commonsense"><c:Box/></mvc:View>',
  })
  expect([...findDeprecatedLibraries(app)].map(({ library }) => library)).toEqual(['sap.me'])
})

test('descriptors may hold anything', () => {
  fc.assert(
    fc.property(fc.json(), fc.json(), (a, b) => {
      const app = appOf({
        'manifest.json': `{"sap.app": {"dataSources": ${a}}, "sap.ui5": {"models": ${b}, "dependencies": {"libs": ${a}}}}`,
        'ui5.yaml': `{"specVersion": "3.0", "server": {"customMiddleware": ${a}}, "builder": {"customTasks": ${b}, "resources": {"excludes": ${a}}}}`,
      })
      for (const { address } of serviceAddressesOf(app)) expect(typeof address).toBe('string')
      manifestModelsOf(app)
      toolingSteps(app)
      excludesOf(app)
      expect([...findDeprecatedLibraries(app)].length).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: runs(10_000) },
  )
})
