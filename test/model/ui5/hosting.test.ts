import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../soak.ts'
import { readProject, ui5AppsOf } from '../project.ts'

const PAGE = '<script id="sap-ui-bootstrap" src="resources/sap-ui-core.js"></script>'
const manifest = (more: string): string => `{"sap.app": {"id": "shop", "type": "application"}, "sap.ui5": {}${more}}`
const MANIFEST = manifest('')

function servedBy(texts: Readonly<Record<string, string>>): string | undefined {
  return ui5AppsOf(readProject(texts)).find(({ root }) => root === 'app')?.served
}

describe('who serves an app', () => {
  test.each<[string, Record<string, string>, string]>([
    ['nobody that the project names', { 'app/index.html': PAGE }, 'unknown'],
    ['an ABAP system, by the manifest', { 'app/manifest.json': manifest(', "sap.platform.abap": {}') }, 'host'],
    ['the managed approuter, by the manifest', { 'app/manifest.json': manifest(', "sap.cloud": {}') }, 'host'],
    ['the managed approuter, by its descriptor', { 'app/manifest.json': MANIFEST, 'app/xs-app.json': '{"routes": []}' }, 'host'],
    ['Neo', { 'app/manifest.json': MANIFEST, 'app/neo-app.json': '{}' }, 'host'],
    [
      'a deployment to ABAP',
      { 'app/ui5-deploy.yaml': 'specVersion: "3.0"\nbuilder: { customTasks: [{ name: deploy-to-abap }] }' },
      'host',
    ],
    [
      'a launchpad, by inbounds',
      { 'app/manifest.json': '{"sap.app": {"crossNavigation": {"inbounds": {"a-b": {}}}}, "sap.ui5": {}}' },
      'host',
    ],
    ['no launchpad without inbounds', { 'app/manifest.json': '{"sap.app": {"crossNavigation": {"inbounds": {}}}}' }, 'unknown'],
    [
      'the HTML5 repository, by an MTA',
      { 'app/manifest.json': MANIFEST, 'mta.yaml': 'modules: [{ name: app, type: html5, path: ./app/ }]' },
      'host',
    ],
    [
      'not by an MTA that means another folder',
      { 'app/manifest.json': MANIFEST, 'mta.yaml': 'modules: [{ name: other, type: html5, path: other }]' },
      'unknown',
    ],
    ['an approuter', { 'app/index.html': PAGE, 'router/xs-app.json': '{"routes": []}' }, 'server'],
    ['a server with helmet', { 'app/index.html': PAGE, 'package.json': '{"dependencies": {"helmet": "8.0.0"}}' }, 'server'],
    [
      'no server with express alone',
      { 'app/index.html': PAGE, 'package.json': '{"dependencies": {"express": "5.0.0"}}' },
      'unknown',
    ],
    ['nginx', { 'app/index.html': PAGE, 'docker/nginx.conf': '' }, 'server'],
    ['no server of the tests', { 'app/index.html': PAGE, 'test/xs-app.json': '{"routes": []}' }, 'unknown'],
  ])('%s', (_, texts, expected) => {
    expect(servedBy(texts)).toBe(expected)
  })

  test('a Java server adds headers by its framework', () => {
    const apps = ui5AppsOf(readProject({ 'src/main/webapp/index.html': PAGE }))
    expect(apps.map(({ served }) => served)).toEqual(['server'])
  })

  test.each<[string, Record<string, string>, boolean]>([
    ['an app', { 'app/ui5.yaml': 'specVersion: "3.0"\ntype: application' }, false],
    ['by ui5.yaml', { 'app/ui5.yaml': 'specVersion: "3.0"\ntype: library' }, true],
    ['by .library', { 'app/.library': '<library/>' }, true],
    ['by the manifest', { 'app/manifest.json': '{"sap.app": {"type": "library"}}' }, true],
  ])('a library: %s', (_, texts, expected) => {
    expect(ui5AppsOf(readProject(texts)).map(({ isLibrary }) => isLibrary)).toEqual([expected])
  })

  test('descriptors may hold anything', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), fc.json(), (modules, tasks, inbounds) => {
        const apps = ui5AppsOf(
          readProject({
            'mta.yaml': `{"modules": ${modules}}`,
            'app/ui5.yaml': `{"specVersion": "3.0", "builder": {"customTasks": ${tasks}}}`,
            'app/manifest.json': `{"sap.app": {"crossNavigation": {"inbounds": ${inbounds}}}}`,
            'package.json': `{"dependencies": ${tasks}}`,
          }),
        )
        expect(apps.length).toBeGreaterThan(0)
      }),
      { numRuns: runs(10_000) },
    )
  })
})
