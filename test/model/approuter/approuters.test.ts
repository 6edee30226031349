import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findMethodGaps,
  findUnknownKeys,
  isCatchAll,
  isSet,
  judgeOrigin,
  numberIn,
  readCsp,
  readResponseHeaders,
  scopesFor,
  versionWithin,
  type Approuter,
  type Setting,
} from '../../../core/model/approuter/index.ts'
import { ParseFailure } from '../../../core/parse/failure.ts'
import { allFindings, scanFiles } from '../../scan-files.ts'
import { runs } from '../../soak.ts'
import { approutersOf, readProject } from '../project.ts'

const ROUTE = { source: '^/srv/(.*)$', destination: 'srv-api' }
const PACKAGE = JSON.stringify({ dependencies: { '@sap/approuter': '^20.9.0' } })

function only(texts: Readonly<Record<string, string>>): Approuter {
  const found = approutersOf(readProject(texts))
  expect(found).toHaveLength(1)
  const [approuter] = found
  if (approuter === undefined) throw new Error('no approuter')
  return approuter
}

function router(descriptor: object, more: Readonly<Record<string, string>> = {}): Approuter {
  return only({ 'router/xs-app.json': JSON.stringify({ routes: [ROUTE], ...descriptor }), ...more })
}

describe('findApprouters', () => {
  it.each<[string, Record<string, string>, Approuter['kind']]>([
    ['a package.json beside it', { 'router/package.json': PACKAGE }, 'standalone'],
    [
      'a start script beside it',
      { 'router/package.json': '{"scripts":{"start":"node node_modules/@sap/approuter/approuter.js"}}' },
      'standalone',
    ],
    ['a package.json above it', { 'package.json': PACKAGE }, 'standalone'],
    ['a package.json above it, and an app beside it', { 'package.json': PACKAGE, 'router/manifest.json': '{}' }, 'html5-app'],
    [
      'a package.json above it that has a descriptor',
      { 'package.json': PACKAGE, 'test/x.json': '', 'xs-app.txt': '' },
      'standalone',
    ],
    ['an app beside it', { 'router/webapp/manifest.json': '{}' }, 'html5-app'],
    ['a package.json of something else', { 'router/package.json': '{}', 'package.json': PACKAGE }, 'unknown'],
    ['nothing', {}, 'unknown'],
  ])('knows by %s who reads it', (_, more, kind) => {
    expect(router({}, more).kind).toBe(kind)
  })

  it('leaves alone a file that holds something else', () => {
    expect(
      approutersOf(readProject({ 'a/xs-app.json': '{"xsappname":"shop"}', 'b/xs-app.json': '[]', 'c/xs-app.json': '1' })),
    ).toEqual([])
  })

  it('reads routes in their order, with their defaults', () => {
    const { routes } = router({
      routes: [
        { source: { path: '^/A', matchCase: false }, service: 'html5-apps-repo-rt', httpMethods: ['get', 7] },
        { source: 1 },
        null,
        { source: '^/b', localDir: 'web', authenticationType: 'none', csrfProtection: false, scope: ['x', 'y'] },
        { source: '^/c', target: '/d', scope: { GET: 'x', default: ['y'] } },
      ],
    })
    expect(routes.map(({ source, target }) => `${source} ${target.kind} ${target.name}`)).toEqual([
      '^/A html5-repo html5-apps-repo-rt',
      '^/b local-dir web',
      '^/c self /d',
    ])
    const [first, second, third] = routes
    expect(first).toMatchObject({
      matchCase: false,
      methods: ['GET'],
      writeMethods: [],
      authenticates: true,
      csrfProtection: true,
    })
    expect(second).toMatchObject({
      authenticates: false,
      csrfProtection: false,
      index: 1,
      writeMethods: ['POST', 'PUT', 'PATCH', 'DELETE'],
    })
    expect(second && scopesFor(second, 'GET')).toEqual(['x', 'y'])
    expect(third && ['GET', 'PUT'].map((method) => scopesFor(third, method))).toEqual([['x'], ['y']])
  })

  it('gives nobody the scopes of a method that is not listed', () => {
    const [route] = router({ routes: [{ ...ROUTE, scope: { GET: 'x' } }] }).routes
    expect(route && scopesFor(route, 'POST')).toEqual([])
  })

  it('asks for no login anywhere where the descriptor says so', () => {
    const { routes } = router({ authenticationMethod: 'none', routes: [{ ...ROUTE, authenticationType: 'xsuaa' }] })
    expect(routes.map(({ authenticates }) => authenticates)).toEqual([false])
  })

  it.each<[object, string | undefined]>([
    [{ source: '^/resources/(.*)$', destination: 'ui5' }, 'ui5-runtime'],
    [{ source: '^(?:/app|/app/.*)?/test-resources/(.*)$', destination: 'SAPUI5' }, 'ui5-runtime'],
    [{ source: '^/resources/(.*)$', destination: 'documents' }, undefined],
    [{ source: '^/-/cds/.*', destination: 'mtx-api' }, 'mtx-callback'],
    [{ source: '^/-/cds/deployment/(.*)$', destination: 'mtx-api' }, 'management'],
    [{ source: '^/actuator', destination: 'srv' }, 'management'],
    [{ source: '^/V4/(.*)$', destination: 'Northwind' }, 'demo-data'],
    [{ source: '^/bye\\.html$', localDir: 'web' }, 'named-page'],
    [{ source: '^/favicon.ico$', localDir: 'web' }, 'page'],
    [{ source: '^/loginhistory/(.*)$', destination: 'srv' }, undefined],
    [{ source: '^/(login|api)/(.*)$', destination: 'srv' }, undefined],
    [{ source: '^/login|^/api', destination: 'srv' }, undefined],
    [{ source: '^/health/patients/(.*)$', destination: 'srv' }, undefined],
    [{ source: '^/health/(live|ready)$', destination: 'srv' }, 'page'],
    [{ source: '^/(health|info)$', destination: 'srv' }, 'page'],
    [{ source: '^/(logout|login)\\.html$', destination: 'srv' }, 'page'],
    [{ source: '^/monitor/(.*)$', target: '/actuator/$1', destination: 'srv' }, 'management'],
    [{ source: '^/srv/actuator/(.*)$', destination: 'srv' }, 'management'],
    [{ source: '^/reactuator/(.*)$', destination: 'srv' }, undefined],
  ])('knows what %j is for', (route, purpose) => {
    const { routes } = router({ routes: [route], logout: { logoutEndpoint: '/x', logoutPage: '/bye.html' } })
    expect(routes[0]?.purpose).toBe(purpose)
  })

  it.each<[string, string, Record<string, string>, boolean | undefined]>([
    ['^20.9.0', '<23.0.0', {}, true],
    ['23.0.0', '<23.0.0', {}, false],
    ['latest', '<23.0.0', {}, undefined],
    ['*', '<23.0.0', {}, undefined],
    ['>=20', '<23.0.0', {}, undefined],
    [
      '^20.9.0',
      '<20.9.9',
      { 'router/package-lock.json': '{"lockfileVersion":3,"packages":{"node_modules/@sap/approuter":{"version":"20.9.1"}}}' },
      true,
    ],
  ])('knows of %s whether it is %s', (range, wanted, more, expected) => {
    const manifest = JSON.stringify({ dependencies: { '@sap/approuter': range } })
    expect(versionWithin(router({}, { 'router/package.json': manifest, ...more }), wanted)).toBe(expected)
  })
})

