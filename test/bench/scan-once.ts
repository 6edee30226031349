import { readFileSync } from 'node:fs'
import { inflate } from '../../adapters/node/inflate.ts'
import { tuneEngine } from '../../adapters/node/tune-engine.ts'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { createEngine, openSource, scan } from '../../core/scanner.ts'
import { DEFAULT_LIMITS } from '../../core/limits.ts'
import { RULES } from '../../core/rules/index.ts'
import { peakMemory } from './peak.ts'

/**
 * One whole scan in a fresh process, as the service and the command line run it: the archive's bytes in, the rendered reports out. A function, since code that is
 * kept can't wait at its top.
 */
async function scanOnce(): Promise<void> {
  const bytes = new Uint8Array(readFileSync(process.argv[2] ?? ''))
  const options = {
    scanId: '00000000-0000-7000-8000-000000000000',
    scannedAt: '2026-11-20T12:00:00.000Z',
    projectName: 'bench',
    limits: DEFAULT_LIMITS,
    suppressions: true,
  }
  const ports = { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() }
  const source = openSource({ kind: 'archive', bytes, name: 'bench' }, options, { inflater: inflate })
  const { entry, records } = await scan(source, options, createEngine(RULES), ports, {})
  process.stdout.write(
    `${JSON.stringify({ cpu: process.cpuUsage(), rss: peakMemory(), findings: entry.summary.total, report: records.en.length })}\n`,
  )
}

if (process.argv[3] !== 'untuned') tuneEngine('scans')
void scanOnce()
