import { describe, expect, test } from 'vitest'
import { pathOf } from '../../core/facts/index.ts'
import { factsOf, shownIn } from './facts-of.ts'

/** What `show(X)` shows, in each way in which a module comes into a file. */
const WIRED: readonly (readonly [string, string, readonly string[] | undefined])[] = [
  ['sap.ui.define', 'sap.ui.define(["a/X"], function (X) { show(X) })', ['module:a/X']],
  ['an arrow', 'sap.ui.define(["a/X"], (X) => show(X))', ['module:a/X']],
  ['with its own name', 'sap.ui.define("my.Module", ["a/X"], function (X) { show(X) })', ['module:a/X']],
  ['the second module', 'sap.ui.define(["a/W", "a/X"], function (W, X) { show(X) })', ['module:a/X']],
  ['more parameters than modules', 'sap.ui.define(["a/W"], function (W, X) { show(X) })', ['parameter:X']],
  ['fewer parameters than modules', 'sap.ui.define(["a/X", "a/Y"], function (X) { show(X) })', ['module:a/X']],
  ['no modules', 'sap.ui.define(function (X) { show(X) })', ['parameter:X']],
  ['no modules, a name', 'sap.ui.define("my.Module", function (X) { show(X) })', ['parameter:X']],
  ['a module that is computed', 'sap.ui.define([base + "/W", "a/X"], function (W, X) { show(X) })', ['module:a/X']],
  ['a module that is computed, its parameter', 'sap.ui.define([base + "/X"], function (X) { show(X) })', ['parameter:X']],
  ['names in a constant', 'const names = ["a/X"]; sap.ui.define(names, function (X) { show(X) })', ['module:a/X']],
  ['a factory by its name', 'function factory(X) { show(X) } sap.ui.define(["a/X"], factory)', ['module:a/X']],
  ['window.sap', 'window.sap.ui.define(["a/X"], function (X) { show(X) })', ['module:a/X']],
  ['a local define', 'function f(sap) { sap.ui.define(["a/X"], function (X) { show(X) }) }', ['parameter:X']],
  ['sap.ui.require', 'sap.ui.require(["a/X"], function (X) { show(X) })', ['module:a/X']],
  ['a bound callback', 'sap.ui.require(["a/X"], function (X) { show(X) }.bind(this))', ['module:a/X']],
  ['a callback behind jQuery.proxy', 'sap.ui.require(["a/X"], jQuery.proxy(function (X) { show(X) }, this))', ['module:a/X']],
  ['bind that fills a parameter', 'sap.ui.require(["a/X"], function (W, X) { show(W) }.bind(this, 1))', ['parameter:W']],
  ['a module that is loaded', 'const X = sap.ui.require("a/X"); show(X)', ['module:a/X']],
  ['requireSync', 'show(sap.ui.requireSync("a/X").b)', ['module:a/X', 'b']],
  ['AMD', 'define(["a/X"], function (X) { show(X) })', ['module:a/X']],
  ['a pattern as a parameter', 'sap.ui.define(["a/X"], function ({ b }) { show(b) })', ['parameter:b', 'b']],
  ['ES default', 'import X from "a"; show(X)', ['module:a']],
  ['ES namespace', 'import * as X from "a"; show(X.b)', ['module:a', 'b']],
  ['ES name', 'import { b } from "a"; show(b)', ['module:a', 'b']],
  ['ES default by name', 'import { default as X } from "a"; show(X.b)', ['module:a', 'b']],
  ['require', 'const X = require("a"); show(X.b)', ['module:a', 'b']],
  ['require, taken apart', 'const { b: { c } } = require("a"); show(c)', ['module:a', 'b', 'c']],
  ['require, its default', 'const X = require("a").default; show(X.b)', ['module:a', 'b']],
  ['a local require', 'function f(require) { show(require("a")) }', ['parameter:require', '()']],
  ['a require that is computed', 'show(require(name))', ['global:require', '()']],
  ['dynamic import', 'const X = await import("a"); show(X.b)', ['module:a', 'b']],
  ['dynamic import, its default', 'const { default: X } = await import("a"); show(X.b)', ['module:a', 'b']],
]

describe('modules', () => {
  test.each(WIRED)('%s', (_, text, expected) => expect(pathOf(shownIn(text))).toEqual(expected))

  test('imports, by what names them', () => {
    const { imports } = factsOf(`
      import 'a'; import b, { c } from 'b'; export * from 'c'; export { d } from 'd'
      const e = require('e'); require('f'); const g = await import('g'); jQuery.sap.require('sap.m.Text'); jQuery.sap.declare('own.Name')
      sap.ui.define(['h', 'i'], function (h) {})`)
    expect(imports.map(({ kind, source, binding }) => [kind, source, binding?.name].join(' '))).toEqual([
      'import a ',
      'import b b',
      'import b c',
      'reexport c ',
      'reexport d ',
      'require e e',
      'require f ',
      'dynamic g g',
      'jquery-sap sap.m.Text ',
      'define h h',
      'define i ',
    ])
  })

  test('exports, of modules and of CommonJS', () => {
    const names = (text: string, path?: string) =>
      factsOf(text, path).exports.map(({ name, value, source }) => [name, value?.kind ?? '-', source ?? ''].join(' ').trim())
    expect(
      names('export const a = 1, b = 2; export function c() {} export class d {} export { e as f }; export default g'),
    ).toEqual(['a reference', 'b reference', 'c reference', 'd reference', 'f reference', 'default reference'])
    expect(names('export default function () {}; export * from "a"; export { b } from "c"')).toEqual([
      'default function',
      '* - a',
      'b - c',
    ])
    expect(
      names('module.exports = class {}; module.exports.a = 1; exports.b = 2; module.exports.c.d = 3; other.exports = 4'),
    ).toEqual(['default class', 'a literal', 'b literal'])
    expect(names('export = a', 'a.ts')).toEqual(['default reference'])
    expect(names('export type { A } from "a"; export interface B {}', 'a.ts')).toEqual([])
  })
})
