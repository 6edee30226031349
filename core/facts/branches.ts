import { findFirst } from '../lists.ts'
import type { Node } from '../parse/javascript.ts'
import type { Span } from '../types.ts'
import type { Branch, BranchWrite, Scope, Walk } from './walk.ts'
import { isAround } from './span-index.ts'

export function toBranch(node: Node, depth: number = node.type === 'BlockStatement' ? 1 : 0): Branch {
  return { start: node.start ?? 0, end: node.end ?? 0, depth }
}

/** Tells of the first assignment in a statement that all of its branches assign: what the name was given before is gone behind it. */
export function settleBranches(walk: Walk): void {
  const writes = walk.branchWrites
  if (walk.branches.length === 0 || writes.length === 0) return
  const sorted = writes.toSorted((one, other) => one.definition.start - other.definition.start)
  for (const branches of walk.branches) {
    const inside = within(sorted, branches, walk)
    for (const binding of new Set(inside.map((write) => write.binding))) {
      if (branches.scope.names?.get(binding.name) !== binding) continue
      const own = inside.filter((write) => write.binding === binding)
      const settles = branches.parts.every((part) => own.some((write) => isSure(write, part, branches.scope, walk)))
      const [first] = own
      const at = first === undefined || !settles ? -1 : binding.definitions.indexOf(first.definition)
      if (first !== undefined && at >= 0)
        binding.definitions[at] = { ...first.definition, branches: { start: branches.start, end: branches.end } }
    }
  }
}

function within(sorted: readonly BranchWrite[], { start, end }: Span, walk: Walk): readonly BranchWrite[] {
  const startOf = (index: number): number => sorted[index]?.definition.start ?? 0
  const found = sorted.slice(
    findFirst(sorted.length, (index) => startOf(index) >= start),
    findFirst(sorted.length, (index) => startOf(index) >= end),
  )
  for (let count = found.length; count > 0; count--) walk.step()
  return found
}

/** Whether the assignment runs wherever its branch does. */
function isSure({ scope, definition: { start } }: BranchWrite, part: Branch, outer: Scope, walk: Walk): boolean {
  if (start < part.start || start >= part.end) return false
  let depth = 0
  for (let here: Scope | undefined = scope; here !== outer; here = here.parent) {
    if (here === undefined) return false
    depth++
  }
  if (depth !== part.depth) return false
  for (let count = walk.guards.length; count > 0; count -= 8) walk.step()
  return !walk.guards.some(({ inside }) => inside.start > part.start && isAround(inside, start) && inside.end <= part.end)
}
