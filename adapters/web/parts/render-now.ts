import { options } from 'preact'

/** Paints what a change makes before anything else happens: what is printed is what stands there in the same moment. */
export function renderNow(change: () => void): void {
  const { debounceRendering } = options
  let render: (() => void) | undefined
  options.debounceRendering = (scheduled) => {
    render = scheduled
  }
  try {
    change()
    render?.()
  } finally {
    options.debounceRendering = debounceRendering
  }
}
