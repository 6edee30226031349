import { signal } from '@preact/signals'
import { renderNow } from './render-now.ts'

/**
 * What goes on paper, where nothing can be opened. `form`: what a person hands on, the findings from HIGH on in full and the others as a table.
 * `full`: all of them in full.
 */
export type Paper = 'form' | 'full'

/** Findings beyond which it is asked which of the two is meant. */
export const ASK_FROM = 200

const printing = signal<Paper | undefined>(undefined)
let wanted: Paper = 'form'

addEventListener('beforeprint', () => renderNow(() => (printing.value = wanted)))
addEventListener('afterprint', () => {
  printing.value = undefined
  wanted = 'form'
})

export const usePrinting = (): Paper | undefined => printing.value
export const isPrinting = (): boolean => printing.peek() !== undefined

/** Opens the browser's own dialog; its shortcut prints the form. */
export function printReport(paper: Paper): void {
  wanted = paper
  print()
}
