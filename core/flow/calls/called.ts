import { accessesOf, resolveValue, type Access, type CallValue, type Value } from '../../facts/index.ts'
import { isOfSuper } from './receivers.ts'
import { addTo, withFilled, type OpenCall } from './browser-targets.ts'
import { writtenPath } from './callees.ts'
import { appliedArguments, isIndirectCall } from '../values/arguments.ts'
import { calledIn, constructorsOf } from './own-functions.ts'
import { behindFields } from '../fields/field-values.ts'
import type { FlowDraft } from '../graph/draft.ts'
import type { ForeignCall } from '../graph/environment.ts'

/** `this.helper.run`, where `this.helper` is a module or made from one. */
export function calleesBehind(callee: Value & { readonly kind: 'member' }, draft: FlowDraft): readonly Access[] {
  const { object, name } = callee
  const own = accessesOf(callee)
  // a field of `this` that is called itself
  if (object.kind === 'this' && name !== undefined) {
    const owner = draft.owners.ownerBehind(object)
    const held = owner === undefined ? [] : draft.classes.fieldValues(owner, name).filter(({ kind }) => kind === 'call')
    return [...own, ...held.flatMap((value) => accessesOf(value))]
  }
  if (object.kind !== 'member' || name === undefined || draft.owners.ownerBehind(object.object) === undefined) return own
  const behind = behindFields(object, draft).filter((value) => value !== object && value.kind !== 'member')
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
  const { calls } = draft
  const first = calls.length
  addKnown(callee, paths, open, draft, call)
  if (calls.length === first || callee.kind !== 'member' || callee.name === undefined) return
  const owner = callee.object.kind === 'super' ? undefined : draft.owners.ownerBehind(callee.object)
  if (owner !== undefined) draft.ownCalls.push({ call: first, owner, method: callee.name })
}

function addKnown(callee: Value, paths: readonly string[], open: OpenCall, draft: FlowDraft, call?: CallValue): void {
  const { functions, calls } = draft
  // `run.call(this, x)`, `run.apply(this, [x])`
  const isIndirect = call?.kind === 'call' && isIndirectCall(call)
  const called = isIndirect && callee.kind === 'member' ? callee.object : callee
  const isApplied = called !== callee && callee.kind === 'member' && callee.name === 'apply'
  const indirect = (): readonly number[] =>
    isApplied && call !== undefined ? appliedArguments(call, draft) : open.args().slice(1)
  const targets = (call?.kind === 'new' ? constructorsOf(called, draft) : calledIn(called, draft, call)).flatMap(
    (fact) => functions.get(fact) ?? [],
  )
  const given =
    (call?.kind === 'call' || call?.kind === 'new') && !isApplied ? (called === callee ? call.args : call.args.slice(1)) : []
  const receiver = draft.environment.calls.receiverOf(called, draft, open, call)
  if (targets.length > 0) {
    const args = called === callee ? open.args() : indirect()
    addTo(calls, withFilled(given, open, draft), {
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
    addTo(draft.calls, withFilled(args, open, draft), {
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
    calls,
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
    addTo(calls, open, {
      module: { source: parent.source, name: `${parent.name}#${method}` },
      ...(receiver !== undefined && { receiver }),
    })
}
