import { accessesOf, resolveValue, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { CALLING_METHODS, CLEANING, CLEANING_NAMES, PASSING, PASSING_METHODS } from '../tables/propagators.ts'
import { ENCODERS, MARKUP_FAULTS } from '../tables/markup.ts'
import { READ_METHODS } from '../tables/requests.ts'
import { ANY_FIELD, CLEAN, CONCAT, COPY, READ, type FlowCall } from '../types.ts'
import { addSinks } from './sinks.ts'
import type { FlowDraft } from './draft.ts'

/** Adds a call: what it passes on, what it calls, where it is a sink. */
export function addCall(call: CallValue, draft: FlowDraft): void {
  const { graph, use } = draft
  const result = use(call)
  const args = call.args.map((argument) => use(argument))
  const paths = accessesOf(call.callee).map(({ root, steps }) =>
    [root.replace(/^module:node:/, 'module:'), ...steps, ...(call.kind === 'new' ? ['new'] : [])].join(' '),
  )
  addSinks(call, paths, draft)
  addCalled(call, paths, { result, args, targets: [] }, draft)
  if (call.kind === 'tagged') return
  const cleaned = cleanedBy(call, paths)
  if (cleaned !== undefined) {
    const from =
      call.callee.kind === 'member' && (call.callee.name ?? '').startsWith('replace') ? [use(call.callee.object)] : args
    for (const value of from) graph.connect(value, result, CLEAN, cleaned.join(' '))
    return
  }
  if (paths.some((path) => PASSING.has(path)))
    for (const argument of args) graph.connect(argument, result, args.length > 1 ? CONCAT : COPY)
  if (call.callee.kind === 'member') addMethod(call, call.callee.object, call.callee.name ?? '', result, draft)
}

function cleanedBy({ callee, args }: CallValue, paths: readonly string[]): readonly string[] | undefined {
  for (const path of paths) {
    const faults = CLEANING.get(path)
    if (faults !== undefined) return path === 'global:encodeURIComponent' ? [...faults, ...MARKUP_FAULTS] : faults
  }
  const name = lastNameOf(callee) ?? ''
  // quotes doubled by hand: text.replace(/'/g, "''")
  const [pattern] = args
  const replaced = pattern?.kind === 'regex' ? pattern.pattern : pattern?.kind === 'literal' ? String(pattern.value) : ''
  if (/^replace(?:All)?$/.test(name) && replaced.includes("'")) return ['cap/cql-injection']
  const known = CLEANING_NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? []
  // an imported encoder may have any name here: module:sap/base/security/encodeXML
  const isEncoder = ENCODERS.has(name) || paths.some((path) => ENCODERS.has(path.replace(/^.{0,200}[/: ]/, '')))
  const faults = isEncoder ? [...known, ...MARKUP_FAULTS] : known
  return faults.length === 0 ? undefined : faults
}

function addMethod(call: CallValue, object: Value, name: string, result: number, draft: FlowDraft): void {
  const { graph, use, functions } = draft
  const receiver = use(object)
  const read = READ_METHODS.get(name)
  if (read !== undefined && call.args.length > 0) {
    graph.connect(receiver, result, READ, read)
    draft.show(result, call)
  }
  if (PASSING_METHODS.has(name)) {
    graph.connect(receiver, result, COPY)
    if (name === 'concat' || name === 'replace' || name === 'replaceAll' || name === 'join')
      for (const argument of call.args) graph.connect(use(argument), result, CONCAT)
  }
  if (!CALLING_METHODS.has(name)) return
  const callback = functionOf(call.args[0])
  if (callback === undefined || !functions.has(callback)) return
  const parameter = draft.parameterOf(callback, 0)
  const isPromise = name === 'then' || name === 'catch' || name === 'finally'
  if (parameter !== undefined) {
    if (isPromise) graph.connect(receiver, parameter, COPY)
    else graph.connect(receiver, parameter, READ, ANY_FIELD)
  }
  if (name === 'map' || name === 'flatMap' || name === 'then') graph.connect(graph.of(callback).node, result, COPY)
  if (name === 'filter' || name === 'find') graph.connect(receiver, result, COPY)
}

/** The functions of the project that a call may run. */
function addCalled(call: CallValue, paths: readonly string[], open: FlowCall, draft: FlowDraft): void {
  const { functions, calls } = draft
  const targets = calledIn(call.callee, draft).flatMap((fact) => functions.get(fact) ?? [])
  if (targets.length > 0) {
    calls.push({ ...open, targets })
    return
  }
  for (const path of paths) {
    const [root = '', ...steps] = path.split(' ')
    if (!/^module:\.{0,2}\//.test(root) && !root.startsWith('module:#')) continue
    // `helper.run()`, `new Helper().run()`
    const name = steps.join('.').replace(/\.?new(?:\.|$)/, '#') || 'default'
    calls.push({ ...open, module: { source: root.slice('module:'.length), name } })
    return
  }
}

function calledIn(callee: Value, draft: FlowDraft): readonly FunctionFact[] {
  const direct = functionOf(callee)
  if (direct !== undefined) return [direct]
  if (callee.kind === 'reference')
    return (callee.binding?.definitions ?? []).flatMap(({ value }) => (value?.kind === 'function' ? value.function : []))
  if (callee.kind !== 'member' || callee.name === undefined) return []
  const { object, name } = callee
  if (object.kind === 'this') {
    const owner = draft.ownerOf(object)
    return draft.facts.functions.filter(
      (fact) => fact.owner !== undefined && fact.owner === owner && lastPart(fact.name) === name,
    )
  }
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

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}
