import type { Span } from '../types.ts'
import type { Assignment } from './assignments.ts'
import { isVendorKey } from './names.ts'
import { isDrawn } from './shapes.ts'
import { SAP_ROWS, TOKEN_ROWS, type TokenRow } from './table/index.ts'

/** Characters before a name in which its provider may be named. */
const REACH = 120

/** Where tools of one provider keep their settings: `whitesource.config.json`, `.snyk`. */
const CONFIGURATION = /(?:^|\/)((?:\.[a-z]|[\w-]{1,40}\.config)[^/]{0,40})$/i

interface NamedRow {
  readonly row: TokenRow
  readonly pattern: RegExp
  readonly words: RegExp
}

/** The rows that need a name, each with its pattern for a whole value; those of SAP are told by what they stand in. */
const NAMED_ROWS: readonly NamedRow[] = TOKEN_ROWS.flatMap((row) => {
  if (row.words === undefined || row.shape === undefined || SAP_ROWS.includes(row)) return []
  const words = row.words.join('|')
  return [{ row, pattern: new RegExp(`^(?:${row.shape})$`), words: new RegExp(`(?:^|[^a-z])(?:${words})`) }]
})

/** Around a value, what makes it complete. */
const BEFORE = 800
const BEHIND = 600

/** A row, and whether all that its credential needs stands beside it. */
export interface ProviderRow {
  readonly row: TokenRow
  readonly isComplete: boolean
}

/** The type of a value by the provider that its name, what stands right before it, the name of a configuration file, or what stands beside it speaks of. */
export function findProviderRow(
  { name, nameStart, end }: Assignment,
  value: string,
  text: string,
  path: string,
): ProviderRow | undefined {
  let context: string | undefined
  for (const { row, pattern, words } of NAMED_ROWS) {
    if (!pattern.test(value)) continue
    // `weatherKey` says whose it is, whatever stands before it
    context ??=
      `${CONFIGURATION.exec(path)?.[1] ?? ''}\n${isVendorKey(name) ? '' : text.slice(Math.max(0, nameStart - REACH), nameStart)}\n${name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')} ${name}`.toLowerCase()
    const isComplete = hasAllBeside(row, value, text, { start: nameStart, end })
    if (!(isComplete || words.test(context)) || !isDrawn(value, row)) continue
    if (row.near !== undefined && !row.near.test(context)) continue
    return { row, isComplete }
  }
  return undefined
}

function hasAllBeside({ complete }: TokenRow, value: string, text: string, { start, end }: Span): boolean {
  if (complete === undefined || !complete.value.test(value)) return false
  const around = text.slice(Math.max(0, start - BEFORE), end + BEHIND)
  return complete.beside.every((form) => form.test(around))
}
