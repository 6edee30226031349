import { describe, expect, test } from 'vitest'
import { compare, controller } from './marked-files.ts'

describe('objects and functions that are known by their values', () => {
  test.each([
    [
      'a class that is handed to a constructor',
      `--- webapp/service/Loader.js
sap.ui.define([], () => class Loader { async load() { return (await fetch("/texts")).text() } })
--- webapp/service/Cache.js
sap.ui.define([], () => class Cache { constructor(loader) { this.loader = loader } async get() { return this.loader.load() } })
${controller(
  `onInit: async function () {
  this.cache = new Cache(new Loader())
  document.body.innerHTML = await this.cache.get() // MEDIUM
}`,
  ', "shop/service/Loader", "shop/service/Cache"',
  ', Loader, Cache',
)}`,
    ],
    [
      'an object that a function makes',
      `--- webapp/service/api.js
sap.ui.define([], () => ({ create: (root) => ({ text: async () => (await fetch(root)).text(), size: () => 5 }) }))
${controller(
  `onInit: async function () {
  const api = Api.create("/texts")
  document.body.innerHTML = await api.text() // MEDIUM
  document.body.innerHTML = api.size()
}`,
  ', "shop/service/api"',
  ', Api',
)}`,
    ],
    [
      'a singleton with a static method',
      `--- webapp/service/Texts.ts
export default class Texts {
  private static instance: Texts
  static shared(): Texts { return (Texts.instance ??= new Texts()) }
  async one(): Promise<string> { const answer = await fetch("/texts"); return answer.text() }
}
--- webapp/controller/Main.controller.ts
import Controller from "sap/ui/core/mvc/Controller"
import Texts from "../service/Texts"
export default class Main extends Controller {
  private readonly texts = Texts.shared()
  async onInit() {
    document.body.innerHTML = await this.texts.one() // MEDIUM
  }
}
`,
    ],
    [
      'functions in a map',
      controller(`onInit: function () {
  const show = { plain: (text) => { document.body.textContent = text }, rich: (text) => {
    document.body.innerHTML = text // HIGH
  } }
  show[this.kind](location.hash.slice(1))
}`),
    ],
    [
      'a callback of a service',
      `--- webapp/service/Reader.js
sap.ui.define([], function () {
  return { read: function (model, done) { model.read("/Texts", { success: function (data) { done(null, data.results) } }) } }
})
${controller(
  `onInit: function () {
  Reader.read(this.getView().getModel(), this._onRead.bind(this))
},
_onRead: function (error, rows) {
  document.body.innerHTML = rows[0].text // MEDIUM
}`,
  ', "shop/service/Reader"',
  ', Reader',
)}`,
    ],
    [
      'a promise that a callback settles',
      `--- webapp/service/Reader.js
sap.ui.define([], function () {
  return { read: (model) => new Promise((resolve, reject) => model.read("/Texts", { success: resolve, error: reject })) }
})
${controller(
  `onInit: function () {
  Reader.read(this.getView().getModel()).then(({ results }) => {
    document.body.innerHTML = results[0].text // MEDIUM
  })
}`,
  ', "shop/service/Reader"',
  ', Reader',
)}`,
    ],
    [
      'an object that a function fills',
      `--- webapp/service/fill.js
sap.ui.define([], function () {
  return function (target) { jQuery.getJSON("/texts").done(function (data) { target.setProperty("/html", data.html) }) }
})
${controller(
  `onInit: function () {
  this._model = new JSONModel({ html: "", title: "" })
  fill(this._model)
},
onShow: function () {
  document.body.innerHTML = this._model.getProperty("/html") // MEDIUM
  document.body.innerHTML = this._model.getProperty("/title")
}`,
  ', "shop/service/fill", "sap/ui/model/json/JSONModel"',
  ', fill, JSONModel',
)}`,
    ],
    [
      'getters and setters',
      `--- webapp/Hash.js
sap.ui.define([], () => class Hash { get text() { return location.hash.slice(1) } set note(text) { document.title = text; this._note = text } get note() { return this._note } })
${controller(
  `onInit: function () {
  const hash = new Hash()
  document.body.innerHTML = hash.text // HIGH
}`,
  ', "shop/Hash"',
  ', Hash',
)}`,
    ],
    [
      'a namespace of old that a name holds',
      `--- webapp/util/Texts.js
jQuery.sap.declare("shop.util.Texts")
shop.util.Texts = { last: function () { return jQuery.sap.getUriParameters().get("text") }, none: function () { return "" } }
--- webapp/controller/Main.controller.js
sap.ui.controller("shop.controller.Main", {
  onInit: function () { this._texts = shop.util.Texts },
  onShow: function () {
    this.byId("x").$().html(this._texts.last()) // HIGH
    this.byId("x").$().html(this._texts.none())
  }
})
`,
    ],
    [
      'a generator',
      controller(`rows: function* (rows) { for (const row of rows) yield "<b>" + row.text + "</b>" },
onInit: async function () {
  const rows = await (await fetch("/rows")).json()
  document.body.innerHTML = Array.from(this.rows(rows)).join("") // MEDIUM
  let all = ""
  for (const part of this.rows(rows)) all += part
  document.body.innerHTML = all // MEDIUM
}`),
    ],
  ])('%s', async (_, text) => {
    const { found, wanted } = await compare(text)
    expect(found).toEqual(wanted)
  })
})

