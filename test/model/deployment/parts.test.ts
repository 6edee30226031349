import { describe, expect, it } from 'vitest'
import {
  hostsOfRedirect,
  isForTesting,
  isInternal,
  isPublicByNature,
  isSapHost,
  readUrl,
} from '../../../core/model/deployment/index.ts'
import { cpuTime } from '../../cpu-time.ts'

describe('redirect addresses', () => {
  it.each([
    ['*', 'any'],
    ['https://*', 'any'],
    ['https://**/login', 'any'],
    ['http*://a.example/**', 'any'],
    ['https://*.example', 'any'],
    ['https://*.cfapps.eu10.hana.ondemand.com/**', 'shared'],
    ['https://x-*.cfapps.eu10-004.hana.ondemand.com/**', 'shared'],
    ['https://*.${default-domain}/**', 'shared'],
    ['https://*${domain}/**', 'shared'],
    ['https://*.launchpad.cfapps.eu10.hana.ondemand.com/**', 'shared'],
    ['https://*.kyma.ondemand.com/**', 'shared'],
    ['https://*.hana.ondemand.com/**', 'shared'],
    ['https://*.my_app.cfapps.eu10.hana.ondemand.com/**', 'domain'],
    ['https://*.c-1a2b3c4.kyma.ondemand.com/**', 'domain'],
    ['https://*.corp.example/cb', 'domain'],
    ['https://*${default-uri}/**', 'beside'],
    ['https://*-${host}.${domain}/**', 'beside'],
    ['https://*~{app-api/app-uri}/**', 'beside'],
    ['https://*.<cluster-domain>/**', 'domain'],
    ['https://*.{{ .Values.domain }}/**', 'domain'],
    ['https://*.cfapps.<region>.hana.ondemand.com/**', 'shared'],
    ['http://*.localhost:5000/**', 'local'],
    ['https://a.corp.example/**', 'path'],
    ['https://a.corp.example/cb', 'none'],
    ['http://localhost:*/cb', 'none'],
    ['', 'none'],
    ['a/*', 'none'],
  ])('%s is %s', (uri, expected) => {
    expect(hostsOfRedirect(uri)?.width ?? 'none').toBe(expected)
  })

  it('is linear in its text', () => {
    const start = cpuTime()
    for (const piece of ['*', '.*', '${a', '*~{', 'a.', '*<a', '*{{a']) hostsOfRedirect(`https://${piece.repeat(50_000)}`)
    expect(cpuTime() - start).toBeLessThan(20_000)
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
