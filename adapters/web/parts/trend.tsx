import type { JSX } from 'preact'
import type { HistoryEntry } from '../../../core/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { isNarrow } from '../state/narrow.ts'
import { formatDate, say } from '../words/index.ts'

const SIZE = { height: 120, left: 34, right: 16, top: 12, bottom: 20 }
const GRID = [0, 50, 100]

/** The risk of a project from scan to scan, oldest first, where there are two; the table of the history has the numbers. */
export function Trend({ name, entries }: { name: string; entries: readonly HistoryEntry[] }): JSX.Element | null {
  const [first] = entries
  const last = entries.at(-1)
  if (first === undefined || last === undefined || first === last) return null
  const width = isNarrow.value ? 280 : 640
  const x = (index: number): number => SIZE.left + (index * (width - SIZE.left - SIZE.right)) / (entries.length - 1)
  const y = (score: number): number => SIZE.top + ((100 - score) * (SIZE.height - SIZE.top - SIZE.bottom)) / 100
  const shown = toVisible(name)
  const label = say('trendPicture', { name: shown, n: entries.length, first: first.riskScore, last: last.riskScore })
  return (
    <figure class="trend">
      <figcaption>{say('trend', { name: shown })}</figcaption>
      <svg viewBox={`0 0 ${width} ${SIZE.height}`} role="img" aria-label={label}>
        {GRID.map((score) => (
          <g key={score}>
            <line class="trend-grid" x1={SIZE.left} x2={width - SIZE.right} y1={y(score)} y2={y(score)} />
            <text class="trend-scale" x={SIZE.left - 6} y={y(score) + 4} text-anchor="end">
              {score}
            </text>
          </g>
        ))}
        <polyline class="trend-line" points={entries.map(({ riskScore }, index) => `${x(index)},${y(riskScore)}`).join(' ')} />
        {entries.map(({ scanId, riskScore, riskLevel, scannedAt }, index) => (
          <circle key={scanId} class={`trend-point ${riskLevel.toLowerCase()}`} cx={x(index)} cy={y(riskScore)} r="4">
            <title>{`${formatDate(scannedAt)}: ${riskScore}`}</title>
          </circle>
        ))}
      </svg>
    </figure>
  )
}
