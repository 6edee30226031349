import { expect, test } from 'vitest'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { createCatalogueClient } from '../../core/catalogue/client.ts'
import type { CataloguePort } from '../../core/catalogue/types.ts'
import type { LogEntry } from '../../core/log.ts'
import { isPatchRemoved } from '../../core/model/ui5/index.ts'
import { drip, sendJson, startLoopback } from '../network/loopback.ts'

const MINUTE = 60_000
const DOCUMENT = {
  activeVersion: '1.150.0',
  versions: [{ version: '1.150.*', support: 'Maintenance', lts: true, eom: 'Long-term Maintenance, Q4/2031', eocp: 'Q4/2032' }],
  patches: [{ version: '1.150.0', eocp: 'To Be Determined' }],
}

interface Bench {
  readonly port: CataloguePort
  readonly log: LogEntry[]
  later(ms: number): void
}

function createBench(url: string): Bench {
  const log: LogEntry[] = []
  let now = new Date('2027-01-02T08:00:00Z')
  return {
    port: createCatalogueClient({ url, log: (entry) => log.push(entry), now: () => now }),
    log,
    later: (ms) => void (now = new Date(now.getTime() + ms)),
  }
}

test('asks for the document with dates, once for a hundred scans, and again after an hour or so', async () => {
  const { url, asked } = await startLoopback((_, response) => void setTimeout(() => sendJson(response, DOCUMENT), 30))
  const { port, log, later } = createBench(url)
  const answers = await Promise.all(Array.from({ length: 100 }, () => port.overview(true)))
  expect(asked.map(({ path }) => path)).toEqual(['/versionoverview.json'])
  expect(new Set(answers).size).toBe(1)
  expect(answers[0]).toMatchObject({ source: 'online', date: '2027-01-02', complete: true })
  expect(answers[0]?.lines).toEqual([
    {
      minor: '1.150',
      support: 'maintenance',
      longTerm: true,
      endOfMaintenance: '2031-12-31',
      endOfProvisioning: '2032-12-31',
      patches: ['1.150.0'],
    },
  ])
  later(53 * MINUTE)
  await port.overview(true)
  expect(asked).toHaveLength(1)
  later(14 * MINUTE)
  await port.overview(true)
  expect(asked).toHaveLength(2)
  expect(log).toEqual([])
})

test('what SAPUI5 no longer serves, OpenUI5 may: the snapshot tells what is gone from both', async () => {
  const versions = [{ version: '1.108.*', support: 'Out of Maintenance' }]
  const patches = ['1.108.1', '1.108.54'].map((version) => ({ version, removed: true }))
  const { url } = await startLoopback((_, response) => sendJson(response, { versions, patches }))
  const catalogue = await createBench(url).port.overview(true)
  const isRemoved = (version: string): boolean[] => [false, true].map((isOpen) => isPatchRemoved(version, catalogue, isOpen))
  expect(isRemoved('1.108.1')).toEqual([true, true])
  expect(isRemoved('1.108.54')).toEqual([true, false])
})

test('a project without UI5 asks nothing', async () => {
  const { url, asked } = await startLoopback((_, response) => sendJson(response, DOCUMENT))
  const answer = await createBench(url).port.overview(false)
  expect(asked).toEqual([])
  expect(answer).toEqual(await createBundledCatalogue().overview(true))
})

test('a failure: the snapshot, said once, and no question for five minutes; later the last good copy', async () => {
  const bodies: unknown[] = ['<html>', { versions: 'x' }, DOCUMENT, { versions: [] }]
  const { url, asked } = await startLoopback((_, response) => sendJson(response, bodies.shift()))
  const { port, log, later } = createBench(url)
  const bundled = await createBundledCatalogue().overview(true)
  expect(await port.overview(true)).toEqual({ ...bundled, complete: false })
  expect(await port.overview(true)).toEqual({ ...bundled, complete: false })
  expect(asked).toHaveLength(1)
  later(5 * MINUTE)
  expect(await port.overview(true)).toEqual({ ...bundled, complete: false })
  expect(asked).toHaveLength(2)
  expect(log).toEqual([{ level: 'warn', event: 'catalogue-unavailable', reason: 'not-json' }])
  later(5 * MINUTE)
  expect(await port.overview(true)).toMatchObject({ source: 'online', complete: true })
  later(90 * MINUTE)
  const old = await port.overview(true)
  expect(old).toMatchObject({ source: 'online', date: '2027-01-02', complete: false })
  expect(old.lines).toHaveLength(1)
  expect(asked).toHaveLength(4)
})

test('a cancelled scan does not wait, and ends nothing for the others', async () => {
  const { url, asked } = await startLoopback((_, response) => void setTimeout(() => sendJson(response, DOCUMENT), 300))
  const { port, log } = createBench(url)
  const controller = new AbortController()
  const cancelled = port.overview(true, controller.signal)
  const other = port.overview(true, new AbortController().signal)
  controller.abort()
  expect(await cancelled).toMatchObject({ source: 'bundled', complete: false })
  expect(await port.overview(true, controller.signal)).toMatchObject({ complete: false })
  expect(await other).toMatchObject({ source: 'online', complete: true })
  expect([asked.length, log.length]).toEqual([1, 0])
})

test('a catalogue that drips costs five seconds, once', async () => {
  const { url } = await startLoopback((_, response) => drip(response))
  const { port, log } = createBench(url)
  const began = performance.now()
  expect(await port.overview(true)).toMatchObject({ source: 'bundled', complete: false })
  expect(performance.now() - began).toBeLessThan(20_000)
  expect(await port.overview(true)).toMatchObject({ complete: false })
  expect(log).toEqual([{ level: 'warn', event: 'catalogue-unavailable', reason: 'timeout' }])
})
