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

/** The type of a value by the provider that its name, what stands right before it, or the name of a configuration file speaks of. */
export function findProviderRow(
  { name, nameStart }: Assignment,
  value: string,
  text: string,
  path: string,
): TokenRow | undefined {
  let context: string | undefined
  for (const { row, pattern, words } of NAMED_ROWS) {
    if (!pattern.test(value)) continue
    // `weatherKey` says whose it is, whatever stands before it
    context ??=
      `${CONFIGURATION.exec(path)?.[1] ?? ''}\n${isVendorKey(name) ? '' : text.slice(Math.max(0, nameStart - REACH), nameStart)}\n${name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')} ${name}`.toLowerCase()
    if (!words.test(context) || !isDrawn(value, row)) continue
    if (row.near !== undefined && !row.near.test(context)) continue
    return row
  }
  return undefined
}
