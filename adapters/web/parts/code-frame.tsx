import { Fragment, type JSX } from 'preact'
import type { CodeToken, ReportFinding } from '../../../core/index.ts'
import { firstLineOf, sliceTokens, splitAtMatch } from '../../../core/report/code-lines.ts'
import { readCodeTokens } from '../../../core/report/code-tokens.ts'
import { say } from '../words/index.ts'
import { placeOf } from './text.tsx'

interface CodeFrameProps {
  readonly finding: ReportFinding
  /** The step of the flow that is looked at: its line is marked where the frame has it. */
  readonly step?: number
}

/** The code around a finding, with numbers, the match marked, and the steps of its flow at their lines. */
export function CodeFrame({ finding, step }: CodeFrameProps): JSX.Element | null {
  const { snippet, line, file, flow = [] } = finding
  if (snippet === undefined || line === undefined) return null
  const first = firstLineOf(line)
  const lines = readCodeTokens(snippet, file)
  return (
    <pre
      class="code-frame"
      tabIndex={0}
      role="group"
      aria-label={say('codeAt', { place: placeOf(file, line) })}
      translate={false}
      lang="zxx"
    >
      {lines.map((tokens, index) => {
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
              {isStep ? <Said tokens={tokens} /> : number === line ? markMatch(tokens, finding) : <Pieces tokens={tokens} />}
              {'\n'}
            </span>
          </span>
        )
      })}
    </pre>
  )
}

/** A whole file in the colours of its language. */
export function CodeText({ text, path }: { text: string; path: string }): JSX.Element {
  return (
    <>
      {readCodeTokens(text, path).map((tokens, index) => (
        <Fragment key={index}>
          <Pieces tokens={tokens} />
          {'\n'}
        </Fragment>
      ))}
    </>
  )
}

function Pieces({ tokens }: { tokens: readonly CodeToken[] }): JSX.Element {
  return (
    <>
      {tokens.map(({ kind, text }, index) =>
        kind === 'plain' ? (
          text
        ) : (
          <span key={index} class={`piece-${kind}`}>
            {text}
          </span>
        ),
      )}
    </>
  )
}

function markMatch(tokens: readonly CodeToken[], finding: ReportFinding): JSX.Element {
  const parts = splitAtMatch(tokens, finding)
  if (parts === undefined) return <Pieces tokens={tokens} />
  const [before, own, behind] = parts
  return (
    <>
      <Pieces tokens={before} />
      <mark>
        <Pieces tokens={own} />
      </mark>
      <Pieces tokens={behind} />
    </>
  )
}

/** A line of which everything behind its indentation is marked. */
function Said({ tokens }: { tokens: readonly CodeToken[] }): JSX.Element {
  const text = tokens.map((token) => token.text).join('')
  const start = text.length - text.trimStart().length
  return (
    <>
      {text.slice(0, start)}
      <span class="code-said">
        <Pieces tokens={sliceTokens(tokens, start, text.trimEnd().length)} />
      </span>
    </>
  )
}
