import { describe, expect, test } from 'vitest'
import { ORDERS } from '../runners/projects.ts'
import { allFindings, scanFiles } from '../scan-files.ts'

/** What is found in the project once a text of one of its files is another one. */
async function findWith(path?: string, before = '', after = ''): Promise<string[]> {
  const files = new Map(Object.entries(ORDERS))
  const text = path === undefined ? undefined : files.get(path)
  if (path !== undefined && text !== undefined) {
    expect(text).toContain(before)
    files.set(
      path,
      text.replace(before, () => after),
    )
  }
  const { en } = await scanFiles(files)
  expect(en.complete, JSON.stringify(en.notices)).toBe(true)
  return allFindings(en).map(({ severity, ruleId, file }) => `${severity} ${ruleId} ${file}`)
}

test('a careful project has no findings, of no severity', async () => {
  expect(await findWith()).toEqual([])
})

/** A file, what stands there, what a careless day makes of it, and what is found then: that, and nothing else. */
const CARELESS: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    'srv/access-control.cds',
    `annotate my with @(requires: ['OrderViewer', 'OrderManager']);`,
    '',
    ['LOW cap/service-without-auth srv/order-service.cds'],
  ],
  [
    'srv/access-control.cds',
    `{ grant: '*', to: 'OrderManager' }`,
    `{ grant: '*', too: 'OrderManager' }`,
    ['HIGH cap/restrict-misspelled srv/access-control.cds'],
  ],
  [
    'srv/access-control.cds',
    `where: 'createdBy = $user'`,
    `where: 'createBy = $user'`,
    ['LOW cap/restrict-where-invalid srv/access-control.cds'],
  ],
  [
    'srv/access-control.cds',
    `annotate my.summary with @requires: 'OrderManager';`,
    `annotate my.summary with @requires: 'OrderManger';`,
    ['INFO cap/role-not-in-xs-security srv/access-control.cds'],
  ],
  [
    'srv/order-service.cds',
    `@(requires: 'Admin')`,
    `@(requires: 'any')`,
    ['CRITICAL cap/service-public-any srv/order-service.cds', 'INFO cap/role-not-in-xs-security xs-security.json'],
  ],
  [
    'srv/order-service.js',
    'where`ID = ${customer_ID}`',
    "where(`ID = '${customer_ID}'`)",
    ['HIGH cap/cql-injection srv/order-service.js'],
  ],
  [
    'srv/order-service.js',
    `cds.run('UPDATE ACME_COUNTERS SET VALUE = VALUE + 1 WHERE NAME = ?', ['shipped'])`,
    "cds.run(`UPDATE ACME_COUNTERS SET VALUE = VALUE + 1 WHERE NAME = '${req.data.name}'`)",
    ['HIGH cap/cql-injection srv/order-service.js', 'LOW cap/native-sql-bypasses-auth srv/order-service.js'],
  ],
  ['srv/server.js', `app.disable('x-powered-by')`, `app.use(require('cors')())`, ['LOW cap/cors-enabled-globally srv/server.js']],
  [
    'srv/server.js',
    `app.disable('x-powered-by')`,
    `process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'`,
    ['HIGH cap/tls-verification-off srv/server.js'],
  ],
  [
    'srv/server.js',
    `app.disable('x-powered-by')`,
    `app.use((req, res, next) => { req.user = new cds.User({ id: req.headers['x-user'] }); next() })`,
    ['CRITICAL cap/custom-auth-unsafe srv/server.js'],
  ],
  [
    'package.json',
    '"[development]": {\n          "kind": "mocked",',
    '"[production]": {\n          "kind": "mocked",',
    ['CRITICAL cap/mock-users-in-production package.json'],
  ],
  ['package.json', '"batch_limit": 50', '"batch_limit_": 50', ['LOW cap/batch-limit-missing package.json']],
  [
    'xs-security.json',
    'https://acme-orders.cfapps.eu10.hana.ondemand.com/login/callback',
    'https://*.cfapps.eu10.hana.ondemand.com/**',
    ['MEDIUM btp/xsuaa-redirect-wildcard xs-security.json'],
  ],
  [
    'xs-security.json',
    '"token-validity": 1800',
    '"token-validity": 86400',
    ['LOW btp/xsuaa-token-validity-long xs-security.json'],
  ],
  ['mta.yaml', 'NODE_ENV: production', 'NODE_TLS_REJECT_UNAUTHORIZED: "0"', ['MEDIUM btp/tls-off-env mta.yaml']],
  ['mta.yaml', 'NODE_ENV: production', 'NODE_ENV: development', ['HIGH cap/auth-kind-non-production mta.yaml']],
  [
    'mta.yaml',
    '                Authentication: NoAuthentication\n                ProxyType: Internet\n                Type: HTTP\n                URL: https://ui5.sap.com',
    '                Authentication: NoAuthentication\n                ProxyType: Internet\n                Type: HTTP\n                URL: https://erp.acme.com',
    ['LOW btp/destination-no-auth mta.yaml'],
  ],
  [
    'mta.yaml',
    'forwardAuthToken: true',
    'forwardAuthToken: true\n          strictSSL: false',
    ['MEDIUM approuter/destination-env-insecure mta.yaml'],
  ],
  [
    'mta.yaml',
    '    requires:\n      - name: acme-orders-auth\n      - name: acme-orders-db\n',
    '    requires:\n      - name: acme-orders-db\n',
    ['LOW btp/module-without-auth-binding mta.yaml'],
  ],
  [
    'app/router/xs-app.json',
    '"destination": "srv-api",\n      "authenticationType": "xsuaa"',
    '"destination": "srv-api",\n      "authenticationType": "none"',
    ['LOW approuter/route-authentication-none app/router/xs-app.json'],
  ],
  [
    'app/router/xs-app.json',
    '"authenticationMethod": "route"',
    '"authenticationMethod": "none"',
    ['LOW approuter/authentication-none-global app/router/xs-app.json'],
  ],
  [
    'app/router/xs-app.json',
    '"destination": "srv-api",',
    '"destination": "srv-api",\n      "csrfProtection": false,',
    ['MEDIUM approuter/csrf-disabled app/router/xs-app.json'],
  ],
  [
    'app/router/xs-app.json',
    `default-src 'self' https://ui5.sap.com`,
    `default-src 'self' 'unsafe-inline' https://ui5.sap.com`,
    ['LOW approuter/csp-unsafe app/router/xs-app.json'],
  ],
  [
    'app/router/xs-app.json',
    '"logoutMethod": "POST"',
    '"logoutMethod": "GET"',
    ['INFO approuter/logout-get app/router/xs-app.json'],
  ],
  [
    'app/orders/webapp/index.html',
    'data-sap-ui-frame-options="trusted"',
    'data-sap-ui-frame-options="allow"',
    ['LOW ui5/frame-options-allow app/orders/webapp/index.html'],
  ],
  [
    'app/orders/webapp/index.html',
    'src="resources/sap-ui-core.js"',
    'src="http://ui5.sap.com/1.136.0/resources/sap-ui-core.js"',
    ['MEDIUM ui5/bootstrap-http app/orders/webapp/index.html', 'LOW ui5/version-patch-outdated app/orders/webapp/index.html'],
  ],
  [
    'app/orders/webapp/index.html',
    'src="resources/sap-ui-core.js"',
    'src="https://ui5.sap.com/resources/sap-ui-core.js"',
    ['INFO ui5/bootstrap-default-version app/orders/webapp/index.html'],
  ],
  [
    'app/orders/webapp/view/Detail.view.xml',
    '{i18n>disclaimer}',
    '{i18n>disclaimer}" /><Link text="x" href="{website}',
    ['MEDIUM ui5/javascript-url app/orders/webapp/view/Detail.view.xml'],
  ],
  [
    'app/orders/webapp/view/Detail.view.xml',
    'content="&lt;hr/>"',
    'content="{note}"',
    ['MEDIUM ui5/xss-html-control app/orders/webapp/view/Detail.view.xml'],
  ],
  [
    'app/orders/webapp/controller/Detail.controller.js',
    'encodeXML(sNote)',
    'sNote',
    ['LOW ui5/xss-html-control app/orders/webapp/controller/Detail.controller.js'],
  ],
  [
    'app/orders/webapp/controller/Detail.controller.js',
    '"destination " + sName',
    'eval(location.hash.slice(1))',
    ['HIGH ui5/eval app/orders/webapp/controller/Detail.controller.js'],
  ],
  [
    'app/orders/webapp/controller/Detail.controller.js',
    'localStorage.setItem("acme.orders.lastFilterKey", "open")',
    'localStorage.setItem("accessToken", sToken)',
    ['LOW ui5/token-in-web-storage app/orders/webapp/controller/Detail.controller.js'],
  ],
  [
    'app/orders/webapp/manifest.json',
    '"uri": "orders/"',
    '"uri": "http://erp.acme.com/odata/"',
    ['MEDIUM ui5/odata-http-url app/orders/webapp/manifest.json'],
  ],
  ['app/orders/ui5.yaml', 'ignoreCertErrors: false', 'ignoreCertErrors: true', ['LOW ui5/tooling-tls-off app/orders/ui5.yaml']],
  ['.npmrc', 'engine-strict=true', 'strict-ssl=false', ['LOW npm/npmrc-insecure .npmrc']],
  [
    'app/router/package-lock.json',
    '"version": "23.0.1"',
    '"version": "22.0.1"',
    [
      'HIGH npm/known-vulnerability app/router/package-lock.json',
      'HIGH npm/sap-advisory-not-in-osv app/router/package-lock.json',
      'LOW npm/lockfile-out-of-sync app/router/package.json',
      'LOW approuter/state-protection-off mta.yaml',
    ],
  ],
  [
    '.github/workflows/ci.yml',
    'run: npm test',
    'run: echo ${{ github.event.pull_request.title }}',
    ['LOW btp/ci-untrusted-input .github/workflows/ci.yml'],
  ],
  ['.gitignore', 'default-*.json\n', '', ['INFO btp/ignore-file-gap .gitignore']],
  ['package.json', '"@sap/cds": "^9.4.0"', '"@sap/cds": "*"', ['LOW npm/dependency-wildcard package.json']],
  ['package.json', '">=22 <25"', '"18"', ['MEDIUM npm/eol-node package.json']],
]

describe('a careless change is found, and nothing else with it', () => {
  test.each(CARELESS)('%s: %s', async (path, before, after, found) => {
    expect(await findWith(path, before, after)).toEqual(found)
  })
})
