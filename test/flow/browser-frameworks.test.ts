import { describe, expect, test } from 'vitest'
import { compare, controller } from './marked-files.ts'

const REACT =
  '--- package.json\n{ "name": "board", "dependencies": { "react": "^19.0.0", "@ui5/webcomponents-react": "^2.0.0" } }\n'

describe('packages of pages', () => {
  const page = (from: string): string => `--- src/pages/Page.tsx
import { useEffect, useState } from "react"
import { text } from "${from}"
export function Page() {
  const [html, setHtml] = useState("")
  useEffect(() => { text("page").then(setHtml) }, [])
  return <div dangerouslySetInnerHTML={{ __html: html }} /> // MEDIUM
}
`
  test.each([
    ['src/api/texts.ts', '../api/texts'],
    ['src/lib/handlers/texts.ts', '../lib/handlers/texts'],
  ])('%s asks a server and is none', async (path, from) => {
    const { found, wanted } = await compare(`${REACT}--- ${path}
export const text = async (name: string) => (await fetch("/api/" + encodeURIComponent(name))).text()
${page(from)}`)
    expect(found).toEqual(wanted)
  })

  test.each([
    ['a server beside the page', '{ "dependencies": { "react": "^19.0.0", "express": "^5.0.0" } }', 'src/api/texts.ts'],
    ['a framework of both sides', '{ "dependencies": { "react": "^19.0.0", "next": "^16.0.0" } }', 'src/api/texts.ts'],
    ['a folder of a server', '{ "dependencies": { "react": "^19.0.0" } }', 'src/server/texts.ts'],
  ])('not: %s', async (_, descriptor, path) => {
    const { found } = await compare(`--- package.json
${descriptor}
--- ${path}
export const show = async (body) => { body.innerHTML = await (await fetch("/api/text")).text() }
`)
    expect(found).toEqual([])
  })
})

describe('what React loads and keeps', () => {
  test.each([
    ['a query', 'const { data } = useQuery({ queryKey: ["page"], queryFn: () => load("page") })'],
    ['a query with a key', 'const { data: given } = useSWR("page", load); const data = given ?? ""'],
    ['a promise', 'const data = use(load("page"))'],
    ['the first state', 'const [data] = useState(() => new URLSearchParams(location.search).get("note"))'],
    ['a setter that a child gets', 'const [data, setData] = useState(""); const field = <Field onText={setData} />'],
  ])('%s', async (_, hooks) => {
    const { found, wanted } = await compare(`${REACT}--- src/Page.jsx
import { use, useEffect, useState } from "react"
import { useQuery } from "@tanstack/react-query"
import useSWR from "swr"
const load = async (name) => (await fetch("/texts/" + name)).text()
function Field({ onText }) { useEffect(() => { load("field").then((text) => onText(text)) }, []); return null }
export function Page() {
  ${hooks}
  return <div dangerouslySetInnerHTML={{ __html: data }} /> // ${hooks.includes('location') ? 'HIGH' : 'MEDIUM'}
}
`)
    expect(found).toEqual(wanted)
  })

  test('not: another field of a query, a constant state', async () => {
    const { found } = await compare(`${REACT}--- src/Page.jsx
import { useState } from "react"
import { useQuery } from "@tanstack/react-query"
const load = async (name) => (await fetch("/texts/" + name)).text()
export function Page() {
  const { status } = useQuery({ queryKey: ["page"], queryFn: () => load("page") })
  const [shown] = useState(() => "<b></b>")
  return <div dangerouslySetInnerHTML={{ __html: status + shown }} />
}
`)
    expect(found).toEqual([])
  })
})

