import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runningVersions } from '../../../core/model/ui5/index.ts'
import type { Ui5App } from '../../../core/model/ui5/index.ts'
import { runs } from '../../soak.ts'
import { readProject, ui5AppsOf } from '../project.ts'
import { cpuTime } from '../../cpu-time.ts'

const MANIFEST = '{"sap.app": {"id": "my.shop", "type": "application"}, "sap.ui5": {}}'
const page = (src: string, rest = ''): string =>
  `<!doctype html><html><head><script id="sap-ui-bootstrap" src="${src}" ${rest}></script></head></html>`

function apps(texts: Readonly<Record<string, string>>): readonly Ui5App[] {
  return ui5AppsOf(readProject(texts))
}

function roots(texts: Readonly<Record<string, string>>): string[] {
  return apps(texts).map((app) => app.root)
}

describe('what makes an app', () => {
  test.each([
    ['a manifest', { 'app/webapp/manifest.json': MANIFEST }, ['app/webapp']],
    ['a page that boots UI5', { 'web/index.html': page('resources/sap-ui-core.js') }, ['web']],
    ['a ui5.yaml', { 'ui5-local.yaml': 'specVersion: "3.0"' }, ['']],
    ['a .library', { 'src/my/lib/.library': '<library xmlns="http://www.sap.com/sap.ui.library.xsd"/>' }, ['src/my/lib']],
    ['no web manifest', { 'manifest.json': '{"name": "x", "icons": []}' }, []],
    ['no page without UI5', { 'index.html': '<script src="main.js"></script>' }, []],
    ...['vue', 'react', '@angular/core'].map((name): [string, Record<string, string>, string[]] => [
      `no manifest of an app of ${name}`,
      { 'package.json': `{"dependencies": {"${name}": "1.0.0"}}`, 'public/manifest.json': '{"sap.app": {"id": "my.shop"}}' },
      [],
    ]),
    [
      'a manifest beside other packages',
      { 'package.json': '{"dependencies": {"x": "1.0.0"}}', 'manifest.json': '{"sap.app": {"id": "a"}}' },
      [''],
    ],
    ['nothing', {}, []],
  ])('%s', (_, texts, expected) => {
    expect(roots(texts as Record<string, string>)).toEqual(expected)
  })

  test('views and scripts of UI5 that lie in no app are a loose one, what lies in an app is not', () => {
    const found = apps({
      'view/Main.view.xml': '<View controllerName="a.Main" xmlns="sap.ui.core.mvc"/>',
      'controller/Main.controller.js': 'sap.ui.define(["sap/ui/core/mvc/Controller"], (C) => C)',
      'srv/service.js': 'require("@sap/cds")',
      'app/webapp/manifest.json': MANIFEST,
      'app/webapp/Component.js': 'sap.ui.define(["sap/ui/core/UIComponent"], (C) => C)',
      'web/webapp/test/Test.view.xml': '<View xmlns="sap.ui.core.mvc"/>',
      'other/webapp/util/a.js': 'sap.ui.define(["sap/ui/model/json/JSONModel"], (M) => new M("https://api.example/x"))',
      'idle/webapp/util/a.js': 'sap.ui.define(["./b"], (O) => new O())',
    })
    expect(found.map(({ root, isUndeclared }) => [root, isUndeclared])).toEqual([
      ['', true],
      ['app/webapp', false],
      ['other/webapp', true],
    ])
    expect(found[0]?.views[0]?.controller).toBe('controller/Main.controller.js')
  })

  test('a ui5.yaml and the manifest that it serves are one app, wherever its sources lie', () => {
    expect(
      roots({
        'app/ui5.yaml': 'specVersion: "3.0"\ntype: application',
        'app/webapp/manifest.json': MANIFEST,
        'app/webapp/index.html': page('resources/sap-ui-core.js'),
      }),
    ).toEqual(['app'])
    expect(
      roots({
        'ui5.yaml': 'specVersion: "3.0"\nresources: {configuration: {paths: {webapp: ./src/}}}',
        'src/manifest.json': MANIFEST,
      }),
    ).toEqual([''])
    expect(
      roots({
        'ui5.yaml': 'specVersion: "3.0"\ntype: library',
        'src/my/lib/.library': '<library/>',
        'src/my/lib/manifest.json': MANIFEST,
      }),
    ).toEqual([''])
  })

  test('a project and the module in it that serve the same sources are one app', () => {
    const yaml = (version: string, paths = ''): string => `specVersion: "3.0"\nframework: {version: ${version}}\n${paths}`
    const [app, ...others] = apps({
      'ui5.yaml': yaml('1.108.1', 'resources: {configuration: {paths: {webapp: uimodule/webapp}}}'),
      'uimodule/ui5.yaml': yaml('1.108.2'),
      'uimodule/webapp/manifest.json': MANIFEST,
    })
    expect(others).toEqual([])
    expect(app?.root).toBe('uimodule')
    expect(app?.tooling.map(({ file }) => file)).toEqual(['ui5.yaml', 'uimodule/ui5.yaml'])
  })

  test('a YAML file of that name without specVersion is something else', () => {
    expect(roots({ 'ui5-config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ui5 }' })).toEqual([])
  })

  test('apps of one project stay apart, a file belongs to the nearest one', () => {
    const found = apps({
      'app/a/ui5.yaml': 'specVersion: "3.0"\nframework: {version: 1.120.1}',
      'app/a/webapp/manifest.json': MANIFEST,
      'app/a/webapp/view/A.view.xml': '<mvc:View xmlns:mvc="sap.ui.core.mvc" controllerName="a"/>',
      'app/b/webapp/manifest.json': MANIFEST.replace('my.shop', 'b'),
      'app/b/webapp/view/B.view.xml': '<mvc:View xmlns:mvc="sap.ui.core.mvc" controllerName="b"/>',
      'app/b/webapp/reuse/manifest.json': MANIFEST.replace('my.shop', 'c'),
      'app/b/webapp/reuse/C.fragment.xml': '<Panel xmlns="sap.m"/>',
      'app/launchpad.html': page('https://ui5.sap.com/1.71.0/resources/sap-ui-core.js'),
    })
    expect(found.map((app) => [app.root, app.id, app.views.map((view) => view.file), app.pages.length])).toEqual([
      ['app', undefined, [], 1],
      ['app/a', 'my.shop', ['app/a/webapp/view/A.view.xml'], 0],
      ['app/b/webapp', 'b', ['app/b/webapp/view/B.view.xml'], 0],
      ['app/b/webapp/reuse', 'c', ['app/b/webapp/reuse/C.fragment.xml'], 0],
    ])
    expect(found.map((app) => app.versions.map((source) => source.version))).toEqual([['1.71.0'], ['1.120.1'], [], []])
  })

  test('two pages of one folder are one app', () => {
    expect(
      apps({ 'web/a.html': page('sap-ui-core.js'), 'web/sub/b.html': page('sap-ui-core.js') }).map((app) =>
        app.pages.map((page) => page.file),
      ),
    ).toEqual([['web/a.html', 'web/sub/b.html']])
  })
})

