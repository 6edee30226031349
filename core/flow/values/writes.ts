import { constantOf, resolveValue, type Value } from '../../facts/index.ts'
import { moduleOfCall } from '../../facts/module-calls.ts'
import { COPY, MODULE_STORE, WRITE, type FlowCall } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { fillParameter } from '../fields/filled.ts'
import { addDataset } from '../pages/kept-in-controls.ts'
import { isFramework } from '../calls/modules.ts'
import { segmentsOf, storeOfCall, wrap } from '../pages/stores.ts'
import { bindingNode } from './named-values.ts'
import { calledIn } from '../calls/own-functions.ts'

const MAX_HOPS = 5

/** The arguments of a call that are objects which the app holds on to, with nodes of what the function puts into them. */
export function filledArguments(args: readonly Value[], draft: FlowDraft): FlowCall['filled'] {
  const found = args.flatMap((argument, index) => {
    if (!isHeld(argument)) return []
    const node = draft.graph.add(argument)
    writeInto(argument, node, draft)
    return [[index, node] as const]
  })
  return found.length === 0 ? undefined : found
}

/** A model, an object that was made here, a field of `this`, a parameter that is handed on. */
function isHeld(value: Value): boolean {
  const here = resolveValue(value)
  if (here.kind === 'call') return storeOfCall(here) !== undefined
  if (here.kind === 'member') return here.object.kind === 'this'
  if (value.kind !== 'reference' || value.binding === undefined) return false
  return here.kind === 'new' || here.kind === 'object' || here.kind === 'array' || value.binding.kind === 'parameter'
}

/** Puts something into the object that a value is, by whatever other name it is known: a name, a field of `this`, a model, a module. */
export function writeInto(target: Value, from: number, draft: FlowDraft, hops = 0): void {
  const { graph, use, ports, owners } = draft
  if (hops > MAX_HOPS) return
  draft.step()
  switch (target.kind) {
    case 'reference': {
      const { binding } = target
      // a constant text has no place for anything, whatever else the field holds that may be one
      if (binding === undefined || constantOf(target) !== undefined) return
      graph.connect(from, bindingNode(binding, draft), COPY)
      if (binding.module !== undefined) {
        const { source, name } = binding.module
        if (!isFramework(source))
          ports.push({ node: from, access: 'write', store: `${MODULE_STORE}${source}`, path: name === undefined ? [] : [name] })
        return
      }
      for (const { kind, value, path, parameter } of binding.definitions)
        if (kind === 'parameter' && parameter !== undefined && value === undefined)
          fillParameter(binding.function, parameter, wrap(from, path, target, draft), draft)
        else if (value !== undefined && (kind === 'init' || kind === 'assign'))
          writeInto(value, wrap(from, path, value, draft), draft, hops + 1)
      return
    }
    case 'member': {
      const { object, name } = target
      if (name === 'dataset') addDataset(from, 'write', draft)
      const owner = owners.ownerBehind(object)
      if (owner !== undefined) {
        if (name === undefined) return
        graph.connect(from, graph.ofField(owner, name, target), COPY)
        for (const value of draft.classes.fieldValues(owner, name)) writeInto(value, from, draft, hops + 1)
        return
      }
      const to = graph.add(target)
      graph.connect(from, to, WRITE, name ?? '*')
      return writeInto(object, to, draft, hops + 1)
    }
    case 'call': {
      const store = storeOfCall(target)
      if (store !== undefined) {
        ports.push({ node: from, access: 'write', ...store })
        return
      }
      graph.connect(from, use(target), COPY)
      // this.board().setProperty(…): what an own function hands out is what it found
      for (const { returns } of calledIn(target.callee, draft, target)) {
        draft.step(returns.length)
        for (const value of returns) writeInto(value, from, draft, hops + 1)
      }
      const module = moduleOfCall(target)
      if (module !== undefined && !isFramework(module.source))
        ports.push({ node: from, access: 'write', store: `${MODULE_STORE}${module.source}`, path: [] })
      // what a model hands out is its own: model.getData().text = …
      if (target.callee.kind !== 'member') return
      const { name = '', object } = target.callee
      if (name === 'getData' || name === 'getProperty' || name === 'getObject')
        writeInto(object, wrap(from, segmentsOf(target.args[0]), target, draft), draft, hops + 1)
      return
    }
    case 'await':
      return writeInto(target.value, from, draft, hops + 1)
    case 'choice':
      for (const option of target.options) writeInto(option, from, draft, hops + 1)
      return
    case 'new':
    case 'object':
    case 'array':
      graph.connect(from, use(target), COPY)
      return
    default:
  }
}
