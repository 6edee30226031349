import compiler from '@sap/cds-compiler'
import { describe, expect, it } from 'vitest'
import { type CapMember, type CapService } from '../../../core/model/cap/index.ts'
import { capRootsOf, PACKAGE, readProject } from '../project.ts'
import { cpuTime } from '../../cpu-time.ts'

function serviceOf(texts: Readonly<Record<string, string>>): CapService {
  const service = capRootsOf(readProject({ 'package.json': PACKAGE, ...texts }))
    .flatMap(({ services }) => services)
    .find(({ exposure }) => exposure === 'served')
  if (service === undefined) throw new Error('no service')
  return service
}

function membersOf(source: string, entity = 'E'): readonly CapMember[] {
  return (
    serviceOf({ 'srv/s.cds': source })
      .elements.find(({ name }) => name === entity)
      ?.members() ?? []
  )
}

describe('elements of an exposed entity', () => {
  const rowOf = ({ name, type, target, annotations, ...is }: CapMember): string =>
    [
      `${is.key ? 'key ' : ''}${is.calculated ? 'calculated ' : ''}${is.virtual ? 'virtual ' : ''}${name}: ${type ?? '?'}`,
      ...(is.isEnum ? ['enum'] : []),
      ...(target === undefined ? [] : [`to${is.toMany ? ' many' : ''} ${target}`]),
      ...[...annotations.keys()].map((key) => `@${key}`),
    ].join(' ')

  it.each<[string, string, string[]]>([
    ['its own', 'service S { entity E { key ID: UUID; @x a: String @y; } }', ['key ID: UUID', 'a: String @x @y']],
    ['with the long names of types', 'service S { entity E { a: cds.LargeBinary; } }', ['a: LargeBinary']],
    [
      'of own types, and types of those',
      'type T: String @x; @y type U: T; service S { entity E { a: U; b: type of E:a; } }',
      ['a: String @x @y', 'b: String @x @y'],
    ],
    ['of a type that an annotate means', 'type T: String; annotate T with @x; service S { entity E { a: T } }', ['a: String @x']],
    ['of types that nobody defines', "using { my.Strange } from 'x'; service S { entity E { a: Strange; } }", ['a: Strange']],
    [
      'of enumerations',
      'type T: String enum { a; } service S { entity E { a: T; b: Integer enum { x = 1 } } }',
      ['a: String enum', 'b: Integer enum'],
    ],
    [
      'virtual and calculated',
      "service S { entity E { virtual a: String; b: String = a || 'x'; c: String default 'x'; } }",
      ['virtual a: String', 'calculated b: String', 'c: String'],
    ],
    [
      'included',
      'aspect X { @x a: String; } aspect Y : X { b: String; } service S { entity E : Y { c: String; } }',
      ['a: String @x', 'b: String', 'c: String'],
    ],
    [
      'included, annotated there and here',
      'aspect X { a: String; } annotate X with { a @x } service S { entity E : X { } } annotate S.E with { a @y };',
      ['a: String @x @y'],
    ],
    ['added by extend', 'service S { entity E { } } extend S.E with { @x a: String; };', ['a: String @x']],
    [
      'added by extend with an aspect, in the names of its file',
      'aspect X { a: String; } service S { entity E { } } extend S.E with X;',
      ['a: String'],
    ],
    ['extended', 'service S { entity E { a: String; } } extend S.E with { extend a with @x; };', ['a: String @x']],
    [
      'annotated one by one',
      'service S { entity E { a: String; } } annotate S.E:a with @x; annotate S.E with { @y a @z };',
      ['a: String @x @y @z'],
    ],
    [
      'structured',
      'type T { a: String; b { c: String @x } } service S { entity E { t: T; u { v: String } } } annotate S.E with { t { b { c @y } }; u { v @z } };',
      ['t: struct', 't.a: String', 't.b: struct', 't.b.c: String @x @y', 'u: struct', 'u.v: String @z'],
    ],
    ['of arrays', 'service S { entity E { a: many String; b: array of { c: String }; } }', ['a: many', 'b: many']],
    [
      'that lead to others',
      'entity F { key ID: UUID; } type R: Association to F; service S { entity E { f: Association to F; g: Composition of many F on 1 = 1; r: R; } }',
      ['f: Association to F', 'g: Composition to many F', 'r: Association to F'],
    ],
    [
      'with a target right there',
      'service S { entity E { key ID: UUID; items: Composition of many { key pos: Integer; } } }',
      ['key ID: UUID', 'items: Composition to many S.E.items'],
    ],
    [
      'through a projection',
      'entity D { key ID: UUID; @x a: String; } annotate D with { a @y } service S { entity E as projection on D; } annotate S.E with { a @z };',
      ['key ID: UUID', 'a: String @x @y @z'],
    ],
    [
      'left out of it',
      'entity D { key ID: UUID; a: String; t { b: String } } service S { entity E as projection on D excluding { a, t }; }',
      ['key ID: UUID'],
    ],
    [
      'chosen and renamed',
      'entity D { key ID: UUID; a: String @x; t { c: String } } service S { entity E as select from D as d { ID, @y a as b, d.t as u }; }',
      ['key ID: UUID', 'b: String @x @y', 'u: struct', 'u.c: String'],
    ],
    [
      'read from elsewhere',
      "entity F { name: String @x; } entity D { f: Association to F; } service S { entity E as projection on D { *, f.name as who, 1 as one : Integer, f.name || 'x' as text }; }",
      ['f: Association to F', 'calculated who: String @x', 'calculated one: Integer', 'calculated text: ?'],
    ],
    [
      'of joins and unions',
      'entity A { x: String; } entity B { y: String; } service S { entity E as select from A join B on 1 = 1 { A.x, B.y }; }',
      ['calculated x: String', 'calculated y: String'],
    ],
    [
      'of unions',
      'entity A { x: String; } service S { entity E as select from A union select from A; }',
      ['calculated x: String'],
    ],
    [
      'redirected',
      'entity F { } entity D { f: Association to F; } service S { entity G as projection on F; entity E as projection on D { f : redirected to G }; }',
      ['f: Association to S.G'],
    ],
    ['of what nobody defines', 'service S { entity E as projection on ext.D { ID, a as b }; }', ['ID: ?', 'b: ?']],
    ['of circles', 'service S { entity E : E { a: E:a; } entity F as projection on F; type T { t: T } }', ['a: ?']],
  ])('%s', (_, source, expected) => {
    expect(membersOf(source).map(rowOf)).toEqual(expected)
  })

  it('name who declares them, and where', () => {
    const files = {
      'db/s.cds': 'entity D { a: String; }',
      'srv/s.cds': "using from '../db/s'; service S { entity E as projection on D { a as b }; }",
    }
    const [member] = serviceOf(files).elements[0]?.members() ?? []
    expect(member).toMatchObject({ name: 'b', owner: 'D', place: { file: 'db/s.cds', span: { start: 11, end: 12 } } })
  })

  it('structures in structures end somewhere', () => {
    const types = Array.from({ length: 40 }, (_, index) => `type T${index + 1} { a: T${index}; b: T${index}; c: T${index}; }`)
    const started = cpuTime()
    expect(membersOf(`type T0 { x: String; } ${types.join('\n')} service S { entity E { t: T40; } }`).length).toBeLessThan(2001)
    expect(cpuTime() - started).toBeLessThan(20_000)
  })
})

