import type { Value } from '../../facts/index.ts'
import { READS } from '../tables/requests.ts'

/** Names of fields at which data of a request begins: these places are shown. */
export const SHOWN: ReadonlySet<string> = new Set(Object.values(READS).flatMap((fields) => Object.keys(fields ?? {})))

/** `req.data`, `req.data.name`, and `data`, `data.name` of a pattern: where a reader sees that data comes in. */
export function isShown(value: Value): boolean {
  if (value.kind === 'reference')
    return value.binding?.definitions.some(({ path }) => path.some((field) => SHOWN.has(field))) === true
  if (value.kind !== 'member') return false
  return (value.name !== undefined && SHOWN.has(value.name)) || isShown(value.object)
}
