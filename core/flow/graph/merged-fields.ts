import { constantOf, type CallValue } from '../../facts/index.ts'
import type { FlowDraft } from './draft.ts'
import { writeInto } from './writes.ts'

/** Calls that put the fields of objects into their first argument. Facts: ECMAScript, Object.assign; jQuery 3.7, extend; API of sap/base/util. */
const FILLING = /^(?:global:Object assign|global:(?:jQuery|\$) extend|module:sap\/base\/util\/(?:extend|deepExtend|merge))$/

/** `Object.assign(this, settings)`, `jQuery.extend(true, target, settings)`: also where nobody looks at what the call gives. */
export function addMergedFields({ args }: CallValue, paths: readonly string[], draft: FlowDraft): void {
  if (args.length < 2 || !paths.some((path) => FILLING.test(path))) return
  const [first, ...others] = args
  const isDeep = first !== undefined && constantOf(first) === true
  const [target, ...given] = isDeep ? others : args
  const owner = target && draft.owners.ownerBehind(target)
  if (owner !== undefined) for (const one of given) draft.mergedInto.push({ owner, from: draft.use(one) })
  else if (target?.kind === 'reference' || target?.kind === 'member')
    for (const one of given) writeInto(target, draft.use(one), draft)
}
