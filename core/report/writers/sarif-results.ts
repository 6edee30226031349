import type { Location, PhysicalLocation, Region, Result } from 'sarif'
import type { ReportDecision, ReportFinding, ReportSuppressed } from '../types.ts'
import { toRelativeUri, toVisible } from './characters.ts'
import { LEVELS, SECURITY_SEVERITY, referToCwes, toCweNumber, type CweIndex } from './sarif-rules.ts'

/** Locations of one result: more are refused by GitHub. */
export const MAX_LOCATIONS = 1000
/** Lines that a snippet shows above the line of its finding. */
const LINES_ABOVE = 3

/** What results refer to. */
export interface ResultContext {
  readonly ruleIndex: ReadonlyMap<string, number>
  readonly cweIndex: CweIndex
}

/** A finding as a result: place, flow, weaknesses, and the fingerprint by which it is the same in the next scan. */
export function toResult(finding: ReportFinding, { ruleIndex, cweIndex }: ResultContext): Result {
  const { id, ruleId, severity, confidence, flow = [], occurrences = [], advisories = [] } = finding
  return {
    ruleId,
    ruleIndex: ruleIndex.get(ruleId) ?? -1,
    level: LEVELS[severity],
    message: { text: toMessage(finding.message) },
    locations: [{ physicalLocation: toPlace(finding) }],
    ...(occurrences.length > 0 && { relatedLocations: toRelatedLocations(finding) }),
    ...(flow.length > 0 && {
      codeFlows: [
        {
          threadFlows: [
            {
              locations: flow.map(({ file, line, column, message }) => ({
                location: {
                  physicalLocation: { artifactLocation: toArtifact(file), region: toRegion({ line, column }) },
                  message: { text: toMessage(message) },
                },
              })),
            },
          ],
        },
      ],
    }),
    partialFingerprints: { 'parapetFingerprint/v1': id },
    ...describeDecision(finding.decision),
    taxa: referToCwes(finding.cwe.map(toCweNumber), cweIndex),
    properties: {
      severity,
      confidence,
      'security-severity': SECURITY_SEVERITY[severity],
      ...(finding.grade !== undefined && { grade: { ...finding.grade } }),
      title: toVisible(finding.title),
      fix: toVisible(finding.fix),
      ...(advisories.length > 0 && { advisories: advisories.map((advisory) => toVisible(advisory.id)) }),
    },
  }
}

/** What was decided outside of the source (SARIF 2.1.0, 3.35); one that is to be repaired is not done with, one that has expired says nothing. */
function describeDecision(decision: ReportDecision | undefined): Pick<Result, 'suppressions'> {
  if (decision === undefined || decision.expired) return {}
  const status = decision.state === 'will-repair' ? 'underReview' : 'accepted'
  return { suppressions: [{ kind: 'external', status, justification: toVisible(`${decision.state}: ${decision.reason}`) }] }
}

/** A finding that the project hides, with its reason. */
export function toSuppressedResult({ id, ruleId, file, reason }: ReportSuppressed, { ruleIndex }: ResultContext): Result {
  return {
    ruleId,
    ruleIndex: ruleIndex.get(ruleId) ?? -1,
    message: { text: toMessage(ruleId) },
    locations: [{ physicalLocation: { artifactLocation: toArtifact(file), region: toRegion({}) } }],
    partialFingerprints: { 'parapetFingerprint/v1': id },
    suppressions: [{ kind: 'external', status: 'accepted', justification: toVisible(reason) }],
  }
}

function toRelatedLocations({ occurrences = [] }: ReportFinding): Location[] {
  return occurrences.slice(0, MAX_LOCATIONS).map(({ file, line }, index) => ({
    id: index + 1,
    physicalLocation: { artifactLocation: toArtifact(file), region: toRegion({ line }) },
  }))
}

export function toArtifact(file: string): { readonly uri: string; readonly uriBaseId: string } {
  return { uri: toRelativeUri(file), uriBaseId: '%SRCROOT%' }
}

function toPlace(finding: ReportFinding): PhysicalLocation {
  const region = toRegion(finding)
  const { line, snippet } = finding
  const place = { artifactLocation: toArtifact(finding.file), region }
  if (line === undefined || snippet === undefined) return place
  const startLine = Math.max(1, line - LINES_ABOVE)
  const endLine = startLine + snippet.split('\n').length - 1
  // a context must hold the whole region
  if (endLine < (finding.endLine ?? line)) return place
  return { ...place, contextRegion: { startLine, endLine, snippet: { text: toVisible(snippet) } } }
}

/** A region always has a line: GitHub refuses a result without one, and a file as a whole begins with its first. */
function toRegion({ line, column, endLine, endColumn }: Partial<ReportFinding>): Region {
  if (line === undefined) return { startLine: 1 }
  return {
    startLine: line,
    ...(column !== undefined && { startColumn: column }),
    ...(endLine !== undefined && { endLine }),
    ...(endColumn !== undefined && { endColumn }),
  }
}

/** In a message of SARIF `[text](target)` is a link: what a project wrote is none. */
export function toMessage(text: string): string {
  const visible = toVisible(text)
  return visible.includes('](') ? visible.replaceAll(/[[\]\\]/g, '\\$&') : visible
}
