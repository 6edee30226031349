import type { JSX } from 'preact'
import { SEVERITY_WORDS, wordCounted } from '../../../core/report/words.ts'
import { SEVERITIES } from '../../../core/scales.ts'
import type { Severity, SeverityCounts } from '../../../core/index.ts'
import { locale } from '../state/settings.ts'
import { formatNumber } from '../words/index.ts'
import { SeverityIcon } from './icons.tsx'

export const severityWord = (severity: Severity): string => SEVERITY_WORDS[locale.value][severity]

/** Beside the number of its findings. */
export const countedWord = (severity: Severity, count: number): string => wordCounted(severity, count, locale.value)

export const isSeverity = (text: string): text is Severity => SEVERITIES.some((severity) => severity === text)

export function countOf(counts: SeverityCounts, severity: Severity): number {
  const { critical, high, medium, low, info } = counts
  return { CRITICAL: critical, HIGH: high, MEDIUM: medium, LOW: low, INFO: info }[severity]
}

export function SeverityBadge({ severity }: { severity: Severity }): JSX.Element {
  return (
    <span class={`badge ${severity.toLowerCase()}`}>
      <SeverityIcon severity={severity} />
      {severityWord(severity)}
    </span>
  )
}

/** The counts that are not zero, in one line. */
export function SeverityCountsLine({ counts }: { counts: SeverityCounts }): JSX.Element {
  const shown = SEVERITIES.filter((severity) => countOf(counts, severity) > 0)
  return (
    <span class="counts">
      {shown.length === 0 ? '0' : null}
      {shown.map((severity) => (
        <span key={severity} class={`count ${severity.toLowerCase()}`}>
          <SeverityIcon severity={severity} />
          {formatNumber(countOf(counts, severity))}{' '}
          <span class="count-word">{countedWord(severity, countOf(counts, severity))}</span>
        </span>
      ))}
    </span>
  )
}