const MTA = `
_schema-version: '3.3'
ID: shop
modules:
  - name: shop-router
    type: approuter.nodejs
    path: router
    properties:
      SESSION_TIMEOUT: 30
      CORS: '[{"uriPattern": "^/a"}]'
    requires:
      - name: srv
        group: destinations
        properties: { name: srv-api, url: '~{url}' }
      - name: shop-uaa
      - name: shop-old
  - name: other
    path: srv
    properties: { SESSION_TIMEOUT: 99 }
resources:
  - name: shop-uaa
    parameters: { service: xsuaa }
  - name: shop-old
    type: org.cloudfoundry.existing-service
`

function written(settings: readonly Setting[]): unknown[] {
  return settings.map(({ value, place, deployed }) => ['value' in value ? value.value : value.kind, place.file, deployed])
}

describe('the environment of an approuter', () => {
  it('has the properties of its module, and what its requirements add', () => {
    const { environment } = router({}, { 'mta.yaml': MTA, 'router/default-env.json': '{"SESSION_TIMEOUT": 5}' })
    expect(written(environment.settings('SESSION_TIMEOUT'))).toEqual([[30, 'mta.yaml', true]])
    expect(written(environment.settings('destinations'))).toEqual([['array', 'mta.yaml', true]])
    const [cors] = environment.settings('CORS')
    expect(cors?.value.kind).toBe('array')
    // what stands in a string has no place of its own
    expect(cors?.placeOf(cors.value)).toEqual(cors?.place)
    expect(environment.deployments).toMatchObject([
      {
        name: 'shop-router',
        kind: 'mta',
        bindings: [
          { name: 'shop-old', service: undefined },
          { name: 'shop-uaa', service: 'xsuaa' },
        ],
      },
    ])
  })

  it('has what the extensions of this MTA say instead', () => {
    const extension = (id: string, minutes: number): string =>
      `_schema-version: '3.3'\nID: x\nextends: ${id}\nmodules:\n  - name: shop-router\n    properties: { SESSION_TIMEOUT: ${minutes} }\n`
    const { environment } = router({}, { 'mta.yaml': MTA, 'a.mtaext': extension('shop', 60), 'b.mtaext': extension('else', 61) })
    expect(written(environment.settings('SESSION_TIMEOUT'))).toEqual([[60, 'a.mtaext', true]])
  })

  it('has the variables of an application', () => {
    const manifest =
      'applications:\n  - name: r\n    path: router\n    services: [a, { name: b }]\n    env: { REQUEST_TRACE: "true" }\n'
    const { environment } = router({}, { 'manifest.yml': manifest })
    expect(environment.settings('REQUEST_TRACE').map((setting) => isSet(setting, true))).toEqual([true])
    expect(environment.deployments[0]?.bindings.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('has what local files say only where nothing is deployed', () => {
    const { environment } = router(
      {},
      { 'router/default-env.json': '{"SESSION_TIMEOUT": "5"}', 'router/.env': 'PKCE_ENABLED=false\n' },
    )
    expect(environment.settings('SESSION_TIMEOUT').map(numberIn)).toEqual([5])
    expect(written(environment.settings('PKCE_ENABLED'))).toEqual([['false', 'router/.env', false]])
  })
})

describe('shadows', () => {
  const pair = (first: object, second: object): string[] =>
    router({ routes: [first, second] }).shadows.map(({ method, url, missing, extent }) => `${method} ${url} ${missing} ${extent}`)
  const open = { destination: 'srv', authenticationType: 'none' }
  const scoped = { destination: 'srv', scope: 'x' }

  it.each<[string, object, object, string[]]>([
    ['not anchored', { ...open, source: '/pub' }, { ...scoped, source: '^/admin/(.*)$' }, ['GET /admin/pub login part']],
    ['general first', { destination: 'srv', source: '^/a' }, { ...scoped, source: '^/a/b' }, ['GET /a/b scope whole']],
    ['a narrow exception', { ...open, source: '^/a/b' }, { ...scoped, source: '^/a' }, []],
    ['the same source', { ...open, source: '^/a' }, { ...scoped, source: '^/a' }, ['GET /a login whole']],
    ['another backend', { ...open, destination: 'x', source: '/pub' }, { ...scoped, source: '^/admin/' }, []],
    ['writing alone', { ...open, source: '/a', httpMethods: ['POST'] }, { ...scoped, source: '^/x' }, ['POST /x/a login part']],
    [
      'no method of both',
      { ...open, source: '/a', httpMethods: ['POST'] },
      { ...scoped, source: '^/x', httpMethods: ['GET'] },
      [],
    ],
    ['undecided', { ...open, source: '\\bpub' }, { ...scoped, source: '^/admin/' }, []],
    ['another path of the backend', { ...open, source: '/p', target: '/q' }, { ...scoped, source: '^/x' }, []],
  ])('%s', (_, first, second, expected) => {
    expect(pair(first, second)).toEqual(expected)
  })

  it('is none where a route before both takes the URL', () => {
    const { shadows } = router({
      routes: [
        { ...scoped, source: '^/admin/' },
        { ...open, source: '/pub' },
        { ...scoped, source: '^/admin/(.*)$' },
      ],
    })
    expect(shadows).toEqual([])
  })

  it('finds methods that slip past', () => {
    const gaps = findMethodGaps(
      router({
        routes: [
          { ...scoped, source: '^/a/', httpMethods: ['GET'] },
          { destination: 'srv', source: '^/' },
        ],
      }),
    )
    expect(gaps.map(({ method, missing }) => `${method} ${missing}`)).toEqual(['POST scope'])
  })
})

describe('small judgements', () => {
  it.each<[string, string]>([
    ['*', 'any'],
    ['**', 'any'],
    ['*.ondemand.com', 'shared'],
    ['*.cfapps.eu10-004.hana.ondemand.com', 'shared'],
    ['*.com', 'shared'],
    ['*.shop.authentication.eu10.hana.ondemand.com', 'own'],
    ['*.acme.com', 'own'],
    ['acme.com', 'own'],
    ['*acme.com', 'suffix'],
    ['*cfapps.eu10.hana.ondemand.com', 'shared'],
  ])('whose %s is: %s', (host, verdict) => {
    expect(judgeOrigin(host)).toBe(verdict)
  })

  it.each<[string, string[], boolean]>([
    ["script-src 'self'", [], false],
    ["default-src 'unsafe-inline' *", ['inline', 'any'], false],
    ["default-src *; script-src 'self'; frame-ancestors 'self'", [], true],
    ["script-src 'unsafe-inline' 'nonce-x'", [], false],
    ["SCRIPT-SRC 'UNSAFE-EVAL'; script-src *", ['eval'], false],
    ['frame-ancestors *', [], false],
    ['', [], false],
  ])('what the policy %s lets through', (policy, faults, frameAncestors) => {
    const csp = readCsp(policy)
    expect([csp.faults.map(({ fault }) => fault), csp.frameAncestors]).toEqual([faults, frameAncestors])
  })

  it.each<[string, boolean]>([
    ['^/(.*)$', true],
    ['.*', true],
    ['/', true],
    ['^(.*)', true],
    ['^/[^?]*$', true],
    ['^/(?!admin)(.*)$', false],
    ['^/a(.*)$', false],
    ['(', false],
  ])('whether %s takes everything: %s', (source, expected) => {
    const approuter = router({ routes: [{ ...ROUTE, source }] })
    const [route] = approuter.routes
    expect(route !== undefined && isCatchAll(approuter, route)).toBe(expected)
  })
})

const KEYS = (
  'routes source path matchCase destination service localDir target scope default GET httpMethods authenticationType authenticationMethod ' +
  'csrfProtection logout logoutPage logoutEndpoint errorPage cors allowedOrigin host uriPattern responseHeaders name value replace vars ' +
  'services destinations url welcomeFile sessionTimeout websockets enabled __proto__ toString properties modules requires resources'
).split(' ')
const scalar = fc.oneof(
  fc.constantFrom('none', '^/(.*)$', '/', '*', 'GET', '$1', '', '.', 'ui5', '{"a":1}', '[1'),
  fc.string(),
  fc.integer(),
)
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium' },
    scalar,
    fc.constantFrom(null, true, false),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('tree'), { maxKeys: 6 }),
  ),
}))

