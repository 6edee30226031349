import { signal } from '@preact/signals'
import type { ComponentChild, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Pending } from './message.tsx'

interface Loading<Props> {
  readonly component?: (props: Props) => ComponentChild
  readonly failed?: true
}

/** A part of the page whose script is loaded when it is shown first: the first view does not wait for it. */
export function later<Props extends object>(
  load: () => Promise<(props: Props) => ComponentChild>,
): (props: Props & { key?: string }) => JSX.Element {
  const state = signal<Loading<Props>>({})
  const start = (): void => {
    state.value = {}
    load().then(
      (component) => (state.value = { component }),
      () => (state.value = { failed: true }),
    )
  }
  return function Later(props) {
    const { component: Component, failed } = state.value
    useEffect(() => {
      if (state.peek().component === undefined) start()
    }, [])
    if (Component === undefined) return <Pending fault={failed && { kind: 'offline' }} retry={start} />
    return <Component {...props} />
  }
}
