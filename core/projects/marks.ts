import type { Report, ReportFinding } from '../report/types.ts'
import { SEVERITIES } from '../scales.ts'
import type { Finding, HistoryEntry, ScanFacts, Severity } from '../types.ts'
import type { Mark, ScanLine } from './types.ts'

/** A record of text has at most 1 MiB in a folder. */
const MAX_MARKS = 900_000

const LETTERS: Readonly<Record<Severity, string>> = { CRITICAL: 'C', HIGH: 'H', MEDIUM: 'M', LOW: 'L', INFO: 'I' }
const BY_LETTER: ReadonlyMap<string, Severity> = new Map(SEVERITIES.map((severity) => [LETTERS[severity], severity]))

interface Marked {
  readonly id: string
  readonly severity: Severity
  readonly formerIds: readonly string[]
  readonly every: boolean
}

/** The ids of findings as one text: `H<id>`, with former ids `H<id>=<former>,…` where one of them is enough to know it, `&` where it stands for all. */
function encodeMarks(findings: readonly Marked[]): string {
  const write = (withFormer: boolean): string =>
    findings
      .map(({ id, severity, formerIds, every }) => {
        const former = withFormer && formerIds.length > 0 ? (every ? '&' : '=') + formerIds.join(',') : ''
        return LETTERS[severity] + id + former
      })
      .join(' ')
  const text = write(true)
  return text.length <= MAX_MARKS ? text : write(false)
}

/** Of findings as a scan has them. */
export function marksOfFindings(findings: readonly Finding[]): string {
  return encodeMarks(
    findings.map(({ id, severity, replaces, formerIds = [], affected }) => ({
      id,
      severity,
      formerIds: replaces ?? formerIds,
      every: affected !== undefined,
    })),
  )
}

/** What a report says of itself, for one whose scan did not say it: of an earlier version, or of a runner of a host. */
function factsOfReport(report: Report): ScanFacts {
  const { branch, commit, release, scannerVersion, complete, results } = report
  const { ui5, cap, secrets, btp, npm, approuter } = results
  const areas: readonly (readonly ReportFinding[])[] = [
    ui5.findings,
    cap.findings,
    secrets.findings,
    btp.issues,
    npm.findings,
    approuter.findings,
  ]
  return {
    ...(branch !== undefined && { branch }),
    ...(commit !== undefined && { commit }),
    ...(release !== undefined && { release }),
    ...(scannerVersion !== undefined && { scannerVersion }),
    complete,
    marks: encodeMarks(
      areas.flat().map(({ id, severity, formerIds = [], advisories }) => ({
        id,
        severity,
        formerIds,
        every: advisories !== undefined,
      })),
    ),
  }
}

/** The findings that a text of marks names. */
export function readMarks(text: string): readonly Mark[] {
  return text.split(' ').flatMap((token) => {
    const severity = BY_LETTER.get(token.charAt(0))
    const end = token.search(/[=&]/)
    const id = token.slice(1, end === -1 ? undefined : end)
    if (severity === undefined || id === '') return []
    return { id, severity, formerIds: end === -1 ? [] : token.slice(end + 1).split(','), every: token.charAt(end) === '&' }
  })
}

/** The id under which a finding was known before, if it was. */
export function findKnown({ id, formerIds, every }: Mark, isKnown: (id: string) => boolean): string | undefined {
  if (isKnown(id)) return id
  if (formerIds.length === 0) return undefined
  return !every || formerIds.every(isKnown) ? formerIds.find(isKnown) : undefined
}

/** A report that can't be read says nothing: as one that is not complete it fixes nothing. */
function readFacts(raw: unknown): ScanFacts {
  try {
    const bytes = raw instanceof Uint8Array || raw instanceof ArrayBuffer ? raw : new Uint8Array(0)
    const report: Report = JSON.parse(new TextDecoder().decode(bytes))
    return factsOfReport(report)
  } catch {
    return { complete: false, marks: '' }
  }
}

/** The line of a scan that has just been made. */
export function toLine(entry: HistoryEntry, facts: ScanFacts | undefined, report: unknown): ScanLine {
  return { entry, ...(facts ?? readFacts(report)) }
}
