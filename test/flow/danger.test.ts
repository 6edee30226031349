import { describe, expect, test } from 'vitest'
import { answersRequests, holdsDanger } from '../../core/flow/index.ts'
import { factsOf } from '../facts/facts-of.ts'

describe('which browser scripts of large projects have a graph', () => {
  test.each([
    'el.innerHTML = text',
    'el["outerHTML"] = text',
    'el.insertAdjacentHTML("beforeend", text)',
    'Object.assign(el, { innerHTML: text })',
    'el.setAttribute("srcdoc", text)',
    'document.write("<p>" + text)',
    'eval(code)',
    'new Function("a", code)',
    'URLHelper.redirect(address, true)',
    'sap.ui.define(["sap/ui/dom/includeScript"], (load) => load(address))',
    'XMLView.create({ viewContent: text })',
    'this.byId("note").setContent(text)',
    'new sap.ui.core.HTML({ content: "{/text}" })',
    'html.bindContent("/text")',
    'function format(name) { return "<b>" + name + "</b>" }',
    'const format = (name) => encodeXML(name)',
  ])('%s', (text) => expect(holdsDanger(factsOf(text), text)).toBe(true))

  test.each([
    'el.innerHTML = ""',
    'const kept = el.innerHTML',
    'el.insertAdjacentHTML("beforeend", "<hr>")',
    'document.write("<p>")',
    '// eval(code) and innerHTML are dangerous\nrun()',
    'new sap.ui.core.HTML({ content: "<hr>" })',
    'this.byId("note").setContent("<hr>")',
    'this.byId("note").setContent(new Text())',
    'popup.setContent(text)',
    'storage.write({ key: text })',
    'const Renderer = { apiVersion: 2, render(rm, it) { rm.class(encodeXML(it.getName())) } }',
  ])('not %s', (text) => expect(holdsDanger(factsOf(text), text)).toBe(false))
})

describe('which of them have one, since others get their answers', () => {
  const inBase = (method: string): string => `sap.ui.define(["c"], (Controller) => Controller.extend("a.Base", { ${method} }))`

  test.each([
    'read(url) { return new Promise((resolve) => { $.ajax({ url, success: (data) => resolve(data) }) }) }',
    'read: function (url) { return fetch(url).then((response) => response.json()) }',
    'read: async function (url) { const response = await fetch(url); return response.json() }',
    'get(url) { return new Promise(function (resolve) { const x = new XMLHttpRequest(); x.onload = () => resolve(x.responseText); x.open("GET", url) }) }',
  ])('%s', (method) => expect(answersRequests(factsOf(inBase(method)))).toBe(true))

  test.each([
    'load() { $.ajax({ url: "/x", success: (data) => this.getModel().setData(data) }) }',
    'load: function () { fetch("/x").then((response) => this.show(response)) }',
    'load: async function () { await fetch("/x") }',
    'name() { return this.fetched }',
  ])('not %s', (method) => expect(answersRequests(factsOf(inBase(method)))).toBe(false))
})
