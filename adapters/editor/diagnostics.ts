import { DiagnosticSeverity, type Diagnostic, type DiagnosticRelatedInformation, type Range } from 'vscode-languageserver/node'
import {
  listFindings,
  ruleUrl,
  SEVERITY_WORDS,
  type Locale,
  type Report,
  type ReportFinding,
  type Severity,
} from '../../core/index.ts'

const LEVELS: Readonly<Record<Severity, DiagnosticSeverity>> = {
  CRITICAL: DiagnosticSeverity.Error,
  HIGH: DiagnosticSeverity.Error,
  MEDIUM: DiagnosticSeverity.Warning,
  LOW: DiagnosticSeverity.Information,
  INFO: DiagnosticSeverity.Hint,
}

/** A column beyond every line: clients take it for the end of the line (LSP 3.17, "Position"). */
const END_OF_LINE = 2 ** 31 - 1

export interface PlacedFinding {
  readonly finding: ReportFinding
  readonly range: Range
}

/** Where a finding is, by lines and UTF-16 units from 0; one about a whole file stands at its beginning. */
export function rangeOf({ line, column, endLine, endColumn }: ReportFinding): Range {
  if (line === undefined) return { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }
  const start = { line: line - 1, character: (column ?? 1) - 1 }
  const end =
    endLine === undefined || endColumn === undefined
      ? { line: line - 1, character: END_OF_LINE }
      : { line: endLine - 1, character: endColumn - 1 }
  return { start, end }
}

/** Findings by file. One that stands in several places is in each of their files. */
export function placeFindings(report: Report): Map<string, PlacedFinding[]> {
  const placed = new Map<string, PlacedFinding[]>()
  const add = (file: string, it: PlacedFinding): void => {
    const there = placed.get(file)
    if (there === undefined) placed.set(file, [it])
    else there.push(it)
  }
  for (const finding of listFindings(report)) {
    add(finding.file, { finding, range: rangeOf(finding) })
    for (const { file, line } of finding.occurrences ?? []) {
      if (line === undefined) continue
      add(file, { finding, range: rangeOf({ ...finding, line, column: 1, endLine: undefined, endColumn: undefined }) })
    }
  }
  return placed
}

export interface DiagnosticOptions {
  readonly uriOf: (file: string) => string
  readonly locale: Locale
  readonly rulesUrl?: string
  /** The client shows places beside a diagnostic, and a link to its rule. */
  readonly hasRelated: boolean
  readonly hasLink: boolean
}

export function toDiagnostic({ finding, range }: PlacedFinding, options: DiagnosticOptions): Diagnostic {
  const { id, ruleId, docs, severity, title, message } = finding
  const { locale } = options
  const related = options.hasRelated ? relatedOf(finding, options.uriOf) : []
  return {
    range,
    severity: LEVELS[severity],
    code: ruleId,
    ...(options.hasLink && { codeDescription: { href: ruleUrl(ruleId, docs, { rulesUrl: options.rulesUrl }) } }),
    source: 'parapet',
    message: `${SEVERITY_WORDS[locale][severity].toUpperCase()}${locale === 'fr' ? ' : ' : ': '}${title}. ${message}`,
    ...(related.length > 0 && { relatedInformation: related }),
    data: { id },
  }
}

/** The way that data takes, step by step. */
function relatedOf({ flow = [] }: ReportFinding, uriOf: (file: string) => string): DiagnosticRelatedInformation[] {
  return flow.flatMap(({ file, line, column = 1, message }) => {
    if (line === undefined) return []
    const at = { line: line - 1, character: column - 1 }
    return [{ location: { uri: uriOf(file), range: { start: at, end: { ...at, character: END_OF_LINE } } }, message }]
  })
}
