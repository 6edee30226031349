import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createHtmlControls, createOriginReader } from '../../../core/model/ui5/index.ts'
import type { MarkupOrigin } from '../../../core/model/ui5/index.ts'
import { runs } from '../../soak.ts'
import { readProject, ui5AppsOf } from '../project.ts'

const MANIFEST = { 'manifest.json': '{"sap.app": {"id": "a"}, "sap.ui5": {}}' }

/** The origins of all content that a module gives to unsanitized HTML controls; `HTML` is the control's class, `model` any model. */
function originsIn(body: string, view = ''): MarkupOrigin[] {
  const script = `sap.ui.define(["sap/ui/core/HTML"], function (HTML) { return { run: function (model, given) { ${body} } } })`
  const texts = {
    ...MANIFEST,
    'Main.controller.js': script,
    'Main.view.xml': `<m:View xmlns:m="sap.ui.core.mvc" xmlns="sap.ui.core" controllerName="a.Main">${view}</m:View>`,
  }
  const [app] = ui5AppsOf(readProject(texts))
  if (app === undefined) throw new Error('no app')
  const origins = createOriginReader(app)
  return createHtmlControls(app)
    .inScripts()
    .map(({ content }) => origins.ofContent(content))
}

describe('content that a script gives to an HTML control', () => {
  test.each<[string, MarkupOrigin[]]>([
    ['new HTML({ content: "<b/>" })', ['constant']],
    ['new HTML({ content: given })', ['unknown']],
    ['new HTML({ content: model.getProperty("/a") })', ['data']],
    ['new HTML({ content: { path: "/a" } })', ['data']],
    ['new HTML({ content: { path: "i18n>a" } })', ['constant']],
    ['new HTML({ content: { parts: ["i18n>a", { path: "m>b" }] } })', ['data']],
    ['new HTML({ content: { path: "/a", formatter: function (v) { return v ? "<b/>" : "" } } })', ['constant']],
    ['new HTML({ content: { path: "/a", formatter: (v) => "<b>" + v } })', ['data']],
    ['new HTML({ content: { path: "/a", type: "sap.ui.model.type.Float" } })', ['constant']],
    ['const settings = { content: model.getData().text }; new HTML("id", settings)', ['data']],
    ['const settings = { content: given, sanitizeContent: true }; new HTML("id", settings)', []],
    ['let html; if (given) { html = new HTML() } html.setContent(given)', ['unknown']],
    ['new HTML().addStyleClass("x").setContent(given)', ['unknown']],
    ['this.a = new HTML(); this.a.setContent(location.search)', ['data']],
    ['other.setContent(model.getProperty("/a")); this.b.setContent(given)', []],
    ['new HTML("x"); sap.ui.getCore().byId("x").setContent(given)', ['unknown']],
    ['new HTML({ content: "<p>" + DOMPurify.sanitize(given) + "</p>" })', ['constant']],
    ['for (let i = 0; i < 3; i++) new HTML({ content: "<li>" + i + "</li>" })', ['constant']],
    ['new HTML({ content: ["<a>", given, "</a>"].join("") })', ['unknown']],
    ['new HTML({ content: model.getResourceBundle().getText("a", [given]) })', ['unknown']],
    ['const html = new HTML({ sanitizeContent: given }); html.setContent(given)', ['unknown']],
  ])('%s', (body, origins) => {
    expect(originsIn(body)).toEqual(origins)
  })

  test('ids lead to the controls of the controller’s own view', () => {
    const fill = 'this.byId("t").setContent(given)'
    expect(originsIn(fill, '<HTML id="t"/>')).toEqual(['unknown'])
    expect(originsIn(fill, '<HTML id="t" sanitizeContent="true"/>')).toEqual([])
    expect(originsIn(fill, '<Icon id="t"/>')).toEqual([])
    expect(originsIn(`this.byId("t").setSanitizeContent(false); ${fill}`, '<HTML id="t" sanitizeContent="true"/>')).toEqual([
      'unknown',
    ])
  })
})

test('names that lead in circles, long chains and crowds of controls end', () => {
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
    const start = performance.now()
    originsIn(body)
    expect(performance.now() - start, body.slice(0, 60)).toBeLessThan(20_000)
  }
})

test('any expression in a binding is judged', () => {
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
    '&&',
    '||',
    '.length',
    '[',
    ']',
    '`',
    '=>',
    '//',
    '\n',
  )
  const [app] = ui5AppsOf(readProject(MANIFEST))
  if (app === undefined) throw new Error('no app')
  const origins = createOriginReader(app)
  fc.assert(
    fc.property(fc.array(words), (parts) => {
      const operands = [{ kind: 'path', model: '', path: 'a' }] as const
      const code = parts.join(' ').replaceAll(/\$\{[^}]*\}/gu, 'ui5$0')
      expect(['constant', 'data']).toContain(
        origins.ofBinding({ kind: 'bound', parts: [{ kind: 'expression', code, operands }], before: '' }),
      )
    }),
    { numRuns: runs(10_000) },
  )
})
