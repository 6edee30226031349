import { isAllowed } from '../../conditions/constraint.ts'
import { lastName } from '../dotted-names.ts'
import type { FlowCheck, FlowRefusal } from '../check-types.ts'
import type { Filled } from '../app/joined-graph.ts'
import type { LinkedFile } from '../app/links.ts'
import { append } from '../../lists.ts'
import type { FlowSource } from '../types.ts'

/** Tells the fields of a request's data that handlers of the phase before refuse where they have the wrong form. */
export function createRefusalReader(
  files: readonly LinkedFile[],
  bases: readonly number[],
  checks: ReadonlyMap<number, readonly FlowCheck[]>,
  argumentsAt: ReadonlyMap<number, readonly Filled[]>,
): (source: FlowSource) => readonly string[] {
  const byEvent = new Map<string, { readonly handled: FlowRefusal['handled']; readonly fields: readonly string[] }[]>()
  for (const [file, { flow }] of files.entries())
    for (const { handled, fields, given } of flow.refusals ?? []) {
      const called = given.flatMap(({ node, path }) =>
        fieldsBehind(path, argumentsAt.get((bases[file] ?? 0) + node) ?? [], checks),
      )
      const all = [...fields, ...called]
      if (all.length > 0) for (const event of handled.events) append(byEvent, event, { handled, fields: all })
    }
  if (byEvent.size === 0) return () => []
  return ({ handled, isBehind }) => {
    const [event, ...others] = handled?.events ?? []
    if (handled === undefined || isBehind !== true || event === undefined) return []
    const refused = (name: string): readonly string[] =>
      [...(byEvent.get(name) ?? []), ...(byEvent.get('*') ?? [])].flatMap((one) =>
        covers(one.handled, handled) ? one.fields : [],
      )
    return refused(event).filter((field) => others.every((other) => refused(other).includes(field)))
  }
}

/** Whether a handler runs for all that another one runs for. */
export function covers(before: FlowRefusal['handled'], { service, entities }: FlowRefusal['handled']): boolean {
  const isSame = before.service === undefined || service === undefined || lastName(before.service) === lastName(service)
  return isSame && (before.entities === undefined || (entities?.every((name) => before.entities?.includes(name)) ?? false))
}

/** The fields of the data that all functions refuse to which it is given. */
function fieldsBehind(
  path: readonly string[],
  given: readonly Filled[],
  checks: ReadonlyMap<number, readonly FlowCheck[]>,
): readonly string[] {
  const [first, ...others] = given.map(({ parameter }) =>
    (checks.get(parameter) ?? []).flatMap(({ form, path: inner = [], proofs }) => {
      const [root, field, ...deeper] = [...path, ...inner]
      const isWhole = proofs.some(isAllowed)
      return form === 'throws' && root === 'data' && field !== undefined && deeper.length === 0 && isWhole ? [field] : []
    }),
  )
  return (first ?? []).filter((field) => others.every((other) => other.includes(field)))
}
