import { describe, expect, test } from 'vitest'
import { compare, controller } from './marked-files.ts'

describe('what a loop walks', () => {
  const chat = (body: string): string => `--- webapp/chat/Session.js
sap.ui.define([], () => class Session {
  constructor() { this.queue = []; this.size = []; this.socket = new WebSocket("wss://chat.example"); this.socket.onmessage = (event) => this.queue.push(JSON.parse(event.data)) }
  ${body}
})
`
  const SHOW = 'document.body.innerHTML = message.text // MEDIUM'
  test.each([
    [
      'an asynchronous generator',
      'async *[Symbol.asyncIterator]() { while (this.open) yield this.queue.shift() }',
      `for await (const message of this._session) {\n${SHOW}\n}`,
    ],
    [
      'a generator, with a pattern',
      '*[Symbol.iterator]() { for (const one of this.queue) { yield one } }',
      `for (const { text } of this._session) {\n${SHOW.replace('message.', '')}\n}`,
    ],
    [
      'a generator that is called',
      'async *messages() { yield* this.queue }',
      `for await (const message of this._session.messages()) {\n${SHOW}\n}`,
    ],
    [
      'a name of the object',
      '*[Symbol.iterator]() { yield this.queue[0] }',
      `const session = this._session; for (const message of session) {\n${SHOW}\n}`,
    ],
  ])('%s', async (_, body, loop) => {
    const { found, wanted } = await compare(
      chat(body) +
        controller(`onInit: async function () { this._session = new Session(); ${loop} }`, ', "../chat/Session"', ', Session'),
    )
    expect(found).toEqual(wanted)
  })

  test.each([
    ['other items', '*[Symbol.iterator]() { for (const one of queue) yield { text: String(Number(one)) } }'],
    ['another list', '*[Symbol.iterator]() { yield { text: "<hr>" } }'],
    ['another method', '*[Symbol.iterator]() { yield {} } *messages() { yield* queue }'],
  ])('not: %s', async (_, body) => {
    const { found } = await compare(
      chat(body)
        .replaceAll('this.queue', 'queue')
        .replace('() => class', '() => { const queue = []; return class')
        .replace(/\}\)\n$/, '} })\n') +
        controller(
          'onInit: function () { this._session = new Session(); for (const message of this._session) document.body.innerHTML = message.text }',
          ', "../chat/Session"',
          ', Session',
        ),
    )
    expect(found).toEqual([])
  })
})

describe('controls of the app by their ids', () => {
  const files = (definition: string, call: string): string => `--- webapp/control/Note.js
sap.ui.define(["sap/ui/core/Control"], function (Control) {
${definition}
})
--- webapp/view/Main.view.xml
<mvc:View controllerName="shop.controller.Main" xmlns="sap.m" xmlns:c="shop.control" xmlns:mvc="sap.ui.core.mvc">
  <VBox><c:Note id="note"/><Text id="text"/></VBox>
</mvc:View>
${controller(`onInit: function () { ${call} }`)}`
  const show = `show: function (text, size) {
  this.getDomRef().innerHTML = text // HIGH
}`
  test.each([
    ['Control.extend("shop.control.Note", { metadata: {}, %s })', 'this.byId("note").show(location.hash)'],
    [
      'return Control.extend("shop.control.Note", { metadata: {}, %s })',
      'const note = this.getView().byId("note"); note.show(location.hash)',
    ],
    [
      'return Control.extend("shop.control.Note", { metadata: {}, %s })',
      'this.note = this.byId("note"); this.note.show(location.hash, 1)',
    ],
  ])('%s: %s', async (definition, call) => {
    const { found, wanted } = await compare(files(definition.replace('%s', show), call))
    expect(found).toEqual(wanted)
  })

  test.each([
    ['another control', 'this.byId("text").show(location.hash)'],
    ['another argument', 'this.byId("note").show("<hr>", location.hash)'],
  ])('not: %s', async (_, call) => {
    const { found } = await compare(files(`return Control.extend("shop.control.Note", { ${show} })`, call))
    expect(found).toEqual([])
  })
})

describe('pairs', () => {
  const VALUE = 'document.body.innerHTML = start.note // HIGH'
  test.each([
    'const start = Object.fromEntries(wanted("note"))',
    'const start = Object.fromEntries([["note", all().get("note")]])',
    'const start = Object.fromEntries([...all()].map(([name, value]) => [name, value]))',
    'const start = Object.fromEntries(Object.entries(Object.fromEntries(all())).filter(([name]) => name === "note"))',
    'this.start = Object.fromEntries(wanted("note")); const { start } = this',
  ])('%s', async (made) => {
    const { found, wanted } = await compare(
      controller(
        `onInit: function () { const all = () => new URLSearchParams(location.search)
function* wanted(...names) { for (const name of names) yield [name, all().get(name)] }
${made}
${VALUE}
}`,
      ),
    )
    expect(found).toEqual(wanted)
  })

  test('not: numbers of pairs', async () => {
    const { found } = await compare(
      controller(`onInit: function () { const pairs = [["note", new URLSearchParams(location.search).get("note")]]
const start = Object.fromEntries(pairs.map(([, value]) => ["note", Number(value)]))
document.body.innerHTML = start.note }`),
    )
    expect(found).toEqual([])
  })
})

describe('functions that a function is given', () => {
  const text = (build: string, calls: string): string =>
    controller(
      `onInit: async function () { const rows = await (await fetch("/rows")).json()
const raw = (text) => "<b>" + text + "</b>"
const safe = (text) => "<b>" + encodeXML(text) + "</b>"
${build}
${calls}
}`,
      ', "sap/base/security/encodeXML"',
      ', encodeXML',
    )
  const CALLS = `document.body.innerHTML = build(rows, raw) // MEDIUM
document.getElementById("safe").innerHTML = build(rows, safe)`
  test.each([
    [
      'a callback of a list',
      'function build(list, cell) { return list.map((row) => [row.text, row.name].map(cell).join("")).join("") }',
      CALLS,
    ],
    [
      'a call',
      'const build = (list, cell) => { let text = ""; for (const row of list) text += cell(row.text); return text }',
      CALLS,
    ],
    ['one of a choice', 'function build(list, cell) { return list.map(cell || safe).join("") }', CALLS],
  ])('%s: what one caller gives is not called for another one', async (_, build, calls) => {
    const { found, wanted } = await compare(text(build, calls))
    expect(found).toEqual(wanted)
  })
})
