import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBudget } from '../../core/budget.ts'
import { solve, toFileFlow, toHit, toModelFlow, toUnknownModels, type FlowHit, type LinkedFile } from '../../core/flow/index.ts'
import { factsOf } from '../facts/facts-of.ts'
import { runs } from '../soak.ts'

/** The files of the app `shop`, whose default model is an OData service. */
function filesOf(texts: Readonly<Record<string, string>>): LinkedFile[] {
  const files = Object.entries(texts).flatMap(([path, text]) => {
    const flow = toFileFlow({ path, realm: 'browser', text, facts: factsOf(text, path), step: () => undefined })
    const module = path.replace('webapp/', 'shop/').replace(/\.[jt]sx?$/, '')
    return flow === undefined ? [] : [{ path, module, flow }]
  })
  const declared = [{ name: '', filledBy: 'backend', start: 0, end: 0 } as const]
  const unknown = toUnknownModels(files, declared, true)
  return [...files, toModelFlow('webapp/manifest.json', declared), ...(unknown === undefined ? [] : [unknown])]
}

function hitsIn(texts: Readonly<Record<string, string>>): FlowHit[] {
  const files = filesOf(texts)
  return solve(files, createBudget(5_000_000)).arrivals.map((arrival) => toHit(arrival, files))
}

const MAIN = 'webapp/controller/Main.controller.js'

function controller(body: string, names = '', parameters = ''): string {
  return `sap.ui.define(["sap/ui/core/mvc/Controller"${names}], function (Controller${parameters}) {
  return Controller.extend("shop.controller.Main", { ${body} })
})`
}

/** Who chooses what reaches `eval` in a method of a controller. */
function originsIn(body: string, more = ''): string[] {
  const text = controller(
    `onInit: function (oEvent) { ${body} }, ${more}`,
    ', "sap/ui/model/json/JSONModel", "sap/base/util/UriParameters", "sap/ui/util/Storage", "sap/m/library"',
    ', JSONModel, UriParameters, Storage, library',
  )
  return hitsIn({ [MAIN]: text }).flatMap(({ fault, origin }) => (fault === 'ui5/eval' ? [origin] : []))
}

