import { findPart, type Binding, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { createRefusalReader } from '../_handlers/refusals.ts'
import type { ScriptQuery } from '../_handlers/script-queries.ts'

/**
 * Tells whether an operation goes on with the row that a query finds: it refuses where there is none, and changes other rows behind that. The key alone lets the client
 * choose whose row that is.
 */
export function createFollowReader(
  facts: ScriptFacts,
  text: string,
  queries: readonly ScriptQuery[],
  step: (count?: number) => void,
): (query: ScriptQuery) => boolean {
  const refuses = createRefusalReader(facts, text)
  const changesIn = createInnerIndex(queries.flatMap(({ base, kind }) => (kind === 'read' || kind === 'own' ? [] : [base])))
  return ({ last, base }) => {
    const row = rowOf(last, facts, step)
    if (row === undefined) return false
    step(facts.guards.length)
    const guard = facts.guards.find(
      (one) => one.function === base.function && one.start >= last.end && refuses(one) && isAbsence(one.test, row),
    )
    if (guard === undefined) return false
    return changesIn(base.function).some(({ start, function: around }) => start >= guard.end && around === base.function)
  }
}

/** The name that holds what a query gives: `const file = await SELECT.one.from(Files).where(…)`. */
function rowOf({ start, end }: CallValue, { bindings }: ScriptFacts, step: (count?: number) => void): Binding | undefined {
  step(bindings.length)
  return bindings.find(({ definitions: [definition, another] }) => {
    const given = definition?.value
    if (definition === undefined || given === undefined || another !== undefined || definition.path.length > 0) return false
    return given.end >= end && given.end - end <= 1 && given.start <= start && start - given.start <= MAX_BEFORE
  })
}

/** The length of `await cds.run(` and a little white space. */
const MAX_BEFORE = 20

/** `!file`, `files.length === 0`, `!files?.length`: that there is none, and nothing of what the row holds. */
function isAbsence(test: Value, row: Binding): boolean {
  const isRow = (part: Value): boolean => part.kind === 'reference' && part.binding === row
  const isField = (part: Value): boolean => part.kind === 'member' && isRow(part.object) && part.name !== 'length'
  return findPart(test, isRow) !== undefined && findPart(test, isField) === undefined
}
