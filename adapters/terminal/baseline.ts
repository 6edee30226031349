import { readFile, writeFile } from 'node:fs/promises'
import * as z from 'zod'
import { listFindings, type Report } from '../../core/index.ts'
import { CommandFault } from './usage.ts'

export const BASELINE_FILE = '.parapet-baseline.json'

const baseline = z.object({
  version: z.literal(1),
  findings: z.array(z.object({ id: z.string().max(100), rule: z.string().max(200), file: z.string().max(2000) })).max(100_000),
})

/** What a baseline accepts: rule and file by the id of a finding. */
export type Baseline = ReadonlyMap<string, { readonly rule: string; readonly file: string }>

/** The findings that a baseline accepts. Throws a UsageFault where there is none to read. */
export async function readBaseline(file: string): Promise<Baseline> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandFault({
      en: `The baseline ${file} can't be read. --write-baseline makes one.`,
      fr: `La référence ${file} ne peut pas être lue. --write-baseline en crée une.`,
    })
  })
  const parsed = baseline.safeParse(parse(text))
  if (!parsed.success)
    throw new CommandFault({ en: `${file} is no baseline of Parapet.`, fr: `${file} n’est pas une référence de Parapet.` })
  return new Map(parsed.data.findings.map((finding) => [finding.id, finding]))
}

/** Accepts all findings of a report. Rule and file are for those who read the file; the id alone decides. */
export async function writeBaseline(file: string, report: Report): Promise<number> {
  const findings = listFindings(report).map(({ id, ruleId, file }) => ({ id, rule: ruleId, file }))
  // a finding a line, so that a diff shows what was accepted
  const lines = findings.map((finding) => `    ${JSON.stringify(finding)}`).join(',\n')
  await writeFile(file, `{\n  "version": 1,\n  "findings": [\n${lines}\n  ]\n}\n`).catch(() => {
    throw new CommandFault({ en: `The baseline ${file} can't be written.`, fr: `La référence ${file} ne peut pas être écrite.` })
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
