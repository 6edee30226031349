import { createLog } from '../../adapters/node/log.ts'
import { createPainter } from '../../adapters/terminal/paint.ts'
import { printReport } from '../../adapters/terminal/print-report.ts'
import { describeFault } from '../../core/host.ts'
import type { Report } from '../../core/report/types.ts'
import { RULES } from '../../core/rules/index.ts'
import { EXPORT_FORMATS, loadWriter } from '../../core/writers.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { drawLeak, type DrawnLeak } from './draw-leak.ts'

/** Values that are drawn for one scan. */
export const BATCH = 250
/** Characters that tell more than what a value begins with. */
const PART = 12

export interface LeakRun {
  readonly findings: number
  /** By output: names of the drawn ones of which a part is said. */
  readonly leaks: Readonly<Record<string, readonly string[]>>
}

/** The seeds of a batch. */
export const seedsOf = (batch: string): string[] => Array.from({ length: BATCH }, (_, at) => `${batch} ${at}`)

/** Scans drawn values, each beside a finding, and looks for them in all outputs. */
export async function findLeaks(seeds: readonly string[]): Promise<LeakRun> {
  const drawn = seeds.map(drawLeak)
  const files = new Map(drawn.map(({ path, text }, at): [string, string] => [`part-${at}/${path}`, text]))
  const parts = indexParts(drawn)
  const logged: string[] = []
  const log = createLog('json', (line) => void logged.push(line))
  const { en, fr } = await scanFiles(files, { control: { onFault: (fault) => log(describeFault(fault)) } })
  const said = await say(en, fr, logged.join('\n'))
  return {
    findings: allFindings(en).length,
    leaks: Object.fromEntries(Object.entries(said).map(([output, text]) => [output, leaksIn(text, parts)])),
  }
}

/** Names by each part of a value that others of its kind don't have. */
export function indexParts(drawn: readonly DrawnLeak[]): ReadonlyMap<string, string> {
  return new Map(drawn.flatMap((leak) => partsOf(leak).map((part): [string, string] => [part, leak.name])))
}

function partsOf({ value, others }: DrawnLeak): string[] {
  const parts = Array.from({ length: Math.max(0, value.length - PART + 1) }, (_, at) => value.slice(at, at + PART))
  return parts.filter((part) => !others.some((other) => other.includes(part)))
}

/** Names of the drawn ones of which a part is said. */
export function leaksIn(said: string, parts: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>()
  for (const { 0: run } of said.matchAll(/[\w+/=.~!@*-]{12,}/g))
    for (let at = 0; at + PART <= run.length; at++) {
      const name = parts.get(run.slice(at, at + PART))
      if (name !== undefined) found.add(name)
    }
  return [...found]
}

async function say(report: Report, fr: Report, logged: string): Promise<Record<string, string>> {
  const paint = createPainter({ isTTY: true }, {})
  const said: Record<string, string> = {
    json: JSON.stringify(report),
    'json in French': JSON.stringify(fr),
    terminal: printReport(report, { locale: 'en', paint, details: true, quiet: false, failOn: 'LOW' }),
    log: logged,
  }
  for (const format of EXPORT_FORMATS) {
    const write = await loadWriter(format)
    said[format] = [...write(report, { locale: 'en', rules: RULES, version: '0.0.0', includeSuppressed: true })].join('')
  }
  return said
}
