import { accessesOf } from '../../facts/paths.ts'
import type { Value } from '../../facts/types.ts'

/** Names that a request has by custom, also with the prefix of objects that UI5 developers write. Facts: capire, "Events"; Express 5, "Routing". */
const REQUEST = /^_?o?(?:req|request)$/i

/** The same, and what holds one: the context of Koa or of an event. Facts: Koa 3, "Context"; capire, "cds.context". */
const CONTEXT = /^_?o?(?:req|request|ctx|context)$/i

const PARAMETER = 'parameter:'

/** `req`, `request`: the request itself, which has what was sent in `data`, `body`, `query`. */
export function isRequestName(name: string | undefined): boolean {
  return name !== undefined && REQUEST.test(name)
}

/** `req`, `ctx`, `context`: a request, or what holds one. */
export function isContextName(name: string | undefined): boolean {
  return name !== undefined && CONTEXT.test(name)
}

/** The same of the root of a way: `parameter:req`. */
export function isContextRoot(root: string): boolean {
  return root.startsWith(PARAMETER) && CONTEXT.test(root.slice(PARAMETER.length))
}

/** A name alone: `req`, as it is handed on. */
export function isContext(value: Value): boolean {
  return value.kind === 'reference' && CONTEXT.test(value.name)
}

/** `req.data` as a whole, under whatever name; not an element of it. */
export function isSentData(value: Value): boolean {
  return accessesOf(value).some(
    ({ binding, steps: [part, ...others] }) =>
      binding?.kind === 'parameter' && CONTEXT.test(binding.name) && part === 'data' && others.length === 0,
  )
}
