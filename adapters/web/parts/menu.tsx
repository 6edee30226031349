import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface MenuProps {
  readonly class: string
  readonly label: ComponentChildren
  readonly labelClass?: string
  readonly children: ComponentChildren
}

/** Something that opens below its button. It closes with Escape, with a choice, and when the reader goes elsewhere. */
export function Menu({ class: kind, label, labelClass, children }: MenuProps): JSX.Element {
  const menu = useRef<HTMLDetailsElement>(null)
  const close = (): void => menu.current?.removeAttribute('open')
  useEffect(() => {
    const leave = ({ target }: Event): void => {
      if (target instanceof Node && !menu.current?.contains(target)) close()
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
    }
  }, [])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || menu.current?.open !== true) return
    close()
    menu.current.querySelector('summary')?.focus()
  }
  const onClick = ({ target }: MouseEvent): void => {
    if (!(target instanceof Element) || target.closest('li button') === null) return
    close()
    menu.current?.querySelector('summary')?.focus()
  }
  return (
    <details class={kind} ref={menu} onKeyDown={onKeyDown} onClick={onClick}>
      <summary class={labelClass}>{label}</summary>
      {children}
    </details>
  )
}
