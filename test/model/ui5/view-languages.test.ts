import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pathsOf } from '../../../core/model/ui5/index.ts'
import type { Ui5View } from '../../../core/model/ui5/index.ts'
import { runs } from '../../soak.ts'
import { readProject, ui5AppsOf } from '../project.ts'
import { cpuTime } from '../../cpu-time.ts'

const MANIFEST = { 'manifest.json': '{"sap.app": {"id": "my.app"}}' }

function viewOf(path: string, text: string, others: Readonly<Record<string, string>> = {}): Ui5View {
  const [app] = ui5AppsOf(readProject({ ...MANIFEST, ...others, [path]: text }))
  const view = app?.views[0]
  if (view === undefined) throw new Error('no view')
  return view
}

/** Each control in one line: type, id, properties as written in the text, and what they read. */
function describeView(view: Ui5View, text: string): string[] {
  return view.controls.map(({ type, id, at, properties }) => {
    const told = [...properties].map(([name, { at, binding }]) => {
      const reads = binding.kind === 'bound' ? pathsOf(binding).map(({ model, path }) => `${model}>${path}`) : [binding.kind]
      return `${name} ${text.slice(at.start, at.end)} ${reads.join(' ')}`
    })
    return [type, id ?? '-', text.slice(at.start, at.end), ...told].join(' | ')
  })
}

const CONTROLLER = { 'controller/Main.controller.js': 'sap.ui.define([], () => ({}))' }

describe('views in JSON', () => {
  const text = `{
    "Type": "sap.ui.core.mvc.JSONView", "controllerName": "my.app.controller.Main", "width": "100%",
    "content": [
      { "Type": "sap.m.Panel", "id": "p", "expanded": true, "headerText": "{m>/a} {b}",
        "content": { "Type": "sap.m.Input", "value": { "path": "x", "model": "m" }, "tooltip": { "parts": ["a", { "path": "m>b" }] },
          "types": ["a", 1], "data": { "ui5object": true, "path": "y" }, "none": { "a": 1 }, "empty": [], "layoutData": null } },
      { "Type": "sap.m.List", "items": { "path": "/list", "template": { "Type": "sap.m.Link", "href": "{url}" } } },
      { "Type": 5, "value": "{x}" }, { "type": "sap.m.Text", "text": "{x}" }
    ]
  }`

  test('are their controls, with full names, exact places and what they are bound to', () => {
    const view = viewOf('view/Main.view.json', text, CONTROLLER)
    expect(view).toMatchObject({ kind: 'view', language: 'json', controllerName: 'my.app.controller.Main', native: [] })
    expect(view.controller).toBe('controller/Main.controller.js')
    expect(view.namespaces.map(({ name }) => name)).toEqual(['sap.ui.core.mvc', 'sap.m'])
    expect(describeView(view, text)).toEqual([
      'sap.ui.core.mvc.JSONView | - | sap.ui.core.mvc.JSONView | controllerName my.app.controller.Main constant | width 100% constant',
      'sap.m.Panel | p | sap.m.Panel | id p constant | expanded true constant | headerText {m>/a} {b} m>/a >b',
      'sap.m.Input | - | sap.m.Input | value { "path": "x", "model": "m" } m>x | ' +
        'tooltip { "parts": ["a", { "path": "m>b" }] } >a m>b | types ["a", 1] constant | layoutData null constant',
      'sap.m.List | - | sap.m.List | items { "path": "/list", "template": { "Type": "sap.m.Link", "href": "{url}" } } >/list',
      'sap.m.Link | - | sap.m.Link | href {url} >url',
    ])
    expect(view.controls[2]?.properties.get('types')?.value).toBe('a,1')
    expect(view.controls[2]?.properties.get('value')?.value).toBe('{m>x}')
  })

  test('hold anything at any key', () => {
    const words = fc.constantFrom(
      'Type',
      'content',
      'id',
      'href',
      'path',
      'parts',
      'ui5object',
      'controllerName',
      'type',
      'sap.m.Link',
    )
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 5 }, tie('leaf'), fc.dictionary(words, tie('tree')), fc.array(tie('tree'), { maxLength: 4 })),
      leaf: fc.oneof(words, fc.constantFrom('{a}', '{= ${a}', '', null, true, 0), fc.jsonValue({ maxDepth: 1 })),
    }))
    fc.assert(
      fc.property(tree, (value) => {
        const files = readProject({ ...MANIFEST, 'a.view.json': JSON.stringify(value) })
        for (const app of ui5AppsOf(files)) for (const { controls } of app.views) expect(Array.isArray(controls)).toBe(true)
      }),
      { numRuns: runs(10_000, 25) },
    )
  })
})

