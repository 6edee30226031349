import {
  constantOf,
  functionAround,
  isConditional,
  keyOf,
  type Binding,
  type Definition,
  type FunctionFact,
  type Value,
} from '../../facts/index.ts'
import { spreadValue } from '../frameworks/registrations.ts'
import { ANY_FIELD, CLEAN, CONCAT, COPY, MOVE, READ, STREAM_PIECE, WRITE, type PageFlow } from '../types.ts'
import { isNothing } from '../../facts/values.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { fillNamed } from './writes.ts'
import { addSecretDefinition, isRestWithoutSecrets } from '../sources/held-secrets.ts'
import { addIterated, tupleNode } from './lists.ts'
import { behindHost } from '../sinks/server-texts.ts'
import { isShown, SHOWN } from '../sources/requests.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { cleansOfTest } from '../checks/proofs.ts'
import { writtenLast } from './written-last.ts'
import { isAround } from '../../facts/span-index.ts'

/** The node of a name where it is read: what it is given further down, in the same function, comes too late, and what it was given before may be gone. */
export function nodeAt(value: Value, binding: Binding, draft: FlowDraft): number {
  const { start } = value
  const { definitions, additions } = binding
  const replaced =
    draft.realm === 'server' && additions.every((added) => draft.fields.assigned.has(added))
      ? draft.fields.settled.overwritten(binding, start)
      : []
  if (replaced.length > 0) return withoutFields(binding, replaced, draft)
  const last = binding.isCaptured ? writtenLast(value, binding, draft) : undefined
  if (last !== undefined) {
    const node = draft.graph.add(binding)
    connectDefinition(last, behindHost(last, binding, node, draft), draft)
    return node
  }
  const isLate = (one: Definition): boolean =>
    one.kind === 'assign' && one.operator === '=' && one.start > start && isMadeLater(one.function, binding, start, draft)
  if (additions.length > 0 || definitions.length < 2 || isChangedLater(binding, start, isLate)) return bindingNode(binding, draft)
  let replacing: Definition | undefined
  let cleaning: Definition | undefined
  let cleans: readonly string[] = []
  for (let index = definitions.length - 1; index >= 0 && replacing === undefined; index--) {
    const one = definitions[index]
    if (one === undefined) continue
    const checked = isReplacing(one, start, draft) ? [] : normalizedBy(one, value, binding, draft)
    if (checked?.length === 0) replacing = one
    else if (checked !== undefined && cleaning === undefined) [cleaning, cleans] = [one, checked]
  }
  if (replacing === undefined && cleaning === undefined && !definitions.some(isLate)) return bindingNode(binding, draft)
  const node = draft.graph.add(binding)
  const defined = definedNode(binding, node, draft)
  const before = cleaning === undefined ? defined : draft.graph.add(binding)
  if (cleaning !== undefined) draft.graph.connect(before, defined, CLEAN, cleans.join(' '))
  const cleanFrom = cleaning?.start ?? 0
  for (const definition of definitions)
    if (!isLate(definition) && definition.start >= (replacing?.start ?? 0))
      connectDefinition(
        definition,
        behindHost(definition, binding, definition.start < cleanFrom ? before : defined, draft),
        draft,
      )
  return node
}

/** The object of a name without what was written over. */
function withoutFields(
  binding: Binding,
  replaced: readonly (readonly [name: string, value: Value | undefined])[],
  draft: FlowDraft,
): number {
  const { graph, use } = draft
  const node = graph.add(binding)
  let here = bindingNode(binding, draft)
  for (const [name, value] of replaced) {
    here = graph.derive(here, binding, MOVE, `without ${name}`)
    if (value !== undefined) graph.connect(use(value), node, WRITE, name)
  }
  graph.connect(here, node, COPY)
  return node
}

/** Whether a function runs after a place of the one that the name belongs to: that one itself, or one without a name that is made further down. */
function isMadeLater(within: FunctionFact, { function: own }: Binding, start: number, { facts, step }: FlowDraft): boolean {
  if (within === own) return own.end > start
  if (within.start < start || functionAround(facts, start) !== own) return false
  let here: FunctionFact | undefined = within
  for (; here !== undefined && here !== own && here.name === ''; here = here.parent) step(1)
  return here === own
}

/** Whether another function may have given the name something by the time that it is read: all that is written above is done when a function further down runs. */
function isChangedLater(
  { isCaptured, definitions, function: within }: Binding,
  start: number,
  isLate: (one: Definition) => boolean,
): boolean {
  const isLater = (one: Definition): boolean => (one.function === within ? (one.value?.end ?? one.start) >= start : !isLate(one))
  return isCaptured && definitions.some(isLater)
}

