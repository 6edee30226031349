import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseBinding, pathsOf } from '../../../core/model/ui5/index.ts'
import { runs } from '../../soak.ts'
import { readProject, ui5AppsOf } from '../project.ts'
import { cpuTime } from '../../cpu-time.ts'

describe('views', () => {
  const text = [
    '<mvc:View controllerName="my.app.controller.Main" xmlns="sap.m" xmlns:mvc="sap.ui.core.mvc" xmlns:core="sap.ui.core"',
    '  xmlns:html="http://www.w3.org/1999/xhtml" xmlns:app="http://schemas.sap.com/sapui5/extension/sap.ui.core.CustomData/1">',
    '  <content><html:div class="x"><core:HTML id="text" content="{path: \'m>/a\'}&lt;b>" app:key="1"/></html:div>',
    '    <dependents><core:Fragment fragmentName="my.app.F" type="XML"/></dependents></content>',
    '</mvc:View>',
  ].join('\n')
  const [app] = ui5AppsOf(readProject({ 'manifest.json': '{"sap.app": {}}', 'view/Main.view.xml': text }))
  const view = app?.views[0]

  test('are their controls, with full names', () => {
    expect(view).toMatchObject({ kind: 'view', controllerName: 'my.app.controller.Main' })
    expect(view?.controls.map((control) => control.type)).toEqual([
      'sap.ui.core.mvc.View',
      'sap.ui.core.HTML',
      'sap.ui.core.Fragment',
    ])
  })

  test('and the properties of these, with exact spans and what they are bound to', () => {
    const control = view?.controls[1]
    const content = control?.properties.get('content')
    expect(control?.id).toBe('text')
    expect([...(control?.properties.keys() ?? [])]).toEqual(['id', 'content', 'data:key'])
    expect(text.slice(content?.at.start, content?.at.end)).toBe("{path: 'm>/a'}&lt;b>")
    expect(content?.value).toBe("{path: 'm>/a'}<b>")
    expect(content && pathsOf(content.binding)).toEqual([{ model: 'm', path: '/a' }])
  })
})