describe('versions', () => {
  test.each([
    ['https://ui5.sap.com/1.98.0/resources/sap-ui-core.js', '1.98.0'],
    ['https://ui5.sap.com/1.136/resources/sap-ui-core.js', '1.136'],
    ['https://openui5.hana.ondemand.com/1.71.40/resources/sap-ui-cachebuster/sap-ui-core.js', '1.71.40'],
    ['//cdn.example.com/sapui5/1.60.3/resources/sap-ui-core.js', '1.60.3'],
    ['https://cdn.jsdelivr.net/npm/@openui5/sap.ui.core@1.108.2/dist/resources/sap-ui-core.js', '1.108.2'],
    ['https://ui5.sap.com/resources/sap-ui-core.js', undefined],
    ['resources/sap-ui-core.js', undefined],
  ])('in the address %s', (src, version) => {
    const text = page(src)
    const [app] = apps({ 'index.html': text })
    const source = app?.versions[0]
    expect(source?.version).toBe(version)
    if (source !== undefined) expect(text.slice(source.at.span?.start, source.at.span?.end)).toBe(src)
  })

  test('in ui5.yaml, also without quotes, that file before its siblings', () => {
    const versionOf = (yaml: string): (string | undefined)[] =>
      apps({ 'ui5.yaml': `specVersion: "3.0"\n${yaml}` }).map((app) => app.versions[0]?.version)
    expect(versionOf('framework:\n  version: "1.120.4"')).toEqual(['1.120.4'])
    expect(versionOf('framework:\n  version: 1.120')).toEqual(['1.120'])
    expect(versionOf('framework:\n  version: 1.96')).toEqual(['1.96'])
    expect(versionOf('framework:\n  version: latest')).toEqual([undefined])
    expect(versionOf('framework: [1]')).toEqual([undefined])
    const both = apps({
      'ui5-local.yaml': 'specVersion: "3.0"\nframework: {version: 1.84.0}',
      'ui5.yaml': 'specVersion: "3.0"\nframework: {version: 1.120.0}',
    })
    expect(both[0]?.versions.map((source) => source.at.file)).toEqual(['ui5.yaml', 'ui5-local.yaml'])
  })

  test('in the MTA around it, never minUI5Version or the version of an app build', () => {
    const [app] = apps({
      'mta.yaml':
        'resources:\n  - parameters: {config: {destinations: [{Name: ui5, URL: "https://ui5.sap.com/1.108.3"}, {Name: other, URL: "https://ui5.sap.com"}]}}',
      'app/webapp/manifest.json': '{"sap.app": {"id": "a"}, "sap.ui5": {"dependencies": {"minUI5Version": ["1.30.0", "2.0"]}}}',
      'app/webapp/resources/sap-ui-version.json': '{"name": "a", "version": "1.0.3", "libraries": []}',
    })
    expect(app?.versions.map(({ version, kind }) => [version, kind])).toEqual([['1.108.3', 'mta']])
  })

  test('what runs: the productive pages, else the first that says one', () => {
    const running = (texts: Record<string, string>): string[] =>
      apps(texts).flatMap((app) => runningVersions(app.versions).map((source) => source.version))
    const yaml = { 'ui5.yaml': 'specVersion: "3.0"\nframework: {version: 1.120.0}' }
    expect(running({ ...yaml, 'webapp/index.html': page('https://ui5.sap.com/1.98.0/resources/sap-ui-core.js') })).toEqual([
      '1.98.0',
    ])
    expect(running({ ...yaml, 'webapp/test/index.html': page('https://ui5.sap.com/1.98.0/resources/sap-ui-core.js') })).toEqual([
      '1.120.0',
    ])
    expect(running({ ...yaml, 'webapp/index.html': page('resources/sap-ui-core.js') })).toEqual(['1.120.0'])
  })
})