/** Whether what a name was given before is gone where it is read: no condition stands around the assignment that does not stand around the reading too. */
function isReplacing(
  { replacesUntil, branches, value, start: at }: Definition,
  start: number,
  { facts, step }: FlowDraft,
): boolean {
  step(1 + (facts.guards.length >> 4))
  if (branches !== undefined && branches.end <= start) return !isConditional(facts.guards, branches.start)
  if (replacesUntil === undefined || start >= replacesUntil || (value?.end ?? at) >= start) return false
  const apart = facts.guards.filter(({ inside }) => !(inside.start <= at && start < inside.end))
  return !isConditional(apart, at)
}

/** The condition around an assignment is asked a dozen questions. */
const CHECK_STEPS = 8

/**
 * `if (!LIST.includes(name)) name = 'a'`, `if (text) text = encode(text)`: behind that the name holds what it is given there, or what passed the check. The rules
 * for which that is harmless; none: all. Undefined: nothing was checked.
 */
function normalizedBy(
  { kind, operator, value, start: at, function: within }: Definition,
  read: Value,
  { definitions }: Binding,
  draft: FlowDraft,
): readonly string[] | undefined {
  if (kind !== 'assign' || operator !== '=' || (value?.end ?? at) >= read.start) return undefined
  const guards = draft.checks.guardsAt(at)
  draft.step(CHECK_STEPS + (guards.length >> 2))
  const around = guards.filter(({ inside }) => isAround(inside, at))
  const [guard] = around
  if (guard === undefined || around.length > 1 || guard.function !== within || guard.inside.end > read.start) return undefined
  // let target = address; if (!isOwn(address)) target = '/'
  const [first] = definitions
  const given = first?.kind === 'init' && first.path.length === 0 && first.end <= at ? first.value : undefined
  const isFixed = given?.kind === 'reference' && given.binding?.definitions.length === 1
  const isSurelyDone = !draft.facts.partial.some((part) => isAround(part, at) && read.start >= part.end)
  for (const one of isFixed ? [read, given] : [read]) {
    const asked = { ...one, start: guard.test.start, end: guard.test.end }
    const isThere = isPresence(guard.test, asked)
    const cleans = isThere ? undefined : cleansOfTest(guard.test, asked, false, draft.checks.parts.conditions)
    if (cleans === 'all' || (isThere && isSurelyDone)) return []
    if (cleans !== undefined) return cleans
  }
  return undefined
}

/** `if (text)`, `if (text !== undefined)`, `if (typeof text === 'string')`: otherwise there is no text. */
function isPresence(test: Value, value: Value): boolean {
  const key = keyOf(value)
  if (key === undefined) return false
  if (test.kind === 'reference' || test.kind === 'member') return keyOf(test) === key
  if (test.kind === 'choice' && test.test === undefined)
    return test.isAnd === true
      ? test.options.every((option) => isPresence(option, value))
      : test.options.some((option) => isPresence(option, value))
  if (test.kind !== 'operation') return false
  const [left, right] = test.operands
  if (left === undefined || right === undefined) return false
  if (/^!==?$/.test(test.operator)) return keyOf(left) === key && (constantOf(right) === '' || isNothing(right))
  const [typed] = left.kind === 'operation' && left.operator === 'typeof' ? left.operands : []
  return /^===?$/.test(test.operator) && typed !== undefined && keyOf(typed) === key && constantOf(right) === 'string'
}

/** The node of a name, with all the values that it is given. */
export function bindingNode(binding: Binding, draft: FlowDraft): number {
  const { graph, use } = draft
  const { node, isNew } = graph.of(binding)
  if (!isNew) return node
  const isGiven = draft.environment.values.addImport(binding, node, draft)
  const defined = definedNode(binding, node, draft)
  if (!isGiven)
    for (const definition of binding.definitions)
      connectDefinition(definition, behindHost(definition, binding, defined, draft), draft)
  for (const added of binding.additions) {
    if (draft.fields.assigned.has(added) || draft.fields.keyed.has(added)) continue
    graph.connect(addedNode(added, draft), node, WRITE, ANY_FIELD)
    if (binding.kind === 'parameter') {
      const item = graph.derive(use(added), added, WRITE, ANY_FIELD)
      fillNamed(binding, item, draft)
    }
  }
  return node
}

/** What is put into something by a method, which may be one of the app: what that does is known then. Of `push(...items)` those are put in. */
function addedNode(added: Value, { graph, use, page }: FlowDraft): number {
  const list = spreadValue(added)
  const node = list === added ? graph.derive(use(added), added, COPY) : graph.derive(use(list), added, READ, ANY_FIELD)
  page.added.set(added, node)
  return node
}

