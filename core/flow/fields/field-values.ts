import { resolveValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import type { ClassRelations, FlowDraft } from '../graph/draft.ts'
import { parentOf } from '../calls/modules.ts'
import type { Lineage } from '../calls/lineage.ts'
import { extendedObject, type Owners } from '../calls/owners.ts'

/** The classes that those of the file extend. */
export function createParents(facts: ScriptFacts, lineage: Lineage): ClassRelations['parentOf'] {
  const parents = new Map<object, ReturnType<typeof parentOf>>()
  for (const fact of facts.classes) parents.set(fact, parentOf({ kind: 'class', start: fact.start, end: fact.end, class: fact }))
  for (const call of facts.calls) {
    const object = extendedObject(call)
    if (object !== undefined) parents.set(object, parentOf(call))
  }
  for (const [child, parent] of lineage.pairs) if (parents.get(child) === undefined) parents.set(child, parents.get(parent))
  return (owner) => parents.get(owner)
}

/** What is assigned to fields of `this`, and what classes and extended objects are written with. */
export function createFieldValues({ assignments, classes, calls }: ScriptFacts, owners: Owners): ClassRelations['fieldValues'] {
  const values = new Map<object, Map<string, Value[]>>()
  const add = (owner: object, name: string, value: Value): void => {
    const own = values.get(owner) ?? new Map<string, Value[]>()
    values.set(owner, own)
    const given = own.get(name)
    if (given === undefined) own.set(name, [value])
    else given.push(value)
  }
  for (const { target, value } of assignments) {
    const owner = target.name === undefined ? undefined : owners.ownerBehind(target.object)
    if (owner !== undefined && target.name !== undefined) add(owner, target.name, value)
  }
  for (const fact of classes)
    for (const { name, value } of fact.members)
      if (name !== undefined && value !== undefined && value.kind !== 'function') add(fact, name, value)
  for (const call of calls) {
    const object = extendedObject(call)
    for (const { key, value } of object?.fields ?? [])
      if (object !== undefined && key !== undefined && value.kind !== 'function') add(object, key, value)
  }
  return (owner, name) => values.get(owner)?.get(name) ?? []
}

/** The value itself, or what the field of `this` that it is was given. */
export function behindFields(value: Value, draft: FlowDraft): readonly Value[] {
  const here = resolveValue(value)
  if (here.kind !== 'member' || here.name === undefined) return [here]
  const owner = draft.owners.ownerBehind(here.object)
  const given = owner === undefined ? [] : draft.classes.fieldValues(owner, here.name)
  return given.length === 0 ? [here] : given
}