describe('parseBinding', () => {
  test.each([
    ['text', []],
    ['\\{text\\}', []],
    ['{a}', ['>a']],
    ['{m>/a/b} and {c}', ['m>/a/b', '>c']],
    ['{i18n>title}', ['i18n>title']],
    ["{path: 'm>/x', formatter: '.f'}", ['m>/x']],
    ['{ model: "m", path: "x" }', ['m>x']],
    ["{parts: ['a', 'm>b'], formatter: '.f'}", ['>a', 'm>b']],
    ["{parts: [{path: 'a'}, {path: 'm>b'}]}", ['>a', 'm>b']],
    ["{= ${a} === '}' ? ${m>b} : %{c} }", ['>a', 'm>b', '>c']],
    ["{:= ${path: 'm>x'} }", ['m>x']],
    ['{= 1 + 1 }', []],
    // forms of the documentation: absolute and relative paths, `Formatting, Parsing, and Validating Data`, `Composite Binding`, `Expression Binding`
    ['{/company/name}', ['>/company/name']],
    ['{company/name}', ['>company/name']],
    ['{/items/0/name}', ['>/items/0/name']],
    ["{/Products('4711')/Name}", [">/Products('4711')/Name"]],
    ['{/#Company/ZipCode/@sap:label}', ['>/#Company/ZipCode/@sap:label']],
    ['{}', ['>']],
    ['{ m>/a }', ['m>/a']],
    ['{>/a}', ['>>/a']],
    ['\\\\{a}', ['>a']],
    ['\\{a} {b}', ['>b']],
    ['a: {a}, b: {m>b}.', ['>a', 'm>b']],
    ['<b>{i18n>hello}</b> <i>\\{no\\}</i> {= ${a} }', ['i18n>hello', '>a']],
    ["{path: '/a', mode: 'OneTime', targetType: 'string'}", ['>/a']],
    [
      "{path: 'm>a', type: 'sap.ui.model.type.Float', formatOptions: {path: 'b', parts: ['c']}, constraints: {minimum: 1.5}}",
      ['m>a'],
    ],
    ["{path: '/list', sorter: {path: 'name', descending: true}, filters: [{path: 'x', operator: 'EQ'}]}", ['>/list']],
    ["{parts: [{path: 'a'}, 'm>b', {value: 'c'}, {path: 'd', model: 'n'}], formatter: '.f'}", ['>a', 'm>b', 'n>d']],
    ["{parts: [{path: 'a]'}, {path: 'it\\'s'}]}", ['>a]', ">it's"]],
    ["{parts: ['a'], path: 'b'}", ['>a']],
    ["{value: 'constant', formatter: '.f'}", []],
    ["{path: 'a', parameters: {expand: 'b'}, events: {dataReceived: '.onData'}}", ['>a']],
    ['{\'path\': "a", "formatter" : \'.f\'}', ['>a']],
    ['{\n  path: "a",\n  model: "m"\n}', ['m>a']],
    ["{path: ''}", ['>']],
    ["{path: 5, parts: 'x'}", []],
    ["{= ${parts: [{path: 'a'}, {path: 'm>b'}]} }", ['>a', 'm>b']],
    ["{= ${m>/a} > 5 && %{b} ? 'x' : ${path: 'c', type: '.t'} }", ['m>/a', '>b', '>c']],
    ["{= {'a': 1}[${b}] }", ['>b']],
    ['{=${a}}{b}', ['>a', '>b']],
    ['<style>a { color: red; }</style>', []],
  ])('%s', (value, paths) => {
    expect(pathsOf(parseBinding(value)).map(({ model, path }) => `${model}>${path}`)).toEqual(paths)
  })

  test('a constant is unescaped, a formatter and a type are told', () => {
    expect(parseBinding('a \\{b\\} \\\\ \\c')).toEqual({ kind: 'constant', text: 'a {b} \\ \\c' })
    expect(parseBinding("{path: 'x', type: 'sap.ui.model.type.Integer', formatter: '.f.g'}")).toMatchObject({
      parts: [{ type: 'sap.ui.model.type.Integer', formatter: '.f.g' }],
    })
  })

  test('what formats a part of several is told with it, not with the whole', () => {
    const { parts } = {
      parts: [],
      ...parseBinding("{parts: [{path: 'a', type: 'T', formatter: '.g'}, {path: 'b'}], formatOptions: {type: 'U'}}"),
    }
    expect(parts).toEqual([
      {
        kind: 'info',
        paths: [
          { model: '', path: 'a', type: 'T' },
          { model: '', path: 'b' },
        ],
        formatter: undefined,
        type: undefined,
      },
    ])
  })

  test('the text before the first part is told', () => {
    expect(parseBinding('a \\{ {b} c {d}')).toMatchObject({ kind: 'bound', before: 'a { ' })
    expect(parseBinding('{b} c')).toMatchObject({ kind: 'bound', before: '' })
  })

  test('any text is read, in linear time', () => {
    const words = fc.constantFrom('{', '}', '\\', "'", '"', 'path:', 'parts:[', '${', '{=', '>', '/', 'a', ' ', ':', ',')
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words).map((parts) => parts.join('')),
        ),
        (value) => {
          expect(pathsOf(parseBinding(value)).length).toBeLessThanOrEqual(value.length)
        },
      ),
      { numRuns: runs(10_000) },
    )
    for (const pump of ['{', '{{} ', '{a:', '${', '{=${', "path:'", 'parts:[', "{x:'", "{= ${'", '\\']) {
      for (const prefix of ['', '{= ', '{path:']) {
        const start = cpuTime()
        parseBinding(prefix + pump.repeat(200_000 / pump.length))
        expect(cpuTime() - start, prefix + pump).toBeLessThan(20_000)
      }
    }
  })
})
