import { accessesOf, resolveValue, type FunctionFact, type Value } from '../../facts/index.ts'
import type { FlowDraft } from './draft.ts'

/** `Router()` of Express, or an object of a class, which may hold one. */
export function isRouterMade(value: Value): boolean {
  const made = resolveValue(value)
  return made.kind === 'new' || isRouter(made)
}

function isRouter(value: Value): boolean {
  return (
    value.kind === 'call' && accessesOf(value).some(({ root, steps }) => root === 'module:express' && steps.includes('Router'))
  )
}

/** The router that a function makes and gives back. */
export function routerMadeBy({ returns }: FunctionFact, { graph, owners }: FlowDraft): number | undefined {
  for (const value of returns) {
    if (value.kind === 'reference' && value.binding !== undefined && isRouter(resolveValue(value)))
      return graph.of(value.binding).node
    if (value.kind !== 'member' || value.name === undefined || !/rout/i.test(value.name)) continue
    const owner = owners.ownerBehind(value.object)
    if (owner !== undefined) return graph.ofField(owner, value.name, value)
  }
  return undefined
}