describe('the compiler as oracle', () => {
  it.each<[string, string]>([
    [
      'includes',
      'aspect X @(e) { @x a: String; } aspect Y : X { b: X:a; } entity B : Y { key ID: UUID; } service S { entity E as projection on B { *, a as c @z }; } annotate X with { a @y }; annotate S.E with { b @w };',
    ],
    [
      'types',
      '@t type T: String @u; entity B { key ID: UUID; a: T @v; b: type of B:a; } annotate T with @w; service S { entity E as select from B { ID, a, b as d }; } annotate S.E:d with @x;',
    ],
    [
      'views of views',
      'entity A { key ID: UUID; a: String @a; } entity B as select from A { ID, a as b @b }; service S { entity E as projection on B { *, b as c @c } excluding { b }; } annotate B with { b @d };',
    ],
    [
      'null takes back',
      'entity A { key ID: UUID; @readonly a: String; } service S { entity E as projection on A; } annotate S.E with { a @readonly: false };',
    ],
    [
      'paths',
      'entity F { key ID: UUID; name: String @x; } entity D { key ID: UUID; f: Association to F; } service S { entity E as projection on D { ID, f.name as who }; }',
    ],
  ])('%s', (_, source) => {
    const csn: { definitions: Record<string, { elements: Record<string, Record<string, unknown>> }> } = Reflect.get(
      compiler,
      'compileSources',
    )({ 's.cds': source }, { messages: [] })
    const expected = Object.entries(csn.definitions['S.E']?.elements ?? {}).map(([name, element]) => [
      name,
      Object.keys(element)
        .filter((key) => key.startsWith('@'))
        .sort(),
    ])
    const actual = membersOf(source).map(({ name, annotations }) => [
      name,
      [...annotations.keys()].map((key) => `@${key}`).sort(),
    ])
    expect(actual.sort()).toEqual(expected.sort())
  })
})

