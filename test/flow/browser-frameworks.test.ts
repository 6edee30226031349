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
  return <div dangerouslySetInnerHTML={{ __html: html }} /> // HIGH
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
  return <div dangerouslySetInnerHTML={{ __html: data }} /> // HIGH
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
    document.body.innerHTML = row.text // HIGH
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
  document.body.innerHTML = jQuery.map(rows, (row) => "<li>" + row.text + "</li>").join("") // HIGH
  const shown = $.grep(rows, (row) => row.shown)
  document.body.innerHTML = _.map(shown, (row) => "<li>" + row.text + "</li>").join("") // HIGH
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