describe('who chooses a value', () => {
  test.each([
    ['url', 'eval(location.hash)'],
    ['url', 'eval(window.location.search.slice(1))'],
    ['url', 'eval(window.top.location.hash)'],
    ['url', 'const { hash } = document.location; eval(hash)'],
    ['url', 'const page = window; eval(page.name)'],
    ['referrer', 'eval(document.referrer)'],
    ['url', 'eval(document.URL)'],
    ['url', 'eval(`${location}`)'],
    ['url', 'eval(location.href.split("#")[1])'],
    ['url', 'eval(/x=(.*)/.exec(location.href)[1])'],
    ['url', 'eval(new URL(location.href).searchParams.get("x"))'],
    ['url', 'eval(new URL(location).hash)'],
    ['url', 'eval(new URLSearchParams(location.search).getAll("x")[0])'],
    ['url', 'for (const [, value] of new URLSearchParams(location.search)) eval(value)'],
    ['url', 'eval(UriParameters.fromQuery(location.search).get("x"))'],
    ['url', 'eval(new UriParameters(window.location.href).get("x"))'],
    ['url', 'eval(jQuery.sap.getUriParameters().get("x"))'],
    ['url', 'eval(sap.ui.core.routing.HashChanger.getInstance().getHash())'],
    ['url', 'eval(oEvent.getParameter("arguments").id)'],
    ['url', 'eval(oEvent.getParameters().arguments.id)'],
    ['url', 'const { arguments: given } = oEvent.getParameters(); eval(given.id)'],
    ['url', 'eval(this.getOwnerComponent().getComponentData().startupParameters.id[0])'],
    ['window-message', 'window.addEventListener("message", function (event) { eval(event.data) })'],
    ['window-message', 'window.addEventListener("message", ({ data }) => eval(data.code))'],
    ['window-message', 'window.onmessage = this._onMessage.bind(this)', '_onMessage: function (event) { eval(event.data) }'],
    ['window-message', 'addEventListener("message", (e) => { if (e.origin.indexOf("x") < 0) return; eval(e.data) })'],
    ['storage', 'eval(localStorage.getItem("x"))'],
    ['storage', 'eval(window.sessionStorage.x)'],
    ['storage', 'eval(new Storage(Storage.Type.local).get("x"))'],
    ['storage', 'this._store = new Storage(); eval(this._store.get("x"))'],
    ['storage', 'eval(document.cookie)'],
    ['input', 'eval(this.byId("x").getValue())'],
    ['input', 'eval(oEvent.getSource().getValue())'],
    ['input', 'eval(oEvent.getParameter("query"))'],
    ['input', 'eval(document.getElementById("x").value)'],
    ['input', 'eval(jQuery("#x").val())'],
    ['input', 'document.body.addEventListener("input", (e) => eval(e.target.value))'],
    ['backend', 'fetch("/x").then((answer) => answer.text()).then((text) => eval(text))'],
    ['backend', 'const run = async () => { const a = await fetch("/x"); eval((await a.json()).code) }; run()'],
    ['backend', 'jQuery.ajax({ url: "/x", success: function (data) { eval(data) } })'],
    ['backend', 'jQuery.ajax("/x").done(this._run.bind(this))', '_run: function (data) { eval(data) }'],
    ['backend', 'jQuery.get("/x", function (data) { eval(data) })'],
    ['backend', 'const r = new XMLHttpRequest(); r.onload = function () { eval(r.responseText) }'],
    ['backend', 'const r = new XMLHttpRequest(); r.onload = () => eval(r.response)'],
    ['backend', 'eval(jQuery.sap.sjax({ url: "/x" }).data)'],
    ['backend', 'this.getView().getModel().read("/X", { success: function (data) { eval(data.results[0].code) } })'],
    [
      'backend',
      'var that = this; this.getView().getModel().callFunction("/F", { success: (d) => that._run(d.F) })',
      '_run(x) { eval(x) }',
    ],
    ['backend', 'eval(this.getView().getModel().getProperty("/X(1)/code"))'],
    ['backend', 'eval(oEvent.getSource().getBindingContext().getProperty("code"))'],
    ['backend', 'eval(this.getView().getBindingContext().getObject().code)'],
    ['backend', 'this.getView().getBindingContext().requestObject().then((data) => eval(data.code))'],
    ['backend', 'const m = new JSONModel("/api/x"); eval(m.getProperty("/code"))'],
    ['backend', 'const m = new JSONModel(); m.loadData("/api/x"); eval(m.getData().code)'],
    ['backend', 'const m = new sap.ui.model.odata.v2.ODataModel("/x"); eval(m.getProperty("/X(1)/code"))'],
    ['unknown', 'eval(this.getView().getModel("else").getProperty("/code"))'],
  ])('%s: %s', (origin, body, more = '') => {
    expect(originsIn(body, more)).toEqual([origin])
  })

  test.each([
    ['the host', 'eval(location.host + location.pathname)'],
    ['another global of that name', 'const location = { hash: "x" }; eval(location.hash)'],
    ['texts of the app', 'eval(this.getView().getModel("i18n").getResourceBundle().getText("x"))'],
    ['a file of the app', 'const m = new JSONModel("model/x.json"); eval(m.getProperty("/x"))'],
    ['a file of the app by its module', 'jQuery.getJSON(sap.ui.require.toUrl("shop/x.json"), (data) => eval(data.x))'],
    ['a checked sender', 'addEventListener("message", (e) => { if (e.origin !== "https://x.example") return; eval(e.data) })'],
    ['a list of senders', 'addEventListener("message", (e) => { if (!OK.includes(e.origin)) return; eval(e.data) })'],
    ['messages of a worker', 'new Worker("x.js").onmessage = (e) => eval(e.data)'],
    ['which item was selected', 'eval(oEvent.getParameter("selectedItem"))'],
    ['a length', 'eval(location.hash.length)'],
    ['the code of a function', 'eval(JSON.stringify(location.hash))'],
  ])('nobody: %s', (_, body) => {
    expect(originsIn(body)).toEqual([])
  })
})

