import type { FunctionFact, ScriptFacts, Value } from '../../facts/index.ts'
import { append } from '../../lists.ts'
import type { FlowVariant } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { extendedObject } from './owners.ts'

export function isClass(value: Value): boolean {
  return value.kind === 'class' || extendedObject(value) !== undefined
}

/** Exported classes of one file that extend each other, with what the calls of methods of `this` run in each of them alone. */
export function variantsOf(
  names: ReadonlyMap<object, readonly string[]>,
  { ownCalls, calls, functions, step, classes: { lineage } }: FlowDraft,
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

/** Tells which classes keep something that all their objects see: static members, or names of the file that are given something again or grow. */
export function createSharedReader({ bindings, classes }: ScriptFacts): (owner: object) => boolean {
  const isBeside = (from: FunctionFact): boolean => {
    for (let fact: FunctionFact | undefined = from; fact !== undefined; fact = fact.parent)
      if (fact.owner !== undefined) return false
    return true
  }
  const keeps = bindings.some(
    ({ kind, function: within, additions, definitions }) =>
      kind !== 'parameter' && kind !== 'import' && (additions.length > 0 || definitions.length > 1) && isBeside(within),
  )
  const withStatic = new Set<object>(
    classes.filter(({ members }) =>
      members.some(
        ({ isStatic, value, name }) => isStatic && value !== undefined && value.kind !== 'function' && name !== 'metadata',
      ),
    ),
  )
  return (owner) => keeps || withStatic.has(owner)
}
