import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { createLineTable } from '../../core/parse/position.ts'
import { classifyPath, isMinified, isUi5Source } from '../../core/project/kinds.ts'
import { runs } from '../soak.ts'

/** Class, reason, language, role and `test`, as one line. */
function describePath(path: string): string {
  const found = classifyPath(path)
  if (found.class === 'out') return `out ${found.because}`
  const { language, role, test: isTest } = found.kind
  return [found.class, found.because, language, role, isTest ? 'test' : undefined].filter((part) => part !== undefined).join(' ')
}

describe('kinds of files', () => {
  test.each([
    // by ending
    ['webapp/Component.js', 'all script'],
    ['srv/cat-service.mjs', 'all script'],
    ['a.cjs', 'all script'],
    ['a.tsx', 'all script'],
    ['a.mts', 'all script'],
    ['db/a.xsjs', 'all script'],
    ['webapp/index.html', 'all html'],
    ['a.HTM', 'all html'],
    ['srv/cat-service.cds', 'all cds'],
    ['db/src/cleanup.hdbprocedure', 'all sqlscript'],
    ['db/src/x.hdblibrary', 'all sqlscript'],
    ['db/src/x.hdbtable', 'all text'],
    ['db/data/my-Users.csv', 'all csv'],
    ['shop/db/src/a/data/x.csv', 'all csv'],
    ['test/data/my-Users.csv', 'all text test'],
    ['db/exports/x.csv', 'all text'],
    ['README.md', 'all text'],
    ['LICENSE', 'all text'],
    ['a.json', 'all text'],
    ['a.yaml', 'all text'],
    ['a.xml', 'all text'],
    ['.js', 'all script'],
    // by name
    ['webapp/manifest.json', 'all json manifest'],
    ['package.json', 'all json package'],
    ['Package.JSON', 'all json package'],
    ['package-lock.json', 'all lock package-lock'],
    ['npm-shrinkwrap.json', 'all lock package-lock'],
    ['pnpm-lock.yaml', 'all lock pnpm-lock'],
    ['app/yarn.lock', 'all lock yarn-lock'],
    ['.npmrc', 'all text npmrc'],
    ['.cdsrc.json', 'all json cdsrc'],
    ['.cdsrc', 'all json cdsrc'],
    ['.cdsrc-private.json', 'all json cdsrc'],
    ['.cdsrc.yaml', 'all yaml cdsrc'],
    ['default-env.json', 'all json default-env'],
    ['default-env-dev.json', 'all json default-env'],
    ['default-services.json', 'all json default-env'],
    ['.env', 'all properties env'],
    ['.env.production', 'all properties env'],
    ['prod.env', 'all properties env'],
    ['app/xs-app.json', 'all json xs-app'],
    ['xs-app-dev.json', 'all json xs-app'],
    ['xs-security.json', 'all json xs-security'],
    ['shop-xs-security.json', 'all json xs-security'],
    ['xsuaa-config.json', 'all json xs-security'],
    ['ui5.yaml', 'all yaml ui5-yaml'],
    ['ui5-local.yml', 'all yaml ui5-yaml'],
    ['mta.yaml', 'all yaml mta'],
    ['dev.mtaext', 'all yaml mtaext'],
    ['service-key.json', 'all json default-env'],
    ['.yarnrc', 'all text yarnrc'],
    ['.yarnrc.yml', 'all yaml yarnrc'],
    ['srv/.nvmrc', 'all text node-version'],
    ['.github/renovate.json', 'all json update-bot'],
    ['audit-ci.jsonc', 'all json audit-exceptions'],
    ['.dockerignore', 'all text ignore-file'],
    ['srv.Dockerfile.dockerignore', 'all text ignore-file'],
    ['azure-pipelines.yml', 'all yaml azure-pipeline'],
    ['.gitlab-ci.yml', 'all yaml gitlab-pipeline'],
    ['Jenkinsfile', 'all text jenkinsfile'],
    ['deploy.sh', 'all text shell-script'],
    ['srv/Procfile', 'all text procfile'],
    // YAML by its folder or a word in its name
    ['.github/workflows/build.yml', 'all yaml github-workflow'],
    ['sub/.github/workflows/build.yaml', 'all yaml github-workflow'],
    ['.github/dependabot.yml', 'all text'],
    ['k8s/base/x.yaml', 'all yaml kubernetes'],
    ['chart/templates/deep/er/x.yml', 'all yaml kubernetes'],
    ['deploy/orders-apirule.yaml', 'all yaml kubernetes'],
    ['k8sx/x.yaml', 'all text'],
    ['manifest.yml', 'all yaml cf-manifest'],
    ['srv/src/main/resources/application.yaml', 'all yaml application-yaml'],
    ['application-prod.yml', 'all yaml application-yaml'],
    ['srv/src/main/resources/application-cloud.properties', 'all properties application-properties'],
    ['webapp/view/Main.view.xml', 'all xml view'],
    ['webapp/view/Dialog.fragment.xml', 'all xml fragment'],
    ['webapp/view/Main.view.json', 'all json view'],
    ['webapp/view/Dialog.fragment.json', 'all json fragment'],
    ['webapp/view/Main.view.html', 'all html view'],
    ['webapp/view/Dialog.fragment.html', 'all html fragment'],
    ['webapp/view/Main.view.js', 'all script view'],
    ['webapp/view/Main.view.ts', 'all script view'],
    ['webapp/view/Dialog.fragment.js', 'all script fragment'],
    ['webapp/view/Dialog.fragment.ts', 'all script fragment'],
    ['webapp/test/view/Main.view.js', 'all script view test'],
    ['src/my/lib/.library', 'all xml library'],
    ['pom.xml', 'all xml pom'],
    ['db/src/app.hdbrole', 'all json hdbrole'],
    ['db/cfg/x.hdbgrants', 'all json hdbgrants'],
    ['xs/.xsaccess', 'all json xsaccess'],
    ['db/src/x.hdbview', 'all text hdbview'],
    ['db/src/x.hdbcalculationview', 'all xml hdbcalculationview'],
    ['Dockerfile', 'all text dockerfile'],
    ['Dockerfile.prod', 'all text dockerfile'],
    ['srv.dockerfile', 'all text dockerfile'],
    // near misses
    ['manifest.json.bak', 'all text'],
    ['mypackage.json', 'all text'],
    ['xmta.yaml', 'all text'],
    ['view.json', 'all text'],
    ['Main.views.js', 'all script'],
    ['Main.view.jsx', 'all script'],
    ['Main-dbg.view.js', 'out generated'],
    ['environment', 'all text'],
    // tests
    ['webapp/test/unit/a.js', 'all script test'],
    ['test/a.cds', 'all cds test'],
    ['srv/__tests__/a.ts', 'all script test'],
    ['srv/cat.spec.ts', 'all script test'],
    ['srv/cat.test.js', 'all script test'],
    ['webapp/localService/mockserver.js', 'all script test'],
    ['webapp/localService/metadata.xml', 'all text odata-metadata test'],
    ['webapp/test/flpSandbox.html', 'all html test'],
    ['webapp/flpSandboxMockServer.html', 'all html test'],
    ['testing/a.js', 'all script'],
    ['latest/a.js', 'all script'],
    ['webapp/contest.js', 'all script'],
    // vendored
    ['webapp/thirdparty/jquery.js', 'secrets vendored script'],
    ['vendor/a.js', 'secrets vendored script'],
    ['webapp/vendor/grid/grid.js', 'secrets vendored script'],
    // suppliers
    ['webapp/controller/vendor/Orders.js', 'all script'],
    ['webapp/vendor/Orders.controller.js', 'all script'],
    ['app/vendor/webapp/Component.js', 'all script'],
    ['srv/vendor/orders.cds', 'all cds'],
    ['srv/vendor/orders.js', 'all script'],
    ['srv/public/vendor/grid.js', 'secrets vendored script'],
    ['webapp/js/grid-ui-1.3.2.js', 'secrets vendored script'],
    ['webapp/js/step-1.js', 'all script'],
    ['webapp/libs/moment.js', 'secrets vendored script'],
    ['libs/mine.js', 'all script'],
    ['webapp/resources/sap-ui-core.js', 'secrets vendored script'],
    ['resources/sap/m/Button.js', 'secrets vendored script'],
    ['srv/src/main/resources/a.properties', 'all text'],
    ['test-resources/sap/ui/a.js', 'secrets vendored script'],
    // minified by name
    ['webapp/lib.min.js', 'secrets minified script'],
    ['lib-min.js', 'secrets minified script'],
    ['Component-preload.js', 'secrets minified script'],
    ['library-preload-0.js', 'secrets minified script'],
    ['sap-ui-core.js', 'secrets minified script'],
    ['admin.js', 'all script'],
    ['preload.js', 'all script'],
    ['min.js', 'all script'],
    // not read
    ['node_modules/a/index.js', 'out installed'],
    ['app/node_modules/a/package.json', 'out installed'],
    ['bower_components/a.js', 'out installed'],
    ['.git/config', 'out installed'],
    ['a/.svn/entries', 'out installed'],
    ['node_modules', 'all text'],
    ['lib.zip', 'out archive'],
    ['lib.JAR', 'out archive'],
    ['mta_archives/shop.mtar', 'out archive'],
    ['.ui5-tooling-modules/5f2d.bundleinfo.json', 'out generated'],
    ['app/orders/.ui5-tooling-modules/5f2d.bundleinfo.json', 'out generated'],
    ['a.tar.gz', 'out archive'],
    ['logo.PNG', 'out binary'],
    ['font.woff2', 'out binary'],
    ['data.sqlite', 'out binary'],
    ['app.js.map', 'out generated'],
    ['Component-dbg.js', 'out generated'],
    ['Main-dbg.controller.js', 'out generated'],
    ['dist/a.js', 'out generated'],
    ['gen/srv/a.cds', 'out generated'],
    ['app/browse/dist/a.js', 'out generated'],
    ['target/classes/a.properties', 'out generated'],
    ['coverage/index.html', 'out generated'],
    // somebody's source under a name of that kind
    ['webapp/dist/a.js', 'all script'],
    ['srv/gen/a.js', 'all script'],
    ['app/target/webapp/a.js', 'all script'],
    ['src/coverage/a.js', 'all script'],
    ['distribution/a.js', 'all script'],
  ])('%s: %s', (path, expected) => {
    expect(describePath(path)).toBe(expected)
  })

  test('whatever the path, there is a kind, and names of objects mean nothing', () => {
    expect(describePath('__proto__/constructor.js')).toBe('all script')
    expect(describePath('a.constructor')).toBe('all text')
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }), (path) => {
        expect(['all', 'secrets', 'out']).toContain(classifyPath(path).class)
      }),
      { numRuns: runs(10_000, 25) },
    )
  })

  test.each([
    ['dashes', `${'-'.repeat(1000)}.js`],
    ['sandboxes', `flpsandbox${'flpsandbox'.repeat(90)}`],
    ['endings', `xs-app${'.json'.repeat(200)}x`],
    ['dots', '.'.repeat(1024)],
  ])(
    'hostile names cost nothing: %s',
    (_, path) => {
      for (let count = 0; count < 1000; count++) classifyPath(path)
    },
    2000,
  )
})

