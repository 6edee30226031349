import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { DECISION_STATES } from '../../../core/projects/decision-types.ts'
import type { DecidedFinding, DecisionText as Text, ReportFinding } from '../../../core/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { toFault, type Fault } from '../state/api.ts'
import { decide, fetchDecisions, readChanged, signer, withdraw, type Seen } from '../state/decisions.ts'
import { say, sayOf } from '../words/index.ts'
import { DecisionText } from './decision.tsx'
import { toOption } from './filter-bar.tsx'
import { FaultMessage } from './message.tsx'
import { Modal } from './modal.tsx'

interface DialogProps {
  readonly project: string
  readonly findings: readonly ReportFinding[]
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Decides on one finding, or on several at once. */
export function DecisionDialog({ project, findings, onClose, onDone }: DialogProps): JSX.Element {
  const [first] = findings
  const before = findings.length === 1 ? first?.decision : undefined
  const [text, setText] = useState({
    state: before?.state ?? 'accepted',
    reason: before?.reason ?? '',
    until: before?.until ?? '',
    owner: before?.owner ?? '',
    by: signer.peek(),
  })
  const [fault, setFault] = useState<Fault>()
  /** What somebody else decided meanwhile: it was read, so it may be replaced. */
  const [changed, setChanged] = useState<readonly DecidedFinding[]>([])
  const [busy, setBusy] = useState(false)
  const seen = findings.map(({ id, decision }): Seen => {
    const now = changed.find(({ findingId }) => findingId === id)
    const etag = now === undefined ? decision?.etag : now.decision?.etag
    return { id, ...(etag !== undefined && { etag }) }
  })
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    try {
      await work()
      onDone()
      onClose()
    } catch (error) {
      setFault(toFault(error))
      setChanged([...changed, ...(readChanged(error) ?? [])])
      setBusy(false)
    }
  }
  const save = (event: Event): void => {
    event.preventDefault()
    const filled = Object.entries(text).flatMap(([key, value]) => (value.trim() === '' ? [] : [[key, value.trim()] as const]))
    const { state, reason } = text
    const said: Text = { ...Object.fromEntries(filled), state, reason: reason.trim() }
    void run(() => decide(project, seen, said))
  }
  const [only] = seen
  return (
    <Modal title={say('decisionOn', { n: findings.length })} onClose={onClose}>
      <form class="modal-form" onSubmit={save}>
        {fault !== undefined && <FaultMessage fault={fault} />}
        {changed.length > 0 && <Present changed={changed} />}
        {findings.length === 1 && <p>{toVisible(first?.title ?? '')}</p>}
        <Field label={say('decision')}>
          <select value={text.state} onChange={({ currentTarget }) => setText({ ...text, state: stateOf(currentTarget.value) })}>
            {DECISION_STATES.map((state) => toOption(state, sayOf('decision', state)))}
          </select>
        </Field>
        {FIELDS.map(({ name, word, ...rest }) => (
          <Field key={name} label={say(word)} required={'required' in rest}>
            <input
              class="fd-input"
              value={text[name]}
              onInput={({ currentTarget }) => setText({ ...text, [name]: currentTarget.value })}
              {...rest}
            />
          </Field>
        ))}
        {before !== undefined && first !== undefined && <Former project={project} id={first.id} />}
        <div class="modal-actions">
          <button type="submit" class="fd-button fd-button--emphasized" disabled={busy}>
            {say('save')}
          </button>
          {only?.etag !== undefined && seen.length === 1 && (
            <button
              type="button"
              class="fd-button fd-button--negative"
              disabled={busy}
              onClick={() => void run(() => withdraw(project, only))}
            >
              {say('withdraw')}
            </button>
          )}
          <button type="button" class="fd-button fd-button--transparent" onClick={onClose}>
            {say('cancel')}
          </button>
        </div>
      </form>
    </Modal>
  )
}

const FIELDS = [
  { name: 'reason', word: 'reason', required: true, maxLength: 1000 },
  { name: 'until', word: 'decisionUntil', type: 'date' },
  { name: 'owner', word: 'decisionOwner', maxLength: 100 },
  { name: 'by', word: 'decisionBy', required: true, maxLength: 100, autocomplete: 'name' },
] as const

const stateOf = (value: string): Text['state'] => DECISION_STATES.find((state) => state === value) ?? 'accepted'

interface FieldProps {
  readonly label: string
  readonly required?: boolean
  readonly children: ComponentChildren
}

function Field({ label, required = false, children }: FieldProps): JSX.Element {
  return (
    <label>
      <span class="fd-form-label">
        {label} {required && <span class="quiet">{say('required')}</span>}
      </span>
      {children}
    </label>
  )
}

function Present({ changed }: { changed: readonly DecidedFinding[] }): JSX.Element {
  return (
    <div class="present">
      <p>{say('presentDecision')}</p>
      {changed
        .slice(-5)
        .map(({ findingId, decision }) =>
          decision === undefined ? <p key={findingId}>–</p> : <DecisionText key={findingId} decision={decision} />,
        )}
    </div>
  )
}

/** What was decided before. */
function Former({ project, id }: { project: string; id: string }): JSX.Element | null {
  const [found, setFound] = useState<DecidedFinding>()
  useEffect(() => {
    fetchDecisions(project).then(
      (all) => setFound(all.find(({ findingId }) => findingId === id)),
      () => undefined,
    )
  }, [id])
  return found === undefined ? null : <FormerList finding={found} />
}

export function FormerList({ finding: { history } }: { finding: DecidedFinding }): JSX.Element | null {
  if (history.length === 0) return null
  return (
    <details class="former">
      <summary>{say('formerly', { n: history.length })}</summary>
      {history.map((decision) => (
        <DecisionText key={decision.at} decision={decision} />
      ))}
    </details>
  )
}
