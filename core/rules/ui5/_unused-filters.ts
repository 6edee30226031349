import { valuesOf, type Binding, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { append } from '../../lists.ts'

/** Tells of a filter whether it is only put into lists that nothing reads: no request gets it. */
export function createUnusedReader(facts: ScriptFacts, step: (count?: number) => void): (filter: CallValue) => boolean {
  const read = new Set<Binding>()
  const lists = new Map<Value | Binding, (Binding | undefined)[]>()
  for (const { value, parent } of valuesOf(facts)) {
    step()
    const binding = value.kind === 'reference' ? value.binding : undefined
    const call = parent?.kind === 'call' && parent.callee !== value ? parent : undefined
    const list = call === undefined ? undefined : pushedTo(call)
    if (list !== undefined) append(lists, binding ?? value, list.binding)
    else if (binding !== undefined && !(parent?.kind === 'member' && parent.name === 'push')) read.add(binding)
  }
  const holders = new Map<Value, Binding[]>()
  for (const binding of facts.bindings)
    for (const { value, path } of binding.definitions)
      if (value !== undefined && path.length === 0) append(holders, value, binding)
  return (filter) => {
    const names = holders.get(filter) ?? []
    const into = [filter, ...names].flatMap((one) => lists.get(one) ?? [])
    return (
      into.length > 0 &&
      names.every((one) => !read.has(one)) &&
      into.every((one) => one !== undefined && isLocal(one) && !read.has(one))
    )
  }
}

/** `filters` of `filters.push(…)`. */
function pushedTo({ callee }: CallValue): { readonly binding: Binding | undefined } | undefined {
  if (callee.kind !== 'member' || callee.name !== 'push') return undefined
  return { binding: callee.object.kind === 'reference' ? callee.object.binding : undefined }
}

/** A list that the function makes itself: whoever gave it another one may read that. */
function isLocal({ definitions }: Binding): boolean {
  return definitions.length > 0 && definitions.every(({ value, path }) => value?.kind === 'array' && path.length === 0)
}
