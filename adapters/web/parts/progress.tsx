import type { JSX } from 'preact'
import type { ScanPhase } from '../../../core/index.ts'
import { cancelScan, type ScanState } from '../state/scan.ts'
import { formatPercent, formatSize, say, type Word } from '../words/index.ts'
import { Icon } from './icons.tsx'
import { toVisible } from '../../../core/report/writers/characters.ts'

const STEPS: readonly { readonly phase: ScanPhase | 'sending'; readonly word: Word }[] = [
  { phase: 'sending', word: 'sendingStep' },
  { phase: 'waiting', word: 'phaseWaiting' },
  { phase: 'reading', word: 'phaseReadingStep' },
  { phase: 'asking', word: 'phaseAsking' },
  { phase: 'checking', word: 'phaseChecking' },
  { phase: 'reporting', word: 'phaseReporting' },
]

type Working = Extract<ScanState, { step: 'packing' | 'sending' | 'scanning' | 'busy' }>

function describe(state: Working): {
  phase: ScanPhase | 'sending'
  text: string
  done?: number
  total?: number
  detail?: string
} {
  const name = toVisible(state.name)
  if (state.step === 'busy')
    return { phase: 'waiting', text: say('busyTitle'), detail: say('busyDetail', { name, n: state.seconds }) }
  if (state.step === 'packing') {
    const { done, total } = state
    return { phase: 'sending', text: say('packing', { done, total }), done, total }
  }
  if (state.step === 'sending') {
    const { sent, size } = state
    return {
      phase: 'sending',
      text: say('sending', { percent: formatPercent(sent / Math.max(1, size)) }),
      done: sent,
      total: Math.max(1, size),
      detail: say('sendingOf', { sent: formatSize(sent), size: formatSize(size) }),
    }
  }
  const { progress } = state
  if (progress === undefined) return { phase: 'waiting', text: say('scanStarted') }
  const { phase, done, total } = progress
  const texts: Readonly<Record<ScanPhase, string>> = {
    waiting: say('phaseWaiting'),
    reading: say('phaseReading', { done, total }),
    asking: say('phaseAsking'),
    checking: say('phaseChecking'),
    reporting: say('phaseReporting'),
  }
  return { phase, text: texts[phase], ...(total > 0 && { done, total }) }
}

/** How far a scan is: bytes while it is sent, then what the server says. */
export function Progress({ state }: { state: Working }): JSX.Element {
  const { phase, text, done, total, detail } = describe(state)
  const at = STEPS.findIndex((step) => step.phase === phase)
  return (
    <section class="card progress" aria-label={say('scanning', { name: toVisible(state.name) })}>
      <h2 class="fd-title fd-title--h4">{say('scanning', { name: toVisible(state.name) })}</h2>
      <p class="progress-text" role="status">
        {text}
      </p>
      <progress aria-label={text} value={done} max={total} />
      <p class="quiet progress-detail">{detail ?? '\u00a0'}</p>
      <ol class="steps">
        {STEPS.map((step, index) => (
          <li
            key={step.phase}
            class={index < at ? 'done' : index === at ? 'current' : ''}
            aria-current={index === at ? 'step' : undefined}
          >
            <span class="step-mark">{index < at ? <Icon name="check" size={12} /> : index + 1}</span>
            {say(step.word)}
          </li>
        ))}
      </ol>
      <button type="button" class="fd-button" onClick={cancelScan}>
        {say('cancel')}
      </button>
    </section>
  )
}
