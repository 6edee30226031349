import { Component, type JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ReportFinding } from '../../../core/index.ts'
import { listOtherPlaces } from '../../../core/report/list-findings.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { suppressionText } from '../../terminal/suppression-line.ts'
import { say, sayOf } from '../words/index.ts'
import { href } from '../state/router.ts'
import { CodeFrame } from './code-frame.tsx'
import { DecideButton, DecisionMark, DecisionText } from './decision.tsx'
import { Flow } from './flow.tsx'
import { SeverityBadge } from './severity.tsx'
import { Place } from './source.tsx'
import { CopyButton, Path, placeOf, Prose, WebLink } from './text.tsx'

interface FindingProps {
  readonly finding: ReportFinding
  readonly open: boolean
  readonly onToggle: (id: string, open: boolean) => void
  /** Its rule stands above it: the row says what was seen here instead. */
  readonly underRule?: boolean
}

export const findingAnchor = (id: string): string => `f-${id}`

/** A finding: its row, and what a reader needs to judge and repair it, made when it is opened. One that did not change is not made again with its list. */
export class Finding extends Component<FindingProps> {
  override shouldComponentUpdate({ finding, open, onToggle, underRule }: FindingProps): boolean {
    const { props } = this
    return finding !== props.finding || open !== props.open || onToggle !== props.onToggle || underRule !== props.underRule
  }
  override render(): JSX.Element {
    return <Row {...this.props} />
  }
}

function Row({ finding, open, onToggle, underRule = false }: FindingProps): JSX.Element {
  const { id, severity, title, message, file, line, column, ruleId, cwe, confidence } = finding
  return (
    <details
      id={findingAnchor(id)}
      class={`finding ${severity.toLowerCase()}`}
      open={open}
      onToggle={(event) => onToggle(id, event.currentTarget.open)}
    >
      <summary>
        <SeverityBadge severity={severity} />
        <span class={underRule ? 'finding-title seen' : 'finding-title'}>{toVisible(underRule ? message : title)}</span>
        <Path file={file} line={line} column={column} />
        <span class="finding-facts">
          {!underRule && <code translate={false}>{ruleId}</code>}
          {cwe.map((name) => (
            <span key={name}>{name}</span>
          ))}
          <DecisionMark decision={finding.decision} />
          <span>{say('confidenceIs', { level: sayOf('confidence', confidence) })}</span>
        </span>
      </summary>
      {open && <FindingBody finding={finding} underRule={underRule} />}
    </details>
  )
}

function FindingBody({ finding, underRule }: { finding: ReportFinding; underRule: boolean }): JSX.Element {
  const { id, ruleId, grade, message, why, fix, docs, cwe, flow = [], advisories = [], file, line } = finding
  const others = listOtherPlaces(finding)
  const [step, setStep] = useState(0)
  const link = (): string => {
    const target = new URL(location.href)
    target.search = ''
    target.hash = findingAnchor(id)
    return target.href
  }
  return (
    <div class="finding-body">
      {!underRule && (
        <p class="finding-message">
          <Prose text={message} />
        </p>
      )}
      {finding.decision !== undefined && <DecisionText decision={finding.decision} />}
      <CodeFrame finding={finding} step={flow.length > 0 ? step : undefined} />
      {flow.length > 0 && <Flow steps={flow} at={step} onWalk={setStep} />}
      {grade !== undefined && (
        <p class="quiet">
          <b>{say('whyGrade')}</b> {grade.because}
        </p>
      )}
      <div class="why-fix">
        <section>
          <h4 class="fd-title fd-title--h6">{say('why')}</h4>
          <p>
            <Prose text={why} />
          </p>
        </section>
        <section>
          <h4 class="fd-title fd-title--h6">{say('fix')}</h4>
          <p>
            <Prose text={fix} />
          </p>
        </section>
      </div>
      {advisories.length > 0 && (
        <section>
          <h4 class="fd-title fd-title--h6">{say('advisories')}</h4>
          <ul class="advisories">
            {advisories.map((advisory) => (
              <li key={advisory.id}>
                <SeverityBadge severity={advisory.severity} /> <WebLink url={advisory.url} text={advisory.id} />{' '}
                {toVisible(advisory.title)}
                {advisory.fixedIn !== undefined && (
                  <span class="quiet"> {say('fixedIn', { version: toVisible(advisory.fixedIn) })}</span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {others.length > 0 && (
        <section>
          <h4 class="fd-title fd-title--h6">{say('also')}</h4>
          <ul class="places">
            {others.map((at) => (
              <li key={placeOf(at.file, at.line)}>
                <Place file={at.file} line={at.line} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <div class="finding-actions">
        <a class="fd-link" href={href(`rules/${ruleId}`)}>
          {say('rulePage')}
        </a>
        <WebLink url={docs} text={say('docs')} />
        <Place file={file} line={line} text={say('openSource')} />
        {cwe.map((name) => (
          <WebLink key={name} url={`https://cwe.mitre.org/data/definitions/${name.replace(/\D/g, '')}.html`} text={name} />
        ))}
        <span class="spacer" />
        <CopyButton text={link} label={say('copyLink')} />
        <CopyButton text={fix} label={say('copyFix')} />
        <CopyButton text={placeOf(file, line)} label={say('copyPlace')} />
        <CopyButton text={() => suppressionText(finding, say('suppressionReason'))} label={say('copySuppression')} />
        <DecideButton finding={finding} />
      </div>
    </div>
  )
}
