import type { Value } from '../../facts/index.ts'
import { ANY_FIELD, COPY, WRITE } from '../types.ts'
import type { FlowDraft } from './draft.ts'
import { bindingNode } from './values.ts'

/** `a.b.c = value`: into the field c of the field b of a. */
export function assign(target: Value & { readonly kind: 'member' }, from: number, draft: FlowDraft): void {
  const { graph } = draft
  let here = from
  let member: Value = target
  for (let depth = 0; depth < 4 && member.kind === 'member'; depth++) {
    const { object, name } = member
    if (object.kind === 'this') {
      const owner = draft.owners.ownerOf(object.function)
      if (owner !== undefined && name !== undefined) graph.connect(here, graph.ofField(owner, name, member), COPY)
      const self = draft.selfOf(object.function)
      if (self !== undefined) graph.connect(here, self, WRITE, name ?? ANY_FIELD)
      return
    }
    const to = graph.add(member)
    graph.connect(here, to, WRITE, name ?? ANY_FIELD)
    here = to
    member = object
  }
  if (member.kind === 'reference' && member.binding !== undefined) {
    graph.connect(here, bindingNode(member.binding, draft), COPY)
  }
}
