import {
  accessesOf,
  resolveValue,
  type Access,
  type CallValue,
  type Value,
  type Binding,
  type FunctionFact,
} from '../../facts/index.ts'
import { addTo, withFilled, type OpenCall } from './browser-targets.ts'
import { writtenPath } from './callees.ts'
import { appliedArguments, isIndirectCall } from '../values/arguments.ts'
import { behindFields } from '../fields/members.ts'
import type { FlowDraft } from '../graph/draft.ts'
import type { ForeignCall } from '../graph/environment.ts'
import { COPY } from '../types.ts'
import { bindingNode } from '../values/named-values.ts'
import { functionOf } from '../../facts/callbacks.ts'

/** `this.helper.run`, where `this.helper` is a module or made from one. */
export function calleesBehind(callee: Value & { readonly kind: 'member' }, draft: FlowDraft): readonly Access[] {
  const { object, name } = callee
  const own = accessesOf(callee)
  // a field of `this` that is called itself
  if (object.kind === 'this' && name !== undefined) {
    const owner = draft.owners.ownerBehind(object)
    const held = owner === undefined ? [] : draft.classes.fieldValues(owner, name).filter(({ kind }) => kind === 'call')
    return held.length === 0 ? own : [...own, ...held.flatMap((value) => accessesOf(value))]
  }
  if (object.kind !== 'member' || name === undefined || draft.owners.ownerBehind(object.object) === undefined) return own
  const behind = behindFields(object, draft).filter((value) => value !== object && value.kind !== 'member')
  if (behind.length === 0) return own
  return [
    ...own,
    ...behind.flatMap((value) =>
      accessesOf(value).map(({ root, binding, steps }) => ({ root, steps: [...steps, name], binding })),
    ),
  ]
}

/** `this.service().read` where a function of the file gives the service. */
export function methodsOfGiven(callee: Value & { readonly kind: 'member' }, draft: FlowDraft): readonly Access[] {
  const { object, name } = callee
  const giver = resolveValue(object)
  if (giver.kind !== 'call' || name === undefined) return []
  return calledIn(giver.callee, draft, giver).flatMap(({ returns }) =>
    returns.flatMap((value) => accessesOf(value).map(({ root, binding, steps }) => ({ root, steps: [...steps, name], binding }))),
  )
}

/** The functions of the project that a call may run. */
export function addCalled(callee: Value, paths: readonly string[], open: OpenCall, draft: FlowDraft, call?: CallValue): void {
  const { calling } = draft
  const first = calling.calls.length
  addKnown(callee, paths, open, draft, call)
  if (calling.calls.length === first || callee.kind !== 'member' || callee.name === undefined) return
  const owner = callee.object.kind === 'super' ? undefined : draft.owners.ownerBehind(callee.object)
  if (owner !== undefined) draft.calling.ownCalls.push({ call: first, owner, method: callee.name })
}

function addKnown(callee: Value, paths: readonly string[], open: OpenCall, draft: FlowDraft, call?: CallValue): void {
  const { calling } = draft
  // `run.call(this, x)`, `run.apply(this, [x])`
  const isIndirect = call?.kind === 'call' && isIndirectCall(call)
  const called = isIndirect && callee.kind === 'member' ? callee.object : callee
  const isApplied = called !== callee && callee.kind === 'member' && callee.name === 'apply'
  const indirect = (): readonly number[] =>
    isApplied && call !== undefined ? appliedArguments(call, draft) : open.args().slice(1)
  const targets = (call?.kind === 'new' ? constructorsOf(called, draft) : calledIn(called, draft, call)).flatMap(
    (fact) => calling.functions.get(fact) ?? [],
  )
  const given =
    (call?.kind === 'call' || call?.kind === 'new') && !isApplied ? (called === callee ? call.args : call.args.slice(1)) : []
  const receiver = draft.environment.calls.receiverOf(called, draft, open, call)
  if (targets.length > 0) {
    const args = called === callee ? open.args() : indirect()
    addTo(calling.calls, withFilled(given, open, draft), {
      args,
      targets,
      ...(receiver !== undefined && { receiver }),
      ...(isOfSuper(called) && { isSuper: true }),
    })
    return
  }
  const own = called === callee ? open : { args: indirect, result: open.result }
  draft.environment.calls.addForeign({ callee: called, paths, call, args: given }, own, draft)
}