test.each([
  ['/*!\n * OpenUI5\n * (c) Copyright 2009-2023 SAP SE or an SAP affiliate company.\n */\nsap.ui.define([])', true],
  [
    '/*!\n * SAP UI development toolkit for HTML5 (SAPUI5)\n * \n * (c) Copyright 2009-2015 SAP SE. All rights reserved\n */\n',
    true,
  ],
  [
    '/*!\n * UI development toolkit for HTML5 (OpenUI5)\n * (c) Copyright 2009-2017 SAP SE or an SAP affiliate company.\n */',
    true,
  ],
  ['/*!\n * ${copyright}\n */\nsap.ui.define([])', false],
  ['/* built with OpenUI5\n * (c) Copyright 2024 ACME */', false],
  ['// OpenUI5\n// (c) Copyright 2009-2023 SAP SE\n', false],
])('a file of UI5 by its banner: %j', (text, expected) => {
  expect(isUi5Source({ language: 'script', test: false }, text)).toBe(expected)
})

describe('minified by its text', () => {
  const minified = (text: string, path = 'a.js'): boolean => {
    const found = classifyPath(path)
    return found.class !== 'out' && isMinified(found.kind, text, createLineTable(text))
  }
  const code = 'var answer = 42;\n'

  test.each([
    ['short, whatever its lines', 'a'.repeat(1999), false],
    ['one long line', 'a'.repeat(2000), true],
    ['lines of 500 on average', `${'a'.repeat(499)}\n`.repeat(20), false],
    ['lines longer than that', `${'a'.repeat(600)}\n`.repeat(20), true],
    ['ordinary', code.repeat(10_000), false],
    ['one line of 50,000 among many', `${code.repeat(10_000)}${'a'.repeat(50_001)}\n${code.repeat(10)}`, true],
    ['such a line at the end', `${code.repeat(10_000)}${'a'.repeat(50_001)}`, true],
    ['such a line at the start', `${'a'.repeat(50_001)}\n${code.repeat(10_000)}`, true],
    ['a line just short of it', `${code.repeat(10_000)}${'a'.repeat(49_999)}`, false],
  ])('%s: %s', (_, text, expected) => {
    expect(minified(text)).toBe(expected)
  })

  test('data and markup are not', () => {
    for (const path of ['manifest.json', 'a.html', 'a.cds', 'i18n.properties', 'a.md'])
      expect(minified('a'.repeat(100_000), path)).toBe(false)
  })
})
