import { constantOf, fieldOf, resolveValue, type Value, type CallValue } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import type { SinkRow } from '../tables/sinks.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { ROWS } from './sink-index.ts'
import { addSink, needsOf, rowsNamed, writtenAt, addAssignedSinks } from './sinks.ts'
import { FIELD, type FlowSink } from '../types.ts'
import type { FoundSink } from '../models/found-sinks.ts'
import type { Span } from '../../types.ts'

/** What is known of a found sink beside its kind; `at`: where it is told, if not at the value. */
type ToldSink = Partial<Omit<FlowSink, 'start' | 'end'>> & { readonly at?: Span }

/** Adds a sink that the structure of code tells, where a value arrives. */
export function addFound(
  kind: FoundSink,
  value: Value,
  { ends: { sinks }, use }: Pick<FlowDraft, 'ends' | 'use'>,
  { at: { start, end } = value, node = use(value), ...told }: ToldSink = {},
): void {
  sinks.push({ name: '', ...kind, node, start, end, ...told })
}

/** The same for each part of a value that may hold something of others: `new cds.User({ id, roles })`. */
export function addFoundParts(
  kind: FoundSink,
  value: Value,
  draft: Pick<FlowDraft, 'ends' | 'use'>,
  told: (part: Value) => ToldSink,
): void {
  for (const part of nestedParts(value))
    if (part.kind !== 'literal' && part.kind !== 'function') addFound(kind, part, draft, told(part))
}

/** The argument itself, the fields of it that count, or the items of a list. */
export function partsOf(argument: Value, row: SinkRow): readonly Value[] {
  const { fields, onlyFields, nested, takesFunction } = row
  const { whenShell, behindOption } = row.only ?? {}
  const value = resolveValue(argument)
  if (takesFunction === true && fields === undefined) return [argument, ...givenBy(value)]
  if (whenShell === true) return value.kind === 'array' ? value.items : [argument]
  const script = behindOption === undefined || value.kind !== 'array' ? undefined : scriptIn(value.items, behindOption)
  if (script !== undefined) return [script]
  if (fields === undefined) return [argument]
  if (value.kind !== 'object') return onlyFields === true ? [] : [argument]
  const found = fields.flatMap((name) => fieldBelow(value, name) ?? [])
  if (takesFunction === true) return found.flatMap((part) => [part, ...givenBy(resolveValue(part))])
  return nested === true ? found.flatMap((part) => nestedParts(part)) : found
}

/** Fact: POSIX, "sh": with `-c`, what follows the text of the command are its positional parameters. */
function scriptIn(items: readonly Value[], option: RegExp): Value | undefined {
  const at = items.findIndex((item) => option.test(String(constantOf(item) ?? '')))
  return at < 0 || items.slice(0, at + 1).some(({ kind }) => kind === 'spread') ? undefined : items[at + 1]
}

function givenBy(value: Value): readonly Value[] {
  const isMap = value.kind === 'call' && value.callee.kind === 'member' && value.callee.name === 'map'
  return functionOf(isMap ? value.args[0] : value)?.returns ?? []
}

/** `target.shellHash` of `{ target: { shellHash } }`. */
function fieldBelow(value: Value, path: string): Value | undefined {
  let here: Value | undefined = value
  for (const name of path.split('.')) here = here && fieldOf(resolveValue(here), name)?.value
  return here
}

/** `new cds.User({ id, roles })`: itself, and what it is made of. */
export function nestedParts(value: Value, depth: number = 0): readonly Value[] {
  const here = resolveValue(value)
  if (depth > 3) return []
  if (here.kind === 'new') return here.args.flatMap((argument) => nestedParts(argument, depth + 1))
  // { [role]: true }
  if (here.kind === 'object')
    return here.fields.flatMap(({ computed, value: field }) => [
      ...(computed === undefined ? [] : [computed]),
      ...nestedParts(field, depth + 1),
    ])
  if (here.kind === 'array') return here.items.flatMap((item) => nestedParts(item, depth + 1))
  return [value]
}

/** Adds the fields of an object that are texts of a query, whatever is done with it. */
export function addFieldSinks(value: Value & { readonly kind: 'object' }, draft: FlowDraft): void {
  const rows = ROWS[draft.realm]
  for (const { key, value: field } of value.fields) {
    if (key === undefined) continue
    for (const row of rowsNamed('field', key, [key], rows)) {
      for (const part of partsOf(field, row))
        addSink(
          part,
          row,
          { at: writtenAt(part, field), within: undefined },
          { fault: row.fault, name: key, ...needsOf(row) },
          draft,
        )
      addMadeFields(field, row, key, draft)
    }
  }
}

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

/** `{ urlParameters: query }`: what lies in the fields of an object that was made before. */
export function addMadeFields(given: Value, { made = [], fault, needs }: SinkRow, name: string, draft: FlowDraft): void {
  if (made.length === 0 || given.kind === 'object' || given.kind === 'literal') return
  const { start, end } = given
  for (const field of made) {
    const node = draft.graph.derive(draft.use(given), given, FIELD, field)
    draft.ends.sinks.push({ node, fault, name, start, end, ...(needs !== undefined && { needs }) })
  }
}
