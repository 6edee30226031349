import { describe, expect, test } from 'vitest'
import { compare } from './marked-files.ts'

const onRoute = (call: string): string =>
  `onInit: function () {
  var that = this
  this.getOwnerComponent().getRouter().getRoute("main").attachPatternMatched(function (oEvent) { ${call} })
}`

const base = (members: string): string => `--- webapp/Base.js
sap.ui.define(["sap/ui/core/mvc/Controller"], function (Controller) {
return Controller.extend("shop.Base", {
${members}
})
})
`

const page = (members: string, parent = 'Base'): string => `--- webapp/controller/Main.controller.js
sap.ui.define(["../${parent}"], function (Parent) {
return Parent.extend("shop.controller.Main", {
${members}
})
})
`

const control = (path: string, imports: string, text: string): string =>
  `--- webapp/control/${path}.js\nsap.ui.define([${imports}], function (Parent, Renderer, encodeXML) {\n${text}\n})\n`

const RENDERER = control(
  'TileRenderer',
  '',
  `return { apiVersion: 2, render: function (oRm, oTile) {
oRm.openStart("div", oTile).openEnd()
oRm.unsafeHtml(oTile.bodyMarkup())@MARK
oRm.close("div") } }`,
)

describe('methods that classes below override', () => {
  test.each([
    [
      'a hook of a base controller',
      base(`${onRoute('that.onRoute(oEvent.getParameter("arguments"))')},\nonRoute: function () {}`) +
        page(`onRoute: function ({ title }) {\ndocument.body.innerHTML = title // HIGH\n}`),
    ],
    [
      'a hook that the base class does not have, two classes above',
      base(onRoute('if (that.onRoute) that.onRoute(oEvent.getParameter("arguments"))')) +
        `--- webapp/Middle.js
sap.ui.define(["./Base"], function (Base) { return Base.extend("shop.Middle", { other: function () {} }) })
` +
        page(`onRoute: function (oArgs) {\ndocument.body.innerHTML = oArgs.title // HIGH\n}`, 'Middle'),
    ],
    [
      'an abstract method of a TypeScript class',
      `--- webapp/Base.ts
import Controller from "sap/ui/core/mvc/Controller"
export default abstract class Base extends Controller {
  onInit(): void { this.getOwnerComponent().getRouter().getRoute("main").attachPatternMatched((e) => { this.onRoute(e.getParameter("arguments")) }) }
  protected abstract onRoute(args: object): void
}
--- webapp/controller/Main.controller.ts
import Base from "../Base"
export default class Main extends Base {
  protected onRoute(args: { title: string }): void {
    document.body.innerHTML = args.title // HIGH
  }
}
`,
    ],
    [
      'what the method below gives',
      `--- webapp/Card.js
sap.ui.define([], function () { return class Card {
show(el) {
el.innerHTML = this.markup() // HIGH
}
markup() { return "" }
} })
--- webapp/HashCard.js
sap.ui.define(["./Card"], function (Card) { return class HashCard extends Card { markup() { return location.hash } } })
`,
    ],
    [
      'a method of a control, which a shared renderer calls',
      RENDERER.replace('@MARK', ' // LOW') +
        control(
          'Tile',
          '"sap/ui/core/Control", "./TileRenderer"',
          'var Tile = Parent.extend("shop.control.Tile", { metadata: { properties: { body: "string" } }, renderer: Renderer })\nTile.prototype.bodyMarkup = function () { return "" }\nreturn Tile',
        ) +
        control(
          'NoteTile',
          '"./Tile", "./TileRenderer"',
          'return Parent.extend("shop.control.NoteTile", { renderer: Renderer, bodyMarkup: function () { return "<p>" + this.getBody() } })',
        ),
    ],
  ])('%s', async (_, app) => {
    const { found, wanted } = await compare(app)
    expect(found).toEqual(wanted)
    expect(wanted).not.toEqual([])
  })

  test.each([
    [
      'super.show() runs no method below',
      `--- webapp/Card.js
sap.ui.define([], function () { return class Card { go() { this.show("today") } show(text) { this.text = text } } })
--- webapp/Sub.js
sap.ui.define(["./Card"], function (Card) {
return class Sub extends Card { show(text) { document.body.innerHTML = text } other() { super.show(location.hash) } }
})
`,
    ],
    [
      'a class that does not extend it',
      `--- webapp/Card.js
sap.ui.define([], function () { return class Card { go() { this.show(location.hash) } show(text) { this.text = text } } })
--- webapp/Other.js
sap.ui.define([], function () { return class Other { show(text) { document.body.innerHTML = text } } })
`,
    ],
    [
      'an overriding method that encodes',
      RENDERER.replace('@MARK', '') +
        control(
          'Tile',
          '"sap/ui/core/Control", "./TileRenderer"',
          'return Parent.extend("shop.control.Tile", { metadata: { properties: { body: "string" } }, renderer: Renderer, bodyMarkup: function () { return "" } })',
        ) +
        control(
          'NoteTile',
          '"./Tile", "./TileRenderer", "sap/base/security/encodeXML"',
          'return Parent.extend("shop.control.NoteTile", { renderer: Renderer, bodyMarkup: function () { return "<p>" + encodeXML(this.getBody()) } })',
        ),
    ],
  ])('not: %s', async (_, app) => {
    expect((await compare(app)).found).toEqual([])
  })
})

