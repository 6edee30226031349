import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CapService } from '../../../core/model/cap/index.ts'
import { RULES } from '../../../core/rules/index.ts'
import { runs } from '../../soak.ts'
import { scanFiles } from '../../scan-files.ts'
import { capRootsOf, PACKAGE, readProject } from '../project.ts'
import { cpuTime } from '../../cpu-time.ts'

function servicesOf(texts: Readonly<Record<string, string>>): readonly CapService[] {
  return capRootsOf(readProject({ 'package.json': PACKAGE, ...texts })).flatMap(({ services }) => services)
}

describe('elements of a service', () => {
  const rowsOf = (texts: Readonly<Record<string, string>>): string[] =>
    servicesOf(texts).flatMap(({ elements }) =>
      elements.map(({ name, kind, access, writable }) =>
        [name, kind, access?.kind ?? '-', access?.roles.join('+') ?? '', writable ? 'w' : 'r'].join(' '),
      ),
    )

  it.each<[string, string, string[]]>([
    ['an entity', 'service S { entity E { key ID: Integer; } }', ['E entity -  w']],
    ['readonly', 'service S { @readonly entity E { key ID: Integer; } }', ['E entity -  r']],
    [
      'not to be changed in any way',
      'service S { @Capabilities: { InsertRestrictions.Insertable: false, UpdateRestrictions.Updatable: false, DeleteRestrictions.Deletable: false } entity E { key ID: Integer; } }',
      ['E entity -  r'],
    ],
    ['actions and functions', 'service S { action a(); function f() returns Integer; }', ['a action -  w', 'f function -  r']],
    ['inside of contexts', 'service S { context c { entity E { key ID: Integer; } } }', ['c.E entity -  w']],
    ['types and events are none', 'service S { type T: String; event V { a: Integer; } }', []],
    ['annotated outside', "service S { entity E {} } annotate S.E with @requires: 'A';", ['E entity roles A w']],
    [
      'inherited from what it reads',
      "@requires: 'A' entity D {} service S { entity E as projection on D; }",
      ['E entity roles A w'],
    ],
    [
      'and from what that reads',
      "@requires: 'A' entity D {} entity C as select from D; service S { entity E as projection on C; }",
      ['E entity roles A w'],
    ],
    ['from what it includes', "@requires: 'A' aspect X {} service S { entity E : X {} }", ['E entity roles A w']],
    ['taken back', "@requires: 'A' entity D {} service S { @requires: null entity E as projection on D; }", ['E entity -  w']],
    [
      'an empty list',
      'service S { @restrict: [] entity E {} @requires: [] action a(); }',
      ['E entity none  w', 'a action none  w'],
    ],
    [
      'lists of empty roles',
      "service S { @restrict: [{ grant: '*', to: [] }] entity E {} @requires: [''] action a(); @restrict: [{ to: '' }] entity F {} }",
      ['E entity none  w', 'a action none  w', 'F entity -  w'],
    ],
    [
      'grants for actions only',
      "service S { @restrict: [{ grant: 'go', to: 'A' }] entity E {} actions { action go(); } }",
      ['E entity -  w', 'E.go action roles A w'],
    ],
    [
      'a bound action has its entity’s',
      "service S { @requires: 'A' entity E {} actions { action go(); @requires: 'B' action run(); } }",
      ['E entity roles A w', 'E.go action roles A w', 'E.run action roles B w'],
    ],
    [
      'a bound action annotated outside',
      "service S { entity E {} actions { action go(); } } annotate S.E with actions { go @requires: 'B' };",
      ['E entity -  w', 'E.go action roles B w'],
    ],
    ['added by extend', 'service S { } extend service S with { entity E {} action a(); }', ['E entity -  w', 'a action -  w']],
    [
      'what is composed on the spot has the restriction around it',
      "aspect Line { pos: Integer; } entity D { key ID: Integer; items: Composition of many { key pos: Integer; }; lines: Composition of many Line; } service S { @requires: 'A' entity E as projection on D; entity Items as projection on D.items; entity Lines as projection on D.lines; }",
      ['E entity roles A w', 'Items entity roles A w', 'Lines entity roles A w'],
    ],
    [
      'but not what has its own, and not an entity of its own',
      "entity P {} entity D { key ID: Integer; items: Composition of many { key pos: Integer; }; parts: Composition of many P; } service S { @requires: 'A' entity E as projection on D; @requires: 'B' entity Items as projection on D.items; entity Parts as projection on P; }",
      ['E entity roles A w', 'Items entity roles B w', 'Parts entity -  w'],
    ],
    [
      'circles',
      'service S { entity A as projection on B; entity B as projection on A; entity C : C {} }',
      ['A entity -  w', 'B entity -  w', 'C entity -  w'],
    ],
  ])('%s', (_, source, expected) => {
    expect(rowsOf({ 'srv/s.cds': source })).toEqual(expected)
  })
})