describe('what scripts of an app share', () => {
  test.each([
    [
      'a model by its content',
      'this.getView().setModel(new JSONModel({ a: location.hash }), "m")',
      'this.getView().getModel("m").getProperty("/a")',
    ],
    [
      'a model by its data',
      'const m = new JSONModel(); m.setData({ a: location.hash }); this.getView().setModel(m, "m")',
      'this.getView().getModel("m").getData().a',
    ],
    [
      'a field of a model',
      'this.getView().getModel("m").setProperty("/a", location.hash)',
      'this.getView().getModel("m").getProperty("/a")',
    ],
    [
      'a model of a field of this',
      'this._m = new JSONModel({}); this._m.setProperty("/a", location.hash)',
      'this._m.getProperty("/a")',
    ],
    [
      'a model in both',
      'this._m = new JSONModel(); this.getView().setModel(this._m, "m"); this._m.setProperty("/a", location.hash)',
      'this.getView().getModel("m").getProperty("/a")',
    ],
    [
      'an unknown path',
      'this.getView().getModel("m").setProperty(this._path(), location.hash)',
      'this.getView().getModel("m").getProperty("/a")',
    ],
    [
      'an item of a list',
      'this.getView().getModel("m").setProperty("/l/0/a", location.hash)',
      'this.getView().getModel("m").getProperty("/l")[3].a',
    ],
    [
      'the object of a model',
      'this.getView().getModel("m").getData().a = location.hash',
      'this.getView().getModel("m").getProperty("/a")',
    ],
    [
      'a component',
      'this.getOwnerComponent().getModel("m").setProperty("/a", location.hash)',
      'sap.ui.getCore().getModel("m").getProperty("/a")',
    ],
    ['a control', 'this.byId("t").setText(location.hash)', 'this.getView().byId("t").getText()'],
    ['a property of a control', 'this.byId("t").setProperty("text", location.hash)', 'this.byId("t").getText()'],
    ['a field of this', 'this.a = location.hash', 'this.a'],
    ['a field under another name of this', 'var that = this; setTimeout(function () { that.a = location.hash })', 'this.a'],
    ['a bound function', 'this.byId("b").attachPress(function () { this.a = location.hash }, this)', 'this.a'],
    ['a function bound by jQuery', 'jQuery.proxy(function () { this.a = location.hash }, this)()', 'this.a'],
    ['the storage', 'localStorage.setItem("k", location.hash)', 'localStorage.getItem("k")'],
  ])('%s', (_, write, read) => {
    expect(originsIn(write, `onShow: function () { eval(${read}) }`)).toEqual(['url'])
  })

  test.each([
    [
      'another path',
      'this.getView().getModel("m").setProperty("/a", location.hash)',
      'this.getView().getModel("m").getProperty("/b")',
    ],
    [
      'another model',
      'this.getView().setModel(new JSONModel({ a: location.hash }), "m"); this.getView().setModel(new JSONModel({ a: "x" }), "n")',
      'this.getView().getModel("n").getProperty("/a")',
    ],
    ['another control', 'this.byId("t").setText(location.hash)', 'this.byId("u").getText()'],
    ['another property', 'this.byId("t").setText(location.hash)', 'this.byId("t").getTooltip()'],
    ['another field of this', 'this.a = location.hash', 'this.b'],
    ['this of a function that is not bound', 'this.run(function () { this.a = location.hash })', 'this.a'],
  ])('not: %s', (_, write, read) => {
    expect(originsIn(write, `onShow: function () { eval(${read}) }`)).toEqual([])
  })

  test('events by every way to the bus', () => {
    for (const [publish, subscribe] of [
      ['this.getOwnerComponent().getEventBus()', 'sap.ui.getCore().getEventBus()'],
      ['sap.ui.getCore().getEventBus()', 'EventBus.getInstance()'],
      ['EventBus.getInstance()', 'this._bus'],
    ]) {
      const write = `this._bus = EventBus.getInstance(); ${publish}.publish("c", "e", { a: location.hash })`
      const read = `onShow: function () { ${subscribe}.subscribe("c", "e", this.onEvent, this) }, onEvent: function (c, e, data) { eval(data.a) }`
      expect(originsIn(write, read), publish).toEqual(['url'])
    }
  })
})

