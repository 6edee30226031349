import type { JSX } from 'preact'
import type { ReportFinding } from '../../../core/index.ts'
import { say } from '../words/index.ts'
import { placeOf } from './text.tsx'

/** The report cuts the lines from three above the match (its first line) to three below. */
const LINES_ABOVE = 3

interface CodeFrameProps {
  readonly finding: ReportFinding
  /** The step of the flow that is looked at: its line is marked where the frame has it. */
  readonly step?: number
}

/** The code around a finding, with numbers, the match marked, and the steps of its flow at their lines. */
export function CodeFrame({ finding, step }: CodeFrameProps): JSX.Element | null {
  const { snippet, line, file, flow = [] } = finding
  if (snippet === undefined || line === undefined) return null
  const first = Math.max(1, line - LINES_ABOVE)
  const lines = snippet.split('\n')
  return (
    <pre
      class="code-frame"
      tabIndex={0}
      role="group"
      aria-label={say('codeAt', { place: placeOf(file, line) })}
      translate={false}
      lang="zxx"
    >
      {lines.map((text, index) => {
        const number = first + index
        const steps = flow.flatMap((at, position) => (at.file === file && at.line === number ? [position] : []))
        const isMatch = number >= line && number <= (finding.endLine ?? line)
        const isStep = step !== undefined && steps.includes(step)
        return (
          <span key={number} class={`code-line${isMatch ? ' match' : ''}${isStep ? ' at-step' : ''}`}>
            <span class="code-number" aria-hidden="true">
              {steps.length > 0 && <span class="code-step">{steps.map((position) => position + 1).join(',')}</span>}
              {number}
            </span>
            <span class="code-text">
              {number === line ? markMatch(text, finding) : text}
              {'\n'}
            </span>
          </span>
        )
      })}
    </pre>
  )
}

/** Where the line was cut at its beginning, the columns do not fit it any more: the line as a whole is marked then. */
function markMatch(text: string, { line, column, endLine, endColumn }: ReportFinding): JSX.Element | string {
  if (column === undefined || endColumn === undefined || text.startsWith('…') || text.includes('<U+')) return text
  const end = endLine === line ? endColumn - 1 : text.length
  if (column - 1 >= text.length || end <= column - 1) return text
  return (
    <>
      {text.slice(0, column - 1)}
      <mark>{text.slice(column - 1, end)}</mark>
      {text.slice(end)}
    </>
  )
}