describe('jQuery', () => {
  const hash = 'new URLSearchParams(location.search).get("note")'
  test.each([
    [
      'a plugin that writes what it gets',
      `(function ($) { $.fn.note = function (text) {
  return this.html("<p>" + text + "</p>") // HIGH
} }(jQuery))`,
      `this.byId("box").$().find(".note").note(${hash})`,
    ],
    [
      'several plugins at once, that give themselves back',
      `jQuery.fn.extend({ quiet: function () { return this.addClass("quiet") }, note: function (text) {
  this.empty().append("<p>" + text + "</p>") // HIGH
  return this
} })`,
      `jQuery(".note").addClass("new").note(${hash})`,
    ],
    [
      'a plugin with settings, by a constant name, for each element',
      `(function ($) { var NAME = "note"
$.fn[NAME] = function (options) { var settings = $.extend({ text: "" }, options)
  return this.each(function () {
    $(this).append("<p>" + settings.text + "</p>") // HIGH
  })
} }(jQuery))`,
      `var $box = jQuery("#box"); $box.note({ text: ${hash} })`,
    ],
    [
      'a plugin with a function among its settings',
      `$.fn.note = function (rows, { render }) { const found = this; rows.forEach((row) => {
  found.append(render(row)) // HIGH
}) }`,
      `jQuery("#box").note([${hash}], { render: (row) => "<li>" + row + "</li>" })`,
    ],
  ])('%s', async (_, plugin, call) => {
    const { found, wanted } = await compare(
      `--- webapp/lib/jquery.note.js\n${plugin}\n${controller(`onInit: function () { ${call} }`, ', "../lib/jquery.note"')}`,
    )
    expect(found).toEqual(wanted)
  })

  test.each([
    ['a plugin that writes text', 'return this.text(text)', `jQuery("#box").note(${hash})`],
    ['a plugin that encodes', 'return this.html($("<b/>").text(text))', `jQuery("#box").note(${hash})`],
    ['a method of that name of something else', 'return this.html(text)', `this.diary.note(${hash})`],
    ['a constant', 'return this.html(text)', 'jQuery("#box").note("<hr>")'],
  ])('not: %s', async (_, body, call) => {
    const { found } = await compare(
      `--- webapp/lib/jquery.note.js\n$.fn.note = function (text) { ${body} }\n${controller(`onInit: function () { ${call} }`)}`,
    )
    expect(found).toEqual([])
  })

  test.each([
    'jQuery.each(rows, function (index, row) {',
    '$.each(rows.items, (index, row) => {',
    'each(rows, function (name, row) {',
    '_.forEach(rows, function (row) {',
    'jQuery.each(rows, this.show.bind(this)); rows.forEach((row) => {',
  ])('each: %s', async (loop) => {
    const { found, wanted } = await compare(
      controller(
        `onInit: async function () { const rows = await (await fetch("/rows")).json()
  ${loop}
    document.body.innerHTML = row.text // MEDIUM
  })
}, show: function (index, row) {
    document.title = row.text
}`,
        ', "sap/ui/thirdparty/jquery", "sap/base/util/each"',
        ', jQuery, each',
      ),
    )
    expect(found).toEqual(wanted)
  })

  test('lists that are made of others', async () => {
    const { found, wanted } = await compare(
      controller(
        `onInit: async function () { const rows = await (await fetch("/rows")).json()
  document.body.innerHTML = jQuery.map(rows, (row) => "<li>" + row.text + "</li>").join("") // MEDIUM
  const shown = $.grep(rows, (row) => row.shown)
  document.body.innerHTML = _.map(shown, (row) => "<li>" + row.text + "</li>").join("") // MEDIUM
  document.body.innerHTML = _.map(rows, (row) => "<li>" + row.length + "</li>").join("")
  jQuery.each(["a", "b"], (index, name) => { document.body.innerHTML = "<b>" + name + index + "</b>" })
}`,
        ', "sap/ui/thirdparty/jquery"',
        ', jQuery',
      ),
    )
    expect(found).toEqual(wanted)
  })
})

