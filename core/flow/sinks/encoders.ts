import { constantOf, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { ENCODER_NAMES } from '../tables/part-names.ts'

/** `esc(row.title)`, `escapeHtml(title)`. */
export function isEncoded(part: Value): boolean {
  return (
    'callee' in part &&
    part.args.some((given) => constantOf(given) === undefined) &&
    ENCODER_NAMES.test(lastNameOf(part.callee) ?? '')
  )
}
