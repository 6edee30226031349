import { constantOf, fieldOf, resolveValue, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import type { SinkRow } from '../tables/sinks.ts'

/** The argument itself, the fields of it that count, or the items of a list. */
export function partsOf(argument: Value, row: SinkRow): readonly Value[] {
  const { fields, onlyFields, whenShell, nested, behindOption, takesFunction } = row
  const value = resolveValue(argument)
  if (takesFunction === true) return [argument, ...givenBy(value)]
  if (whenShell === true) return value.kind === 'array' ? value.items : [argument]
  const script = behindOption === undefined || value.kind !== 'array' ? undefined : scriptIn(value.items, behindOption)
  if (script !== undefined) return [script]
  if (fields === undefined) return [argument]
  if (value.kind !== 'object') return onlyFields === true ? [] : [argument]
  const found = fields.flatMap((name) => fieldBelow(value, name) ?? [])
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
