import { describe, expect, test } from 'vitest'
import { createLog } from '../../adapters/node/log.ts'
import { createPainter } from '../../adapters/terminal/paint.ts'
import { printReport } from '../../adapters/terminal/print-report.ts'
import { describeFault } from '../../core/host.ts'
import type { Report } from '../../core/report/types.ts'
import { RULES } from '../../core/rules/index.ts'
import { EXPORT_FORMATS, loadWriter } from '../../core/writers.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { runs } from '../soak.ts'
import { drawLeak, type DrawnLeak } from './draw-leak.ts'

const DRAWS = 20_000
const BATCH = 250
/** Characters that tell more than what a value begins with. */
const PART = 12

function partsOf({ value, others }: DrawnLeak): string[] {
  const parts = Array.from({ length: Math.max(0, value.length - PART + 1) }, (_, at) => value.slice(at, at + PART))
  return parts.filter((part) => !others.some((other) => other.includes(part)))
}

/** Names of the drawn ones of which a part is said. */
function leaksIn(said: string, parts: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>()
  for (const { 0: run } of said.matchAll(/[A-Za-z0-9+/=_.~-]{12,}/g))
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

describe('values of all formats and random ones, beside findings in all kinds of files', () => {
  const batches = Math.ceil(runs(DRAWS) / BATCH)
  test.each(Array.from({ length: batches }, (_, batch) => batch))('nothing of 250 draws is told: batch %i', async (batch) => {
    const leaks = Array.from({ length: BATCH }, (_, at) => drawLeak(`${batch} ${at}`))
    const files = new Map(leaks.map(({ path, text }, at): [string, string] => [`part-${at}/${path}`, text]))
    const parts = new Map(leaks.flatMap((leak) => partsOf(leak).map((part): [string, string] => [part, leak.name])))
    const logged: string[] = []
    const log = createLog('json', (line) => void logged.push(line))
    const { en, fr } = await scanFiles(files, { control: { onFault: (fault) => log(describeFault(fault)) } })
    expect(allFindings(en).length).toBeGreaterThan(BATCH / 2)
    const said = await say(en, fr, logged.join('\n'))
    expect(Object.fromEntries(Object.entries(said).map(([output, text]) => [output, leaksIn(text, parts)]))).toEqual(
      Object.fromEntries(Object.keys(said).map((output) => [output, []])),
    )
  })
})

test('a leak is noticed', () => {
  const leak = drawLeak('0 0')
  const parts = new Map(partsOf(leak).map((part): [string, string] => [part, leak.name]))
  expect(leaksIn(`x ${leak.value} y`, parts)).toEqual([leak.name])
})