describe('contexts of a binding', () => {
  const view = `--- webapp/view/Main.view.xml
<mvc:View controllerName="shop.controller.Main" xmlns="sap.m" xmlns:mvc="sap.ui.core.mvc">
  <List id="list" items="{/Items}"><StandardListItem title="{Name}"/></List>
  <List id="fixed" items="{i18n>/Items}"><StandardListItem title="{i18n>Name}"/></List>
</mvc:View>
`
  test.each([
    'this.byId("list").getBinding("items").getCurrentContexts().map((context) => context.getObject().Name).join("")',
    'this.getView().byId("list").getBinding("items").getContexts(0, 9).map((context) => context.getProperty("Name")).join("")',
    'this._list.getBinding("items").getAllCurrentContexts()[0].getProperty("Name")',
    'this.first(this.byId("list").getBinding("items"))',
  ])('%s', async (value) => {
    const { found, wanted } = await compare(
      view +
        controller(`onInit: function () { this._list = this.byId("list") },
first: function (binding) { const [context] = binding.getCurrentContexts(); return context.getObject("Name") },
onShow: function () {
  document.body.innerHTML = ${value} // MEDIUM
}`),
    )
    expect(found).toEqual(wanted)
  })

  test.each([
    'this.byId("fixed").getBinding("items").getCurrentContexts().map((context) => context.getObject().Name).join("")',
    'this.byId("list").getBinding("items").getCurrentContexts().length + "<br>"',
    'this.byId("list").getBinding("items").getPath()',
  ])('not: %s', async (value) => {
    const { found } = await compare(view + controller(`onShow: function () { document.body.innerHTML = ${value} }`))
    expect(found).toEqual([])
  })
})

describe('builders', () => {
  const builder = `--- webapp/util/Builder.js
sap.ui.define([], function () {
function Builder() { this._lines = [] }
Builder.prototype.line = function (text) { this._lines.push("<p>" + text + "</p>", "<hr>"); return this }
Builder.prototype.size = function (text) { this._lines.push("<b>" + Number(text) + "</b>", "<hr>"); return this }
Builder.prototype.toString = function () { return "<div>" + this._lines.join("") + "</div>" }
return Builder
})
`
  const modules = [', "../util/Builder"', ', Builder'] as const
  test.each([
    'const builder = rows.reduce((sum, row) => sum.line(row.text), new Builder())',
    'const builder = new Builder(); for (const { text } of rows) builder.line(text)',
    'const builder = new Builder().line("a").line(rows[0].text)',
  ])('%s', async (build) => {
    const { found, wanted } = await compare(
      builder +
        controller(
          `onInit: async function () { const rows = await (await fetch("/rows")).json()
  ${build}
  document.body.innerHTML = builder.toString() // MEDIUM
}`,
          ...modules,
        ),
    )
    expect(found).toEqual(wanted)
  })

  test('not: a builder of numbers', async () => {
    const { found } = await compare(
      builder +
        controller(
          `onInit: async function () { const rows = await (await fetch("/rows")).json()
  document.body.innerHTML = rows.reduce((sum, row) => sum.size(row.text), new Builder()).toString()
}`,
          ...modules,
        ),
    )
    expect(found).toEqual([])
  })

  test('several things that are added at once, and those of another list', async () => {
    const { found, wanted } = await compare(
      controller(`onInit: async function () { this.lines = []; this.others = []; const rows = await (await fetch("/rows")).json()
  this.lines.push("<b>" + rows[0].text + "</b>", "<hr>")
  this.others.push(...rows, "<hr>")
  this.show()
},
show: function () {
  document.body.innerHTML = this.lines.join("") // MEDIUM
  document.title = this.others.length
  this.getDomRef().innerHTML = this.others[0].text // MEDIUM
}`),
    )
    expect(found).toEqual(wanted)
  })
})

