import {
  accessesOf,
  constantOf,
  isSifted,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { CALLING_METHODS, CLEANING, CLEANING_NAMES, PASSING, PASSING_METHODS, STRIPPING_CLEANS } from '../tables/propagators.ts'
import { READ_METHODS } from '../tables/requests.ts'
import { ANY_FIELD, CLEAN, CONCAT, COPY, READ, type FlowCall } from '../types.ts'
import { addProjectRows } from './project-rows.ts'
import { addSinks } from './sinks.ts'
import type { FlowDraft } from './draft.ts'

/** Adds a call: what it passes on, what it calls, where it is a sink. */
export function addCall(call: CallValue, draft: FlowDraft): void {
  const { graph, use } = draft
  const result = use(call)
  const args = call.args.map((argument) => use(argument))
  const paths = pathsOfCallee(call.callee).map((path) => (call.kind === 'new' ? `${path} new` : path))
  addSinks(call, paths, draft)
  if (addProjectRows(call, paths, result, args, draft)) return
  addCalled(call.callee, paths, { result, args, targets: [] }, draft)
  if (call.kind === 'tagged') {
    // it puts its parts in as they are
    if (paths.includes('global:String raw')) for (const value of args) graph.connect(value, result, CONCAT)
    return
  }
  const cleaned = cleanedBy(call, paths)
  if (cleaned !== undefined) {
    const from =
      call.callee.kind === 'member' && (call.callee.name ?? '').startsWith('replace') ? [use(call.callee.object)] : args
    for (const value of from) graph.connect(value, result, CLEAN, cleaned.join(' '))
    return
  }
  if (paths.some((path) => PASSING.has(path)))
    for (const argument of args) graph.connect(argument, result, args.length > 1 && !paths.some(isMerging) ? CONCAT : COPY)
  if (call.callee.kind === 'member') addMethod(call, call.callee.object, call.callee.name ?? '', result, draft)
}

/** What it gives is an object, no text. */
function isMerging(path: string): boolean {
  return path.startsWith('global:Object ') || path.startsWith('global:Array ') || path.startsWith('global:JSON ')
}

function cleanedBy({ callee, args }: CallValue, paths: readonly string[]): readonly string[] | undefined {
  for (const path of paths) {
    const faults = CLEANING.get(path)
    if (faults !== undefined) return faults
  }
  const name = lastNameOf(callee) ?? ''
  // quotes doubled by hand: text.replace(/'/g, "''")
  const [pattern] = args
  const replaced = pattern?.kind === 'regex' ? pattern.pattern : pattern?.kind === 'literal' ? String(pattern.value) : ''
  if (/^replace(?:All)?$/.test(name) && replaced.includes("'")) return ['cap/cql-injection']
  if (isStripping(name, args)) return STRIPPING_CLEANS
  // each character that means something is escaped
  if (/^replace(?:All)?$/.test(name) && /\$&$/.test(String((args[1] && constantOf(args[1])) ?? ''))) return ['cap/code-injection']
  return CLEANING_NAMES.find(([pattern]) => pattern.test(name))?.[1]
}

/** `text.replace(/[^\w]/g, '')`: nothing is left that could end a text. */
function isStripping(name: string, [found, put]: readonly Value[]): boolean {
  if (!/^replace(?:All)?$/.test(name) || found?.kind !== 'regex' || !found.flags.includes('g')) return false
  return (
    /^(?:\[\^[\w\\.: -]+\]|\\[WD])[+*]?$/.test(found.pattern) && put?.kind === 'literal' && /^[\w ]*$/.test(String(put.value))
  )
}

function addMethod(call: CallValue, object: Value, name: string, result: number, draft: FlowDraft): void {
  const { graph, use, functions } = draft
  const receiver = use(object)
  const read = READ_METHODS.get(name)
  if (read !== undefined && call.args.length > 0) {
    graph.connect(receiver, result, READ, read)
    draft.show(result, call)
  }
  if (name === 'join') {
    // the items of a list become one text
    const items = graph.add(call)
    graph.connect(receiver, items, READ, ANY_FIELD)
    graph.connect(items, result, CONCAT)
  } else if (PASSING_METHODS.has(name)) graph.connect(receiver, result, COPY)
  if (PASSING_METHODS.has(name)) {
    if (name === 'concat' || name === 'replace' || name === 'replaceAll' || name === 'join')
      for (const argument of call.args) graph.connect(use(argument), result, CONCAT)
  }
  if (name === 'reduce' || name === 'reduceRight') return addReduce(call, receiver, result, draft)
  if (!CALLING_METHODS.has(name)) return
  const callback = functionOf(call.args[0])
  if ((name === 'filter' && !isSifted(call)) || name === 'find') graph.connect(receiver, result, COPY)
  if (callback === undefined || !functions.has(callback)) return
  const parameter = draft.parameterOf(callback, 0)
  const isPromise = name === 'then' || name === 'catch' || name === 'finally'
  if (parameter !== undefined) {
    if (isPromise) graph.connect(receiver, parameter, COPY)
    else graph.connect(receiver, parameter, READ, ANY_FIELD)
  }
  if (name === 'map' || name === 'flatMap' || name === 'then') graph.connect(graph.of(callback).node, result, COPY)
}

/** The callback gets what it gave before, and an item. */
function addReduce(call: CallValue, receiver: number, result: number, draft: FlowDraft): void {
  const { graph, use, functions } = draft
  const callback = functionOf(call.args[0])
  if (callback === undefined || !functions.has(callback)) return
  const [sum, item] = [draft.parameterOf(callback, 0), draft.parameterOf(callback, 1)]
  const given = graph.of(callback).node
  if (item !== undefined) graph.connect(receiver, item, READ, ANY_FIELD)
  if (sum !== undefined) {
    graph.connect(given, sum, COPY)
    const [, initial] = call.args
    if (initial !== undefined) graph.connect(use(initial), sum, COPY)
  }
  graph.connect(given, result, COPY)
}

/** The access paths of a callee, with blanks between the steps. */
export function pathsOfCallee(callee: Value): string[] {
  return accessesOf(callee).map(({ root, steps }) => [root.replace(/^module:node:/, 'module:'), ...steps].join(' '))
}

/** The functions of the project that a call may run. */
export function addCalled(callee: Value, paths: readonly string[], open: FlowCall, draft: FlowDraft): void {
  const { functions, calls } = draft
  const targets = calledIn(callee, draft).flatMap((fact) => functions.get(fact) ?? [])
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

export function calledIn(callee: Value, draft: FlowDraft): readonly FunctionFact[] {
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