describe('links of a service', () => {
  const linksOf = (source: string): string[] =>
    servicesOf({ 'srv/s.cds': source }).flatMap(({ links }) =>
      links().map(({ from, to, element, composition }) => `${from.name}.${element} ${composition ? 'has' : 'to'} ${to.name}`),
    )

  it('are followed through projections, and end where an element is left out', () => {
    const db = 'entity A { key ID: Integer; b: Association to B; c: Composition of many B; } entity B { key ID: Integer; }'
    const restricted = "@requires: 'R' entity Bs as projection on B;"
    expect(linksOf(`${db} service S { entity As as projection on A; ${restricted} }`)).toEqual(['As.b to Bs', 'As.c has Bs'])
    expect(linksOf(`${db} service S { entity As as projection on A excluding { b }; ${restricted} }`)).toEqual(['As.c has Bs'])
    expect(linksOf(`${db} service S { entity As as projection on A { ID, b as other }; ${restricted} }`)).toEqual([
      'As.other to Bs',
    ])
    expect(linksOf(`${db} service S { entity As as projection on A; ${restricted} ${restricted.replace('Bs', 'Cs')} }`)).toEqual(
      [],
    )
  })
})

describe('hostile models', () => {
  const words = fc.constantFrom(
    'service S',
    'entity E',
    'aspect X',
    'action a()',
    'extend S with',
    'annotate S.E with',
    ': E',
    ': X',
    'as projection on',
    'E',
    'S',
    'S.E',
    '{',
    '}',
    ';',
    '@restrict: [{ grant: 5, to: null }]',
    '@requires: [[], {}, 1]',
    '@restrict: 5',
    '@restrict: [[{}]]',
    'actions {',
    'excluding { a }',
    'a: Association to E',
    '@requires: { a: 1 }',
    '@restrict: [{ too: #x, where: [] }]',
    "@restrict: [{ grant: '*', to: 'A' }, { grant: 'WRITE', to: 'A', where: 'a.b[c = $user].d = $user or (' }]",
    "@restrict: [{ to: 'authenticated-user', where: (a.b.c = $user.d and exists a[b = 1]) }]",
    "@requires: ['A', 'system-user']",
    '@odata.draft.enabled',
    'extend entity S.E with',
    ': managed',
    '{ *, a.b }',
    'key ID: UUID;',
    '@mcp @ws: 5 @graphql: []',
    "@protocol: [{ kind: 5 }, [], {}, null, { kind: 'ws', path: 5 }]",
    '@protocol: #mcp',
    'a: LargeBinary @Core.MediaType: b @Core.ContentDisposition.Type: [];',
    "b: cds.LargeBinary @Core.ContentDisposition: { Type: 'inline' } @Core.MediaType: (a.b);",
    'isAdmin: Boolean; balance: Decimal; iban: String; status: T;',
    '@cds.autoexpose',
    'Composition of many {',
    'type T : T;',
    'type U { t: U; v: E:a; w: type of X:c }',
    'c: U; d: T; a: E:b;',
    'annotate S.E with { a @readonly: []; c { t @x } };',
    'annotate S.E:c.t with @PersonalData.IsPotentiallySensitive;',
    'extend S.E with { e: Composition of many { a: E:e.a }; extend a with @x };',
    'extend S.E with X, E;',
    '@UI.CreateHidden @Common.FieldControl: 1',
    'as select from E as F join S.E as G on 1 = 1 { F.a, G.*, a.c.t as z, E.{ * } }',
    'union select from X',
  )

  it('never throw, and rules say something or nothing', async () => {
    const cap = RULES.filter(({ id }) => id.startsWith('cap/'))
    expect(cap.length).toBeGreaterThan(10)
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 40 }), fc.json({ maxDepth: 4 }), async (parts, json) => {
        const files = new Map([
          ['package.json', PACKAGE],
          [
            '.cdsrc.json',
            `{"requires": {"auth": ${json}, "audit-log": ${json}, "attachments": ${json}}, "server": ${json}, "protocols": ${json}, "websocket": {"kind": "socket.io", "options": {"cors": ${json}}}}`,
          ],
          ['srv/s.cds', parts.join(' ')],
          [
            'srv/s.js',
            `srv.before(${json}, ${json}, f); srv.before('CREATE', ${json}); new cds.User(${json}).roles[${json}] = 1`,
          ],
          [
            'xs-security.json',
            `{"scopes": [{"name": ${json}}, ${json}], "role-templates": ${json}, "role-collections": [${json}]}`,
          ],
          ['README.md', ''],
        ])
        const { en } = await scanFiles(files, { date: '2026-11-20' })
        expect(en.notices.filter(({ code }) => code === 'rule-failed')).toEqual([])
      }),
      { numRuns: runs(10_000, 60) },
    )
  }, 60_000)

  it('chains and diamonds cost what they are long', () => {
    const chain = Array.from({ length: 2000 }, (_, index) => `entity E${index + 1} as projection on E${index};`).join('\n')
    const diamonds = Array.from(
      { length: 60 },
      (_, index) => `aspect X${index + 1} : X${index}, Y${index} { } aspect Y${index + 1} : X${index}, Y${index} { }`,
    ).join('\n')
    const source = `service S { @requires: 'A' entity E0 { key ID: UUID; } ${chain} ${diamonds} entity Z : X60 { } }`
    const started = cpuTime()
    servicesOf({ 'srv/s.cds': source })
    expect(cpuTime() - started).toBeLessThan(20_000)
  })
})
