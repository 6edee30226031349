import { constantOf, type CallValue, type Value } from '../../facts/index.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { addAssignedSinks } from './sinks.ts'

/** `Object.assign(element, { innerHTML })`, `Reflect.set(element, 'innerHTML', text)`. */
export function addMergedSinks(
  { args, start, end, function: within }: CallValue,
  paths: readonly string[],
  draft: FlowDraft,
): void {
  const [object, ...rest] = args
  if (object === undefined || !paths.some((path) => path === 'global:Object assign' || path === 'global:Reflect set')) return
  const set = (name: string | undefined, value: Value | undefined): void => {
    if (name === undefined || value === undefined) return
    addAssignedSinks(
      {
        target: { kind: 'member', object, name, property: undefined, isOptional: false, start, end },
        value,
        function: within,
        start,
        end,
      },
      draft,
    )
  }
  for (const argument of rest) if (argument.kind === 'object') for (const { key, value } of argument.fields) set(key, value)
  if (paths.includes('global:Reflect set')) set(String((rest[0] && constantOf(rest[0])) ?? ''), rest[1])
}
