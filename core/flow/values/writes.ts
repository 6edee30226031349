import { constantOf, resolveValue, type Value, type Binding, type FunctionFact } from '../../facts/index.ts'
import { moduleOfCall } from '../../facts/module-calls.ts'
import { COPY, MODULE_STORE, WRITE, type FlowCall, ANY_FIELD, SHALLOW, type FlowPort } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { addDataset } from '../pages/kept-in-controls.ts'
import { isFramework } from '../calls/modules.ts'
import { isModelData, segmentsOf, storeOfCall } from '../pages/stores.ts'
import { bindingNode } from './named-values.ts'
import { calledIn } from '../calls/called.ts'
import { READS, RESPONSE_NAME } from '../tables/requests.ts'
import { lastName } from '../../paths.ts'
import { isRequestName } from '../../model/script/index.ts'

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
  const { graph, use, ends, owners } = draft
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
        const path = name === undefined ? [] : [name]
        if (!isFramework(source)) ends.ports.push({ node: from, access: 'write', store: `${MODULE_STORE}${source}`, path })
        return
      }
      for (const { kind, value, path, parameter } of binding.definitions)
        if (kind === 'parameter' && parameter !== undefined && value === undefined)
          fillParameter(binding.function, parameter, draft.graph.wrap(from, path, target), draft)
        else if (value !== undefined && (kind === 'init' || kind === 'assign'))
          writeInto(value, draft.graph.wrap(from, path, value), draft, hops + 1)
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
      const to = isModelData(target) ? from : graph.derive(from, target, WRITE, name ?? '*')
      return writeInto(object, to, draft, hops + 1)
    }
    case 'call': {
      const store = storeOfCall(target)
      if (store !== undefined) {
        ends.ports.push({ node: from, access: 'write', ...store })
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
        ends.ports.push({ node: from, access: 'write', store: `${MODULE_STORE}${module.source}`, path: [] })
      // what a model hands out is its own: model.getData().text = …
      if (target.callee.kind !== 'member') return
      const { name = '', object } = target.callee
      if (name === 'getData' || name === 'getProperty' || name === 'getObject')
        writeInto(object, draft.graph.wrap(from, segmentsOf(target.args[0]), target), draft, hops + 1)
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
    const to = graph.derive(here, member, WRITE, name ?? ANY_FIELD)
    if (member === target) put = to
    here = to
    member = object
  }
  const field = requestField(target)
  if (isOfContext(target)) return
  if (field !== undefined) {
    // whole objects of a framework that hang on requests would bring all that lies in them to every middleware
    const node = graph.derive(from, target, SHALLOW)
    draft.ends.ports.push({ node, access: 'write', store: field.store, path: field.path })
  }
  if (member.kind === 'reference' && member.binding !== undefined) {
    const node = bindingNode(member.binding, draft)
    graph.connect(here, node, COPY)
    // an address is another one then: `url.hostname = name`
    if (target.object === member && HOST_FIELDS.test(target.name ?? '') && isAddress(member)) graph.connect(from, node, COPY)
    if (target.object === member && target.name !== undefined) draft.server.callables.written.push([node, target.name, from, put])
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
  const { graph, owners, calling, facts } = draft
  if (name === undefined || !facts.functions.some((fact) => fact.kind === 'setter' && lastName(fact.name) === name)) return false
  const own = resolveValue(object)
  const owner = own.kind === 'this' ? owners.ownerOf(own.function) : own.kind === 'object' ? own : undefined
  const setters = owner === undefined ? [] : owners.methodsOf(owner, name).filter(({ kind }) => kind === 'setter')
  const receiver = own.kind === 'this' ? draft.parameters.selfOf(own.function) : draft.use(object)
  const targets = setters.flatMap((fact) => calling.functions.get(fact) ?? [])
  if (targets.length === 0) return false
  calling.calls.push({ result: graph.add({ start, end }), args: [from], targets, ...(receiver !== undefined && { receiver }) })
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
  return isRequestName(name) || RESPONSE_NAME.test(name)
}

/** `req.area` or `res.locals.area` that a middleware sets and a handler behind it reads: a field that requests have by nobody else. */
function requestField({ object, name }: Value & { readonly kind: 'member' }): Pick<FlowPort, 'store' | 'path'> | undefined {
  if (name !== undefined && object.kind === 'member' && isLocals(object)) return { store: LOCALS, path: [name] }
  if (object.kind !== 'reference' || object.binding?.kind !== 'parameter' || !isRequestName(object.name)) return undefined
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

/** What a function puts into an object that it is given, its callers find there. */
function fillParameter(fact: FunctionFact, parameter: number, from: number, { graph, fields: { filled } }: FlowDraft): void {
  const own = filled.get(fact) ?? new Map<number, number>()
  filled.set(fact, own)
  const node = own.get(parameter) ?? graph.add({ start: fact.start, end: fact.start })
  own.set(parameter, node)
  graph.connect(from, node, COPY)
}

/** The same of what is put into a name that is a parameter. */
export function fillNamed({ kind, function: within, definitions: [definition] }: Binding, from: number, draft: FlowDraft): void {
  if (kind !== 'parameter' || definition?.parameter === undefined || definition.path.length > 0) return
  fillParameter(within, definition.parameter, from, draft)
}