test('descriptors that hold anything never end it', () => {
  const keys = fc.constantFrom(
    'sap.app',
    'sap.ui5',
    'id',
    'framework',
    'version',
    'type',
    'resources',
    'configuration',
    'paths',
    'webapp',
  )
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.dictionary(keys, fc.dictionary(keys, fc.jsonValue({ maxDepth: 2 }))),
  )
  fc.assert(
    fc.property(anything, anything, (manifest, tooling) => {
      const texts = {
        'webapp/manifest.json': JSON.stringify(manifest),
        'ui5.yaml': JSON.stringify(typeof tooling === 'object' ? { specVersion: '3.0', ...tooling } : tooling),
        'other/manifest.json': MANIFEST,
        'mta.yaml': JSON.stringify(manifest),
      }
      expect(roots(texts)).toContain('other')
    }),
    { numRuns: runs(10_000, 50) },
  )
})

test('a thousand apps in a thousand folders are found in a moment', () => {
  const texts: Record<string, string> = {}
  for (let index = 0; index < 1000; index++) {
    texts[`apps/a${index}/ui5.yaml`] = 'type: application'
    texts[`apps/a${index}/webapp/manifest.json`] = MANIFEST
    texts[`apps/a${index}/webapp/${'deep/'.repeat(20)}A.fragment.xml`] = '<Panel xmlns="sap.m"/>'
  }
  const files = readProject(texts)
  const start = cpuTime()
  expect(ui5AppsOf(files)).toHaveLength(1000)
  expect(cpuTime() - start).toBeLessThan(20_000)
})