describe('classes that are put together', () => {
  const MIXIN = `--- webapp/mixin/Show.js
sap.ui.define([], function () {
  return { show: function (text) {
    document.body.innerHTML = text // HIGH
  } }
})
`
  const USE = 'onInit: function () { this.show(location.hash) }'
  test.each([
    ['Object.assign', `Object.assign({}, Show, { ${USE} })`],
    ['jQuery.extend', `jQuery.extend(true, {}, Show, { ${USE} })`],
    ['a spread', `{ ...Show, ${USE} }`],
  ])('%s', async (_, methods) => {
    const { found, wanted } = await compare(`${MIXIN}--- webapp/controller/Main.controller.js
sap.ui.define(["sap/ui/core/mvc/Controller", "../mixin/Show"], function (Controller, Show) {
  return Controller.extend("shop.controller.Main", ${methods})
})
`)
    expect(found).toEqual(wanted)
  })

  test('a prototype that is added to', async () => {
    const { found, wanted } = await compare(`${MIXIN}--- webapp/controller/Main.controller.js
sap.ui.define(["sap/ui/core/mvc/Controller", "../mixin/Show"], function (Controller, Show) {
  var Main = Controller.extend("shop.controller.Main", { ${USE} })
  Object.assign(Main.prototype, Show)
  return Main
})
`)
    expect(found).toEqual(wanted)
  })

  test('modules that are passed on', async () => {
    const { found, wanted } = await compare(`--- webapp/util/markup.ts
export const bold = (text: string): string => \`<b>\${text}</b>\`
--- webapp/util/more/index.ts
export * from "../markup"
import Hash from "../Hash"
export { Hash }
--- webapp/util/Hash.ts
export default class Hash { static text(): string { return location.hash.slice(1) } }
--- webapp/util/index.ts
export * as texts from "./more"
export { bold as strong } from "./markup"
--- webapp/controller/Main.controller.ts
import Controller from "sap/ui/core/mvc/Controller"
import { texts, strong } from "../util"
export default class Main extends Controller {
  onInit() {
    document.body.innerHTML = texts.bold(texts.Hash.text()) // HIGH
    document.body.innerHTML = strong(texts.Hash.text()) // HIGH
    document.body.innerHTML = strong("")
  }
}
`)
    expect(found).toEqual(wanted)
  })
})

describe('events that code of the app fires itself', () => {
  test.each([
    [
      'an event provider',
      `--- webapp/Feed.js
sap.ui.define(["sap/ui/base/EventProvider"], (EventProvider) => EventProvider.extend("shop.Feed", {
  load: function () { fetch("/news").then((answer) => answer.json()).then((news) => this.fireEvent("arrived", { html: news.html, count: news.rows.length })) }
}))
${controller(
  `onInit: function () {
  this._feed = new Feed()
  this._feed.attachEvent("arrived", function (oEvent) {
    document.body.innerHTML = oEvent.getParameter("html") // MEDIUM
    document.body.innerHTML = oEvent.getParameter("count")
  })
}`,
  ', "shop/Feed"',
  ', Feed',
)}`,
    ],
    [
      'an element',
      controller(`onInit: function () {
  window.addEventListener("picked", (event) => {
    document.body.innerHTML = event.detail.text // HIGH
  })
  this.getView().getDomRef().dispatchEvent(new CustomEvent("picked", { detail: { text: location.hash } }))
}`),
    ],
    [
      'jQuery',
      controller(`onInit: function () {
  $(document).on("shop:picked", function (event, text) {
    document.body.innerHTML = text // HIGH
  })
  $(document).trigger("shop:picked", [decodeURIComponent(location.hash)])
}`),
    ],
    [
      'an emitter',
      `--- webapp/bus.js
sap.ui.define(["shop/thirdparty/mitt"], (mitt) => mitt())
${controller(
  `onInit: function () {
  bus.on("picked", (text) => {
    document.body.innerHTML = text // HIGH
  })
  bus.emit("picked", location.hash)
}`,
  ', "shop/bus"',
  ', bus',
)}`,
    ],
    [
      'a control of its own, in a view',
      `--- webapp/control/Box.js
sap.ui.define(["sap/ui/core/Control"], (Control) => Control.extend("shop.control.Box", {
  metadata: { properties: {}, events: { pasted: {} } },
  renderer: { apiVersion: 2, render(rm, box) { rm.openStart("div", box).openEnd().close("div") } },
  onpaste(event) { this.firePasted({ html: event.originalEvent.clipboardData.getData("text/html") }) }
}))
--- webapp/view/Main.view.xml
<mvc:View xmlns:mvc="sap.ui.core.mvc" xmlns:c="shop.control" controllerName="shop.controller.Main"><c:Box pasted=".onPasted"/></mvc:View>
${controller(`onPasted: function (oEvent) {
  document.body.innerHTML = oEvent.getParameter("html") // MEDIUM
}`)}`,
    ],
    [
      'a socket',
      controller(`onInit: function () {
  this._socket = new WebSocket("wss://shop.example/news")
  this._socket.addEventListener("message", ({ data }) => {
    document.body.innerHTML = JSON.parse(data).html // MEDIUM
  })
  const source = new EventSource("/news")
  source.onmessage = (event) => {
    document.body.innerHTML = event.data // MEDIUM
  }
}`),
    ],
  ])('%s', async (_, text) => {
    const { found, wanted } = await compare(text)
    expect(found).toEqual(wanted)
  })
})

