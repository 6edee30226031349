import type { Value } from '../../facts/index.ts'
import { READS } from '../tables/requests.ts'

/** Names of fields at which data of a request begins: these places are shown. */
export const SHOWN: ReadonlySet<string> = new Set(Object.values(READS).flatMap((fields) => Object.keys(fields ?? {})))

/** `req.data`, `req.data.name`, `data.name` of `({ data })`: where a reader sees that data comes in. */
export function isShown({ name, object }: Value & { readonly kind: 'member' }): boolean {
  if (name !== undefined && SHOWN.has(name)) return true
  if (object.kind === 'reference') return object.binding?.definitions.some(({ path }) => SHOWN.has(path.at(-1) ?? '')) === true
  return object.kind === 'member' && isShown(object)
}
