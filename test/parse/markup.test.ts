import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseHtml } from '../../core/parse/html.ts'
import { attributeOf, elementPathAt, elementsOf } from '../../core/parse/markup.ts'
import type { MarkupDocument, MarkupElement } from '../../core/parse/markup.ts'
import { parseXml } from '../../core/parse/xml.ts'
import { runs } from '../soak.ts'
import { failureOf, throwsOnlyFailures } from './reading.ts'
import { cpuTime } from '../cpu-time.ts'

function element(document: MarkupDocument, name: string): MarkupElement {
  const found = [...elementsOf(document)].find((element) => element.name === name)
  if (found === undefined) throw new Error(`no <${name}>`)
  return found
}

function attributes(text: string, of: MarkupElement): [whole: string, value: string, decoded: string][] {
  return of.attributes.map(({ start, end, valueSpan, value }) => [
    text.slice(start, end),
    text.slice(valueSpan.start, valueSpan.end),
    value,
  ])
}

describe('parseXml', () => {
  const text = [
    '\uFEFF<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE v [<!ENTITY x "y>"> <!ENTITY f SYSTEM "file:///etc/passwd">]>',
    '<!-- a < comment > -->',
    '<mvc:View xmlns:mvc="sap.ui.core.mvc"',
    '  xmlns="sap.m" a = \'x&lt;"&x;\' mvc:b="&#65;">',
    '<Text text="{a}"/>t &amp; &f;<!-- q --><![CDATA[ <x> ]]><?pi x?>z<Text xmlns="other"  ></Text >',
    '</mvc:View>',
  ].join('\r\n')
  const document = parseXml(text)

  test('attributes with exact spans, decoded values, entities of a DTD left alone', () => {
    expect(attributes(text, element(document, 'mvc:View')).slice(2)).toEqual([
      ["a = 'x&lt;\"&x;'", 'x&lt;"&x;', 'x<"&x;'],
      ['mvc:b="&#65;"', '&#65;', 'A'],
    ])
  })

  test('namespaces follow the prefixes; an attribute without prefix is in none', () => {
    const view = element(document, 'mvc:View')
    expect([view.localName, view.namespace]).toEqual(['View', 'sap.ui.core.mvc'])
    expect(attributeOf(view, 'a')?.namespace).toBe('')
    expect(attributeOf(view, 'mvc:b')).toMatchObject({ localName: 'b', namespace: 'sap.ui.core.mvc' })
    expect(view.children.map((child) => child.namespace)).toEqual(['sap.m', 'other'])
    expect(parseXml('<a:b c:d="" xml:lang="en"/>').children[0]).toMatchObject({ localName: 'b', namespace: '' })
  })

  test('spans of elements, start tags and texts', () => {
    const view = element(document, 'mvc:View')
    expect(text.slice(view.start, view.end)).toBe(text.slice(text.indexOf('<mvc:View')))
    expect(text.slice(view.startTag.end - 3, view.startTag.end)).toBe('5;">'.slice(1))
    const second = view.children[1]
    expect(text.slice(second?.start, second?.end)).toBe('<Text xmlns="other"  ></Text >')
    expect(view.texts.map((part) => part.text)).toEqual(['\r\n', 't &amp; &f;', ' <x> ', 'z', '\r\n'])
    for (const part of view.texts) expect(text.slice(part.start, part.end)).toBe(part.text)
  })

  test.each([
    ['nothing', ''],
    ['words', 'hello'],
    ['an open element', '<a><b></b>'],
    ['crossed elements', '<a><b></a></b>'],
    ['two roots', '<a/><b/>'],
    ['an attribute without quotes', '<a b=c/>'],
    ['a bare ampersand', '<a>x & y</a>'],
    ['JSON', '{"a": 1}'],
    ['an open attribute', '<a b="c'],
  ])('refuses %s', (_, text) => {
    expect(failureOf(() => parseXml(text))).toBe('syntax')
  })

  test('elements 256 deep are read, deeper ones refused before anything is slow', () => {
    expect([...elementsOf(parseXml('<a>'.repeat(256) + '</a>'.repeat(256)))]).toHaveLength(256)
    const start = cpuTime()
    expect(failureOf(() => parseXml('<a>'.repeat(100_000)))).toBe('too-deep')
    expect(cpuTime() - start).toBeLessThan(20_000)
  })

  test('entities are never expanded', () => {
    const lols = Array.from({ length: 9 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`)
    const document = parseXml(`<!DOCTYPE a [<!ENTITY l0 "lol">${lols.join('')}]><a b="&l9;">&l9;</a>`)
    expect(attributeOf(element(document, 'a'), 'b')?.value).toBe('&l9;')
    expect(element(document, 'a').texts[0]?.text).toBe('&l9;')
  })

  test('a thousand prefixes on ten thousand elements stay linear', () => {
    const root = Array.from({ length: 1000 }, (_, index) => `xmlns:p${index}="u${index}"`).join(' ')
    const start = cpuTime()
    const document = parseXml(`<a ${root}>${'<p7:b xmlns:q="v"/>'.repeat(10_000)}</a>`)
    expect(document.children[0]?.children[9999]?.namespace).toBe('u7')
    expect(cpuTime() - start).toBeLessThan(20_000)
  })

  test('any tree that is written comes back, at its spans', () => {
    const name = fc.constantFrom('a', 'm:b', 'Text', 'x-y')
    const value = fc.stringMatching(/^[^&<>"\r\n\t\uD800-\uDFFF\uFFFE\uFFFF\u0000-\u001F]{0,8}$/u)
    const around = (children: fc.Arbitrary<string>): fc.Arbitrary<string> =>
      fc.tuple(name, fc.array(value, { maxLength: 3 }), children).map(([name, values, inner]) => {
        return `<${name}${values.map((value, index) => ` k${index}="${value}"`).join('')}>${inner}</${name}>`
      })
    const several = (tree: fc.Arbitrary<string>): fc.Arbitrary<string> =>
      fc.array(tree, { maxLength: 3 }).map((trees) => trees.join(''))
    const tree = around(several(around(several(around(several(around(fc.constant(''))))))))
    fc.assert(
      fc.property(tree, (text) => {
        const document = parseXml(text)
        expect(text.slice(document.children[0]?.start, document.children[0]?.end)).toBe(text)
        for (const element of elementsOf(document)) {
          expect(text.slice(element.start, element.start + element.name.length + 1)).toBe(`<${element.name}`)
          expect(text.slice(0, element.end).endsWith(`</${element.name}>`)).toBe(true)
          for (const attribute of element.attributes) {
            expect(text.slice(attribute.start, attribute.end)).toBe(`${attribute.name}="${attribute.value}"`)
          }
        }
      }),
      { numRuns: runs(3000) },
    )
  })

  test('any text throws nothing but a ParseFailure', () => {
    throwsOnlyFailures(parseXml, [
      '<',
      '>',
      '/>',
      '</a>',
      '<a>',
      '<a ',
      'b="',
      "'",
      '"',
      '=',
      '&',
      '&x;',
      '&#x41;',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<?',
      '?>',
      '<!DOCTYPE a [',
      ']>',
      'xmlns="',
      '\r\n',
      '\r',
      '\uFEFF',
      '\u0000',
    ])
  })
})

describe('parseHtml', () => {
  const text = [
    '<!doctype html><HTML><head><META charset=utf-8 >',
    '<script id="sap-ui-bootstrap" src = "a&amp;b" async data-sap-ui-frameOptions=\'allow\' x= y>var a = "<b>&amp;";</script>',
    '<style>a > b {}</style></head><body>Hi &amp; you<br>x<p>one<p>two<svg><linearGradient ID=g /></svg></body></html>',
  ].join('\r\n')
  const document = parseHtml(text)

  test('names in lower case, attributes with exact spans', () => {
    expect(attributes(text, element(document, 'script'))).toEqual([
      ['id="sap-ui-bootstrap"', 'sap-ui-bootstrap', 'sap-ui-bootstrap'],
      ['src = "a&amp;b"', 'a&amp;b', 'a&b'],
      ['async', '', ''],
      ["data-sap-ui-frameOptions='allow'", 'allow', 'allow'],
      ['x= y', 'y', 'y'],
    ])
    expect(attributeOf(element(document, 'script'), 'data-sap-ui-frameoptions')?.value).toBe('allow')
    expect(attributes(text, element(document, 'meta'))).toEqual([['charset=utf-8', 'utf-8', 'utf-8']])
    expect(element(document, 'lineargradient').attributes.map((attribute) => attribute.name)).toEqual(['id'])
  })

  test('scripts and styles are texts, void elements have no children, paragraphs end each other', () => {
    expect(element(document, 'script').texts.map((part) => part.text)).toEqual(['var a = "<b>&amp;";'])
    expect(element(document, 'style').texts.map((part) => part.text)).toEqual(['a > b {}'])
    expect(element(document, 'body').texts.map((part) => part.text)).toEqual(['Hi &amp; you', 'x'])
    expect(element(document, 'body').children.map((child) => child.name)).toEqual(['br', 'p', 'p'])
    for (const element of elementsOf(document))
      for (const part of element.texts) expect(text.slice(part.start, part.end)).toBe(part.text)
  })

  test('deep markup is refused, everything else is some document', () => {
    expect(failureOf(() => parseHtml('<div>'.repeat(100_000)))).toBe('too-deep')
    expect([...elementsOf(parseHtml('<br>'.repeat(1000)))]).toHaveLength(1000)
    for (const text of [
      '',
      '<',
      '<script>',
      '<a b="',
      '</p></br>',
      '<form><form a=b><i c=d>',
      '<!--',
      '<image src=x>',
      '<a "=b>',
    ]) {
      expect(
        failureOf(() => parseHtml(text)),
        text,
      ).toBeUndefined()
    }
  })

  test('any text is read, and every span holds what it says', () => {
    const words = [
      '<',
      '>',
      '/>',
      '</a>',
      '<a ',
      '<p>',
      '<script>',
      '</script>',
      '<svg>',
      '<title>',
      'b="',
      "'",
      '"',
      '=',
      '&amp;',
      '&#x41;',
      '<!--',
      '-->',
      '<br>',
      '<form>',
      '<td>',
      'x',
      '\r\n',
      '\u0000',
    ]
    const check = (text: string): void => {
      for (const element of elementsOf(parseHtml(text))) {
        expect(element.end).toBeLessThanOrEqual(text.length)
        expect(element.start).toBeLessThanOrEqual(element.startTag.end)
        for (const { name, start, end, valueSpan } of element.attributes) {
          expect(text.slice(start, start + name.length).toLowerCase()).toBe(name)
          expect(valueSpan.start >= start && valueSpan.start <= valueSpan.end && valueSpan.end <= end).toBe(true)
        }
      }
    }
    throwsOnlyFailures(check, words)
  })
})

test('elementPathAt names the elements around an offset', () => {
  const text = '<View><content><Panel id="p"><HTML content="{x}"/></Panel></content></View>'
  const document = parseXml(text)
  expect(elementPathAt(document, text.indexOf('{x}'))).toBe('View/content/Panel#p/HTML')
  expect(elementPathAt(document, 0)).toBe('View')
  expect(elementPathAt(document, text.length)).toBe('')
})
