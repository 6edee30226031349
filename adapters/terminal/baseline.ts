import { readFile, writeFile } from 'node:fs/promises'
import * as z from 'zod'
import { listFindings, type Report } from '../../core/index.ts'
import { UsageFault } from './usage.ts'

export const BASELINE_FILE = '.parapet-baseline.json'

const baseline = z.object({
  version: z.literal(1),
  findings: z.array(z.object({ id: z.string().max(100), rule: z.string().max(200), file: z.string().max(2000) })).max(100_000),
})

/** The ids of the findings that a baseline accepts. Throws a UsageFault where there is none to read. */
export async function readBaseline(file: string): Promise<ReadonlySet<string>> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageFault(`The baseline ${file} can't be read. --write-baseline makes one.`)
  })
  const parsed = baseline.safeParse(parse(text))
  if (!parsed.success) throw new UsageFault(`${file} is no baseline of Parapet.`)
  return new Set(parsed.data.findings.map(({ id }) => id))
}

/** Accepts all findings of a report. Rule and file are for those who read the file; the id alone decides. */
export async function writeBaseline(file: string, report: Report): Promise<number> {
  const findings = listFindings(report).map(({ id, ruleId, file }) => ({ id, rule: ruleId, file }))
  // a finding a line, so that a diff shows what was accepted
  const lines = findings.map((finding) => `    ${JSON.stringify(finding)}`).join(',\n')
  await writeFile(file, `{\n  "version": 1,\n  "findings": [\n${lines}\n  ]\n}\n`).catch(() => {
    throw new UsageFault(`The baseline ${file} can't be written.`)
  })
  return findings.length
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
