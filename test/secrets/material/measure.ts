import type { Engine } from '../../../core/engine.ts'
import type { ReportFinding } from '../../../core/report/types.ts'
import { allFindings, scanFiles } from '../../scan-files.ts'
import type { Planted, Sample } from './sample.ts'

/** What a scan told about a sample. */
export interface Outcome {
  readonly sample: Sample
  /** Planted credentials that no finding marks. */
  readonly missed: readonly Planted[]
  /** Those that more than one finding marks. */
  readonly doubled: readonly Planted[]
  /** Findings that mark something else. */
  readonly alarms: readonly ReportFinding[]
}

/** Samples that are scanned as one project, each in a folder of its own. */
const TOGETHER = 100

export async function measure(samples: readonly Sample[], engine: Engine): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (let from = 0; from < samples.length; from += TOGETHER) {
    const part = samples.slice(from, from + TOGETHER)
    const files = new Map(part.map((sample, at) => [`${folderOf(at)}/${sample.path}`, sample.text]))
    const { en } = await scanFiles(files, { engine })
    const byFile = groupByFile(allFindings(en))
    outcomes.push(...part.map((sample, at) => judge(sample, byFile.get(`${folderOf(at)}/${sample.path}`) ?? [])))
  }
  return outcomes
}

/** No word of credentials, tests or samples. */
function folderOf(at: number): string {
  return `orders-${at}`
}

function judge(sample: Sample, findings: readonly ReportFinding[]): Outcome {
  const marked = findings.map((finding) => ({ finding, ...spanOf(sample.text, finding) }))
  const touches = (planted: Planted): typeof marked =>
    marked.filter(({ start, end }) => start < planted.end && planted.start < end)
  return {
    sample,
    missed: sample.secrets.filter((planted) => touches(planted).length === 0),
    doubled: sample.secrets.filter((planted) => touches(planted).length > 1),
    alarms: marked
      .filter(({ start, end }) => !sample.secrets.some((planted) => start < planted.end && planted.start < end))
      .map(({ finding }) => finding)
      .filter(({ severity }) => !sample.demo || (severity !== 'LOW' && severity !== 'INFO')),
  }
}

export function describeAlarm({ sample, alarms }: Outcome): string {
  return `${sample.name}: ${alarms.map(({ ruleId, line }) => `${ruleId} in line ${line}`).join()}`
}

function spanOf(text: string, { line, column, endLine, endColumn }: ReportFinding): { start: number; end: number } {
  if (line === undefined || column === undefined) return { start: 0, end: text.length }
  const starts = [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map((found) => found.index + found[0].length)]
  const start = (starts[line - 1] ?? 0) + column - 1
  const end = endLine === undefined || endColumn === undefined ? start + 1 : (starts[endLine - 1] ?? 0) + endColumn - 1
  return { start, end: Math.max(start + 1, end) }
}

function groupByFile(findings: readonly ReportFinding[]): Map<string, ReportFinding[]> {
  const groups = new Map<string, ReportFinding[]>()
  for (const finding of findings) groups.set(finding.file, [...(groups.get(finding.file) ?? []), finding])
  return groups
}
