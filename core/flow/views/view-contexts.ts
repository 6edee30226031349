import type { Binding, Ui5Control } from '../../model/ui5/index.ts'
import { segmentsOf } from './bindings.ts'
import { defaultAggregationOf } from '../tables/controls.ts'
import { ANY_FIELD } from '../types.ts'

/** Controls around one that are asked for its context. */
const MAX_AROUND = 200
/** Aggregations that lists of other libraries have by default. */
const LISTS: ReadonlySet<string> = new Set(
  'items rows content columns cells tiles pages buttons tokens suggestionItems attributes formElements headerContent sections blocks'.split(
    ' ',
  ),
)

/** Where the relative paths of a control begin in a model: the element binding of it or of one around it, and the lists that it is an item of. */
export function contextOf(control: Ui5Control, model: string): readonly string[] | undefined {
  const pieces: (readonly string[])[] = []
  let here: Ui5Control | undefined = control
  for (let count = 0; here !== undefined && count < MAX_AROUND; count++) {
    const own = pathIn(here.properties.get('binding')?.binding, model)
    if (own !== undefined) pieces.push(segmentsOf(own))
    const list = own?.startsWith('/') === true ? undefined : pathIn(aggregationAround(here), model)
    if (list !== undefined) pieces.push([...segmentsOf(list), ANY_FIELD])
    if ((own ?? '').startsWith('/') || (list ?? '').startsWith('/')) return pieces.toReversed().flat()
    here = here.parent
  }
  return undefined
}

function aggregationAround({ parent, aggregation }: Ui5Control): Binding | undefined {
  if (parent === undefined) return undefined
  const named = aggregation ?? defaultAggregationOf(parent.type)
  if (named !== undefined) return parent.properties.get(named)?.binding
  const bound = [...parent.properties].find(([name, { binding }]) => LISTS.has(name) && binding.kind === 'bound')
  return bound?.[1].binding
}

function pathIn(binding: Binding | undefined, model: string): string | undefined {
  const [part] = binding?.kind === 'bound' ? binding.parts : []
  if (part === undefined || part.kind === 'expression') return undefined
  return (part.kind === 'path' ? [part] : part.paths).find((path) => path.model === model)?.path
}
