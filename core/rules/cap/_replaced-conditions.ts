import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { accessesOf, findPart, pathOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { entityName } from '../../model/cap/index.ts'
import type { Span } from '../../types.ts'
import { findHandledFunctions } from './_handled-functions.ts'
import { createExportReader } from './_handler-links.ts'

/** A place where a handler drops the conditions that CAP put into the query of a request. */
export interface ReplacedCondition extends Span {
  /** `query`: another query instead · `where`: another condition · `fresh`: the result of a query of its own is returned. */
  readonly kind: 'query' | 'where' | 'fresh'
  readonly events: readonly string[]
  /** Of the handler; undefined: all, or nobody can tell. */
  readonly entities: readonly string[] | undefined
  /** No handler is around, but this exported function, which another file may register as one. */
  readonly exported?: string
}

export const replacedConditions: Extract<ReplacedCondition> = defineExtract({
  name: 'cap-replaced-conditions',
  keywords: ['SELECT', '.query'],
  prefilter: (text) => /\.query\b|\bSELECT\b/.test(text) && /\.(?:on|before)\s{0,4}\(|\bexports?\b/.test(text),
  collect: ({ path, facts }) => (/(?:^|\/)webapp\//.test(path) ? [] : [...findReplaced(facts)]),
})

function* findReplaced(facts: ScriptFacts): Generator<ReplacedCondition> {
  const { handlers, handlerOf } = findHandledFunctions(facts)
  const known = (handler: (typeof handlers)[number]): Pick<ReplacedCondition, 'events' | 'entities'> => ({
    events: handler.events.flatMap((event) => event ?? []),
    entities: handler.entities,
  })
  for (const { target, value, operator, start, end } of facts.assignments) {
    const handler = operator === '=' ? handlerOf(target) : undefined
    const kind = handler && replacedBy(target, value)
    if (handler !== undefined && kind !== undefined && handler.phase !== 'after') yield { start, end, kind, ...known(handler) }
    else if (operator === '=' && handler === undefined) yield* replacedElsewhere({ start, end }, replacedBy(target, value), facts)
  }
  for (const handler of handlers) {
    if (handler.phase !== 'on' || handler.fact === undefined || !handler.isTargeted) continue
    for (const returned of handler.fact.returns) {
      const query = freshQuery(returned)
      const from = query && entityOf(query)
      if (query === undefined || from === undefined || handler.entities?.includes(from) !== true) continue
      yield { start: query.start, end: query.end, kind: 'fresh', ...known(handler) }
    }
  }
}

function* replacedElsewhere(
  place: Span,
  kind: ReplacedCondition['kind'] | undefined,
  facts: ScriptFacts,
): Generator<ReplacedCondition> {
  const exported = kind && createExportReader(facts)(place)
  const { start, end } = place
  if (kind !== undefined && exported !== undefined) yield { start, end, kind, events: [], entities: undefined, exported }
}

const CONDITION = /^query\.(?:SELECT|UPDATE|DELETE)\.where$/

/** `req.query = …`, `req.query.SELECT.where = …`. */
function replacedBy(target: Value, value: Value): ReplacedCondition['kind'] | undefined {
  const [root = '', ...steps] = pathOf(target) ?? []
  if (!root.startsWith('parameter:')) return undefined
  const keeps = (name: string): boolean => findPart(value, (part) => part.kind === 'member' && part.name === name) !== undefined
  if (steps.join('.') === 'query') return keeps('query') || keeps('user') ? undefined : 'query'
  return CONDITION.test(steps.join('.')) && !keeps('where') && !keeps('user') ? 'where' : undefined
}

/** A query that the handler makes and runs by itself, without a word about the user. */
function freshQuery(returned: Value): CallValue | undefined {
  let here = resolveValue(returned)
  if (here.kind === 'await') here = resolveValue(here.value)
  // cds.run(SELECT.from(X)), tx.run(…)
  if (here.kind === 'call' && here.callee.kind === 'member' && here.callee.name === 'run' && here.args[0] !== undefined)
    here = resolveValue(here.args[0])
  if (here.kind !== 'call' || !accessesOf(here).some(({ root, steps }) => isSelect(root, steps))) return undefined
  const isOwn = findPart(here, (part) => part.kind === 'member' && /^(?:user|query|subject|params|data)$/.test(part.name ?? ''))
  return isOwn === undefined ? here : undefined
}

function isSelect(root: string, steps: readonly string[]): boolean {
  return (
    root === 'global:SELECT' ||
    ((root === 'global:cds' || root === 'module:@sap/cds') && steps[0] === 'ql' && steps[1] === 'SELECT')
  )
}

/** The entity of `SELECT.from(X)…`. */
function entityOf(query: CallValue): string | undefined {
  let here: Value = query
  for (let hops = 0; hops < 12; hops++) {
    if (here.kind === 'call' && here.callee.kind === 'member') {
      if (here.callee.name === 'from') return here.args[0] && entityName(here.args[0])
      here = here.callee.object
    } else if (here.kind === 'member') here = here.object
    else return undefined
  }
  return undefined
}
