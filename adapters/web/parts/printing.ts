import { signal } from '@preact/signals'
import { flushSync } from 'preact/compat'

const printing = signal(false)

// paper can't be opened: what is closed on the screen is printed open
addEventListener('beforeprint', () => flushSync(() => (printing.value = true)))
addEventListener('afterprint', () => (printing.value = false))

export const usePrinting = (): boolean => printing.value
export const isPrinting = (): boolean => printing.peek()