describe('views in HTML', () => {
  const text = [
    '<template data-controller-name="my.app.controller.Main">',
    '  <h1 onclick="x()">Title</h1>',
    '  <div class="a" id="p" data-sap-ui-type="sap.m.Panel" data-header-text="{m>/a}&lt;b>" data-custom-data:my-key="{x}">',
    '    <div data-sap-ui-aggregation="content"><span data-sap-ui-type="my.lib.Text" data-text=plain data-tooltip="t"></span></div>',
    '  </div>',
    '</template>',
  ].join('\n')

  test('are their controls, and the elements that stay as they are', () => {
    const view = viewOf('view/Main.view.html', text, CONTROLLER)
    expect(view).toMatchObject({ kind: 'view', language: 'html', controllerName: 'my.app.controller.Main' })
    expect(view.controller).toBe('controller/Main.controller.js')
    expect(view.native.map(({ name }) => name)).toEqual(['h1'])
    expect(view.namespaces.map(({ name }) => name)).toEqual(['sap.m', 'my.lib'])
    expect(view.controls.map(({ type, id, properties }) => [type, id, [...properties.keys()]])).toEqual([
      ['sap.m.Panel', 'p', ['id', 'headerText']],
      ['my.lib.Text', undefined, ['text', 'tooltip']],
    ])
    const header = view.controls[0]?.properties.get('headerText')
    expect(header?.value).toBe('{m>/a}<b>')
    expect(text.slice(header?.at.start, header?.at.end)).toBe('{m>/a}&lt;b>')
    expect(header && pathsOf(header.binding)).toEqual([{ model: 'm', path: '/a' }])
  })

  test('any text is read', () => {
    const words = fc.constantFrom(
      '<template ',
      '<div ',
      'data-sap-ui-type=',
      '"sap.m.Link"',
      ' data-href=',
      '"{a}"',
      'data-',
      '>',
      '</div>',
      '-',
      ' id=',
    )
    fc.assert(
      fc.property(fc.array(words), (parts) => {
        expect(viewOf('a.fragment.html', parts.join('')).kind).toBe('fragment')
      }),
      { numRuns: runs(10_000, 25) },
    )
  })
})

describe('XML views that a page holds', () => {
  const view = (text: string): string => `<mvc:View xmlns:mvc="sap.ui.core.mvc" xmlns="sap.m">${text}</mvc:View>`
  const viewsIn = (text: string): readonly Ui5View[] => ui5AppsOf(readProject({ ...MANIFEST, 'a.html': text }))[0]?.views ?? []

  test('have the places of the page', () => {
    const text = `<html><script type="sapui5/xmlview">${view('<Text text="{a}"/>')}</script><p>\n</p><script>1 < 2</script>
      <script type="text/xmldata">${view('<Text text="{b}"/>')}</script></html>`
    const found = viewsIn(text).map(({ controls }) => controls[1]?.properties.get('text'))
    expect(found.map((property) => text.slice(property?.at.start, property?.at.end))).toEqual(['{a}', '{b}'])
  })

  test.each([
    ['no XML', `<script type="sapui5/xmlview"><mvc:View xmlns:mvc="sap.ui.core.mvc"></script>`],
    ['a declaration within', `<script type="sapui5/xmlview"><?xml version="1.0"?>${view('')}</script>`],
    ['another type', `<script type="text/template">${view('')}</script>`],
    ['data', '<script type="text/xml"><data/></script>'],
    ['nothing', '<script type="text/xml"></script><script type="text/xml"/>'],
    ['no end', `<script type="sapui5/xmlview">${'<a xmlns="sap.ui.core">'.repeat(1000)}`],
  ])('%s: none', (_, text) => {
    expect(viewsIn(text)).toEqual([])
  })

  test('many of them are read in linear time', () => {
    const start = cpuTime()
    expect(viewsIn(`<script type="text/xml">${view('')}</script>\n`.repeat(5000))).toHaveLength(5000)
    expect(cpuTime() - start).toBeLessThan(20_000)
  })
})

