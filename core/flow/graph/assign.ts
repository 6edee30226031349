import type { Value } from '../../facts/index.ts'
import { READS, REQUEST_NAME, RESPONSE_NAME } from '../tables/requests.ts'
import { ANY_FIELD, COPY, SHALLOW, WRITE } from '../types.ts'
import type { FlowDraft } from './draft.ts'
import { bindingNode } from './named-values.ts'
import { fillNamed } from './filled.ts'

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
  const field = requestField(target)
  if (isOfContext(target)) return
  if (field !== undefined) {
    // whole objects of a framework that hang on requests would bring all that lies in them to every middleware
    const node = graph.add(target)
    graph.connect(from, node, SHALLOW)
    draft.ports.push({ node, access: 'write', store: field, path: [] })
  }
  if (member.kind === 'reference' && member.binding !== undefined) {
    const node = bindingNode(member.binding, draft)
    graph.connect(here, node, COPY)
    if (target.object === member && target.name !== undefined) draft.callables.written.push([node, target.name, from])
    if (!isOfFramework(member.name)) fillNamed(member.binding, here, draft)
  }
}

/** `cds.context = …`, `cds.context.user = …`: each request has its own. Fact: capire, "cds.context". */
function isOfContext(target: Value): boolean {
  let here = target
  while (here.kind === 'member') {
    if (here.name === 'context' && here.object.kind === 'reference' && here.object.name === 'cds') return true
    here = here.object
  }
  return false
}

/** Requests and responses are known to all by themselves. */
function isOfFramework(name: string): boolean {
  return REQUEST_NAME.test(name) || RESPONSE_NAME.test(name)
}

/** `req.area` that a middleware sets and a handler behind it reads: a field that requests have by nobody else. */
export function requestField({ object, name }: Value & { readonly kind: 'member' }): string | undefined {
  if (object.kind !== 'reference' || object.binding?.kind !== 'parameter' || !REQUEST_NAME.test(object.name)) return undefined
  return name === undefined || OF_REQUESTS.has(name) ? undefined : `request-field ${name}`
}

const OF_REQUESTS: ReadonlySet<string> = new Set([
  ...Object.keys(READS['http-request'] ?? {}),
  ...Object.keys(READS['cap-request'] ?? {}),
  ...'user tenant locale timestamp event target method entity id results errors messages context'.split(' '),
])
