import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Report } from '../../core/report/types.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { runs } from '../soak.ts'
import { KNOWN, PROJECT } from './project.ts'
import { known } from './scanning.ts'

/** Descriptors as they should be, with the keys that readers ask for; JSON is YAML as well. */
const DESCRIPTORS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  [
    'x/db/src/app.hdbrole',
    {
      role: {
        name: 'a',
        system_privileges: ['X'],
        schema_privileges: [{ privileges: ['ALTER'], privileges_with_grant_option: ['SELECT'] }],
      },
    },
  ],
  [
    'x/db/cfg/app.hdbgrants',
    {
      ups: {
        application_user: { roles: ['a#'], schema_roles: [{ names: ['b#'] }], schema_privileges: [{ privileges: ['DROP'] }] },
      },
    },
  ],
  ['x/xs/.xsaccess', { exposed: true, authentication: null, prevent_xsrf: false, force_ssl: false }],
  [
    'x/package.json',
    {
      name: 'x',
      version: '1.0.0',
      scripts: { start: 'cds-serve' },
      dependencies: { '@sap/cds': '^9', express: '4.17.1' },
      devDependencies: { '@ui5/cli': '4' },
      workspaces: ['a'],
      cds: {
        requires: {
          auth: { kind: 'mocked', '[production]': { kind: 'dummy' }, users: { alice: { password: 'x', roles: ['admin'] } } },
          db: 'sqlite',
          'audit-log': { kind: 'audit-log-to-console' },
          attachments: { scan: false },
          api: { kind: 'odata', credentials: { url: 'http://x' } },
        },
        profiles: ['a'],
        protocols: { graphql: { path: '/graphql', graphiql: true } },
        websocket: { kind: 'socket.io', options: { cors: { origin: ['*'] } } },
      },
      sapux: true,
      ui5: { dependencies: ['ui5-middleware'] },
    },
  ],
  [
    'x/.cdsrc.json',
    {
      requires: { auth: { kind: 'jwt' }, '[production]': { auth: 'mocked' } },
      cors: true,
      server: { index: true },
      odata: { flavor: 'x4' },
      '[development]': { requires: null },
    },
  ],
  [
    'x/webapp/manifest.json',
    {
      'sap.app': {
        id: 'x',
        type: 'application',
        i18n: { bundleUrl: 'i18n/i18n.properties' },
        dataSources: {
          main: { uri: '/odata/', type: 'OData', settings: { odataVersion: '4.0', localUri: 'x', annotations: ['a'] } },
        },
        crossNavigation: { inbounds: { a: { signature: { parameters: {} } } } },
      },
      'sap.ui5': {
        rootView: { viewName: 'x.Main', type: 'XML' },
        dependencies: { minUI5Version: ['1.120.0'], libs: { 'sap.m': {} } },
        models: { '': { dataSource: 'main', settings: {}, type: 'sap.ui.model.odata.v4.ODataModel', preload: true } },
        routing: { routes: [{ name: 'a', pattern: ':?query:', target: ['a'] }], targets: { a: {} } },
        resources: { js: [{ uri: 'x.js' }] },
        resourceRoots: { y: './y' },
        componentUsages: { z: { name: 'z', url: 'http://x' } },
        extends: { extensions: {} },
      },
      'sap.platform.cf': { oAuthScopes: ['x'] },
      'sap.cloud': { public: true, service: 'x' },
    },
  ],
  [
    'x/webapp/view/Main.view.json',
    {
      Type: 'sap.ui.core.mvc.JSONView',
      controllerName: 'x.Main',
      content: [
        {
          Type: 'sap.m.Link',
          id: 'a',
          href: { path: '/url', type: 'sap.ui.model.type.String', formatter: '.f' },
          validateUrl: false,
        },
        {
          Type: 'sap.ui.core.HTML',
          content: { parts: ['a', { path: 'b', model: 'm' }], ui5object: false },
          sanitizeContent: true,
        },
        { Type: 'sap.ui.unified.FileUploader', fileType: ['pdf'], uploadUrl: 'http://x' },
        { Type: 'sap.m.PDFViewer', source: '{/url}', isTrustedSource: true },
        { Type: 'sap.ui.richtexteditor.RichTextEditor', sanitizeValue: false },
      ],
    },
  ],
  [
    'x/xs-app.json',
    {
      welcomeFile: 'index.html',
      authenticationMethod: 'route',
      sessionTimeout: 30,
      logout: { logoutEndpoint: '/do/logout', logoutPage: '/' },
      cors: [{ uriPattern: '^/', allowedOrigin: [{ host: '*' }] }],
      destinations: { a: {} },
      errorPage: [{ status: [400], file: 'x.html' }],
      whitelistService: { endpoint: '/x' },
      routes: [
        {
          source: { path: '^/(.*)$', matchCase: false },
          target: '$1',
          destination: 'a',
          authenticationType: 'none',
          csrfProtection: false,
          scope: { GET: ['$XSAPPNAME.x'] },
          httpMethods: ['GET'],
          identityProvider: 'x',
          replace: { pathSuffixes: ['x'] },
          cacheControl: 'no-cache',
          localDir: 'x',
          service: 'x',
        },
      ],
    },
  ],
  [
    'x/xs-security.json',
    {
      xsappname: 'x',
      'tenant-mode': 'shared',
      scopes: [{ name: '$XSAPPNAME.x', 'grant-as-authority-to-apps': ['a'] }],
      attributes: [{ name: 'a', valueType: 'string' }],
      'role-templates': [{ name: 'a', 'scope-references': ['x'], 'attribute-references': [{ name: 'a' }] }],
      authorities: ['$ACCEPT_GRANTED_AUTHORITIES'],
      'oauth2-configuration': {
        'redirect-uris': ['https://**'],
        'token-validity': 900,
        'refresh-token-validity': 1,
        'credential-types': ['binding-secret'],
        allowedproviders: ['x'],
        autoapprove: true,
      },
    },
  ],
  [
    'x/default-env.json',
    {
      VCAP_SERVICES: { xsuaa: [{ label: 'xsuaa', credentials: { clientid: 'x', url: 'http://x' } }] },
      destinations: [{ name: 'a', url: 'http://x', forwardAuthToken: true }],
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    },
  ],
  [
    'x/mta.yaml',
    {
      '_schema-version': '3.1',
      ID: 'x',
      version: '1.0.0',
      parameters: { a: 'b' },
      modules: [
        {
          name: 'srv',
          type: 'nodejs',
          path: 'srv',
          requires: [{ name: 'db', properties: { a: '~{b}' }, parameters: {} }],
          provides: [{ name: 'api', properties: { url: '${default-url}' } }],
          properties: { A: 'b' },
          parameters: { memory: '256M' },
          'build-parameters': { builder: 'npm', ignore: ['a'], commands: ['x'] },
          hooks: [{}],
        },
      ],
      resources: [
        {
          name: 'db',
          type: 'com.sap.xs.hdi-container',
          parameters: { path: './xs-security.json', config: { xsappname: 'x', 'oauth2-configuration': {} }, 'service-plan': 'x' },
        },
      ],
    },
  ],
  [
    'x/dev.mtaext',
    {
      '_schema-version': '3.1',
      ID: 'x.dev',
      extends: 'x',
      modules: [{ name: 'srv', properties: { A: 'c' } }],
      resources: [{ name: 'db', active: false }],
    },
  ],
  [
    'x/ui5.yaml',
    {
      specVersion: '4.0',
      metadata: { name: 'x' },
      type: 'application',
      framework: { name: 'SAPUI5', version: '1.120.0', libraries: [{ name: 'sap.m' }] },
      server: {
        customMiddleware: [
          {
            name: 'fiori-tools-proxy',
            afterMiddleware: 'compression',
            configuration: { ignoreCertError: true, backend: [{ path: '/x', url: 'http://x' }] },
          },
        ],
      },
      builder: { resources: { excludes: ['a'] }, customTasks: [{}] },
      resources: { configuration: { paths: { webapp: 'webapp' } } },
    },
  ],
  [
    'x/manifest.yml',
    { applications: [{ name: 'x', env: { A: 'b' }, routes: [{ route: 'x' }], services: ['a'], buildpacks: ['x'] }] },
  ],
  [
    'java/srv/src/main/resources/application.yaml',
    {
      spring: { security: { user: { name: 'a' } }, profiles: 'x' },
      cds: { security: { mock: { users: { a: {} } }, xsuaa: { enabled: true } } },
      management: { endpoints: { web: { exposure: { include: '*' } } } },
    },
  ],
  [
    'x/package-lock.json',
    {
      name: 'x',
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { a: '1' } },
        'node_modules/a': { version: '1.0.0', resolved: 'https://x/a.tgz', integrity: 'sha512-x', dev: true },
      },
      dependencies: { a: { version: '1.0.0', requires: {}, dependencies: {} } },
    },
  ],
])

