import { constantOf, type CallValue } from '../../facts/index.ts'
import { FILLING_IN_PAGES } from '../models/collections.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { writeInto } from '../values/writes.ts'

/** `Object.assign(this, settings)`, `jQuery.extend(true, target, settings)`: also where nobody looks at what the call gives. */
export function addMergedFields({ args }: CallValue, paths: readonly string[], draft: FlowDraft): void {
  if (args.length < 2 || !paths.some((path) => FILLING_IN_PAGES.test(path))) return
  const [first, ...others] = args
  const isDeep = first !== undefined && constantOf(first) === true
  const [target, ...given] = isDeep ? others : args
  const owner = target && draft.owners.ownerBehind(target)
  if (owner !== undefined) for (const one of given) draft.fields.mergedInto.push({ owner, from: draft.use(one) })
  else if (target?.kind === 'reference' || target?.kind === 'member')
    for (const one of given) writeInto(target, draft.use(one), draft)
}
