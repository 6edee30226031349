import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { accessesOf, constantOf, fieldOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { exportedFunctions, resolveModule } from '../../flow/index.ts'
import { isCds } from '../../flow/cap-receivers.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { Place, Span } from '../../types.ts'

/** A middleware that CAP calls once the user of a request is known, or a function that another file may make one. */
export type LateMiddleware =
  | ({ readonly kind: 'own' } & Span)
  | { readonly kind: 'named'; readonly source: string; readonly name: string }
  | ({ readonly kind: 'exported'; readonly name: string } & Span)

export const lateMiddlewares: Extract<LateMiddleware> = defineExtract({
  name: 'cap-late-middlewares',
  keywords: ['middlewares.add', 'context.user', 'req.user', 'cds.context'],
  prefilter: (text) => /middlewares\.add\b|(?:\.user|\.context)\s{0,8}=(?!=)/.test(text),
  collect: ({ facts }) => [...findMiddlewares(facts)],
})

const MAX_EXPORTED = 50

function* findMiddlewares(facts: ScriptFacts): Generator<LateMiddleware> {
  for (const call of facts.calls) {
    const added = addedLate(call)
    if (added === undefined) continue
    const own = functionOf(added)
    if (own !== undefined) yield { kind: 'own', start: own.start, end: own.end }
    else
      for (const { root, steps } of accessesOf(added))
        if (/^module:\.{1,2}\//.test(root))
          yield { kind: 'named', source: root.slice('module:'.length), name: steps.join('.') || 'default' }
  }
  const writesUser = facts.assignments.some(({ target }) => target.name === 'user' || target.name === 'context')
  let left = MAX_EXPORTED
  if (writesUser)
    for (const [name, { start, end }] of exportedFunctions(facts)) if (left-- > 0) yield { kind: 'exported', name, start, end }
}

/** What runs before the user is known. Fact: capire, "cds.middlewares": context, trace, auth, ctx_model. */
const EARLY = /^(?:context|trace|auth)$/

/** `cds.middlewares.add(preview, { after: 'auth' })`; without a place it comes last. */
function addedLate({ callee, args: [added, options] }: CallValue): Value | undefined {
  if (added === undefined || callee.kind !== 'member' || callee.name !== 'add') return undefined
  if (!accessesOf(callee.object).some((access) => isCds(access) && access.steps.join(' ') === 'middlewares')) return undefined
  const given = (name: string): unknown => {
    const field = options && fieldOf(resolveValue(options), name)
    return field && constantOf(field.value)
  }
  const [before, after] = [given('before'), given('after')]
  if (typeof before === 'string' && EARLY.test(before)) return undefined
  if (typeof after === 'string' && after !== 'auth' && EARLY.test(after)) return undefined
  const made = resolveValue(added)
  // preview({ cookie: 'as' })
  return made.kind === 'call' && functionOf(added) === undefined && !isRequired(made) ? made.callee : added
}

function isRequired({ callee }: CallValue): boolean {
  return callee.kind === 'reference' && callee.name === 'require'
}

/** Whether a place lies in a middleware that runs behind the authentication. */
export function isInLateMiddleware({ file, span }: Place, scripts: Scripts): boolean {
  const found = scripts.get(lateMiddlewares)
  const holds = ({ start, end }: Span): boolean => span !== undefined && start <= span.start && span.end <= end
  const own = new Map([[file, true]])
  const names = new Set<string>()
  for (const { file: from, value } of found) {
    if (value.kind === 'own' && from === file && holds(value)) return true
    if (value.kind === 'named' && resolveModule(from, value.source, own) === true) names.add(value.name)
  }
  return (
    names.size > 0 &&
    found.some(({ file: from, value }) => value.kind === 'exported' && from === file && names.has(value.name) && holds(value))
  )
}