/** Where the values of a name go: of a list whose items move, nobody can tell the places. */
function definedNode(binding: Binding, node: number, { graph, fields: { shuffled } }: FlowDraft): number {
  if (!shuffled.has(binding)) return node
  const list = graph.add(binding)
  graph.connect(list, node, MOVE, 'mix')
  return list
}

function connectDefinition(definition: Definition, node: number, draft: FlowDraft): void {
  const { value, path } = definition
  const field = path[0]
  const rest = path.length > 1 ? path.slice(1) : []
  // const { items } = this
  const owner = value === undefined || field === undefined ? undefined : draft.owners.ownerBehind(value)
  if (owner !== undefined && field !== undefined)
    connectPath(draft.graph.ofField(owner, field, definition), node, { ...definition, path: rest }, draft)
  draft.environment.values.addDefinition(definition, node, draft)
  if (draft.follows.secrets) addSecretDefinition(definition, node, draft)
  const settled = draft.fields.settled.taken(definition)
  if (settled !== undefined) {
    if (settled.value !== undefined) connectPath(draft.use(settled.value), node, { ...definition, path: rest }, draft)
    if (definition.fallback !== undefined) draft.graph.connect(draft.use(definition.fallback), node, COPY)
    return
  }
  const from = definitionNode(definition, draft)
  if (draft.follows.secrets && from !== undefined && isRestWithoutSecrets(definition)) {
    const [rest, logged] = [draft.graph.add(definition), draft.graph.add(definition)]
    draft.graph.connect(rest, logged, CLEAN, FOUND_SINKS.loggedCredential.fault)
    draft.graph.connect(logged, node, CLEAN, FOUND_SINKS.sentHeaders.fault)
    return connectPath(from, rest, definition, draft)
  }
  for (const list of [from, addIterated(definition, draft)]) if (list !== undefined) connectPath(list, node, definition, draft)
  if (definition.fallback !== undefined) draft.graph.connect(draft.use(definition.fallback), node, COPY)
}

function definitionNode({ kind, value, parameter, path, function: within }: Definition, draft: FlowDraft): number | undefined {
  if (kind === 'catch') return undefined
  // const [raw, safe] = [text, encode(text)]
  if (value?.kind === 'array' && path.length > 0 && kind !== 'each') return tupleNode(value, draft)
  if (value !== undefined) return draft.use(value)
  return parameter === undefined ? undefined : draft.parameters.namedNodeOf(within, parameter)
}

/** What patterns take out of lists and texts as a number; clients of a server may send a text under these names. */
const COUNTS: ReadonlySet<string> = new Set(['length', 'byteLength'])

/** `({ data }) =>`, `const { name } = req.data`. */
function isTakenFromRequest({ path, value }: Definition): boolean {
  return path.some((field) => SHOWN.has(field)) || (value?.kind === 'member' && isShown(value))
}

/** Of a pattern the part that is bound; of a loop an item. */
function connectPath(from: number, to: number, definition: Definition, draft: FlowDraft): void {
  const { kind, path, operator, start, end, value, skipped } = definition
  const { graph } = draft
  if (operator === '-=' || operator === '*=' || operator === '/=' || operator === '++' || operator === '--') return
  if (draft.realm === 'browser' && COUNTS.has(path.at(-1) ?? '')) return
  const steps = kind === 'each' ? [ANY_FIELD, ...path] : path
  // what a pattern takes out of a request is shown as if it was written out
  const isShownOut = kind !== 'each' && isTakenFromRequest(definition)
  let here = from
  for (const [index, name] of steps.entries()) {
    const next = index === steps.length - 1 && skipped === undefined ? to : graph.add({ start, end })
    graph.connect(here, next, READ, name)
    if (isShownOut) draft.show(next, value, path.slice(0, index + 1))
    here = next
  }
  if (skipped !== undefined) graph.connect(here, to, MOVE, `shift ${skipped}`)
  else if (kind === 'key') graph.connect(from, to, MOVE, 'keys')
  else if (steps.length === 0) graph.connect(from, to, operator === '+=' ? CONCAT : COPY)
  if (kind === 'each' && path.length === 0) graph.connect(from, to, READ, STREAM_PIECE)
}

/** Methods that classes of an app have as well; lists alone have `push`. */
const OF_CLASSES: ReadonlySet<string> = new Set(['add', 'append', 'set'])

/** What is put into names by such methods, with the results of the calls. */
export function additionsIn({ facts, use, page: { added } }: FlowDraft): PageFlow['additions'] {
  if (added.size === 0) return []
  return facts.calls.flatMap((call) => {
    const { callee, args } = call
    if (callee.kind !== 'member' || !OF_CLASSES.has(callee.name ?? '')) return []
    return args.flatMap((argument) => {
      const node = added.get(argument)
      return node === undefined ? [] : [[node, use(call)] as const]
    })
  })
}