describe('tables of commands', () => {
  const shown = 'document.body.innerHTML = text // HIGH\n'
  test.each([
    [
      'a field of a prototype',
      `function Bridge() { window.onmessage = this.run.bind(this) }
Bridge.prototype.commands = { show: function (given) { this.write(given.text) }, hide: function () { this.size = 0 } }
Bridge.prototype.run = function (event) { this.commands[event.data.name].call(this, event.data) }
Bridge.prototype.write = function (text) {
  ${shown}}
return Bridge`,
    ],
    [
      'a field of a class',
      `return class Bridge {
  commands = { show(given) { this.write(given.text) } }
  start() { window.addEventListener("message", (event) => { const { name, ...rest } = event.data; this.commands[name]?.apply(this, [rest]) }) }
  write(text) {
    ${shown}  }
}`,
    ],
    [
      'a constant of the module, bound first',
      `const COMMANDS = { show(given) { this.write(given.text) } }
function Bridge() { window.addEventListener("message", ({ data }) => { const run = COMMANDS[data.name].bind(this); run(data) }) }
Bridge.prototype.write = function (text) {
  ${shown}}
return Bridge`,
    ],
    [
      'what the constructor makes, by a name',
      `function Bridge() { this.commands = { show: function (given) { this.write(given.text) } }; window.onmessage = this.run.bind(this) }
Bridge.prototype.run = function (event) { var command = this.commands[event.data.name]; if (command) { command.call(this, event.data) } }
Bridge.prototype.write = function (text) {
  ${shown}}
return Bridge`,
    ],
  ])('%s', async (_, body) => {
    const { found, wanted } = await compare(`--- webapp/util/Bridge.js\nsap.ui.define([], function () {\n${body}\n})\n`)
    expect(found).toEqual(wanted)
  })

  test.each([
    ['a table whose functions have a `this` of their own', 'this.commands[event.data.name](event.data)'],
    ['constant arguments', 'this.commands[event.data.name].call(this, { text: "<hr>" })'],
    ['a text of no text', 'this.commands[event.data.name].call(this, event.data.name.length)'],
  ])('not: %s', async (_, call) => {
    const { found } = await compare(`--- webapp/util/Bridge.js
sap.ui.define([], function () {
function Bridge() { window.onmessage = this.run.bind(this) }
Bridge.prototype.commands = { show: function (given) { this.write(given.text) } }
Bridge.prototype.run = function (event) { ${call} }
Bridge.prototype.write = function (text) { document.body.innerHTML = text }
return Bridge
})
`)
    expect(found).toEqual([])
  })
})

describe('functions that are called with another this', () => {
  const base = `--- webapp/controller/Base.js
sap.ui.define(["sap/ui/core/mvc/Controller"], function (Controller) {
return Controller.extend("shop.controller.Base", {
show: function (node, text) {
  node.innerHTML = text // HIGH
} })
})
`
  test.each([
    'Base.prototype.show.call(this, document.body, location.hash)',
    'Base.prototype.show.apply(this, [document.body, location.hash])',
    'const all = [document.body, location.hash]; Base.prototype.show.apply(this, all)',
    'this.relay(document.body, location.hash)',
    'this.apply(document.body, location.hash)',
  ])('%s', async (call) => {
    const { found, wanted } = await compare(`${base}--- webapp/controller/Main.controller.js
sap.ui.define(["./Base"], function (Base) {
return Base.extend("shop.controller.Main", {
onInit: function () { ${call} },
relay: function (node, text) { Base.prototype.show.apply(this, arguments) },
apply: function (node, text) { this.show(node, text) }
})
})
`)
    expect(found).toEqual(wanted)
  })

  test('not: another place of the arguments', async () => {
    const { found } = await compare(`${base.replace('text) {', 'text, more) {')}--- webapp/controller/Main.controller.js
sap.ui.define(["./Base"], function (Base) {
return Base.extend("shop.controller.Main", {
onInit: function () { Base.prototype.show.apply(this, [document.body, "<hr>", location.hash]); Base.prototype.onInit.apply(this, arguments) }
})
})
`)
    expect(found).toEqual([])
  })
})
