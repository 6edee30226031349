import type { Log, Notification, Run } from 'sarif'
import { toJsonText } from '../json-text.ts'
import { listFindings } from '../list-findings.ts'
import type { Report, ReportFinding } from '../types.ts'
import { MAX_LOCATIONS, toArtifact, toMessage, toResult, toSuppressedResult } from './sarif-results.ts'
import { describeCwes, describeRule, indexCwes, listRules } from './sarif-rules.ts'
import type { WriterOptions } from './writer.ts'

/** Results of one run that GitHub keeps; which ones it keeps of more is not told, so the rest is cut here, the least severe first. */
const MAX_RESULTS = 5000

/** SARIF 2.1.0 (OASIS), as code scanning services take it. */
export function* writeSarif(report: Report, options: WriterOptions): Iterable<string> {
  const findings = listFindings(report)
  const shown = findings.slice(0, MAX_RESULTS)
  const suppressed = options.includeSuppressed === true ? report.suppressed : []
  const rules = listRules(
    options.rules,
    findings,
    suppressed.map(({ ruleId }) => ruleId),
  )
  const ruleIndex = new Map(rules.map(({ facts }, index) => [facts.id, index]))
  const cweIndex = indexCwes(rules, findings)
  const run: Omit<Run, 'results'> = {
    tool: {
      driver: {
        name: 'Parapet',
        version: options.version,
        semanticVersion: options.version,
        language: options.locale,
        shortDescription: { text: 'Security scanner for SAP UI5 and CAP projects' },
        rules: rules.map((rule) => describeRule(rule, cweIndex, options)),
        supportedTaxonomies: [{ name: 'CWE', index: 0, guid: describeCwes(cweIndex).guid }],
      },
    },
    taxonomies: [describeCwes(cweIndex)],
    language: options.locale,
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The folder that was scanned.' } } },
    invocations: [
      {
        executionSuccessful: report.complete,
        startTimeUtc: report.scannedAt,
        toolExecutionNotifications: [...tellSelection(options), ...cutNotices(findings), ...report.notices.map(toNotification)],
      },
    ],
    properties: { scanId: report.scanId, riskScore: report.riskScore, summary: report.summary },
  }
  const log: Omit<Log, 'runs'> = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0' }
  yield `${toJsonText(log).slice(0, -1)},"runs":[${toJsonText(run).slice(0, -1)},"results":[`
  let separator = ''
  for (const finding of shown) {
    yield separator + toJsonText(toResult(finding, { ruleIndex, cweIndex }))
    separator = ','
  }
  for (const hidden of suppressed) {
    yield separator + toJsonText(toSuppressedResult(hidden, { ruleIndex, cweIndex }))
    separator = ','
  }
  yield ']}]}\n'
}

function tellSelection({ selection }: WriterOptions): Notification[] {
  if (selection === undefined) return []
  return [{ descriptor: { id: 'findings-selected' }, level: 'note', message: { text: toMessage(selection.remark) } }]
}

/** What the limits of code scanning leave out, said aloud. */
function cutNotices(findings: readonly ReportFinding[]): Notification[] {
  const cut: Notification[] = []
  const left = findings.length - MAX_RESULTS
  if (left > 0) {
    const text = `Less severe findings left out, because code scanning takes ${MAX_RESULTS}: ${left}.`
    cut.push({ descriptor: { id: 'findings-capped' }, level: 'warning', message: { text } })
  }
  for (const { id, file, occurrences = [] } of findings.slice(0, MAX_RESULTS)) {
    if (occurrences.length <= MAX_LOCATIONS) continue
    const text = `Further places of ${id} left out: ${occurrences.length - MAX_LOCATIONS}.`
    const locations = [{ physicalLocation: { artifactLocation: toArtifact(file) } }]
    cut.push({ descriptor: { id: 'occurrences-capped' }, level: 'note', message: { text }, locations })
  }
  return cut
}

function toNotification({ code, file, ruleId, detail }: Report['notices'][number]): Notification {
  return {
    descriptor: { id: code },
    level: INCOMPLETE.has(code) ? 'warning' : 'note',
    message: { text: toMessage(detail) },
    ...(file !== undefined && { locations: [{ physicalLocation: { artifactLocation: toArtifact(file) } }] }),
    ...(ruleId !== undefined && { associatedRule: { id: ruleId } }),
  }
}

/** Notices after which something may have been missed. */
const INCOMPLETE: ReadonlySet<string> = new Set([
  'file-unreadable',
  'file-too-large',
  'rule-failed',
  'time-limit',
  'memory-limit',
  'findings-capped',
])