describe('what the user brings in', () => {
  test.each([
    [
      'a file',
      'change: function (event) { const reader = new FileReader(); reader.onload = () => this.show(reader.result); reader.readAsText(event.target.files[0]) }',
    ],
    [
      'a file of an uploader',
      'change: async function (oEvent) { const [file] = oEvent.getParameter("files"); this.show(await file.text()) }',
    ],
    ['the clipboard', 'change: async function () { this.show(await navigator.clipboard.readText()) }'],
    ['what is dropped', 'change: function (event) { this.show(event.dataTransfer.getData("text/html")) }'],
  ])('%s', async (_, method) => {
    const { found, wanted } = await compare(
      controller(`${method},
show: function (text) {
  document.body.innerHTML = text // MEDIUM
}`),
    )
    expect(found).toEqual(wanted)
  })
})

describe('React', () => {
  test.each([
    ['a setter that gets the answer', 'const [html, setHtml] = useState(""); useEffect(() => { load().then(setHtml) }, [])'],
    [
      'a reducer',
      'const [html, dispatch] = useReducer((before, action) => action.html ?? before, ""); useEffect(() => { load().then((html) => dispatch({ html })) }, [])',
    ],
    ['a hook of its own', 'const { html } = useText()'],
  ])('%s', async (_, hooks) => {
    const { found, wanted } = await compare(`--- webapp/src/Page.jsx
import { useEffect, useReducer, useState } from "react"
const load = async () => (await fetch("/page")).text()
function useText() { const [text, setText] = useState(""); useEffect(() => { load().then((given) => setText(given)) }, []); return { html: text } }
export function Page() {
  ${hooks}
  return <div dangerouslySetInnerHTML={{ __html: html }} /> // MEDIUM
}
`)
    expect(found).toEqual(wanted)
  })

  test('properties that are spread, a context, an element that a function makes', async () => {
    const { found, wanted } = await compare(`--- webapp/src/App.jsx
import { createContext, createElement, useContext } from "react"
const Text = createContext("")
function Raw({ html }) {
  return <div dangerouslySetInnerHTML={{ __html: html }} /> // HIGH
}
function Deep() {
  const text = useContext(Text)
  return createElement("p", { dangerouslySetInnerHTML: { __html: text } }) // HIGH
}
export function App() {
  const given = { html: new URLSearchParams(location.search).get("html") }
  return <Text.Provider value={location.hash}><Raw {...given} /><Deep /></Text.Provider>
}
`)
    expect(found).toEqual(wanted)
  })
})

describe('not', () => {
  test.each([
    [
      'a name that is given something else',
      'onInit: function () { var text = location.hash; text = "<b/>"; document.body.innerHTML = text }',
    ],
    [
      'a number',
      'onInit: function () { document.body.innerHTML = "<b>" + new Date(location.hash).toLocaleDateString() + "</b>" }',
    ],
    [
      'what a format makes',
      'onInit: function () { document.body.innerHTML = DateFormat.getDateInstance().format(this.getView().getModel().getProperty("/at")) }',
    ],
    [
      'an argument that is left out',
      'text: function (key, args) { return this.bundle.getText(key, args) }, onInit: function () { this.byId("x").setContent("<b>" + (this.note() || "") + "</b>") }, note: function (text) { return text }',
    ],
    ['a text that is appended', 'onInit: function () { this.getView().getDomRef().append(location.hash) }'],
  ])('%s', async (_, body) => {
    const { found } = await compare(controller(body, ', "sap/ui/core/format/DateFormat"', ', DateFormat'))
    expect(found).toEqual([])
  })
})
