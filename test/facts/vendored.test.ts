import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { identifyLibrary } from '../../core/facts/vendored.ts'
import { runs } from '../soak.ts'
import { cpuTime } from '../cpu-time.ts'

function nameOf(text: string, path = 'webapp/lib/a.js'): string | undefined {
  const found = identifyLibrary(path, text)
  return found && `${found.package}@${found.version}`
}

describe('identifyLibrary', () => {
  it.each([
    ['/*! jQuery v3.4.1 | (c) JS Foundation */', 'jquery@3.4.1'],
    ['/*!\n * jQuery JavaScript Library v1.12.4\n * http://jquery.com/', 'jquery@1.12.4'],
    ['/*! jQuery UI - v1.12.1 - 2016-09-14\n', 'jquery-ui@1.12.1'],
    ['/**\n * @license\n * lodash 3.10.1 (Custom Build) lodash.com/license', 'lodash@3.10.1'],
    ["/**\n * @license\n * Lodash <https://lodash.com/>\n */\n;(function(){var VERSION = '4.17.15';", 'lodash@4.17.15'],
    ['//     Underscore.js 1.8.3\n', 'underscore@1.8.3'],
    ['//! moment.js\n//! version : 2.24.0\n', 'moment@2.24.0'],
    ['/**!\n\n @license\n handlebars v4.7.6\n', 'handlebars@4.7.6'],
    ['/*\n AngularJS v1.5.8\n', 'angular@1.5.8'],
    ['/*!\r\n  * Bootstrap v4.1.3 (https://getbootstrap.com/)', 'bootstrap@4.1.3'],
    ['/*! @license DOMPurify 2.3.3 | (c) Cure53', 'dompurify@2.3.3'],
    [
      '/*! @license DOMPurify | (c) Cure53 and other contributors | github.com/cure53/DOMPurify/blob/2.2.2/LICENSE */\n(function(){n.version="2.2.6",n.removed=[]}())',
      'dompurify@2.2.6',
    ],
    ['/*!\n\nJSZip v3.1.5 - A JavaScript class', 'jszip@3.1.5'],
    ['/*!\n * Chart.js v2.9.3\n', 'chart.js@2.9.3'],
    ['/* axios v0.19.2 | (c) 2020 */', 'axios@0.19.2'],
    ['/* @license\nPapa Parse\nv5.2.0\n', 'papaparse@5.2.0'],
    ['/**\n * Copyright (c) Tiny Technologies\n *\n * Version: 5.1.0 (2019-10-17)\n */', 'tinymce@5.1.0'],
    [
      "(function (factory) {\n  typeof define === 'function' && define.amd ? define(factory) : factory();\n}(function () { 'use strict';\n\n    /** @license\n     * jsPDF - PDF Document creation from JavaScript\n     * Version 1.5.3 Built on 2018-12-27T14:11:42.696Z\n",
      'jspdf@1.5.3',
    ],
    // talk about a library
    ['(function (factory) { factory(); }(function () {\n  run();\n  // jQuery v3.4.1\n', undefined],
    ['/* needs jQuery v3.4.1 */', undefined],
    ['/**\n * jQuery v3.4.1 is needed here\n */', undefined],
    ['var a = 1;\n// jQuery v3.4.1\n', undefined],
    ['/* jQuery Sticky Plugin v1.0.4 for jQuery v3.4.1 */', undefined],
    ['sap.ui.define([], function () {})', undefined],
  ])('%j', (text, expected) => {
    expect(nameOf(text)).toBe(expected)
  })

  it.each([
    ['jquery-3.4.1.min.js', 'jquery@3.4.1'],
    ['Chart.js-2.9.3.js', 'chart.js@2.9.3'],
    ['handlebars-v4.0.5.js', 'handlebars@4.0.5'],
    ['jquery.sticky-1.0.4.js', undefined],
    ['jquery-3.4.js', undefined],
    ['jquery.js', undefined],
  ])('%s', (name, expected) => {
    expect(nameOf('', `webapp/lib/${name}`)).toBe(expected)
  })

  it('the span holds the version, whatever stands around', () => {
    const part = fc.constantFrom(
      '/*!',
      '//',
      ' ',
      '\n',
      '*/',
      ';',
      'jQuery v',
      'Lodash lodash.com',
      'VERSION="4.17.4"',
      '3.4.1',
      '|',
      '"',
      'x',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const text = parts.join('')
        const found = identifyLibrary('a.js', text)
        if (found?.span !== undefined) expect(text.slice(found.span.start, found.span.end)).toContain(found.version)
      }),
      { numRuns: runs(10_000) },
    )
  })

  it('is linear', () => {
    const started = cpuTime()
    for (const text of [
      '/'.repeat(1e6),
      '/* '.repeat(3e5),
      '// '.repeat(3e5),
      ' '.repeat(1e6),
      `/* Lodash lodash.com */${'VERSION = '.repeat(1e5)}`,
    ])
      identifyLibrary('a.js', text)
    expect(cpuTime() - started).toBeLessThan(20_000)
  })
})
