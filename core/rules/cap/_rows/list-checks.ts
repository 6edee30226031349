import { accessesOf, findPart, type CallValue, type Guard, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { toBuilderSteps } from '../../../flow/frameworks/query-sinks.ts'
import type { HandlerFunction } from '../../../model/cap/index.ts'
import type { Span } from '../../../types.ts'
import { mentionsUser } from '../_callers/asked-users.ts'
import { createRefusalReader } from '../_handlers/refusals.ts'

/** A check for a row of the user that always holds: `!rows` of a list, which an empty one satisfies as well, or of a query that nobody has waited for. */
export interface ListCheck {
  readonly at: Span
  readonly variant: 'list' | 'promise'
  /** The name as written: `rows`. */
  readonly args: { readonly written: string }
}

/**
 * Refusals of handlers where a query for rows of the user gives nothing, which never run.
 * Facts: capire, "cds.ql" (`SELECT.from` gives a list, `SELECT.one` and a key as its second argument a row or null; a query runs where it is awaited).
 */
export function* findListChecks(
  text: string,
  facts: ScriptFacts,
  handlerAt: (start: number) => HandlerFunction | undefined,
  step: (count: number) => void,
): Generator<ListCheck> {
  if (!/\bSELECT\b/.test(text)) return
  const refuses = createRefusalReader(facts, text)
  for (const guard of facts.guards) {
    step(1)
    const asked = missingIn(guard)
    const fact = asked === undefined ? undefined : handlerAt(guard.start)?.fact
    if (asked?.kind !== 'reference' || fact === undefined || !refuses(guard)) continue
    const { binding, name } = asked
    const [definition, another] = binding?.definitions ?? []
    if (binding === undefined || another !== undefined || binding.additions.length > 0) continue
    if (definition?.value === undefined || definition.path.length > 0) continue
    // whoever does something with the rows gets the own ones alone
    step(binding.function.end - binding.function.start)
    if (countOf(name, text.slice(binding.function.start, binding.function.end)) > USES) continue
    const variant = variantOf(definition.value)
    if (variant !== undefined) yield { at: { start: guard.test.start, end: guard.test.end }, variant, args: { written: name } }
  }
}

/** Its declaration, and the check. */
const USES = 2

/** `rows` of `if (!rows)`. */
function missingIn({ test }: Guard): Value | undefined {
  return test.kind === 'operation' && test.operator === '!' ? test.operands[0] : undefined
}

function countOf(name: string, code: string): number {
  let count = 0
  for (let at = code.indexOf(name); at >= 0; at = code.indexOf(name, at + name.length))
    if (!/[\w$]/.test(code[at - 1] ?? '') && !/[\w$]/.test(code[at + name.length] ?? '')) count++
  return count
}

function variantOf(value: Value): ListCheck['variant'] | undefined {
  const waited = value.kind === 'await' ? value.value : value
  const isRun = waited.kind === 'call' && lastNameOf(waited.callee) === 'run' && waited.args.length === 1
  const query = isRun ? waited.args[0] : waited
  if (query?.kind !== 'call' || !asksForUsersRows(query)) return undefined
  if (value.kind !== 'await') return 'promise'
  const steps = accessesOf(query).map(toBuilderSteps)[0] ?? []
  return steps.includes('one') || chainOf(query).some(isOfOneRow) ? undefined : 'list'
}

/** `SELECT.from(Books, ID)`, `SELECT.from(req.subject)`: one row, or nobody can tell. */
function isOfOneRow({ callee, args: [entity, key], texts }: CallValue): boolean {
  if (texts !== undefined) return true
  const name = lastNameOf(callee)
  if (name !== 'from' && name !== 'SELECT') return false
  return key !== undefined || (entity !== undefined && /^(?:subject|query|target)$/.test(lastNameOf(entity) ?? ''))
}

/** `SELECT.from(Orders).where({ buyer: req.user.id })`, also with a user that a function of the project finds for the request. */
function asksForUsersRows(query: CallValue): boolean {
  const steps = accessesOf(query).map(toBuilderSteps)[0]
  if (steps?.[0] !== 'SELECT') return false
  return chainOf(query).some(
    ({ callee, args }) =>
      lastNameOf(callee) === 'where' && args.some((condition) => mentionsUser(condition) || namesUser(condition)),
  )
}

function namesUser(condition: Value): boolean {
  return (
    findPart(
      condition,
      (part) => part.kind === 'member' && part.object.kind === 'reference' && /^(?:user|\w{1,20}User)$/.test(part.object.name),
    ) !== undefined
  )
}

/** The calls of a chain, the last one first. */
function chainOf(query: CallValue): readonly CallValue[] {
  const found: CallValue[] = []
  let here: Value = query
  for (let depth = 0; depth < MAX_CHAIN; depth++) {
    if (here.kind === 'call') {
      found.push(here)
      here = here.callee
    } else if (here.kind === 'member') here = here.object
    else break
  }
  return found
}

const MAX_CHAIN = 12
