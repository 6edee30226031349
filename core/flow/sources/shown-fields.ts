import type { Definition, Value } from '../../facts/index.ts'
import { READS } from '../tables/requests.ts'

/** Names of fields at which data of a request begins: these places are shown. */
export const SHOWN: ReadonlySet<string> = new Set(Object.values(READS).flatMap((fields) => Object.keys(fields ?? {})))

/** `req.data`, `req.data.name`, `data.name` of `({ data })`: where a reader sees that data comes in. */
export function isShown({ name, object }: Value & { readonly kind: 'member' }): boolean {
  if (name !== undefined && SHOWN.has(name)) return true
  if (object.kind === 'reference') return isTaken(object.binding?.definitions ?? [])
  return object.kind === 'member' && isShown(object)
}

/** Of one pattern alone: names of minified scripts have thousands of definitions. */
function isTaken([definition, other]: readonly Definition[]): boolean {
  return other === undefined && SHOWN.has(definition?.path.at(-1) ?? '')
}
