import { describe, expect, it } from 'vitest'
import { listCapServices } from '../../../core/inventory/cap.ts'
import type { ProjectFile } from '../../../core/files.ts'
import type { CapRoot } from '../../../core/model/cap/index.ts'
import { findNpmProject } from '../../../core/model/npm/index.ts'
import { createReachModel, type ReachModel } from '../../../core/model/reach/index.ts'
import { capRootsOf, PACKAGE, readProject, scriptsOf } from '../project.ts'

const pomOf = (version: string): string =>
  `<project><properties><cds.services.version>${version}</cds.services.version></properties><dependency><groupId>com.sap.cds</groupId></dependency></project>`

describe('services', () => {
  const ROOT = { 'package.json': PACKAGE }
  function rowsOf(texts: Readonly<Record<string, string>>): string[] {
    const files = readProject(texts)
    return capRootsOf(files).flatMap(({ services }) =>
      services.map(({ name, exposure, path, access }) =>
        [name, exposure, path ?? '-', access.kind, access.roles.join('+'), access.place.file].join(' ').trim(),
      ),
    )
  }

  it.each<[string, string, string]>([
    ['nothing', 'service S { }', 'S served /odata/v4/s default-authenticated  srv/s.cds'],
    ['a role', "@requires: 'Admin' service S { }", 'S served /odata/v4/s roles Admin srv/s.cds'],
    ['roles in a list', "service S @(requires: ['A', 'B']) { }", 'S served /odata/v4/s roles A+B srv/s.cds'],
    ['any authenticated user', "@requires: 'authenticated-user' service S { }", 'S served /odata/v4/s authenticated  srv/s.cds'],
    ['its older name', "@requires: 'identified-user' service S { }", 'S served /odata/v4/s authenticated  srv/s.cds'],
    ['anybody', "@requires: 'any' service S { }", 'S served /odata/v4/s public  srv/s.cds'],
    ['nobody named', '@requires: [] service S { }', 'S served /odata/v4/s default-authenticated  srv/s.cds'],
    ['an empty role', "@requires: '' service S { }", 'S served /odata/v4/s default-authenticated  srv/s.cds'],
    [
      'a restriction',
      "@restrict: [{ grant: '*', to: 'A' }, { grant: 'READ', to: ['B', 'A'] }] service S { }",
      'S served /odata/v4/s roles A+B srv/s.cds',
    ],
    [
      'a restriction to nobody named',
      "@restrict: [{ grant: '*' }] service S { }",
      'S served /odata/v4/s default-authenticated  srv/s.cds',
    ],
    ['a restriction to anybody', "@restrict: [{ to: 'any' }] service S { }", 'S served /odata/v4/s public  srv/s.cds'],
    [
      'both, of which Node.js looks at the first alone',
      "@requires: 'authenticated-user' @restrict: [{ to: 'A' }] service S { }",
      'S served /odata/v4/s authenticated  srv/s.cds',
    ],
    ['any, and a role', "@requires: 'any' @restrict: [{ to: 'A' }] service S { }", 'S served /odata/v4/s public  srv/s.cds'],
    [
      'an empty list, and a role',
      "@requires: [] @restrict: [{ to: 'A' }] service S { }",
      'S served /odata/v4/s default-authenticated  srv/s.cds',
    ],
    [
      'an empty text, and a role',
      "@requires: '' @restrict: [{ to: 'A' }] service S { }",
      'S served /odata/v4/s roles A srv/s.cds',
    ],
    [
      'taken back, and a role',
      "@requires: null @restrict: [{ to: 'A' }] service S { }",
      'S served /odata/v4/s roles A srv/s.cds',
    ],
    ['a comment', "// @requires: 'Admin'\nservice S { }", 'S served /odata/v4/s default-authenticated  srv/s.cds'],
    ['an annotate below', "service S { } annotate S with @requires: 'A';", 'S served /odata/v4/s roles A srv/s.cds'],
    [
      'an annotate of an entity',
      "service S { entity E { } } annotate S.E with @requires: 'A';",
      'S served /odata/v4/s default-authenticated  srv/s.cds',
    ],
    ['a namespace', "namespace n; service S { } annotate S with @(requires: 'A');", 'n.S served /odata/v4/s roles A srv/s.cds'],
    ['an extend', "service S { } extend service S with @(requires: 'A') { }", 'S served /odata/v4/s roles A srv/s.cds'],
    ['no protocol', "@protocol: 'none' service S { }", 'S internal - none  srv/s.cds'],
    ['no protocol, as a path', '@protocol: none service S { }', 'S internal - none  srv/s.cds'],
    ['an empty list of protocols', 'service S @(protocol: []) { }', 'S internal - none  srv/s.cds'],
    ['not served', '@cds.serve.ignore service S { }', 'S internal - none  srv/s.cds'],
    ['imported', '@cds.external service S { }', 'S external - none  srv/s.cds'],
    [
      'a name in camel case',
      'service my.very.CatalogService { }',
      'my.very.CatalogService served /odata/v4/catalog default-authenticated  srv/s.cds',
    ],
    [
      'a longer name',
      'service OrdersAdmin_X { }',
      'OrdersAdmin_X served /odata/v4/orders-admin-x default-authenticated  srv/s.cds',
    ],
    ['a path', "@path: 'browse' service S { }", 'S served /odata/v4/browse default-authenticated  srv/s.cds'],
    ['an absolute path', "service S @(path: '/browse') { }", 'S served /browse default-authenticated  srv/s.cds'],
    ['another protocol', "@protocol: 'rest' service S { }", 'S served /rest/s default-authenticated  srv/s.cds'],
    ['the short form of a protocol', '@rest service S { }', 'S served /rest/s default-authenticated  srv/s.cds'],
    [
      'protocols with paths',
      "@protocol: [{ kind: 'odata', path: '/x' }, 'rest'] service S { }",
      'S served /x default-authenticated  srv/s.cds',
    ],
  ])('%s', (_, source, expected) => {
    expect(rowsOf({ ...ROOT, 'srv/s.cds': source })).toEqual([expected])
  })

  it.each<[string, string, string[]]>([
    ['by OData where nothing is said', 'service S { }', ['odata /odata/v4/s S']],
    ['by what a short form says, and by nothing else', '@mcp service S { }', ['mcp /mcp/s mcp']],
    [
      'by several',
      "@odata @graphql service S @(rest: '/r') { }",
      ['odata /odata/v4/s odata', "rest /r rest: '/r'", 'graphql /graphql graphql'],
    ],
    ['by a list', "@protocol: ['odata', 'ws'] service S { }", ["odata /odata/v4/s 'odata'", "ws /ws/s 'ws'"]],
    [
      'by a list with paths',
      "@protocol: [{ kind: 'websocket', path: 'chat' }, { path: 'x' }, 'rest'] service S { }",
      ["websocket /ws/chat { kind: 'websocket', path: 'chat' }", "rest /rest/s 'rest'"],
    ],
    [
      '@protocol counts before the short forms',
      "@mcp @protocol: 'odata-v4' service S { }",
      ["odata-v4 /odata/v4/s @protocol: 'odata-v4'"],
    ],
    ['what is taken back is not meant', '@mcp: false @graphql: null @protocol: null @rest service S { }', ['rest /rest/s rest']],
    [
      'annotated elsewhere',
      "service S { } annotate S with @(odata, mcp: 'books');",
      ['odata /odata/v4/s odata', "mcp /mcp/books mcp: 'books'"],
    ],
    ['by one of the project’s own', '@hello service S { }', ['hello /hi/s hello']],
    ['not at all', "@mcp @protocol: 'none' service S { }", []],
  ])('are served %s', (_, source, expected) => {
    const configured = JSON.stringify({ dependencies: { '@sap/cds': '^9' }, cds: { protocols: { hello: { path: '/hi' } } } })
    const [service] = capRootsOf(readProject({ 'package.json': configured, 'srv/s.cds': source })).flatMap(
      ({ services }) => services,
    )
    expect(
      service?.endpoints.map(
        ({ kind, path, place: { span } }) => `${kind} ${path} ${source.slice(span?.start, span?.end).replace(/^@(?=\w+$)/, '')}`,
      ),
    ).toEqual(expected)
  })

  it.each<[string, Record<string, string>]>([
    ['by its name', { 'srv/access.cds': "using { n.S } from './s'; annotate S with @(requires: 'A');" }],
    ['by another name', { 'srv/access.cds': "using { n.S as service } from './s'; annotate service with @requires: ['A'];" }],
    [
      'by the name of its namespace',
      { 'app/access.cds': "using { n as my } from '../srv/s'; annotate my.S with @requires: 'A';" },
    ],
    ['by its full name, from nowhere', { 'db/access.cds': "annotate n.S with @requires: 'A';" }],
    ['with a record', { 'srv/access.cds': "using n.S from './s'; annotate S with @restrict: [{ grant: '*', to: 'A' }];" }],
  ])('annotated from another file %s', (_, texts) => {
    const [row] = rowsOf({ ...ROOT, 'srv/s.cds': 'namespace n; service S { }', ...texts })
    expect(row).toMatch(/^n\.S served \/odata\/v4\/s roles A /)
  })

  it('of the same name in another root are not meant', () => {
    const service = 'service CatalogService { }'
    expect(
      rowsOf({
        'a/package.json': PACKAGE,
        'a/srv/s.cds': service,
        'b/package.json': PACKAGE,
        'b/srv/s.cds': `${service} annotate CatalogService with @requires: 'B';`,
      }),
    ).toEqual([
      'CatalogService served /odata/v4/catalog default-authenticated  a/srv/s.cds',
      'CatalogService served /odata/v4/catalog roles B b/srv/s.cds',
    ])
  })

  it('are annotated by what the root uses of another', () => {
    const texts = {
      'lib/package.json': JSON.stringify({ name: '@x/lib', dependencies: { '@sap/cds': '^9' } }),
      'lib/srv/access.cds': "annotate S with @requires: 'A';",
      'app/package.json': PACKAGE,
      'app/srv/s.cds': "using from '@x/lib/srv/access'; service S { }",
    }
    expect(rowsOf(texts)).toEqual(['S served /odata/v4/s roles A lib/srv/access.cds'])
  })

  it('in folders of imports and tests, or with a remote kind', () => {
    const texts = {
      'package.json': JSON.stringify({ dependencies: { '@sap/cds': '^9' }, cds: { requires: { Remote: { kind: 'odata' } } } }),
      'srv/external/API.cds': 'service API { }',
      'test/srv/t.cds': 'service T { }',
      'srv/remote.cds': 'service Remote { }',
    }
    expect(rowsOf(texts)).toEqual(['Remote external - none  srv/remote.cds', 'API external - none  srv/external/API.cds'])
  })

  it.each<[string, Record<string, string>, string]>([
    [
      'cds 5 asks nobody',
      { 'package.json': '{"dependencies":{"@sap/cds":"^5.9"},"cds":{"requires":{"auth":"xsuaa"}}}' },
      'default-public',
    ],
    ['nor does cds 6 without an authentication', { 'package.json': '{"dependencies":{"@sap/cds":"^6.8"}}' }, 'default-public'],
    [
      'cds 6 with one asks for a user',
      { 'package.json': '{"dependencies":{"@sap/cds":"^6"},"cds":{"requires":{"[production]":{"auth":{"kind":"xsuaa"}}}}}' },
      'default-authenticated',
    ],
    [
      'so do mocked users',
      { 'package.json': '{"dependencies":{"@sap/cds":"^9"},"cds":{"requires":{"auth":"mocked"}}}' },
      'default-public',
    ],
    [
      'not in development only',
      { 'package.json': '{"dependencies":{"@sap/cds":"^9"},"cds":{"requires":{"[development]":{"auth":"mocked"}}}}' },
      'default-authenticated',
    ],
    [
      'so does the switch',
      { 'package.json': '{"cds":{"requires":{"auth":{"kind":"jwt","restrict_all_services":false}}}}' },
      'default-public',
    ],
    ['Java 4', { 'pom.xml': pomOf('4.2.0') }, 'default-authenticated'],
    ['Java 5', { 'pom.xml': pomOf('5.0.0') }, 'default-public'],
    [
      'Java 5, told otherwise',
      {
        'pom.xml': pomOf('5.0.0'),
        'srv/src/main/resources/application.yaml': 'cds:\n  security:\n    authentication:\n      mode: model-strict\n',
      },
      'default-authenticated',
    ],
    ['Java of no version', { 'pom.xml': pomOf('${revision}') }, 'default-unknown'],
  ])('without a word: %s', (_, texts, expected) => {
    const [root] = capRootsOf(readProject({ ...texts, 'srv/s.cds': 'service S { }' }))
    expect(root?.services[0]?.access.kind).toBe(expected)
  })

  it('with both annotations in Java: the stricter counts', () => {
    const texts = { 'pom.xml': pomOf('4.2.0'), 'srv/s.cds': "@requires: 'any' @restrict: [{ to: 'A' }] service S { }" }
    expect(rowsOf(texts)).toEqual(['S served /odata/v4/S roles A srv/s.cds'])
  })

  it('in an extend', () => {
    expect(rowsOf({ ...ROOT, 'srv/a.cds': "using n.C from './c'; extend context C { @requires: 'A' service S { } }" })).toEqual([
      'n.C.S served /odata/v4/s roles A srv/a.cds',
    ])
  })

  it('files that use each other in a circle', () => {
    const texts = {
      ...ROOT,
      'srv/a.cds': "using from './b'; service A { }",
      'srv/b.cds': "using from './a'; using from './b'; annotate A with @requires: 'B';",
    }
    expect(rowsOf(texts)).toEqual(['A served /odata/v4/a roles B srv/b.cds'])
  })
})

