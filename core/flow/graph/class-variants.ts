import type { Value } from '../../facts/index.ts'
import { append } from '../../lists.ts'
import type { FlowVariant } from '../types.ts'
import type { FlowDraft } from './draft.ts'
import { extendedObject } from './owners.ts'

export function isClass(value: Value): boolean {
  return value.kind === 'class' || extendedObject(value) !== undefined
}

/** Exported classes of one file that extend each other, with what the calls of methods of `this` run in each of them alone. */
export function variantsOf(
  names: ReadonlyMap<object, readonly string[]>,
  { lineage, ownCalls, calls, functions, step }: FlowDraft,
): FlowVariant[] {
  if (lineage.pairs.length === 0) return []
  const above = new Map<object, object[]>()
  for (const [child, parent] of lineage.pairs) {
    append(above, child, parent)
    if (!above.has(parent)) above.set(parent, [])
  }
  return [...names].flatMap(([owner, classes]): FlowVariant[] => {
    const parents = above.get(owner)
    if (parents === undefined) return []
    step(ownCalls.length)
    const changed = ownCalls.flatMap(({ call, owner: within, method }) => {
      if (within !== owner && !parents.includes(within)) return []
      const targets = lineage.inherited(owner, method).flatMap((fact) => functions.get(fact) ?? [])
      const known = calls[call]?.targets ?? []
      return targets.length === known.length || targets.length === 0 ? [] : [[call, targets] as const]
    })
    return changed.length === 0 ? [] : [{ classes, calls: changed }]
  })
}
