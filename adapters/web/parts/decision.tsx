import { createContext, type JSX } from 'preact'
import { useContext } from 'preact/hooks'
import type { Decision, ReportFinding } from '../../../core/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { formatDate, formatDay, say, sayOf } from '../words/index.ts'

/** Opens the dialog that decides; undefined where nothing can be decided. */
export const Decide = createContext<((findings: readonly ReportFinding[]) => void) | undefined>(undefined)

export function DecideButton({ finding }: { finding: ReportFinding }): JSX.Element | null {
  const decide = useContext(Decide)
  if (decide === undefined) return null
  return (
    <button type="button" class="fd-button decide" onClick={() => decide([finding])}>
      {say('decide')}
    </button>
  )
}

/** What was decided, in a word. */
export function DecisionMark({ decision }: { decision: Pick<Decision, 'state' | 'expired'> | undefined }): JSX.Element | null {
  if (decision === undefined) return null
  return (
    <span class={decision.expired ? 'kind expired' : 'kind'}>
      {sayOf('decision', decision.state)}
      {decision.expired && ` (${say('expired')})`}
    </span>
  )
}

type Told = Omit<Decision, 'state' | 'expired' | 'etag'> & { readonly state: string; readonly expired?: boolean }

/** Who decided what, when and why. */
export function DecisionText({ decision }: { decision: Told }): JSX.Element {
  const { state, reason, by, owner, until, at, expired = false } = decision
  const facts = [
    by !== undefined && say('decidedBy', { by: toVisible(by) }),
    formatDate(at),
    until !== undefined && say('decidedUntil', { date: formatDay(until) }) + (expired ? ` (${say('expired')})` : ''),
    owner !== undefined && `${say('decisionOwner')}: ${toVisible(owner)}`,
  ]
  return (
    <p class={expired ? 'decision expired' : 'decision'}>
      <b>{sayOf('decision', state)}</b> {toVisible(reason)} <span class="quiet">{facts.filter(Boolean).join(', ')}</span>
    </p>
  )
}