describe('views in scripts', () => {
  test('of the old form, with global names', () => {
    const text = `sap.ui.jsview("my.app.view.Main", {
      getControllerName: function () { return "my.app.controller.Main" },
      createContent: function (oController) {
        var link = new sap.m.Link(this.createId("a"), { text: "{m>/a}", href: oController.x, press: [oController.y, this] })
        link.setValidateUrl(true)
        link.setText("{not bound}")
        return [link, new sap.m.Text("b", { text: { path: "c", formatter: function (v) { return v } } })]
      }
    })`
    const view = viewOf('view/Main.view.js', text, CONTROLLER)
    expect(view).toMatchObject({ language: 'script', controllerName: 'my.app.controller.Main' })
    expect(view.controller).toBe('controller/Main.controller.js')
    expect(view.namespaces.map(({ name }) => name)).toEqual(['sap.m'])
    expect(describeView(view, text)).toEqual([
      'sap.m.Link | a | new sap.m.Link | validateUrl true constant | text "{m>/a}" m>/a | href oController.x computed | ' +
        'press [oController.y, this] computed',
      'sap.m.Text | b | new sap.m.Text | text { path: "c", formatter: function (v) { return v } } >c',
    ])
    expect(view.controls[1]?.properties.get('text')?.binding).toMatchObject({ parts: [{ kind: 'info', formatter: '' }] })
  })

  test('by modules, in TypeScript, as fragments', () => {
    const text = `import View from "sap/ui/core/mvc/View"
      import Link from "sap/m/Link"
      export default class Main extends View {
        getControllerName(): string { return "module:my/app/controller/Main.controller" }
        createContent() { return [new Link({ id: "a", href: "{url}", types: ["a", "b"] }), new Local(), new Date()] }
      }
      class Local {}`
    const view = viewOf('view/Main.view.ts', text, CONTROLLER)
    expect(view.controller).toBe('controller/Main.controller.js')
    expect(view.namespaces).toEqual([])
    expect(describeView(view, text)).toEqual([
      'sap.m.Link | a | new Link | id "a" constant | href "{url}" >url | types ["a", "b"] constant',
    ])
    const fragment = 'sap.ui.define(["sap/m/Link"], (Link) => ({ createContent() { return new Link("x") } }))'
    expect(describeView(viewOf('view/A.fragment.js', fragment), fragment)).toEqual(['sap.m.Link | x | new Link'])
  })

  test('many setters and constructions are read in linear time', () => {
    for (const body of [
      'a.setText(1);\n',
      'a = new sap.m.Link({ href: "{x}" }); a.setHref(a);\n',
      'new sap.m.Link({ a: [new sap.m.Link()] });\n',
    ]) {
      const start = cpuTime()
      viewOf('a.view.js', `var a = new sap.m.Link(); ${body.repeat(5000)}`)
      expect(cpuTime() - start, body).toBeLessThan(10_000)
    }
  })
})

describe('the model of a view’s own texts', () => {
  test.each([
    ['a.view.xml', '<m:View xmlns:m="sap.ui.core.mvc" resourceBundleName="x" resourceBundleAlias="t"/>', 't'],
    ['a.view.xml', '<m:View xmlns:m="sap.ui.core.mvc" resourceBundleUrl="x"/>', ''],
    ['a.view.xml', '<m:View xmlns:m="sap.ui.core.mvc" resourceBundleName="" resourceBundleAlias="t"/>', undefined],
    ['a.view.html', '<template data-resource-bundle-url="x" data-resource-bundle-alias="t"></template>', 't'],
    ['a.view.html', '<div data-resource-bundle-url="x"></div>', undefined],
    ['a.view.json', '{"resourceBundleName": "x", "resourceBundleAlias": "t"}', 't'],
    ['a.view.json', '{"resourceBundleName": 5, "resourceBundleAlias": "t"}', undefined],
    ['a.view.js', 'var resourceBundleName = "x"', undefined],
  ])('%s: %s', (path, text, model) => {
    expect(viewOf(path, text).textModel).toBe(model)
  })
})

test('settings that nobody can tell', () => {
  const script = `var L = sap.m.Link; new sap.m.Link("a"); new sap.m.Link({}); new sap.m.Link(this.createId("b"), { text: x });
    new sap.m.Link(settings); new sap.m.Link({ ...settings }); new sap.m.Link("c", settings)`
  expect(viewOf('a.view.js', script).controls.map(({ isWhole }) => isWhole)).toEqual([true, true, true, false, false, false])
})

describe('modules that an XML view requires', () => {
  test('are known by their names; a name of several is none', () => {
    const view = viewOf(
      'view/Main.view.xml',
      `<mvc:View xmlns:mvc="sap.ui.core.mvc" xmlns:c="sap.ui.core" xmlns="sap.m" c:require="{F: 'my/app/format', 'G': &quot;my/g&quot;, H: 'a/b'}">
        <Text c:require="{ H: 'a/c', F: 'my/app/format', I: 5 }" text="{x}"/><Text require="{J: 'a/b'}"/><Text c:require="no object"/>
      </mvc:View>`,
    )
    expect([...view.requires]).toEqual([
      ['F', 'my/app/format'],
      ['G', 'my/g'],
    ])
  })
})