/** What makes a descriptor count, in the same top folder. */
const COMPANIONS: readonly (readonly [string, string])[] = [
  [
    'java/pom.xml',
    '<project><properties><cds.services.version>4.2.0</cds.services.version></properties><dependency><groupId>com.sap.cds</groupId></dependency></project>',
  ],
]

/** What stands where something else is expected. */
const wrong = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1e308,
    '',
    'x',
    '__proto__',
    '*',
    '**',
    '$',
    '^(',
    '((((',
    '\u0000',
    '\ud800',
    [],
    {},
    [[]],
    [null],
    [{}],
    { '': {} },
    { length: -1 },
  ),
  fc.anything({ maxDepth: 2, withObjectString: false }),
)

/** Every path to a member or item. */
function pathsOf(value: unknown, before: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [before]
  const children = Array.isArray(value) ? value.entries() : Object.entries(value)
  return [before, ...[...children].flatMap(([key, child]: [string | number, unknown]) => pathsOf(child, [...before, key]))]
}

/** The value with what stands at a path replaced. */
function replaceAt(value: unknown, path: readonly (string | number)[], by: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return by
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === key ? replaceAt(item, rest, by) : item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, child]: [string, unknown]) => [name, name === key ? replaceAt(child, rest, by) : child]),
  )
}

