import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPackageNetwork, isUi5Network, readRemote } from '../../../core/model/ui5/index.ts'
import { runs } from '../../soak.ts'

test.each([
  ['https://a.example.com/x.js?v=1', { scheme: 'https', host: 'a.example.com', path: '/x.js?v=1' }],
  [' HTTP://A.example.com:8000/x ', { scheme: 'http', host: 'a.example.com', path: '/x' }],
  ['//a.example.com/x', { scheme: 'page', host: 'a.example.com', path: '/x' }],
])('%s', (address, expected) => {
  expect(readRemote(address)).toEqual(expected)
})

test.each([
  '',
  '/x',
  'x.js',
  './x',
  'data:text/plain,x',
  'ftp://a/b',
  'https://',
  'https://{{host}}/x',
  'https://<host>/x',
  '//',
])('none: %s', (address) => {
  expect(readRemote(address)).toBeUndefined()
})

test.each([
  ['ui5.sap.com', true],
  ['sapui5.hana.ondemand.com', true],
  ['openui5nightly.hana.ondemand.com', true],
  ['sapui5-sapui5.dispatcher.us1.hana.ondemand.com', true],
  ['sdk.openui5.org', true],
  ['ui5.sap.com.example.com', false],
  ['my-ui5.sap.com.evil.example', false],
  ['xui5.sap.com', false],
  ['evilopenui5.org', false],
])('%s serves UI5: %s', (host, expected) => {
  expect(isUi5Network(host)).toBe(expected)
})

test('networks of packages, by whole labels', () => {
  expect(isPackageNetwork('cdn.jsdelivr.net')).toBe(true)
  expect(isPackageNetwork('somebody.github.io')).toBe(true)
  expect(isPackageNetwork('notunpkg.com')).toBe(false)
})

test('any text is read without an error', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((text) => `https://${text}`),
      ),
      (text) => {
        const remote = readRemote(text)
        if (remote !== undefined) expect(remote.host).not.toBe('')
      },
    ),
    { numRuns: runs(10_000) },
  )
})
