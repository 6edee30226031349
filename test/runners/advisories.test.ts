import { expect, onTestFinished, test } from 'vitest'
import { createWorkerPool } from '../../adapters/node/worker-pool.ts'
import { createFileAdvisories } from '../../core/advisories/file.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import type { AdvisoryPort } from '../../core/index.ts'
import { bundleWorker } from '../bundle.ts'
import { scanOptions, zipOf } from './projects.ts'

const worker = bundleWorker()
const LOCK = {
  'package.json': '{"name":"x","dependencies":{"left":"1.1.0"}}',
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: { '': { dependencies: { left: '1.1.0' } }, 'node_modules/left': { version: '1.1.0' } },
  }),
}

const file = createFileAdvisories({
  format: 'parapet-advisories',
  version: 1,
  date: '2027-01-02',
  packages: ['left'],
  records: [
    {
      id: 'GHSA-aaaa-bbbb-cccc',
      aliases: [],
      package: 'left',
      severity: 'HIGH',
      title: 'left() lets a prototype be polluted',
      cwe: [1321],
      malware: false,
      intervals: [{ introduced: '0', fixed: '1.2.0' }],
    },
  ],
})

async function advisoriesOf(advisories: AdvisoryPort): Promise<string[]> {
  const ports = { advisories, catalogue: createBundledCatalogue() }
  const pool = createWorkerPool({ workers: 1, queueLength: 1, ports, log: () => undefined, worker })
  onTestFinished(() => pool.close())
  const { records } = await pool.runner({ kind: 'archive', bytes: zipOf(LOCK), name: 'x' }, scanOptions(), {})
  return [...new TextDecoder().decode(records.en).matchAll(/"id":"(GHSA-[\w-]+)"/g)].map(([, id = '']) => id)
}

test('a worker matches by itself what a source knows', async () => {
  const refused = (): Promise<never> => Promise.reject(new Error('not here'))
  expect(await advisoriesOf({ ...file, query: refused })).toEqual(['GHSA-aaaa-bbbb-cccc'])
})

test('a port of a host that is no source is asked where it is', async () => {
  expect(await advisoriesOf({ query: file.query })).toEqual(['GHSA-aaaa-bbbb-cccc'])
})
