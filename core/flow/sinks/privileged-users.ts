import { accessesOf, fieldOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isPrivileged, type HandlerFunction } from '../../model/cap/index.ts'
import { FIELD } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { nameOf } from '../graph/names.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { PRIVILEGED_USER } from '../tables/cap-sinks.ts'
import { addFound } from './sink-parts.ts'
import { isWithin } from '../../facts/span-index.ts'

/** Adds the user who may do everything: `cds.User.privileged`, `new cds.User.Privileged()`. Fact: capire, "cds.User" (Node.js). */
export function addPrivilegedMember(
  value: Value & { readonly kind: 'member' },
  node: number,
  { ends: { sources }, show }: FlowDraft,
): void {
  if (value.name !== 'privileged') return
  if (!accessesOf(value).some(({ root, steps }) => PRIVILEGED_USER.test([root, ...steps].join(' ')))) return
  sources.push({ node, origin: 'privileged', weak: false })
  show(node, value)
}

export function addPrivilegedNew(
  call: CallValue,
  paths: readonly string[],
  result: number,
  { ends: { sources }, show }: FlowDraft,
): void {
  if (call.kind !== 'new' || !paths.some((path) => PRIVILEGED_USER.test(path))) return
  sources.push({ node: result, origin: 'privileged', weak: false })
  show(result, call)
}

/** Adds where handlers say who does what: a user that another file makes may be the privileged one. */
export function addHandedUsers(handlers: readonly HandlerFunction[], draft: FlowDraft): void {
  const own = handlers.flatMap(({ fact, service, phase }) =>
    fact === undefined || (service.kind === 'connected' && phase === 'on') ? [] : fact,
  )
  if (own.length === 0) return
  const isInHandler = (span: CallValue): boolean => own.some((fact) => isWithin(span, fact))
  for (const call of draft.facts.calls) {
    const [options] = call.args
    if (options === undefined || !/^(?:tx|transaction|EventContext)$/.test(lastNameOf(call.callee) ?? '') || !isInHandler(call))
      continue
    const given = resolveValue(options)
    const user = fieldOf(given, 'user')?.value
    if (given.kind === 'function' || options.kind === 'literal' || (user !== undefined && isPrivileged(user))) continue
    const node = user === undefined ? draft.graph.derive(draft.use(options), options, FIELD, 'user') : draft.use(user)
    addFound(FOUND_SINKS.privilegedUser, user ?? options, draft, { name: nameOf(call.callee), node })
  }
}