describe('hostile descriptors', () => {
  it('throw nothing, whatever stands at a key', () => {
    fc.assert(
      fc.property(tree, tree, tree, (routes, descriptor, environment) => {
        const texts = {
          'router/xs-app.json': JSON.stringify({ ...(typeof descriptor === 'object' && descriptor), routes }),
          'router/package.json': PACKAGE,
          'mta.yaml': JSON.stringify({
            ID: 'a',
            modules: [{ name: 'r', path: 'router', properties: environment, requires: routes }],
          }),
          'a.mtaext': JSON.stringify({ extends: 'a', modules: [{ name: 'r', properties: descriptor }] }),
        }
        try {
          for (const approuter of approutersOf(readProject(texts))) {
            expect(Array.isArray(approuter.shadows)).toBe(true)
            readResponseHeaders(approuter)
            findMethodGaps(approuter)
            findUnknownKeys(approuter.root)
            for (const { name } of [{ name: 'destinations' }, { name: 'CORS' }]) approuter.environment.settings(name)
          }
        } catch (error) {
          if (!(error instanceof ParseFailure)) throw error
        }
      }),
      { numRuns: runs(10_000, 30) },
    )
  })

  it('let no rule fail', async () => {
    await fc.assert(
      fc.asyncProperty(tree, tree, async (routes, environment) => {
        const { en } = await scanFiles(
          new Map([
            ['router/xs-app.json', JSON.stringify({ routes, cors: routes, logout: environment, responseHeaders: routes })],
            ['router/package.json', PACKAGE],
            ['mta.yaml', JSON.stringify({ ID: 'a', modules: [{ name: 'r', path: 'router', properties: environment }] })],
          ]),
        )
        expect(en.notices.filter(({ code }) => code === 'rule-failed')).toEqual([])
      }),
      { numRuns: runs(500, 25) },
    )
  })

  it('with very many routes end', async () => {
    const routes = Array.from({ length: 2000 }, (_, index) => ({
      source: index % 2 === 0 ? `(a|b|ab)*(.*)x${index}` : `^/(.*)y{1,30}${index}$`,
      destination: 'srv',
      ...(index % 2 === 0 ? { authenticationType: 'none' } : { scope: 'x' }),
    }))
    const { en } = await scanFiles(new Map([['router/xs-app.json', JSON.stringify({ routes })]]))
    expect(allFindings(en).length).toBeGreaterThan(100)
  }, 60_000)
})
