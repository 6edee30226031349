import { expect, test } from 'vitest'
import { loadsOf } from '../../../core/model/ui5/index.ts'
import { factsOf } from '../../facts/facts-of.ts'

function loads(text: string): string[] {
  return [...loadsOf(factsOf(text), () => undefined)].map(({ address, style, integrity, crossorigin, via }) =>
    [address, style && 'style', integrity && 'integrity', crossorigin && 'crossorigin', via]
      .filter((part) => part !== false)
      .join(' '),
  )
}

test.each([
  ['sap.ui.define(["sap/ui/dom/includeScript"], (load) => load("a.js"))', ['a.js second']],
  [
    'sap.ui.define(["sap/ui/dom/includeScript"], (load) => load("a.js", { integrity: "x", crossorigin: "y" }, done))',
    ['a.js integrity crossorigin second'],
  ],
  [
    'sap.ui.require(["sap/ui/dom/includeStylesheet"], function (f) { f({ url: "a.css", attributes: { integrity: "x", crossOrigin: "y" } }) }.bind(this))',
    ['a.css style integrity crossorigin include'],
  ],
  ['jQuery.sap.includeScript("a.js"); $.getScript("b.js")', ['a.js second', 'b.js getScript']],
  ['const s = document.createElement("script"); s.src = "a.js"; s.integrity = hash', ['a.js integrity element']],
  ['const l = document.createElement("link"); l.rel = "stylesheet"; l.href = "a.css"', ['a.css style element']],
  ['const l = document.createElement("link"); l.rel = "icon"; l.href = "a.png"', []],
  ['const i = document.createElement("img"); i.src = "a.png"', []],
  ['const s = document.createElement("script"); s.src = address', []],
  ['import a from "https://x.example.com/a.js"; import b from "./b"', ['https://x.example.com/a.js import']],
  ['includeScript("a.js")', []],
])('%s', (text, expected) => expect(loads(text)).toEqual(expected))
