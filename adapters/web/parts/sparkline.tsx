import type { JSX } from 'preact'
import type { HistoryEntry } from '../../../core/index.ts'
import { say } from '../words/index.ts'

const SIZE = { width: 90, height: 24, edge: 3 }

/** The way of the risk from scan to scan, as small as a word. */
export function Sparkline({
  scores,
  level,
}: {
  scores: readonly number[]
  level: HistoryEntry['riskLevel']
}): JSX.Element | null {
  const [first] = scores
  const last = scores.at(-1)
  if (first === undefined || last === undefined || scores.length < 2) return null
  const { width, height, edge } = SIZE
  const x = (index: number): number => edge + (index * (width - 2 * edge)) / (scores.length - 1)
  const y = (score: number): number => edge + ((100 - score) * (height - 2 * edge)) / 100
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={say('riskOver', { n: scores.length, first, last })}
    >
      <polyline class="trend-line" points={scores.map((score, index) => `${x(index).toFixed(1)},${y(score)}`).join(' ')} />
      <circle class={`trend-point ${level.toLowerCase()}`} cx={x(scores.length - 1)} cy={y(last)} r="3" />
    </svg>
  )
}
