import type { JSX } from 'preact'
import type { ProjectScan } from '../../../core/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { SEVERITIES } from '../../../core/scales.ts'
import { isNarrow } from '../state/narrow.ts'
import { formatDate, formatDay, formatNumber, say } from '../words/index.ts'
import { countOf, severityWord } from './severity.tsx'
import { SeverityIcon } from './icons.tsx'

const SIZE = { height: 240, left: 44, right: 8, top: 28, bottom: 22 }
/** Columns that can be told apart; the table has every scan. */
export const SHOWN = 60
const WIDEST = 48

/** Findings by severity from scan to scan, oldest first, the most severe at the foot. Releases are marked above. */
export function LevelsChart({ scans }: { scans: readonly ProjectScan[] }): JSX.Element | null {
  const [first] = scans
  const last = scans.at(-1)
  if (first === undefined || last === undefined) return null
  const { height, left, right, top, bottom } = SIZE
  const width = isNarrow.value ? 280 : 960
  // two dates with their times have no room side by side on a telephone
  const format = isNarrow.value ? formatDay : formatDate
  const most = niceAbove(Math.max(...scans.map(({ summary }) => summary.total)))
  const step = (width - left - right) / scans.length
  const y = (count: number): number => height - bottom - (count * (height - top - bottom)) / most
  const label = say('levelsPicture', { n: scans.length, first: first.summary.total, last: last.summary.total })
  return (
    <figure class="levels">
      <figcaption class="counts">
        {SEVERITIES.map((severity) => (
          <span key={severity} class={`count ${severity.toLowerCase()}`}>
            <SeverityIcon severity={severity} />
            <span class="count-word">{severityWord(severity)}</span>
          </span>
        ))}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        {[0, most / 2, most].map((count) => (
          <g key={count}>
            <line class="trend-grid" x1={left} x2={width - right} y1={y(count)} y2={y(count)} />
            <text class="trend-scale" x={left - 6} y={y(count) + 4} text-anchor="end">
              {formatNumber(count)}
            </text>
          </g>
        ))}
        {scans.map((scan, index) => (
          <Column
            key={scan.scanId}
            scan={scan}
            x={left + step * (index + 0.5)}
            width={Math.min(WIDEST, step * 0.7)}
            y={y}
            end={width - 40}
          />
        ))}
        {[first, ...(scans.length > 1 ? [last] : [])].map(({ scanId, scannedAt }, index) => (
          <text
            key={scanId}
            class="trend-scale"
            x={index === 0 ? left : width - right}
            y={height - 6}
            text-anchor={index === 0 ? 'start' : 'end'}
          >
            {format(scannedAt)}
          </text>
        ))}
      </svg>
    </figure>
  )
}

interface ColumnProps {
  readonly scan: ProjectScan
  readonly x: number
  readonly width: number
  readonly y: (count: number) => number
  /** Where a name has room at most. */
  readonly end: number
}

function Column({ scan, x, width, y, end }: ColumnProps): JSX.Element {
  const { scannedAt, summary, release, complete } = scan
  let below = 0
  return (
    <g class={complete ? 'column' : 'column partial'}>
      <title>{`${formatDate(scannedAt)}: ${say('findings', { n: summary.total })}${release === undefined ? '' : `, ${toVisible(release)}`}`}</title>
      {SEVERITIES.map((severity) => {
        const count = countOf(summary, severity)
        if (count === 0) return null
        const foot = y(below)
        below += count
        return (
          <rect
            key={severity}
            class={severity.toLowerCase()}
            x={x - width / 2}
            y={y(below)}
            width={width}
            height={foot - y(below)}
          />
        )
      })}
      {release !== undefined && (
        <>
          <line class="release-mark" x1={x} x2={x} y1={SIZE.top - 6} y2={SIZE.height - SIZE.bottom} />
          <text class="trend-scale" x={Math.min(x, end)} y={SIZE.top - 11} text-anchor="middle">
            {toVisible(release).slice(0, 14)}
          </text>
        </>
      )}
    </g>
  )
}

/** The scale ends at a round number whose half is one too. */
function niceAbove(count: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, count)))
  return ([2, 4, 6, 8].find((factor) => factor * power >= count) ?? 10) * power
}