describe('from file to file', () => {
  const use = (call: string, names = ', "./Helper"'): string => controller(`onInit: function () { ${call} }`, names, ', Helper')

  test.each([
    ['an object', 'Helper.run(location.hash)', 'sap.ui.define([], function () { return { run: function (x) { eval(x) } } })'],
    [
      'an object that is filled later',
      'Helper.run(location.hash)',
      'sap.ui.define([], function () { var H = {}; H.run = function (x) { eval(x) }; return H })',
    ],
    ['a function', 'Helper(location.hash)', 'sap.ui.define([], function () { return function (x) { eval(x) } })'],
    [
      'a class of UI5',
      'new Helper().run(location.hash)',
      'sap.ui.define(["sap/ui/base/Object"], function (O) { return O.extend("shop.Helper", { run: function (x) { eval(x) } }) })',
    ],
    [
      'a class in a field of this',
      'this.h = new Helper(); this.h.run(location.hash)',
      'sap.ui.define(["sap/ui/base/Object"], function (O) { return O.extend("shop.Helper", { run: function (x) { eval(x) } }) })',
    ],
    [
      'a constructor',
      'new Helper().run(location.hash)',
      'sap.ui.define([], function () { function H() {} H.prototype.run = function (x) { eval(x) }; return H })',
    ],
    [
      'one object for all',
      'Helper.run(location.hash)',
      'sap.ui.define([], function () { class H { run(x) { eval(x) } } return new H() })',
    ],
    ['a class of ECMAScript', 'Helper.run(location.hash)', 'export default class Helper { static run(x) { eval(x) } }'],
    ['a function of ECMAScript', 'Helper.run(location.hash)', 'export function run(x) { eval(x) }'],
    [
      'what a module holds',
      'Helper.state = location.hash',
      'sap.ui.define([], function () { var H = { state: "", show: function () { eval(H.state) } }; return H })',
    ],
  ])('%s', (_, call, helper) => {
    const texts = { [MAIN]: use(call), 'webapp/controller/Helper.js': helper }
    expect(hitsIn(texts).map(({ fault, origin }) => `${fault} ${origin}`)).toEqual(['ui5/eval url'])
    const absolute = { [MAIN]: use(call, ', "shop/lib/Helper"'), 'webapp/lib/Helper.js': helper }
    expect(hitsIn(absolute).map(({ fault, origin }) => `${fault} ${origin}`)).toEqual(['ui5/eval url'])
  })

  test('methods and fields of a class that others extend, over three files', () => {
    const base = (parent: string, name: string, body: string): string =>
      `sap.ui.define(["${parent}"], function (Parent) { return Parent.extend("shop.controller.${name}", { ${body} }) })`
    const texts = {
      'webapp/controller/A.js': base(
        'sap/ui/core/mvc/Controller',
        'A',
        'run: function (x) { eval(x) }, show: function () { eval(this.text) }',
      ),
      'webapp/controller/B.js': base('./A', 'B', 'other: function () {}'),
      'webapp/controller/C.controller.js': base(
        'shop/controller/B',
        'C',
        'onInit: function () { this.run(location.hash); this.text = location.hash }',
      ),
    }
    expect(hitsIn(texts).map(({ at }) => at.file)).toEqual(['webapp/controller/A.js', 'webapp/controller/A.js'])
    const typed = {
      'webapp/controller/A.ts':
        'import Controller from "sap/ui/core/mvc/Controller"\nexport default class A extends Controller { protected text = ""; run(x: string) { eval(x) } show() { eval(this.text) } }',
      'webapp/controller/C.controller.ts':
        'import A from "./A"\nexport default class C extends A { onInit() { this.run(location.hash); this.text = location.hash } run(x: string) { super.run(x) } }',
    }
    expect(hitsIn(typed).map(({ at }) => at.file)).toEqual(['webapp/controller/A.ts', 'webapp/controller/A.ts'])
  })

  test('namespaces', () => {
    const texts = {
      'webapp/util/Helper.js':
        'jQuery.sap.declare("shop.util.Helper"); shop.util.Helper = { run: function (x) { eval(x) } }; shop.util.Helper.go = function (x) { eval(x) }',
      [MAIN]:
        'sap.ui.controller("shop.Main", { onInit: function () { shop.util.Helper.run(location.hash); window.shop.util.Helper.go(location.hash) } })',
    }
    expect(hitsIn(texts)).toHaveLength(2)
  })

  test('the path names what it is kept in', () => {
    const [hit] = hitsIn({
      'webapp/controller/One.controller.js': controller(
        'onInit: function () { this.getOwnerComponent().getModel("m").setProperty("/a", location.hash) }',
      ),
      'webapp/controller/Two.controller.js': controller(
        'onInit: function () { eval(this.getOwnerComponent().getModel("m").getProperty("/a")) }',
      ),
    })
    expect(
      hit?.steps.map(({ at, step, args }) => [at.file.slice('webapp/controller/'.length), step, ...Object.values(args ?? {})]),
    ).toEqual([
      ['One.controller.js', 'source-url', 'location.hash'],
      ['One.controller.js', 'store', 'model m'],
      ['Two.controller.js', 'load'],
      ['Two.controller.js', 'sink', 'eval'],
    ])
  })
})

