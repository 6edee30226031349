import type { JSX } from 'preact'
import type { ReportFlowStep } from '../../../core/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { say } from '../words/index.ts'
import { Place } from './source.tsx'
import { Path } from './text.tsx'

interface FlowProps {
  readonly steps: readonly ReportFlowStep[]
  readonly at: number
  readonly onWalk: (step: number) => void
}

/** The way of the data from where it comes in to where it does harm. It is walked with the buttons, the arrow keys, or by choosing a step. */
export function Flow({ steps, at, onWalk }: FlowProps): JSX.Element {
  const last = steps.length - 1
  const shown = steps[at]
  const walk = (step: number): void => onWalk(Math.min(last, Math.max(0, step)))
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    event.stopPropagation()
    walk(at + by)
    const list = event.currentTarget instanceof Element ? event.currentTarget : undefined
    list?.querySelectorAll('button')[Math.min(last, Math.max(0, at + by))]?.focus()
  }
  return (
    <div class="flow" role="group" aria-label={say('flow')}>
      <div class="flow-head">
        <h4 class="fd-title fd-title--h6">{say('flow')}</h4>
        <span class="flow-count" aria-live="polite">
          {say('flowStep', { n: at + 1, total: steps.length })}
        </span>
        <button type="button" class="fd-button fd-button--transparent" disabled={at === 0} onClick={() => walk(at - 1)}>
          {say('flowPrevious')}
        </button>
        <button type="button" class="fd-button fd-button--transparent" disabled={at === last} onClick={() => walk(at + 1)}>
          {say('flowNext')}
        </button>
      </div>
      <ol class="flow-steps" onKeyDown={onKeyDown}>
        {steps.map((step, index) => (
          <li key={index} class={index === at ? 'flow-step current' : 'flow-step'}>
            <button
              type="button"
              aria-current={index === at ? 'step' : undefined}
              tabIndex={index === at ? 0 : -1}
              onClick={() => walk(index)}
            >
              <span class="flow-message">
                {index === 0 && <span class="flow-end">{say('flowSource')}</span>}
                {index === last && index > 0 && <span class="flow-end">{say('flowSink')}</span>}
                {toVisible(step.message)}
              </span>
              <Path file={step.file} line={step.line} column={step.column} />
            </button>
          </li>
        ))}
      </ol>
      {shown !== undefined && <Place file={shown.file} line={shown.line} text={say('flowSourceLink')} />}
    </div>
  )
}