const inFile = (text: string): string =>
  `--- webapp/cards.js\nsap.ui.define(["sap/ui/base/Object"], function (BaseObject) {\n${text}\n})\n`

describe('classes of one file that extend each other', () => {
  test.each([
    [
      'an inherited method',
      `class Card {
show(el, text) {
el.innerHTML = text // HIGH
} }
class Sub extends Card { go(el) { this.show(el, location.hash) } }
return Sub`,
    ],
    [
      'an overridden method',
      `class Card {
show(el) {
el.innerHTML = this.markup() // HIGH
}
markup() { return "" } }
class Sub extends Card { markup() { return location.hash } }
return Sub`,
    ],
    [
      'super, with fields of both',
      `class Card {
constructor(text) { this.text = text }
show(el) {
el.innerHTML = this.text // HIGH
} }
class Sub extends Card { constructor(text) { super(text) } show(el) { super.show(el) } }
return { go: function (el) { new Sub(location.hash).show(el) } }`,
    ],
    [
      'extend, and a call by the prototype',
      `var A = BaseObject.extend("shop.A", { put: function (el, text) {
el.innerHTML = text // HIGH
} })
return A.extend("shop.B", {
put: function (el, text) { A.prototype.put.call(this, el, text) },
go: function (el) { this.put(el, location.hash) } })`,
    ],
  ])('%s', async (_, text) => {
    const { found, wanted } = await compare(inFile(text))
    expect(found).toEqual(wanted)
    expect(wanted).not.toEqual([])
  })

  test('not: what a sibling has', async () => {
    const app = inFile(`class Card { show(text) {} }
class A extends Card { show(text) { document.body.innerHTML = text } }
class B extends Card { go() { this.show(location.hash) } }
return [A, B]`)
    expect((await compare(app)).found).toEqual([])
  })
})

const loaded = (body: string): string =>
  `--- webapp/news.js\nsap.ui.define(["sap/ui/thirdparty/jquery", "sap/base/security/encodeXML"], function (jQuery, encodeXML) {\nfetch("/news").then((r) => r.json()).then(function (data) {\n${body}\n})\n})\n`

describe('functions of jQuery and pairs that go through lists', () => {
  test.each([
    ['map', `document.body.innerHTML = jQuery.map(data.items, function (item) { return "<li>" + item.text }).join("") // MEDIUM`],
    ['grep', `document.body.innerHTML = $.grep(data.items, (item) => item.isNew)[0].text // MEDIUM`],
    [
      'each',
      `var html = ""\njQuery.each(data.items, function (index, item) { html += item.text })\ndocument.body.innerHTML = html // MEDIUM`,
    ],
    [
      'fromEntries',
      `const texts = Object.fromEntries(["a", "b"].map((name) => [name, data[name]]))\ndocument.body.innerHTML = texts.a // MEDIUM`,
    ],
  ])('%s', async (_, body) => {
    const { found, wanted } = await compare(loaded(body))
    expect(found).toEqual(wanted)
    expect(wanted).not.toEqual([])
  })

  test.each([
    ['the index', `jQuery.each(data.items, function (index, item) { document.body.innerHTML = index })`],
    ['fixed items', `document.body.innerHTML = jQuery.map(["a", "b"], function (item) { return "<li>" + item }).join("")`],
    [
      'pairs of encoded values',
      `const texts = Object.fromEntries(["a"].map((name) => [name, encodeXML(data[name])]))\ndocument.body.innerHTML = texts.a`,
    ],
  ])('not: %s', async (_, body) => {
    expect((await compare(loaded(body))).found).toEqual([])
  })
})
