import type { Value } from '../../facts/index.ts'
import { COPY, MODULE_STORE, WRITE } from '../types.ts'
import type { FlowDraft } from './draft.ts'
import { isFramework } from './modules.ts'
import { segmentsOf, storeOfCall, wrap } from './stores.ts'
import { bindingNode } from './values.ts'

const MAX_HOPS = 5

/** Puts something into the object that a value is, by whatever other name it is known: a name, a field of `this`, a model, a module. */
export function writeInto(target: Value, from: number, draft: FlowDraft, hops = 0): void {
  const { graph, use, ports, owners } = draft
  if (hops > MAX_HOPS) return
  switch (target.kind) {
    case 'reference': {
      const { binding } = target
      if (binding === undefined) return
      graph.connect(from, bindingNode(binding, draft), COPY)
      if (binding.module !== undefined) {
        const { source, name } = binding.module
        if (!isFramework(source))
          ports.push({ node: from, access: 'write', store: `${MODULE_STORE}${source}`, path: name === undefined ? [] : [name] })
        return
      }
      for (const { kind, value, path } of binding.definitions)
        if (value !== undefined && (kind === 'init' || kind === 'assign'))
          writeInto(value, wrap(from, path, value, draft), draft, hops + 1)
      return
    }
    case 'member': {
      const { object, name } = target
      const owner = owners.ownerBehind(object)
      if (owner !== undefined) {
        if (name === undefined) return
        graph.connect(from, graph.ofField(owner, name, target), COPY)
        for (const value of draft.fieldValues(owner, name)) writeInto(value, from, draft, hops + 1)
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
