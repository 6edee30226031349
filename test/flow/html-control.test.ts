import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../soak.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { cpuTime } from '../cpu-time.ts'

type Seen = 'data' | 'unknown'

const MANIFEST =
  '{ "sap.app": { "id": "a", "dataSources": { "m": { "uri": "/odata/" } } }, "sap.ui5": { "models": { "": { "dataSource": "m" }, "m": { "dataSource": "m" } } } }'

/** Who may have written the content that a module gives to unsanitized HTML controls; `HTML` is the control's class. */
async function originsIn(body: string, view = ''): Promise<Seen[]> {
  const script = `sap.ui.define(["sap/ui/core/HTML", "sap/ui/core/mvc/Controller"], function (HTML, Controller) { return Controller.extend("a.Main", { run: function (given) { const model = this.getView().getModel(); ${body} } }) })`
  const { en } = await scanFiles(
    new Map([
      ['README.md', ''],
      ['webapp/manifest.json', MANIFEST],
      ['webapp/Main.controller.js', script],
      ['webapp/Main.view.xml', `<m:View xmlns:m="sap.ui.core.mvc" xmlns="sap.ui.core" controllerName="a.Main">${view}</m:View>`],
    ]),
  )
  return allFindings(en).flatMap(({ ruleId, confidence }) =>
    ruleId === 'ui5/xss-html-control' ? [confidence === 'low' ? 'unknown' : 'data'] : [],
  )
}

describe('content that a script gives to an HTML control', () => {
  test.each<[string, Seen[]]>([
    ['new HTML({ content: "<b/>" })', []],
    ['new HTML({ content: given })', ['unknown']],
    ['new HTML({ content: model.getProperty("/a") })', ['data']],
    ['new HTML({ content: { path: "/a" } })', ['data']],
    ['new HTML({ content: { path: "i18n>a" } })', []],
    ['new HTML({ content: { parts: ["i18n>a", { path: "m>b" }] } })', ['data']],
    ['new HTML({ content: { path: "/a", formatter: function (v) { return v ? "<b/>" : "" } } })', []],
    ['new HTML({ content: { path: "/a", formatter: (v) => "<b>" + v } })', ['data']],
    ['new HTML({ content: { path: "/a", type: "sap.ui.model.type.Float" } })', []],
    ['const settings = { content: model.getData().text }; new HTML("id", settings)', ['data']],
    ['const settings = { content: given, sanitizeContent: true }; new HTML("id", settings)', []],
    ['let html; if (given) { html = new HTML() } html.setContent(given)', ['unknown']],
    ['new HTML().addStyleClass("x").setContent(given)', ['unknown']],
    ['this.a = new HTML(); this.a.setContent(location.search)', ['data']],
    ['other.setContent(model.getProperty("/a")); this.b.setContent(given)', []],
    ['new HTML("x"); sap.ui.getCore().byId("x").setContent(given)', ['unknown']],
    ['new HTML({ content: "<p>" + DOMPurify.sanitize(given) + "</p>" })', []],
    ['for (let i = 0; i < 3; i++) new HTML({ content: "<li>" + i + "</li>" })', []],
    ['new HTML({ content: ["<a>", given, "</a>"].join("") })', ['unknown']],
    ['new HTML({ content: model.getResourceBundle().getText("a", [given]) })', ['unknown']],
    ['const html = new HTML({ sanitizeContent: given }); html.setContent(given)', ['unknown']],
  ])('%s', async (body, origins) => {
    expect(await originsIn(body)).toEqual(origins)
  })

  test('ids lead to the controls of the controller’s own view', async () => {
    const fill = 'this.byId("t").setContent(given)'
    expect(await originsIn(fill, '<HTML id="t"/>')).toEqual(['unknown'])
    expect(await originsIn(fill, '<HTML id="t" sanitizeContent="true"/>')).toEqual([])
    expect(await originsIn(fill, '<Icon id="t"/>')).toEqual([])
    expect(await originsIn(`this.byId("t").setSanitizeContent(false); ${fill}`, '<HTML id="t" sanitizeContent="true"/>')).toEqual(
      ['unknown'],
    )
  })
})

test('names that lead in circles, long chains and crowds of controls end', async () => {
  const bodies = [
    'var a = b, b = a; a.setContent(b); new HTML({ content: a })',
    'this.a = this.b; this.b = this.a; this.a.setContent(this.b)',
    `new HTML({ content: this.f(${'this.f('.repeat(90)}given${')'.repeat(90)}) })`,
    `var x = new HTML(); ${'x.setContent(given); '.repeat(2000)}`,
    `var x; ${'x = new HTML(); x.setContent(x); '.repeat(2000)}`,
    `new HTML()${'.addStyleClass("x")'.repeat(1000)}.setContent(given)`,
    `var s = "a"; ${'s += s + given; '.repeat(2000)} new HTML({ content: s })`,
  ]
  for (const body of bodies) {
    const start = cpuTime()
    await originsIn(body)
    expect(cpuTime() - start, body.slice(0, 60)).toBeLessThan(20_000)
  }
})

test('any expression in a binding is judged', async () => {
  const words = fc.constantFrom(
    '${a}',
    '${i18n>b}',
    "'x'",
    '?',
    ':',
    '+',
    '===',
    '(',
    ')',
    '1',
    '!',
    '&amp;&amp;',
    '||',
    '.length',
    '[',
    ']',
    '`',
    '=>',
    '//',
    '\n',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(words), async (parts) => {
      const found = await originsIn('', `<HTML content="{= ${parts.join(' ')} }"/>`)
      expect(found.length).toBeLessThanOrEqual(1)
      if (!parts.includes('${a}')) expect(found).toEqual([])
    }),
    { numRuns: runs(200) },
  )
})
