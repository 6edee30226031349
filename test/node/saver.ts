import { createHash } from 'node:crypto'
import { writeSync } from 'node:fs'
import { openStorage } from '../../adapters/node/open-storage.ts'
import { createHistory } from '../../core/history.ts'
import { logFaults } from '../../core/log.ts'
import { createScanIds } from '../../handlers/_scan-id.ts'
import { createOutcome } from '../api/sample.ts'

/**
 * A process that saves reports into a storage, several at once, for a test that kills it or runs others beside it. What is acknowledged is told in the
 * same moment: `saved <id> <hash of both records>`; every fifth is removed again, which is told before: `removing <id>`.
 */
const [place = '', count = '0'] = process.argv.slice(2)
const history = createHistory(await openStorage(place, logFaults))
const createId = createScanIds(() => new Date())
const tell = (line: string): unknown => writeSync(1, `${line}\n`)

async function save(number: number): Promise<void> {
  const scan = { scanId: createId(), scannedAt: new Date().toISOString(), projectName: `p${process.pid}-${number}` }
  const outcome = createOutcome(scan, 'x'.repeat((number * 7919) % 300_000))
  const hash = createHash('sha256').update(outcome.records.en).update(outcome.records.fr).digest('hex')
  await history.save(outcome)
  tell(`saved ${scan.scanId} ${hash}`)
  if (number % 5 !== 0) return
  tell(`removing ${scan.scanId}`)
  await history.remove(scan.scanId)
}

async function work(start: number): Promise<void> {
  for (let number = start; number < Number(count); number += 4) await save(number)
}

tell('begun')
await Promise.all([0, 1, 2, 3].map(work))
tell('done')
// the connection to a Redis would keep the process
process.exit(0)
