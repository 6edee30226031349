import { describe, expect, it } from 'vitest'
import { definitionAt, parseCds } from '../../../core/parse/cds/index.ts'
import type { CdsAnnotation, CdsDocument } from '../../../core/parse/cds/types.ts'
import { failureOf, spansIn } from './reading.ts'
import { SOURCES } from './sources.ts'

function textOf(source: string, { start, end }: { start: number; end: number }): string {
  return source.slice(start, end)
}

describe('spans', () => {
  const source = `namespace my.shop;
@requires: 'Admin'
service Admin @(restrict: [{ grant: 'READ', to: 'Manager', where: (org = $user.org) }]) {
  @readonly entity Books as projection on db.Books[stock > 0] { *, title as name @(x: { y: 1 }) } where price > 10;
  action purge(ids : many UUID) returns Boolean;
}
annotate db.Authors with { name @mandatory };`
  const { definitions, annotates } = parseCds(source)
  const [service, books, purge] = definitions

  it('are those of names', () => {
    expect(definitions.map(({ name }) => name)).toEqual(['my.shop.Admin', 'my.shop.Admin.Books', 'my.shop.Admin.purge'])
    expect(definitions.map(({ nameSpan }) => textOf(source, nameSpan))).toEqual(['Admin', 'Books', 'purge'])
    expect(books?.scope).toBe('my.shop.Admin')
    expect(purge?.params.map(({ nameSpan }) => textOf(source, nameSpan))).toEqual(['ids'])
    expect(annotates[0]?.elements.map(({ nameSpan }) => textOf(source, nameSpan))).toEqual(['name'])
  })

  it('are those of definitions, annotations in front included', () => {
    expect(service && textOf(source, service)).toMatch(/^@requires[^]*\n}$/)
    expect(books && textOf(source, books)).toMatch(/^@readonly entity[^]*price > 10$/)
    expect(purge && textOf(source, purge)).toBe('action purge(ids : many UUID) returns Boolean')
    expect(annotates[0] && textOf(source, annotates[0])).toBe('annotate db.Authors with { name @mandatory }')
  })

  it('are those of annotations and their values', () => {
    const texts = ({ nameSpan, value }: CdsAnnotation): string[] => [textOf(source, nameSpan), textOf(source, value)]
    expect(service?.annotations.map(texts)).toEqual([
      ['requires', "'Admin'"],
      ['restrict', "[{ grant: 'READ', to: 'Manager', where: (org = $user.org) }]"],
    ])
    const [, name] = books?.query?.columns ?? []
    expect(name?.annotations.map(texts)).toEqual([['y', '1']])
    expect(name?.annotations[0]?.name).toBe('x.y')
  })

  it('are those of sources, conditions and the paths in them', () => {
    expect(books?.query?.sources.map((from) => [from.path, textOf(source, from)])).toEqual([['db.Books', 'db.Books[stock > 0]']])
    expect(books?.query?.where).toMatchObject({ text: 'price > 10', paths: [{ name: 'price' }] })
    const restrict = service?.annotations[1]?.value
    const where =
      restrict?.kind === 'array' && restrict.items[0]?.kind === 'object' ? restrict.items[0].members[2]?.value : undefined
    expect(where?.kind === 'expression' && where.expression).toMatchObject({
      text: 'org = $user.org',
      paths: [{ name: 'org' }, { name: '$user.org' }],
    })
  })

  it('lie inside the text and are in order, in every source of the grammar', () => {
    for (const text of Object.values(SOURCES)) {
      for (const { start, end } of spansIn(parseCds(text))) {
        expect(start).toBeGreaterThanOrEqual(0)
        expect(end).toBeGreaterThanOrEqual(start)
        expect(end).toBeLessThanOrEqual(text.length)
      }
    }
  })
})