function toText(value: unknown): string {
  try {
    return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? 'null'
  } catch {
    return 'null'
  }
}

async function scanWith(files: Iterable<readonly [string, string]>): Promise<Report> {
  const others = [...DESCRIPTORS].map(([other, descriptor]): [string, string] => [other, toText(descriptor)])
  return (await scanFiles(new Map([...PROJECT, ...COMPANIONS, ...others, ...files]))).en
}

async function expectUnharmed(...files: readonly (readonly [string, string])[]): Promise<void> {
  const report = await scanWith(files)
  expect(known(report)).toEqual(KNOWN)
  expect(report.notices.filter(({ code }) => code === 'rule-failed' || code === 'time-limit')).toEqual([])
}

/** What is judged file by file: no model joins it with the rest, so that one scan can read many. */
const ALONE = [
  'java/srv/src/main/resources/application.yaml',
  'x/db/src/app.hdbrole',
  'x/db/cfg/app.hdbgrants',
  'x/xs/.xsaccess',
] as const
const COPIES = 25

/** A descriptor with another text in a top folder of its own, its companions beside it. */
function copyTo(index: number, path: string, text: string): [string, string][] {
  const [top = ''] = path.split('/', 1)
  const beside = COMPANIONS.filter(([companion]) => companion.startsWith(`${top}/`))
  return [...beside, [path, text] as const].map(([path, text]) => [`${top}${index}${path.slice(top.length)}`, text])
}

describe('wrong types in descriptors: nothing throws, no rule fails, nothing else is lost', () => {
  for (const [path, descriptor] of DESCRIPTORS) {
    if (ALONE.some((other) => other === path)) continue
    test(`c-json-types ${path}`, async () => {
      await expectUnharmed([path, toText(descriptor)])
      const mutants = fc
        .tuple(fc.constantFrom(...pathsOf(descriptor)), wrong)
        .map(([place, by]) => toText(replaceAt(descriptor, place, by)))
      await fc.assert(
        fc.asyncProperty(mutants, async (mutant) => expectUnharmed([path, mutant])),
        { numRuns: runs(1500, 240) },
      )
    }, 1_200_000)
  }

  for (const path of ALONE) {
    test(`c-json-types ${path}`, async () => {
      const descriptor = DESCRIPTORS.get(path)
      const mutants = fc
        .tuple(fc.constantFrom(...pathsOf(descriptor)), wrong)
        .map(([place, by]) => toText(replaceAt(descriptor, place, by)))
      await fc.assert(
        fc.asyncProperty(fc.array(mutants, { minLength: COPIES, maxLength: COPIES }), async (drawn) =>
          expectUnharmed(...drawn.flatMap((mutant, index) => copyTo(index, path, mutant))),
        ),
        { numRuns: runs(10_000 / COPIES, 120) },
      )
    }, 1_200_000)

    test(`c-json-types ${path}: a copy is judged as it is`, async () => {
      const text = toText(DESCRIPTORS.get(path))
      const report = await scanWith([0, 1].flatMap((index) => copyTo(index, path, text)))
      const [top = ''] = path.split('/', 1)
      const rulesIn = (index: number | ''): string[] =>
        allFindings(report)
          .filter(({ file }) => file === `${top}${index}${path.slice(top.length)}`)
          .map(({ ruleId, line }) => `${ruleId} ${line}`)
      expect(rulesIn('').length).toBeGreaterThan(0)
      expect(rulesIn(0)).toEqual(rulesIn(''))
      expect(rulesIn(1)).toEqual(rulesIn(''))
    })
  }

  test('c-json-types: anything at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...DESCRIPTORS.keys()), fc.anything(), async (path, value) =>
        expectUnharmed([path, toText(value)]),
      ),
      { numRuns: runs(5000, 150) },
    )
  }, 300_000)

  test('c-proto: nothing was put on a prototype', () => {
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})
