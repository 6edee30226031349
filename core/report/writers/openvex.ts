import { toJsonText } from '../json-text.ts'
import { listFindings } from '../list-findings.ts'
import type { Report, ReportDecision } from '../types.ts'
import { toVisible } from './characters.ts'
import { toPurl } from './sbom.ts'

export interface VexOptions {
  readonly version: string
  /** ISO 8601. */
  readonly now: string
}

export type VexWriter = (report: Report, options: VexOptions) => string

/** OpenVEX 0.2.0 (https://github.com/openvex/spec): for each advisory about a package of the project, whether the project is affected. */
export function writeOpenVex(report: Report, { version, now }: VexOptions): string {
  const product = `pkg:generic/${encodeURIComponent(report.projectName.toWellFormed())}`
  const statements = listFindings(report).flatMap(({ package: affected, advisories = [], decision, fix }) =>
    advisories.map(({ id, aliases }) => ({
      vulnerability: { name: toVisible(id), ...(aliases.length > 0 && { aliases: aliases.map(toVisible) }) },
      timestamp: decision?.at ?? report.scannedAt,
      products: [
        {
          '@id': product,
          ...(affected !== undefined && { subcomponents: [{ '@id': toPurl(affected) }] }),
        },
      ],
      ...describeStatus(decision, fix),
    })),
  )
  return `${toJsonText({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `urn:uuid:${report.scanId}`,
    author: decidersOf(report).join(', ') || 'Parapet',
    timestamp: now,
    version: 1,
    tooling: `parapet ${version}`,
    statements,
  })}\n`
}

/** A decision that holds no more says nothing: somebody has to look again. */
function describeStatus(decision: ReportDecision | undefined, fix: string): object {
  if (decision === undefined || decision.expired) return { status: 'under_investigation' }
  const reason = toVisible(decision.reason)
  switch (decision.state) {
    case 'not-affected':
    case 'false-positive':
      return { status: 'not_affected', impact_statement: reason }
    case 'accepted':
      return { status: 'affected', action_statement: reason }
    case 'will-repair':
      return { status: 'affected', action_statement: `${reason} ${toVisible(fix)}` }
  }
}

const decidersOf = (report: Report): readonly string[] =>
  [...new Set(listFindings(report).flatMap(({ decision }) => decision?.by ?? []))].map(toVisible)