/** On a server: a method that is inherited from another file, or a function that one exports. What only values tell, `callables` knows. */
export function addForeignOnServer({ callee, paths, call, args }: ForeignCall, open: OpenCall, draft: FlowDraft): void {
  if (callee.kind === 'super' || (callee.kind === 'member' && /^(?:this|super)$/.test(callee.object.kind)))
    addInherited(callee, open, draft, call)
  const receiver = draft.environment.calls.receiverOf(callee, draft, open, call)
  const ways = call !== undefined && callee.kind === 'member' && callee.object.kind === 'member' ? pathsBehind(callee, draft) : []
  for (const path of [...paths, ...ways]) {
    const [root = '', ...steps] = path.split(' ')
    if (!/^module:\.{0,2}\//.test(root) && !root.startsWith('module:#')) continue
    // `helper.run()`, `new Helper().run()`
    const name = steps.join('.').replace(/\.?new(?:\.|$)/, '#') || 'default'
    addTo(draft.calling.calls, withFilled(args, open, draft), {
      module: { source: root.slice('module:'.length), name: name.endsWith('#') ? `${name}constructor` : name },
      ...(receiver !== undefined && { receiver }),
    })
    return
  }
}

/** `this.repository.find`, where the field was given what another file makes. */
function pathsBehind(callee: Value & { readonly kind: 'member' }, draft: FlowDraft): readonly string[] {
  return calleesBehind(callee, draft).map(writtenPath)
}

/** `super(…)`, `super.find()` and `this.find()` of a class that another file has. */
function addInherited(callee: Value, open: OpenCall, draft: FlowDraft, call?: CallValue): void {
  const {
    calling,
    owners,
    classes: { parentOf },
  } = draft
  const isMember = callee.kind === 'member'
  const method = isMember ? callee.name : 'constructor'
  const self = isMember ? callee.object : callee
  const within = self.kind === 'this' ? self.function : call?.function
  const owner = within && owners.ownerOf(within)
  const receiver = within && draft.parameters.selfOf(within)
  const parent = owner && parentOf(owner)
  if (parent !== undefined && method !== undefined && parent.source.startsWith('.'))
    addTo(calling.calls, open, {
      module: { source: parent.source, name: `${parent.name}#${method}` },
      ...(receiver !== undefined && { receiver }),
    })
}

/** The object whose method is called. */
export function receiverOf(callee: Value, draft: FlowDraft, call?: CallValue): number | undefined {
  if (callee.kind !== 'member') return undefined
  const { object } = callee
  if (object.kind === 'super' && call !== undefined) return draft.parameters.selfOf(call.function)
  if (object.kind === 'this') return draft.parameters.selfOf(object.function)
  const made = madeObject(object)
  if (made === undefined) return draft.use(object)
  const known = draft.objects.receivers.get(callee)
  if (known !== undefined) return known
  // what the method puts into the object, is in it wherever it is used
  const node = draft.graph.add(object)
  draft.objects.receivers.set(callee, node)
  draft.graph.connect(draft.use(object), node, COPY)
  draft.graph.connect(node, bindingNode(made, draft), COPY)
  return node
}

/** `super.run`. */
export function isOfSuper(callee: Value): boolean {
  return callee.kind === 'member' && callee.object.kind === 'super'
}

/** The name of an object that the function made or was given by another one. */
function madeObject(object: Value): Binding | undefined {
  const binding = object.kind === 'reference' ? object.binding : undefined
  const [only] = binding?.definitions.length === 1 ? binding.definitions : []
  const isMade = only?.path.length === 0 && (only.value?.kind === 'new' || only.value?.kind === 'call')
  return isMade && binding?.module === undefined ? binding : undefined
}

/** What `new` runs. */
function constructorsOf(callee: Value, { classes: { lineage } }: FlowDraft): readonly FunctionFact[] {
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
