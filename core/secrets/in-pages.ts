import type { Span } from '../types.ts'
import type { TokenRow } from './table/index.ts'

const BESIDE = 400

/** Whether a key that some programs show in pages is shown in one. */
export function isOfPage({ inPages }: TokenRow, path: string, text: string, { start, end }: Span): boolean {
  if (inPages === undefined) return false
  return inPages.path.test(path) || inPages.near.test(text.slice(Math.max(0, start - BESIDE), end + BESIDE))
}

/** Whether what stands beside a key says that it pays for calls of one service, and opens nothing else. */
export function isForBilling({ billing }: TokenRow, text: string, { start, end }: Span): boolean {
  return billing?.near.test(text.slice(Math.max(0, start - BESIDE), end + BESIDE)) === true
}