describe('definitionAt', () => {
  const source = `service S { entity A { key a : { b : Integer; }; } actions { action act(p : String); } }
annotate S.A with { a @x { b @y } };
extend service S with { entity B { c : Integer } }`
  const document = parseCds(source)
  it.each([
    ['service', 'S'],
    ['entity A', 'S.A'],
    ['b : Int', 'S.A/a/b'],
    ['p : Str', 'S.A/act/p'],
    ['annotate', 'annotate S.A'],
    ['@y', 'annotate S.A/a/b'],
    ['c : Int', 'extend S/B'],
  ])('at %s is %s', (text, expected) => {
    expect(definitionAt(document, source.indexOf(text))).toBe(expected)
  })
  it('outside of all is nothing', () => {
    expect(definitionAt(parseCds('\n\nentity E {}'), 0)).toBe('')
  })
})

describe('dialects that the compiler no longer takes', () => {
  const read = (source: string): CdsDocument => {
    const document = parseCds(source)
    expect(document.errors).toEqual([])
    return document
  }
  it('annotations behind a closing brace belong to what stands before it', () => {
    const { definitions } = read("entity E { status : String enum { a; } @title: 'Status'; }; type T : { a : Integer; } @b;")
    expect(definitions[0]?.elements[0]?.annotations.map(({ name }) => name)).toEqual(['title'])
    expect(definitions[1]?.annotations.map(({ name }) => name)).toEqual(['b'])
  })
  it('values in front of a colon', () => {
    const { definitions } = read("entity E @title: 'x' { a @b: 1 : Integer; } action f(p @c: #d : String);")
    expect(definitions[0]?.annotations).toMatchObject([{ name: 'title', value: { kind: 'string', value: 'x' } }])
  })
  it('quotes of SQL, double colons, HANA blocks, modifiers', () => {
    const { definitions } = read(`using my.ns::db.Books as B;
      define temporary entity "my E" { key "a b" : Integer; masked m : hana.VARCHAR(10); element e : String; localized t : String; constraint c unique (m); }
      technical configuration { column store; unique index i on (m); };
      entity V as select from B as b left outer join B as c on b.ID = c.ID { b.ID as "x y", key c.m n };`)
    expect(definitions.map(({ name }) => name)).toEqual(['my E', 'V'])
    expect(definitions[0]?.elements.map(({ name }) => name)).toEqual(['a b', 'm', 'e', 't'])
    expect(definitions[1]?.query?.columns?.map(({ name }) => name)).toEqual(['x y', 'n'])
  })
})

describe('what is broken', () => {
  it.each([
    ['a definition without a name', 'entity { a : Integer; }\nservice S { }', ['S']],
    ['garbage between definitions', 'entity A { }\n??? !! garbage ;\nservice S { }', ['A', 'S']],
    ['a missing semicolon', 'type A : String\nentity C { }', ['A', 'C']],
    ['an element', 'entity A { a : ; b : Integer; c ?? d; e : String }', ['A']],
    ['a column', 'entity A as select from B { a, b ??, c, , d as }; service S { }', ['A', 'S']],
    ['an action', 'service S { action (x); entity E { } } type T : String;', ['S', 'S.E', 'T']],
    ['an unclosed block', 'service S { entity E { a : Integer;', ['S', 'S.E']],
    ['too many closing braces', 'entity A { } } } entity B { }', ['A', 'B']],
    ['an unclosed string', "@a: 'x\nentity A { }", ['A']],
    ['an annotation', '@a(: entity A { }\nentity B { }', ['B']],
  ])('is skipped, the rest stays: %s', (_, source, names) => {
    const { definitions, errors } = parseCds(source)
    expect(definitions.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
    if (!source.startsWith("@a: 'x")) expect(errors.length).toBeGreaterThan(0)
  })

  it('elements around a broken one stay', () => {
    const { definitions } = parseCds('entity A { a : Integer; b ?? c; d : String @x; e : ) Integer; f : Integer }')
    expect(definitions[0]?.elements.map(({ name }) => name)).toEqual(['a', 'b', 'd', 'f'])
  })

  it.each(['', ' \n// only a comment', '/* unclosed', ';;;', '\ufeff'])('nothing is no error: %j', (source) => {
    expect(parseCds(source)).toMatchObject({ definitions: [], errors: [] })
  })

  it.each(['hello world', '{"definitions": {}}', '<xml/>', ')))', '\u0000\u0001', '@@@@', "'just a string'"])(
    'what is no CDS fails: %j',
    (source) => {
      expect(failureOf(source)).toBe('syntax')
    },
  )
})
