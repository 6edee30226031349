import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { answerToken, tokenDialog } from '../state/api.ts'
import { say } from '../words/index.ts'
import { Message } from './message.tsx'
import { Modal } from './modal.tsx'

/** Asks for the token of a server that wants one. */
export function TokenDialog(): JSX.Element | null {
  const input = useRef<HTMLInputElement>(null)
  if (tokenDialog.value === 'closed') return null
  const send = (event: Event): void => {
    event.preventDefault()
    const token = input.current?.value.trim() ?? ''
    if (token !== '') answerToken(token)
  }
  return (
    <Modal title={say('tokenTitle')} onClose={() => tokenDialog.value !== 'closed' && answerToken(undefined)}>
      <form class="modal-form" onSubmit={send}>
        {tokenDialog.value === 'refused' && <Message kind="error" title={say('tokenRefused')} alert />}
        <p>{say('tokenDetail')}</p>
        <label>
          <span class="fd-form-label">{say('token')}</span>
          <input ref={input} class="fd-input" type="password" required autocomplete="current-password" />
        </label>
        <div class="modal-actions">
          <button type="submit" class="fd-button fd-button--emphasized">
            {say('tokenSend')}
          </button>
          <button type="button" class="fd-button fd-button--transparent" onClick={() => answerToken(undefined)}>
            {say('cancel')}
          </button>
        </div>
      </form>
    </Modal>
  )
}