describe('laws', () => {
  const NAMES = ['alpha', 'beta', 'gamma', 'delta']
  const program = fc.record({
    names: fc.shuffledSubarray(NAMES, { minLength: 3, maxLength: 3 }),
    wraps: fc.nat({ max: 3 }),
    split: fc.boolean(),
    kept: fc.constantFrom('not', 'model', 'field', 'control', 'bus', 'rows'),
    bound: fc.boolean(),
  })

  test('renaming, wrapping, splitting and keeping a value somewhere change nothing but places', () => {
    fc.assert(
      fc.property(program, ({ names: [a = '', b = '', f = ''], wraps, split, kept, bound }) => {
        let value = b
        for (let depth = 0; depth < wraps; depth++) value = `(function (${a}) { return ${a} })(${value})`
        const helper = `function (${a}) { document.body.innerHTML = "<b>" + ${a} }`
        const keep = {
          not: '',
          model: `this.getModel("m").setProperty("/x", ${b}); ${b} = this.getModel("m").getProperty("/x");`,
          field: `this.${a} = ${b}; ${b} = this.${a};`,
          // to a control of the view and back
          control: `this.byId("keep").setText(${b}); ${b} = this.byId("keep").getText();`,
          bus: `bus.subscribe("c", "e", function (x, y, ${a}) { ${b} = ${a}.v }); bus.publish("c", "e", { v: ${b} });`,
          rows: `${b} = [${b}].map(function (${a}) { return { v: ${a}, n: 1 } })[0].v;`,
        }[kept]
        const call = split ? `Other.${f}(${value})` : `this.${f}(${value})`
        const inner = bound ? `(function () { ${call} }.bind(this))()` : call
        const body = `onInit: function () { var ${b} = location.hash; ${keep} ${inner} }${split ? '' : `, ${f}: ${helper}`}`
        const texts = {
          [MAIN]: controller(body, ', "shop/Other"', ', Other'),
          ...(split && { 'webapp/Other.js': `sap.ui.define([], function () { return { ${f}: ${helper} } })` }),
        }
        expect(hitsIn(texts).map(({ fault, origin, weak }) => [fault, origin, weak])).toEqual([
          ['ui5/xss-dom-sink', 'url', false],
        ])
      }),
      { numRuns: runs(300) },
    )
  })
})