describe('entities that nobody wrote into a service', () => {
  const rowsOf = (source: string): string[] =>
    serviceOf({ 'srv/s.cds': source })
      .autoexposed()
      .map(
        ({ name, path, composition, members }) =>
          `${path} ${composition ? 'has' : 'to'} ${name} (${members()
            .map((member) => member.name)
            .join()})`,
      )

  it.each<[string, string, string[]]>([
    ['an association alone exposes nothing', 'entity F { a: String } service S { entity E { f: Association to F; } }', []],
    [
      '@cds.autoexpose does',
      '@cds.autoexpose entity F { a: String } service S { entity E { f: Association to F; } }',
      ['E/f to F (a)'],
    ],
    [
      'inherited too, but not when it is taken back',
      '@cds.autoexpose aspect L {} entity F : L { a: String } entity G : L { } annotate G with @cds.autoexpose: false; service S { entity E { f: Association to F; g: Association to G; } }',
      ['E/f to F (a)'],
    ],
    [
      'compositions do, and theirs',
      'entity D { items: Composition of many { pos: Integer; notes: Composition of many N; } } entity N { text: String; } service S { entity E as projection on D; }',
      ['E/items has D.items (pos,notes)', 'E/items/notes has N (text)'],
    ],
    [
      'what is written there is not meant',
      'entity N { } entity D { n: Composition of N; } service S { entity E as projection on D; entity M as projection on N; }',
      [],
    ],
    [
      'nor what is left out',
      '@cds.autoexpose entity N { } entity D { n: Association to N; } service S { entity E as projection on D excluding { n }; }',
      [],
    ],
    [
      'circles',
      '@cds.autoexpose entity N { n: Association to N; e: Composition of N; } service S { entity E { n: Association to N; } }',
      ['E/n to N (n,e)'],
    ],
  ])('%s', (_, source, expected) => {
    expect(rowsOf(source)).toEqual(expected)
  })

  it.each<[string, string]>([
    [
      'in a namespace',
      'namespace n; @cds.autoexpose entity F { a: String; } service S { entity E { f: Association to F; } } annotate S.F with @x { a @y };',
    ],
    [
      'in a context',
      'context c { @cds.autoexpose entity F { a: String; } } service S { entity E { f: Association to c.F; } } annotate S.F with @x { a @y };',
    ],
    [
      'right there',
      'entity D { key ID: UUID; items: Composition of many { key a: String; } } service S { entity E as projection on D; } annotate S.E.items with @x { a @y };',
    ],
  ])('are annotated by their names in the service, %s', (_, source) => {
    const csn: { definitions: Record<string, Record<string, unknown>> } = Reflect.get(compiler, 'compileSources')(
      { 's.cds': source },
      { messages: [] },
    )
    const name = Object.keys(csn.definitions).find((key) => csn.definitions[key]?.['@x'] === true)
    expect(name, 'the compiler means the same').toBeDefined()
    const [added] = serviceOf({ 'srv/s.cds': source }).autoexposed()
    expect(added?.annotations.has('x')).toBe(true)
    expect(
      added
        ?.members()
        .find((member) => member.name === 'a')
        ?.annotations.has('y'),
    ).toBe(true)
  })
})
