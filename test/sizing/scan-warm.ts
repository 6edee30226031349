import { readFileSync } from 'node:fs'
import { tuneEngine } from '../../adapters/node/tune-engine.ts'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { createEngine, openSource, scan } from '../../core/scanner.ts'
import { DEFAULT_LIMITS } from '../../core/limits.ts'
import { RULES } from '../../core/rules/index.ts'
import { peakMemory } from '../bench/peak.ts'

/** Scans an archive several times in one process, as a worker does, and tells what the last half of the scans cost. */
tuneEngine('scans')
const archive = new Uint8Array(readFileSync(process.argv[2] ?? ''))
const rounds = Number(process.argv[3])
const options = {
  scanId: '00000000-0000-7000-8000-000000000000',
  scannedAt: '2026-11-20T12:00:00.000Z',
  projectName: 'sizing',
  limits: DEFAULT_LIMITS,
  suppressions: true,
}
const ports = { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() }
const engine = createEngine(RULES)
const times: number[] = []
let reports = 0
for (let round = 0; round < rounds; round++) {
  const before = process.cpuUsage()
  const source = openSource({ kind: 'archive', bytes: new Uint8Array(archive), name: 'sizing' }, options, {})
  const { records } = await scan(source, options, engine, ports, {})
  const { user, system } = process.cpuUsage(before)
  times.push((user + system) / 1e6)
  reports = records.en.length + records.fr.length
}
const warm = times.slice(Math.floor(rounds / 2))
const cpuSeconds = warm.reduce((sum, time) => sum + time, 0) / warm.length
process.stdout.write(
  JSON.stringify({ cpuSeconds, peakBytes: peakMemory() * 1024, archiveBytes: archive.length, reportBytes: reports }),
)
