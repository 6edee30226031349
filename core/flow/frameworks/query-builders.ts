import { accessesOf, type Access, type Value } from '../../facts/index.ts'
import { isCds } from './cap-receivers.ts'

/** What queries of CAP begin with. Fact: capire, "cds.ql". */
export const BUILDERS: ReadonlySet<string> = new Set(['SELECT', 'INSERT', 'UPSERT', 'UPDATE', 'DELETE'])

/** The steps from a query builder on: `['SELECT', 'from', '()', 'where']`; undefined where it is none. */
export function toBuilderSteps(access: Access): readonly string[] | undefined {
  const { root, steps } = access
  if (isCds(access)) {
    const own = steps[0] === 'ql' ? steps.slice(1) : steps
    return own[0] !== undefined && BUILDERS.has(own[0]) ? own : undefined
  }
  const name = root.startsWith('global:') ? root.slice('global:'.length) : undefined
  return name !== undefined && BUILDERS.has(name) ? [name, ...steps] : undefined
}

/** `SELECT` of `cds.ql.SELECT.from(X)`. */
export function builderOf(access: Access): string | undefined {
  return toBuilderSteps(access)?.[0]
}

/** What a query or a part of one begins with. */
export function builderBehind(value: Value): string | undefined {
  return accessesOf(value)
    .map(builderOf)
    .find((name) => name !== undefined)
}
