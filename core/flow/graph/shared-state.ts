import { findPart, resolveValue, type Binding, type FunctionFact, type Value } from '../../facts/index.ts'
import type { FlowDraft } from './draft.ts'

const FAULT = 'cap/shared-handler-state'
const OF_CALLERS = /tenant|user|session|subdomain/i

/** Adds variables and collections of a module that its functions write: what a handler of another file hands them stays there for all requests. */
export function addSharedState(draft: FlowDraft): void {
  const { facts, sinks, use } = draft
  for (const binding of facts.bindings) {
    if ((binding.kind !== 'let' && binding.kind !== 'var') || binding.function.kind !== 'file' || !binding.isCaptured) continue
    for (const { kind, operator, value, path, start, end, function: within } of binding.definitions) {
      if (kind !== 'assign' || operator !== '=' || value === undefined || within.kind === 'file' || path.length > 0) continue
      if (isLazy(binding, start, draft)) continue
      sinks.push({ fault: FAULT, name: binding.name, node: use(value), start, end, isDeep: true })
    }
  }
  for (const { callee, args, start, end, function: within } of facts.calls) {
    if (callee.kind !== 'member' || callee.name !== 'set' || args.length !== 2 || within.kind === 'file') continue
    const kept = collectionOf(callee.object)
    const [key, value] = args
    if (kept === undefined || key === undefined || value === undefined || isOfCaller(key)) continue
    sinks.push({ fault: FAULT, name: kept.name, node: use(value), start, end, isDeep: true, detail: 'collection' })
  }
}

/** `if (rates === undefined) rates = await load(region)`: made once. */
function isLazy(binding: Binding, offset: number, { facts }: FlowDraft): boolean {
  return facts.guards.some(
    ({ test, inside }) =>
      inside.start <= offset &&
      offset < inside.end &&
      findPart(test, (part) => part.kind === 'reference' && part.binding === binding) !== undefined,
  )
}

/** `const values = new Map()` of the module. */
function collectionOf(object: Value): Binding | undefined {
  const binding = object.kind === 'reference' ? object.binding : undefined
  const made = resolveValue(object)
  const isOfModule = (fact: FunctionFact | undefined): boolean => fact?.kind === 'file'
  return isOfModule(binding?.function) && made.kind === 'new' && made.callee.kind === 'reference' && made.callee.name === 'Map'
    ? binding
    : undefined
}

function isOfCaller(key: Value): boolean {
  return (
    findPart(key, (part) => (part.kind === 'reference' || part.kind === 'member') && OF_CALLERS.test(part.name ?? '')) !==
    undefined
  )
}
