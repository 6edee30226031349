import { describe, expect, it } from 'vitest'
import {
  gradeRedirect,
  isForTesting,
  isInternal,
  isPublicByNature,
  isSapHost,
  readUrl,
} from '../../../core/model/deployment/index.ts'

describe('redirect addresses', () => {
  it.each([
    ['*', 'any HIGH'],
    ['https://*', 'any HIGH'],
    ['https://**/login', 'any HIGH'],
    ['http*://a.example/**', 'any HIGH'],
    ['https://*.example', 'any HIGH'],
    ['https://*.cfapps.eu10.hana.ondemand.com/**', 'shared MEDIUM'],
    ['https://x-*.cfapps.eu10-004.hana.ondemand.com/**', 'shared MEDIUM'],
    ['https://*.${default-domain}/**', 'shared MEDIUM'],
    ['https://*${domain}/**', 'shared MEDIUM'],
    ['https://*.launchpad.cfapps.eu10.hana.ondemand.com/**', 'shared MEDIUM'],
    ['https://*.kyma.ondemand.com/**', 'shared MEDIUM'],
    ['https://*.hana.ondemand.com/**', 'shared MEDIUM'],
    ['https://*.my_app.cfapps.eu10.hana.ondemand.com/**', 'domain LOW'],
    ['https://*.c-1a2b3c4.kyma.ondemand.com/**', 'domain LOW'],
    ['https://*.corp.example/cb', 'domain LOW'],
    ['https://*${default-uri}/**', 'domain LOW'],
    ['https://*-${host}.${domain}/**', 'domain LOW'],
    ['https://*~{app-api/app-uri}/**', 'domain LOW'],
    ['https://a.corp.example/**', 'path INFO'],
    ['https://a.corp.example/cb', 'none'],
    ['http://localhost:*/cb', 'none'],
    ['', 'none'],
    ['a/*', 'none'],
  ])('%s is %s', (uri, expected) => {
    const grade = gradeRedirect(uri, false)
    expect(grade === undefined ? 'none' : `${grade.width} ${grade.severity}`).toBe(expected)
  })

  it('a host per tenant is how multitenant applications are addressed', () => {
    expect(gradeRedirect('https://*.shop.example/cb', true)?.severity).toBe('INFO')
  })

  it('is linear in its text', () => {
    const start = performance.now()
    for (const piece of ['*', '.*', '${a', '*~{', 'a.']) gradeRedirect(`https://${piece.repeat(50_000)}`, false)
    expect(performance.now() - start).toBeLessThan(20_000)
  })
})

describe('addresses', () => {
  it.each([
    ['https://u:p@Host.Example:8443/a?b=c', { scheme: 'https', user: 'u:p', host: 'host.example', query: 'b=c' }],
    ['http://a', { scheme: 'http', user: undefined, host: 'a', query: '' }],
    ['~{srv-api/srv-url}', undefined],
    ['${default-url}/x', undefined],
    ['/relative', undefined],
  ])('%s', (text, expected) => expect(readUrl(text)).toEqual(expected))

  it.each([
    ['my300000.s4hana.ondemand.com', true, false, false],
    ['shop.cfapps.eu10.hana.ondemand.com', true, false, false],
    ['ui5.sap.com', true, false, true],
    ['sapui5.hana.ondemand.com', true, false, true],
    ['openui5nightly.hana.ondemand.com', true, false, true],
    ['openui5-demo.cfapps.eu10.hana.ondemand.com', true, false, false],
    ['evil-sap.com', false, false, false],
    ['ondemand.com.evil.example', false, false, false],
    ['services.odata.org', false, false, true],
    ['10.1.2.3', false, true, false],
    ['10.example.com', false, false, false],
    ['api.corp', false, true, false],
    ['virtual', false, true, false],
    ['${host}', false, false, false],
  ])('%s', (host, sap, internal, open) => {
    expect([isSapHost(host), isInternal(host), isPublicByNature(host)]).toEqual([sap, internal, open])
  })
})

it.each([
  ['mta-dev.mtaext', true],
  ['test.mtaext', true],
  ['config/dev/manifest.yml', true],
  ['manifest-qa.yml', true],
  ['mta.yaml', false],
  ['prod.mtaext', false],
  ['device.mtaext', false],
  ['my-dev-tools/mta.yaml', false],
])('%s is for testing: %s', (path, expected) => expect(isForTesting(path)).toBe(expected))
