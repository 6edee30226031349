import { resolveValue, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { behindFields } from '../fields/field-values.ts'

/** What `new` runs. */
export function constructorsOf(callee: Value, { classes: { lineage } }: FlowDraft): readonly FunctionFact[] {
  const made = resolveValue(callee)
  if (made.kind === 'function') return [made.function]
  if (made.kind !== 'class') return []
  const own = made.class.members.flatMap(({ name, value }) =>
    name === 'constructor' && value?.kind === 'function' ? value.function : [],
  )
  const parent = own.length > 0 ? undefined : lineage.parentOf(made.class)
  return parent === undefined ? own : lineage.inherited(parent, 'constructor')
}

/** `super(x)`, `super.run(x)` of a class that the file has as well. */
function calledAbove(callee: Value, call: CallValue, { owners, classes: { lineage } }: FlowDraft): readonly FunctionFact[] {
  const owner = owners.ownerOf(call.function)
  const parent = owner && lineage.parentOf(owner)
  const name = callee.kind === 'member' ? callee.name : 'constructor'
  return parent === undefined || name === undefined ? [] : lineage.inherited(parent, name)
}

/** The functions of the file that a call may run. */
export function calledIn(callee: Value, draft: FlowDraft, call?: CallValue): readonly FunctionFact[] {
  if (call !== undefined && (callee.kind === 'super' || (callee.kind === 'member' && callee.object.kind === 'super')))
    return calledAbove(callee, call, draft)
  const direct = functionOf(callee)
  if (direct !== undefined) return [direct]
  if (callee.kind === 'reference')
    return (callee.binding?.definitions ?? []).flatMap(({ value }) => (value?.kind === 'function' ? value.function : []))
  if (callee.kind !== 'member') return []
  const { object, name } = callee
  if (name === undefined) return namedInTexts(object, draft)
  const owner = draft.owners.ownerBehind(object)
  if (owner !== undefined) {
    const own = draft.classes.lineage.inherited(owner, name)
    const instead = draft.classes.lineage.overriding(owner, name)
    return instead.length === 0 ? own : [...own, ...instead]
  }
  if (object.kind === 'this') return []
  const owned = ownedBehind(object, name, draft)
  if (owned.length > 0) return owned
  const behind = resolveValue(object)
  if (behind.kind === 'object') {
    const field = behind.fields.findLast(({ key }) => key === name)?.value
    const given = field && functionOf(field)
    return given === undefined ? [] : [given]
  }
  const made = behind.kind === 'new' ? resolveValue(behind.callee) : behind
  if (made.kind !== 'class') return []
  return made.class.members.flatMap(({ name: own, value }) => (own === name && value?.kind === 'function' ? value.function : []))
}

/** `this[viewer](attachment)`: the methods whose names the file writes as texts, which tables of them hold. */
function namedInTexts(object: Value, { owners, step, classes: { lineage } }: FlowDraft): readonly FunctionFact[] {
  const owner = object.kind === 'this' ? owners.ownerBehind(object) : undefined
  const found = owner === undefined ? [] : lineage.quotedMethods(owner)
  step(found.length)
  return found
}

/** `new Helper().run()`, also where a name or a field of `this` holds it, and `Helper.run()` of what was put into a name. */
function ownedBehind(object: Value, name: string, draft: FlowDraft): readonly FunctionFact[] {
  if (draft.realm !== 'browser') return []
  // Base.prototype.run.call(this, x)
  const base = object.kind === 'member' && object.name === 'prototype' ? draft.owners.classBehind(object.object) : undefined
  if (base !== undefined) return draft.classes.lineage.inherited(base, name)
  return behindFields(object, draft).flatMap((value) => {
    const owner = value.kind === 'object' ? value : draft.owners.classBehind(value)
    return owner === undefined ? [] : draft.classes.lineage.inherited(owner, name)
  })
}
