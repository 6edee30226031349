import { constantOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { ANY_FIELD, CONCAT, COPY, READ, WRITE } from '../types.ts'
import { OF_OTHERS } from './callables.ts'
import { bindingNode } from './named-values.ts'
import type { FlowDraft } from './draft.ts'
import { fillNamed } from './filled.ts'

/** Adds how lists, maps and objects hand on what lies in them. Items of maps are pairs, as `entries` gives them. */
export function addCollection(
  call: CallValue,
  paths: readonly string[],
  result: number,
  args: readonly number[],
  draft: FlowDraft,
): void {
  const [first] = args
  if (first !== undefined && paths.includes('global:Object entries')) {
    chain(first, [READ, ANY_FIELD, WRITE, '1', WRITE, ANY_FIELD], result, call, draft)
    return
  }
  if (first !== undefined && paths.includes('global:Object fromEntries'))
    chain(first, [READ, ANY_FIELD, READ, '1', WRITE, ANY_FIELD], result, call, draft)
  if (paths.some((path) => FILLING.test(path))) addMerged(call, args, draft)
  if (first !== undefined && paths.some((path) => JOINS.test(path)))
    chain(first, [READ, ANY_FIELD, CONCAT, ''], result, call, draft)
  if (first !== undefined && paths.some((path) => PATH_READS.test(path))) addPathRead(call, first, result, draft)
  if (call.callee.kind !== 'member') return
  const { object, name = '' } = call.callee
  if (name === 'get' && args.length === 1) chain(draft.use(object), [READ, ANY_FIELD, READ, '1'], result, call, draft)
  else if (name === 'values' && args.length === 0)
    chain(draft.use(object), [READ, ANY_FIELD, READ, '1', WRITE, ANY_FIELD], result, call, draft)
  // a generator
  else if (name === 'next' && args.length === 0) chain(draft.use(object), [READ, ANY_FIELD, WRITE, 'value'], result, call, draft)
  else if (paths.some((path) => OF_OTHERS.test(path))) return
  else if (ADDING.has(name)) {
    // a name collects what is added to it already
    const isNamed = object.kind === 'reference' && name !== 'set'
    if (!isNamed) for (const argument of args) addTo(object, argument, [ANY_FIELD], call, draft)
  } else if (name === 'set' && args[1] !== undefined) addTo(object, args[1], ['1', ANY_FIELD], call, draft)
}

const JOINS = /^module:(?:lodash|underscore)(?: |\/|\.)join$/
const PATH_READS =
  /^module:(?:(?:lodash|underscore)(?: |\/|\.)(?:get|result|property)|object-path get|dot-prop (?:get|getProperty)|dlv)$/

/** `_.get(req, 'data.name')`: what `req.data.name` is. */
function addPathRead({ args: [, path], start, end }: CallValue, from: number, result: number, draft: FlowDraft): void {
  const given = path && resolveValue(path)
  const text = path && constantOf(path)
  const names =
    given?.kind === 'array'
      ? given.items.map((item) => String(constantOf(item) ?? ANY_FIELD))
      : typeof text === 'string'
        ? text.split(/[.[\]]+/).filter(Boolean)
        : []
  if (names.length === 0 || names.length > MAX_DEPTH) draft.graph.connect(from, result, READ, ANY_FIELD)
  else
    chain(
      from,
      names.flatMap((name) => [READ, name]),
      result,
      { kind: 'unknown', start, end },
      draft,
    )
}

/** Calls that put the fields of objects into their first argument. */
const FILLING =
  /^(?:global:Object assign|module:(?:lodash|underscore)(?: |\/|\.)(?:assign|assignIn|extend|merge|mergeWith|defaults|defaultsDeep))$/

/** `Object.assign(this, options)`, `Object.assign(target, req.data)`: also where nobody looks at what the call gives. */
function addMerged({ args: [target], start, end }: CallValue, [, ...given]: readonly number[], draft: FlowDraft): void {
  const { graph } = draft
  if (target?.kind === 'this') {
    const self = draft.selfOf(target.function)
    const owner = draft.owners.ownerOf(target.function)
    if (owner !== undefined) for (const from of given) draft.mergedInto.push({ owner, from })
    for (const from of self === undefined ? [] : given) {
      graph.connect(from, self ?? from, COPY)
      graph.connect(from, self ?? from, WRITE, ANY_FIELD)
    }
  }
  if (target?.kind !== 'reference' && target?.kind !== 'member') return
  for (const from of given) {
    const node = graph.add({ start, end })
    graph.connect(from, node, COPY)
    addTo(target, node, [], target, draft)
    if (target.kind === 'reference' && target.binding !== undefined) fillNamed(target.binding, node, draft)
  }
}

const ADDING: ReadonlySet<string> = new Set(['push', 'unshift', 'add', 'append', 'enqueue'])
const MAX_DEPTH = 4

/** Puts something into what a value is: a name, or a field of one or of `this`. */
function addTo(target: Value, from: number, fields: readonly string[], place: Value, draft: FlowDraft): void {
  const { graph } = draft
  let here = from
  for (const name of fields) {
    const to = graph.add(place)
    graph.connect(here, to, WRITE, name)
    here = to
  }
  let at = target
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (at.kind === 'reference') {
      if (at.binding !== undefined) graph.connect(here, bindingNode(at.binding, draft), COPY)
      return
    }
    if (at.kind !== 'member') return
    const owner = draft.owners.ownerBehind(at.object)
    if (owner !== undefined) {
      if (at.name !== undefined) graph.connect(here, graph.ofField(owner, at.name, at), COPY)
      const self = at.object.kind === 'this' ? draft.selfOf(at.object.function) : undefined
      if (self !== undefined) graph.connect(here, self, WRITE, at.name ?? ANY_FIELD)
      return
    }
    const to = graph.add(place)
    graph.connect(here, to, WRITE, at.name ?? ANY_FIELD)
    here = to
    at = at.object
  }
}

function chain(from: number, steps: readonly (number | string)[], to: number, place: Value, { graph }: FlowDraft): void {
  let here = from
  for (let index = 0; index < steps.length; index += 2) {
    const next = index + 2 >= steps.length ? to : graph.add(place)
    const [operation, name] = [Number(steps[index]), String(steps[index + 1])]
    graph.connect(here, next, operation, name)
    here = next
  }
}
