import type { LineTable } from '../parse/position.ts'
import { createFindingCollector, type CollectorSettings, type SortedFindings } from '../report/collect-findings.ts'
import type { FinishSettings } from '../report/finish.ts'
import { unusedMarker } from '../report/markers.ts'
import { createSecretMasker, type SecretMasker } from '../report/mask.ts'
import { createRuleNames } from '../report/unknown-rules.ts'
import type { Rule } from '../rules/rule.ts'
import type { Finding, Marker, Notice, ScanControl, ScanOptions } from '../types.ts'

/** What a running scan has found so far; handed over as it grows. */
export interface Findings {
  readonly secrets: SecretMasker
  add(findings: readonly Finding[]): void
  notice(notice: Notice): void
  /** What was found and not kept, since a report has no room for it. */
  leaveOut(count: number): void
  keepMarkers(file: string, markers: readonly Marker[]): void
  markersOf(file: string): readonly Marker[]
  /** The time limit: rules stop, reading goes on. */
  outOfTime(): void
  isStopped(): boolean
  settings(
    rules: ReadonlyMap<string, Rule>,
    severityOf: FinishSettings['severityOf'],
    linesOf?: (file: string) => LineTable | undefined,
  ): FinishSettings
  /** With their grades, which the whole project tells. */
  sorted(grade: (finding: Finding) => Finding | undefined): SortedFindings
  notices(): readonly Notice[]
}

export function createFindings(options: ScanOptions, control: ScanControl, settings: CollectorSettings): Findings {
  const secrets = createSecretMasker()
  const collector = createFindingCollector(settings)
  if (options.resume !== undefined) {
    const { findings, leftOut } = options.resume
    collector.add(findings)
    if (leftOut !== undefined) collector.leaveOut(leftOut)
  }
  const notices: Notice[] = options.resume === undefined ? [] : [options.resume.notice]
  const markers = new Map<string, readonly Marker[]>()
  const used = new Set<Marker>()
  let stopped = options.resume !== undefined
  return {
    secrets,
    add(findings) {
      collector.add(findings)
      control.onFindings?.(findings, collector.declined())
    },
    notice: (notice) => void notices.push(notice),
    leaveOut: (count) => collector.leaveOut({ findings: count, suppressed: 0, places: 0 }),
    keepMarkers(file, kept) {
      if (kept.length > 0) markers.set(file, kept)
    },
    markersOf: (file) => markers.get(file) ?? [],
    outOfTime() {
      if (!stopped) notices.push({ code: 'time-limit', reason: 'scan', partial: true })
      stopped = true
    },
    isStopped: () => stopped,
    settings: (rules, severityOf, linesOf = () => undefined) => ({
      rules,
      severityOf,
      useMarker: (marker) => void used.add(marker),
      secrets,
      fingerprintKey: options.fingerprintKey,
      linesOf,
      notice: (notice) => void notices.push(notice),
      offer: collector.offer,
    }),
    sorted: collector.sorted,
    notices() {
      // a scan that was cut short can't tell which comments are of no use
      if (stopped) return notices
      const ruleOf = createRuleNames(settings.rules ?? new Map())
      const unused = [...markers].flatMap(([file, list]) =>
        list.filter((marker) => !used.has(marker) && !marker.foreign).map((marker) => unusedMarker(marker, file, ruleOf)),
      )
      return [...notices, ...unused]
    },
  }
}
