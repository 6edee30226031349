import type { ComponentChildren, JSX } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface ModalProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** The browser's own dialog: it keeps the focus, closes with Escape and gives the focus back. */
export function Modal({ title, onClose, children }: ModalProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    // one that is taken away open would leave the focus nowhere
    return () => current?.close()
  }, [])
  return (
    <dialog ref={dialog} class="modal" aria-labelledby={id} onClose={onClose}>
      <h2 id={id} class="fd-title fd-title--h4">
        {title}
      </h2>
      {children}
    </dialog>
  )
}
