import { resolveValue, type Value } from '../../facts/index.ts'
import { lastName } from '../dotted-names.ts'
import { READS, REQUEST_NAME, RESPONSE_NAME } from '../tables/requests.ts'
import { ANY_FIELD, COPY, SHALLOW, WRITE, type FlowPort } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { bindingNode } from './named-values.ts'
import { fillNamed } from '../fields/filled.ts'

/** `a.b.c = value`: into the field c of the field b of a. */
export function assign(target: Value & { readonly kind: 'member' }, from: number, draft: FlowDraft): void {
  const { graph } = draft
  if (addSet(target, from, draft)) return
  let here = from
  let member: Value = target
  let put = from
  for (let depth = 0; depth < 4 && member.kind === 'member'; depth++) {
    const { object, name } = member
    if (object.kind === 'this') {
      const owner = draft.owners.ownerOf(object.function)
      if (owner !== undefined && name !== undefined) graph.connect(here, graph.ofField(owner, name, member), COPY)
      const self = draft.parameters.selfOf(object.function)
      if (self !== undefined) graph.connect(here, self, WRITE, name ?? ANY_FIELD)
      return
    }
    const to = graph.add(member)
    graph.connect(here, to, WRITE, name ?? ANY_FIELD)
    if (member === target) put = to
    here = to
    member = object
  }
  const field = requestField(target)
  if (isOfContext(target)) return
  if (field !== undefined) {
    // whole objects of a framework that hang on requests would bring all that lies in them to every middleware
    const node = graph.add(target)
    graph.connect(from, node, SHALLOW)
    draft.ports.push({ node, access: 'write', store: field.store, path: field.path })
  }
  if (member.kind === 'reference' && member.binding !== undefined) {
    const node = bindingNode(member.binding, draft)
    graph.connect(here, node, COPY)
    // an address is another one then: `url.hostname = name`
    if (target.object === member && HOST_FIELDS.test(target.name ?? '') && isAddress(member)) graph.connect(from, node, COPY)
    if (target.object === member && target.name !== undefined) draft.callables.written.push([node, target.name, from, put])
    if (!isOfFramework(member.name)) fillNamed(member.binding, here, draft)
  }
}

const HOST_FIELDS = /^(?:host(?:name)?|href)$/

/** `new URL(BASE)` */
function isAddress(value: Value): boolean {
  const made = resolveValue(value)
  return made.kind === 'new' && made.callee.kind === 'reference' && made.callee.name === 'URL'
}

/** `job.file = name`, `this.file = name`, where the object written here, or the class around, has a setter for it. */
function addSet({ object, name, start, end }: Value & { readonly kind: 'member' }, from: number, draft: FlowDraft): boolean {
  const { graph, owners, calls, functions, facts } = draft
  if (name === undefined || !facts.functions.some((fact) => fact.kind === 'setter' && lastName(fact.name) === name)) return false
  const own = resolveValue(object)
  const owner = own.kind === 'this' ? owners.ownerOf(own.function) : own.kind === 'object' ? own : undefined
  const setters = owner === undefined ? [] : owners.methodsOf(owner, name).filter(({ kind }) => kind === 'setter')
  const receiver = own.kind === 'this' ? draft.parameters.selfOf(own.function) : draft.use(object)
  const targets = setters.flatMap((fact) => functions.get(fact) ?? [])
  if (targets.length === 0) return false
  calls.push({ result: graph.add({ start, end }), args: [from], targets, ...(receiver !== undefined && { receiver }) })
  return true
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

/** `req.area` or `res.locals.area` that a middleware sets and a handler behind it reads: a field that requests have by nobody else. */
export function requestField({
  object,
  name,
}: Value & { readonly kind: 'member' }): Pick<FlowPort, 'store' | 'path'> | undefined {
  if (name !== undefined && object.kind === 'member' && isLocals(object)) return { store: LOCALS, path: [name] }
  if (object.kind !== 'reference' || object.binding?.kind !== 'parameter' || !REQUEST_NAME.test(object.name)) return undefined
  return name === undefined || OF_REQUESTS.has(name) ? undefined : { store: `request-field ${name}`, path: [] }
}

/** The store that a handler reads whole: what lies in `res.locals` is written field by field. */
export function readRequestField(value: Value & { readonly kind: 'member' }): string | undefined {
  if (isLocals(value)) return LOCALS
  const field = requestField(value)
  return field?.path.length === 0 ? field.store : undefined
}

/** Fact: Express 5, "res.locals": variables of one request, for the middlewares and templates behind. */
const LOCALS = 'request-field locals'

function isLocals({ object, name }: Value & { readonly kind: 'member' }): boolean {
  return (
    name === 'locals' && object.kind === 'reference' && object.binding?.kind === 'parameter' && RESPONSE_NAME.test(object.name)
  )
}

const OF_REQUESTS: ReadonlySet<string> = new Set([
  ...Object.keys(READS['http-request'] ?? {}),
  ...Object.keys(READS['cap-request'] ?? {}),
  ...'user tenant locale timestamp event target method entity id results errors messages context'.split(' '),
])
