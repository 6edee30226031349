import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { chooseShortcuts, shortcuts } from '../state/settings.ts'
import { say } from '../words/index.ts'
import { Modal } from './modal.tsx'

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.finding > summary')]

function move(by: number): void {
  const all = rows()
  const active = document.activeElement?.closest('.finding')?.querySelector<HTMLElement>('summary')
  const at = active === null || active === undefined ? (by > 0 ? -1 : all.length) : all.indexOf(active)
  const next = all[Math.min(all.length - 1, Math.max(0, at + by))]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

const isOnRow = (): boolean => document.activeElement?.matches('.finding > summary') === true

function setOpen(open: boolean): boolean {
  const { activeElement } = document
  if (activeElement === null) return false
  const { parentElement } = activeElement
  if (parentElement instanceof HTMLDetailsElement) parentElement.open = open
  return true
}

/** Keys as those of SonarQube; in a field, and with a modifier, a key is a key. */
function heed(event: KeyboardEvent, openHelp: () => void): void {
  const { target, key } = event
  if (!shortcuts.value || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null)
    return
  if (target instanceof Element && target.closest('input, select, textarea, .flow-steps, .code-frame') !== null) return
  const search = document.querySelector<HTMLInputElement>('input[type=search]')
  const isHeeded =
    (key === '?' && (openHelp(), true)) ||
    (key === '/' && search !== null && (search.focus(), search.select(), true)) ||
    (rows().length > 0 &&
      ((key === 'j' && (move(1), true)) ||
        (key === 'k' && (move(-1), true)) ||
        // elsewhere the arrows scroll
        (isOnRow() &&
          ((key === 'ArrowDown' && (move(1), true)) ||
            (key === 'ArrowUp' && (move(-1), true)) ||
            (key === 'ArrowRight' && setOpen(true)) ||
            (key === 'ArrowLeft' && setOpen(false))))))
  if (isHeeded) event.preventDefault()
}

export function Help({ open, onOpen }: { open: boolean; onOpen: (open: boolean) => void }): JSX.Element | null {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => heed(event, () => onOpen(true))
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  if (!open) return null
  const keys = [
    ['j k', say('helpMove')],
    ['↑ ↓', say('helpArrows')],
    ['→ ←', say('helpOpen')],
    ['/', say('helpSearch')],
    ['?', say('helpHelp')],
  ] as const
  return (
    <Modal title={say('helpTitle')} onClose={() => onOpen(false)}>
      <dl class="keys">
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={shortcuts.value}
          onChange={({ currentTarget }) => chooseShortcuts(currentTarget.checked)}
        />
        {say('helpOn')}
      </label>
      <div class="modal-actions">
        <button type="button" class="fd-button fd-button--emphasized" onClick={() => onOpen(false)}>
          {say('close')}
        </button>
      </div>
    </Modal>
  )
}
