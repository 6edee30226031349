import { expect, test } from 'vitest'
import { createReportJoiner, cutReport, withoutPieces } from '../../adapters/node/process/report-pieces.ts'
import { createInProcessRunner } from '../../core/runner.ts'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { scanOptions, SHOP, zipOf } from './projects.ts'

const run = createInProcessRunner({ ports: { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() } })

test.each([0, 1, 1024 * 1024, 1024 * 1024 + 1, 3_500_000])('a report of %i bytes crosses in pieces, as it is', async (size) => {
  const small = await run({ kind: 'archive', bytes: zipOf(SHOP), name: 'x' }, scanOptions(), {})
  const en = Uint8Array.from({ length: size }, (_, at) => at % 251)
  const joiner = createReportJoiner()
  for (const records of [{ en, fr: small.records.fr }, small.records]) {
    const outcome = { ...small, records }
    for (const piece of cutReport(outcome)) {
      expect(piece.bytes.byteLength).toBeLessThanOrEqual(1024 * 1024)
      joiner.add(piece)
    }
    const joined = joiner.join(withoutPieces(outcome))
    expect(joined.entry).toEqual(outcome.entry)
    for (const locale of ['en', 'fr'] as const) expect(Buffer.compare(joined.records[locale], records[locale])).toBe(0)
  }
})
