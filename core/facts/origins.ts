import { isNonText } from './casts.ts'
import type { Binding, Value } from './types.ts'

/** `source`: it is what was looked for; `clean`: nothing that is inside matters. */
export type Origin = 'source' | 'clean'

/** What leads on beside what a value is made of: what a parameter is given, what a function gives back. Undefined leaves it to the usual parts. */
export type Further = (value: Value) => readonly Value[] | undefined

/** Values looked at for one answer; a text with more parts is generated. */
const MAX_VISITS = 1000

/** Of a variable that is assigned more often the first ones count. */
const MAX_WAYS = 200

/** The first part of a value that `judge` calls a source, looked for backwards within the file: through concatenation, templates, members,
 *  calls and their arguments, aliases, destructuring, `+=`, what is pushed on lists. Numbers and booleans carry nothing.
 *  It sees no order of statements, and of the file's own functions what `further` says. */
export function findOrigin(
  value: Value,
  judge: (value: Value) => Origin | undefined,
  further: Further = () => undefined,
): Value | undefined {
  const seen = new Set<Binding | Value>()
  const open: Value[] = [value]
  for (let visits = 0; visits < MAX_VISITS; visits++) {
    const here = open.pop()
    if (here === undefined) return undefined
    const origin = judge(here)
    if (origin === 'source') return here
    if (origin === 'clean' || isNonText(here)) continue
    const parts = (seen.has(here) ? [] : further(here)) ?? partsOf(here, seen)
    if (here.kind === 'call' || here.kind === 'reference') seen.add(here)
    // the first part on top, so that what is found is the first in the text
    for (let index = parts.length - 1; index >= 0; index--) {
      const part = parts[index]
      if (part !== undefined) open.push(part)
    }
  }
  return undefined
}

function partsOf(value: Value, seen: Set<Binding | Value>): readonly Value[] {
  switch (value.kind) {
    case 'template':
    case 'concat':
      return value.parts
    case 'choice':
      return value.options
    case 'array':
      return value.items
    case 'object':
      return value.fields.map((field) => field.value)
    case 'await':
    case 'spread':
      return [value.value]
    case 'member':
      return [value.object]
    case 'call':
      return value.callee.kind === 'member' ? [value.callee.object, ...value.args] : value.args
    case 'new':
    case 'tagged':
      return value.args
    case 'reference': {
      const { binding } = value
      if (binding === undefined || seen.has(binding)) return []
      seen.add(binding)
      return [
        ...binding.definitions.slice(0, MAX_WAYS).flatMap(({ value, fallback }) => [value, fallback]),
        ...binding.additions.slice(0, MAX_WAYS),
      ].filter((part) => part !== undefined)
    }
    default:
      return []
  }
}
