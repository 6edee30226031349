import type { ComponentChildren, JSX } from 'preact'
import { toVisible } from '../../../core/report/writers/characters.ts'
import type { Fault } from '../state/api.ts'
import { say } from '../words/index.ts'
import { Icon, type IconName } from './icons.tsx'

const KINDS = {
  information: { style: 'fd-message-strip--information', icon: 'info' },
  warning: { style: 'fd-message-strip--warning', icon: 'warning' },
  error: { style: 'fd-message-strip--error', icon: 'error' },
  success: { style: 'fd-message-strip--success', icon: 'check' },
} as const satisfies Readonly<Record<string, { style: string; icon: IconName }>>

interface MessageProps {
  readonly kind: keyof typeof KINDS
  readonly title: string
  readonly children?: ComponentChildren
  /** Buttons and links. */
  readonly actions?: ComponentChildren
  /** It appears while somebody reads something else: it is read out. */
  readonly alert?: boolean
}

export function Message({ kind, title, children, actions, alert = false }: MessageProps): JSX.Element {
  const { style, icon } = KINDS[kind]
  return (
    <div class={`message fd-message-strip ${style}`} role={alert ? 'alert' : undefined}>
      <span class="message-icon">
        <Icon name={icon} />
      </span>
      <div class="message-text">
        <p class="message-title">{title}</p>
        {children}
        {actions !== undefined && <div class="message-actions">{actions}</div>}
      </div>
    </div>
  )
}

/** What the server refused, in its own words, and by which number its operator finds it in the log. */
interface FaultProps {
  readonly fault: Fault
  readonly actions?: ComponentChildren
  /** The file or folder that it is about. */
  readonly about?: string
}

export function FaultMessage({ fault, actions, about }: FaultProps): JSX.Element {
  if (fault.kind === 'offline') {
    return (
      <Message kind="error" title={say('offlineTitle')} actions={actions} alert>
        <p>{say('offlineDetail')}</p>
      </Message>
    )
  }
  const { title, detail, instance, entry, errors = [] } = fault.problem
  return (
    <Message kind="error" title={title} actions={actions} alert>
      {about !== undefined && <p class="path">{toVisible(about)}</p>}
      {errors.length === 0 && <p>{detail}</p>}
      {errors.map(({ path, message }) => (
        <p key={path}>
          {path === 'dirPath' ? say('folderLabel') : path === '' ? null : <code>{toVisible(path)}</code>} {message}
        </p>
      ))}
      {entry !== undefined && (
        <p>
          {say('entry')}: <code translate={false}>{toVisible(entry)}</code>
        </p>
      )}
      <p class="request-id">{say('requestId', { id: instance })}</p>
    </Message>
  )
}

interface EmptyProps {
  readonly title: string
  readonly children?: ComponentChildren
  /** There is nothing else on the screen. */
  readonly screen?: boolean
}

/** A calm place where there is nothing to list. */
export function Empty({ title, children, screen = false }: EmptyProps): JSX.Element {
  return (
    <div class="empty">
      {screen ? <h1 class="empty-title">{title}</h1> : <p class="empty-title">{title}</p>}
      {children}
    </div>
  )
}

/** What every screen shows until its data is there. */
export function Pending({ fault, retry }: { fault?: Fault; retry: () => void }): JSX.Element {
  if (fault === undefined)
    return (
      <p class="pending" role="status">
        {say('loading')}
      </p>
    )
  return (
    <FaultMessage
      fault={fault}
      actions={
        <button type="button" class="fd-button fd-button--emphasized" onClick={retry}>
          {say('retry')}
        </button>
      }
    />
  )
}