const reachOf = (files: ReadonlyMap<string, ProjectFile>, capRoots: readonly CapRoot[]): ReachModel =>
  createReachModel({ files, scripts: scriptsOf(files), capRoots, npm: findNpmProject(files, () => undefined) })

describe('listCapServices', () => {
  const files = readProject({
    'package.json': PACKAGE,
    'srv/s.cds':
      "\n\nservice Shop { }\n@protocol: 'none' service Hidden { }\n@requires: ['A', 'B'] service Admin { entity E { key ID : UUID } }",
  })
  const linesOf = (file: string) => files.get(file)?.lines
  it('says who may call what is served, and why', () => {
    const roots = capRootsOf(files)
    const reach = reachOf(files, roots)
    expect(listCapServices(roots, reach, linesOf, 'en', () => undefined)).toEqual([
      {
        name: 'Shop',
        file: 'srv/s.cds',
        line: 3,
        path: '/odata/v4/shop',
        access: 'Any authenticated user of any role: nothing is declared, and that is the default in production.',
        exposure: { reach: 'user', by: { file: 'srv/s.cds', line: 3 } },
        entities: [],
      },
      {
        name: 'Admin',
        file: 'srv/s.cds',
        line: 5,
        path: '/odata/v4/admin',
        access: 'Users with one of the roles A, B: srv/s.cds says so.',
        exposure: { reach: 'user', by: { file: 'srv/s.cds', line: 5 } },
        entities: [
          { name: 'E', read: ['A', 'B'], change: ['A', 'B'], exposure: { reach: 'user', by: { file: 'srv/s.cds', line: 5 } } },
        ],
      },
    ])
    expect(listCapServices(roots, reach, linesOf, 'fr', () => undefined)[1]?.access).toBe(
      'Les utilisateurs ayant l’un des rôles A, B : srv/s.cds l’indique.',
    )
  })
  it.each([
    ['entity E { key ID : UUID }', "@requires: 'any'", ['any'], ['any']],
    ['@readonly entity E { key ID : UUID }', '', ['authenticated-user'], []],
    ["@restrict: [{ grant: 'READ', to: 'Reader', where: 'a = 1' }] entity E { key ID : UUID }", '', ['Reader'], [], true],
    ["@restrict: [{ grant: 'WRITE', to: 'Writer' }] entity E { key ID : UUID }", '', [], ['Writer']],
    [
      "@restrict: [{ grant: 'act', to: 'Actor' }] entity E { key ID : UUID } actions { action act() }",
      '',
      ['authenticated-user'],
      ['authenticated-user'],
    ],
    ['@restrict: [] entity E { key ID : UUID }', '', [], []],
    ["@requires: 'Admin' entity E { key ID : UUID }", '', ['Admin'], ['Admin']],
  ])('says who may read and change %s', (entity, words, read, change, filtered?: boolean) => {
    const files = readProject({ 'package.json': PACKAGE, 'srv/s.cds': `${words} service S { ${entity} }` })
    const roots = capRootsOf(files)
    const [service] = listCapServices(
      roots,
      reachOf(files, roots),
      () => undefined,
      'en',
      () => undefined,
    )
    expect(service?.entities).toMatchObject([{ name: 'E', read, change, ...(filtered === true && { filtered }) }])
  })
})
