import type { JSX } from 'preact'
import { SEVERITIES } from '../../../core/scales.ts'
import type { SeverityCounts } from '../../../core/index.ts'
import { say } from '../words/index.ts'
import { countedWord, countOf } from './severity.tsx'

const WIDTH = 1000
/** A single critical finding among thousands must be seen. */
const LEAST = 14

/** How the findings divide among the severities; the tiles beside it have the same numbers as text. */
export function SeverityBar({ counts }: { counts: SeverityCounts }): JSX.Element | null {
  const parts = SEVERITIES.map((severity) => ({ severity, count: countOf(counts, severity) })).filter(({ count }) => count > 0)
  if (parts.length === 0) return null
  const room = WIDTH - LEAST * parts.length
  const label = parts.map(({ severity, count }) => `${count} ${countedWord(severity, count)}`).join(', ')
  let x = 0
  return (
    <svg
      class="severity-bar"
      viewBox={`0 0 ${WIDTH} 10`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${say('severityBar')}: ${label}`}
    >
      {parts.map(({ severity, count }) => {
        const width = LEAST + (room * count) / Math.max(1, counts.total)
        const part = <rect key={severity} class={severity.toLowerCase()} x={x} y="0" width={Math.max(0, width - 3)} height="10" />
        x += width
        return part
      })}
    </svg>
  )
}
