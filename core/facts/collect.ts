import type { Budget } from '../budget.ts'
import type { File } from '../parse/javascript.ts'
import { ParseFailure } from '../parse/failure.ts'
import { deriveGuards } from './derived-guards.ts'
import { toValue } from './expressions.ts'
import { visit } from './statements.ts'
import type { ScriptFacts } from './types.ts'
import { settleBranches } from './branches.ts'
import { listValues } from './values.ts'
import { createWalk, resolveNames, type RelativeName } from './walk.ts'
import { wire } from './wiring.ts'

/** The facts of one file, by one walk over its tree; the tree can go afterwards. A step of the budget is about a node.
 *  Throws a ParseFailure where the tree is deeper than the stack, a StopSignal when the budget is used up. */
export function collectFacts(ast: File, text: string, budget?: Budget, relativeName?: RelativeName): ScriptFacts {
  const walk = createWalk(text.length, { budget, relativeName }, toValue, visit)
  try {
    for (const statement of ast.program.body) visit(walk, statement)
  } catch (error) {
    // chains that the parser could just hold; brackets can't get here (MAX_NESTING)
    if (error instanceof RangeError) throw new ParseFailure('too-deep')
    throw error
  }
  const globals = resolveNames(walk)
  settleBranches(walk)
  wire(walk)
  // a computed key is walked before the method that it names
  walk.functions.sort((one, other) => one.start - other.start)
  const derived = deriveGuards(walk, walk.step)
  if (derived.length > 0) {
    walk.guards.push(...derived)
    walk.guards.sort((one, other) => one.start - other.start)
  }
  const {
    functions,
    classes,
    bindings,
    calls,
    assignments,
    deletions,
    imports,
    exports,
    elements,
    literals,
    guards,
    partial,
    types,
  } = walk
  const facts = {
    functions,
    classes,
    bindings,
    globals,
    calls,
    assignments,
    deletions,
    imports,
    exports,
    elements,
    literals,
    guards,
    partial,
    types,
  }
  let values: ScriptFacts['values'] | undefined
  return {
    ...facts,
    get values() {
      return (values ??= listValues(facts))
    },
  }
}
