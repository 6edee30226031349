import { isAllowed, common } from '../../conditions/constraint.ts'
import { type CallValue, directParts, keyOf, resolveValue, type Binding, type Guard, type Value } from '../../facts/index.ts'
import { ANY_FIELD, COPY, MOVE, READ, WRITE } from '../types.ts'
import type { FunctionParts } from '../../conditions/parts.ts'
import type { FlowDraft } from '../graph/draft.ts'
import type { CheckingScript } from '../graph/input.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { PLAIN_VALUE, toMark } from '../field-marks.ts'
import { answerOf } from '../checks/asked-values.ts'
import { CHECKED_FIELDS } from '../places.ts'
import { cleansOf, type Cleans } from '../tables/harmless.ts'
import { FOLDER_CHECK_CLEANS } from '../tables/propagators.ts'
import { provedAt } from '../checks/proofs.ts'
import { checkables } from '../checks/function-checks.ts'

/** What `list.filter(…)` and `list.find(…)` let through: nothing of items that a check lets through, and of others not the fields that are checked. */
export function connectFiltered(call: CallValue, list: number, result: number, draft: FlowDraft): void {
  const { graph, realm } = draft
  const name = call.callee.kind === 'member' ? call.callee.name : undefined
  const known = fieldsKnown(call, draft)
  if (known.includes('')) return graph.connect(graph.add(call), result, COPY)
  if (realm === 'server') return connectCheckedItems(call, list, result, name === 'find', draft)
  // of a list that `map` made, the item; rows of a model are read as the list is
  if (name === 'find') graph.connect(list, result, READ, ANY_FIELD)
  const checked = name === 'filter' ? known : []
  if (checked.length === 0) return graph.connect(list, result, COPY)
  let item = graph.derive(list, call, READ, ANY_FIELD)
  for (const field of checked) item = graph.derive(item, call, MOVE, `without ${field}`)
  graph.connect(item, result, WRITE, ANY_FIELD)
}

/** The fields of items that a list is filtered by, `name` of `rows.filter((row) => NAMES.has(row.name))`; an empty one: the items themselves. */
function fieldsKnown({ args: [callback] }: CallValue, { checks: { parts } }: FlowDraft): readonly string[] {
  const found = callback === undefined ? [] : parts.conditions.constraintsOfItems(callback)
  const known = found.flatMap((one) => (isAllowed(one) ? one.of.trim() : []))
  return [...new Set(known)].filter((field) => !field.includes(' '))
}

/** The rules for which a field is harmless of the items that a filter lets through. */
type ItemChecks = ReadonlyMap<string, Cleans>

/** `entries.filter((entry) => NAME.test(entry.name))`. */
function itemChecksOf(
  call: CallValue,
  { facts, step }: Pick<CheckingScript, 'facts' | 'step'>,
  parts: FunctionParts,
  holds = true,
): ItemChecks {
  const fact = functionOf(call.args[0])
  if (fact === undefined || fact.returns.length === 0 || fact.parameters.length === 0) return new Map()
  step(1 + (facts.bindings.length >> 4))
  const guards = parts.guardsIn(fact)
  // what the item is where the answer is true, or is not
  const inside = holds ? { start: fact.end - 1, end: fact.end } : { start: fact.start, end: fact.start }
  const answers = fact.returns.filter((answer) => answer.kind !== 'literal' || answer.value === holds)
  const guardsOf = (test: Value): readonly Guard[] => [
    ...guards.filter((guard) => guard.exits),
    { test, inside, start: test.start, end: test.end, exits: !holds, function: fact },
  ]
  const tests = [...answers, ...guards.map(({ test }) => test)]
  const found = new Map<string, Cleans>()
  for (const { parameter, path, value } of checkables(fact, parts.patternsIn(fact), tests, step)) {
    if (parameter !== 0 || path.length === 0) continue
    const cleans = cleansOf(common(answers.map((answer) => provedAt(value, guardsOf(answer), parts))))
    if (cleans !== undefined) found.set(path.join('.'), cleans)
  }
  return found
}

/** The fields of items that a filter has checked for all rules, or for their form, as a move behind checks names them. */
function marksOfItems(checks: ItemChecks, before: string): readonly string[] {
  return [...checks].map(([path, cleans]) => toMark(before + path, cleans))
}

/** `if (!items.every((item) => NAME.test(item.name))) return`: what is known of the items then. */
export function marksOfAll(
  test: Value,
  key: string,
  holds: boolean,
  script: Pick<CheckingScript, 'facts' | 'step' | 'parts'>,
): readonly string[] {
  const found: string[] = []
  const open: Value[] = [test]
  for (let visits = 0; visits < MAX_PARTS; visits++) {
    const here = open.pop()
    if (here === undefined) break
    const name = here.kind === 'call' && here.callee.kind === 'member' ? here.callee.name : undefined
    if (
      here.kind === 'call' &&
      here.callee.kind === 'member' &&
      (name === 'every' || name === 'some') &&
      keyOf(here.callee.object) === key
    ) {
      const answer = answerOf(here, script.parts.conditions.constraintsOf(test, holds))
      if (answer?.form === (name === 'every' ? 'true' : 'false'))
        found.push(...marksOfItems(itemChecksOf(here, script, script.parts, name === 'every'), `${ANY_FIELD}.`))
    } else if (here.kind === 'operation' || here.kind === 'choice') open.push(...directParts(here))
  }
  return found
}

const MAX_PARTS = 20

/** Connects a list of a server with those of its items that a filter lets through. */
function connectCheckedItems(call: CallValue, from: number, to: number, isOne: boolean, draft: FlowDraft): void {
  const { graph } = draft
  const checks = itemChecksOf(call, draft, draft.checks.parts)
  const connect = (here: number, before: string): void => {
    const marks = marksOfItems(checks, before)
    if (marks.length === 0) graph.connect(here, to, COPY)
    else graph.connect(here, to, MOVE, CHECKED_FIELDS + marks.join(' '))
  }
  connect(from, isOne ? '' : `${ANY_FIELD}.`)
  if (!isOne) return
  const item = graph.derive(from, call, READ, ANY_FIELD)
  connect(item, '')
}

/** Whether `entry.entryName` belongs to an item of a list of which a filter has left what stays in a folder. */
export function isKeptByFilter({ object, name }: Value & { readonly kind: 'member' }, draft: FlowDraft): boolean {
  const list = object.kind === 'reference' && name !== undefined ? listOf(object.binding) : undefined
  if (list?.kind !== 'call' || list.callee.kind !== 'member' || list.callee.name !== 'filter' || name === undefined) return false
  const cleans = itemChecksOf(list, draft, draft.checks.parts).get(name)
  if (cleans === undefined || cleans === 'all') return cleans !== undefined
  return cleans.includes(PLAIN_VALUE) || FOLDER_CHECK_CLEANS.every((rule) => cleans.includes(rule))
}

/** The list that a name is an item of: in a loop, or of `list.forEach((item) => …)`. */
function listOf(binding: Binding | undefined): Value | undefined {
  const [definition] = binding?.definitions ?? []
  return definition?.kind === 'each' && definition.value !== undefined ? resolveValue(definition.value) : undefined
}
