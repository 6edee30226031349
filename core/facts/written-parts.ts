import { lastNameOf } from './literals.ts'
import type { Value } from './types.ts'

/** Bounds what hostile code nests. */
const MAX_DEPTH = 4

/** `\`no rate: ${error}\``, `'no rate: ' + error`. */
export function isComposedText(value: Value): boolean {
  return 'parts' in value
}

/** What a text, an object, a list or JSON is made of, where it is logged or sent: names, fields, calls and choices; constants are left out. */
export function writtenParts(value: Value, depth = 0): readonly Value[] {
  if (depth > MAX_DEPTH) return []
  const deeper = (parts: readonly Value[]): readonly Value[] => parts.flatMap((part) => writtenParts(part, depth + 1))
  switch (value.kind) {
    case 'template':
    case 'concat':
      return deeper(value.parts)
    case 'object':
      return deeper(value.fields.map((field) => field.value))
    case 'array':
      return deeper(value.items)
    case 'spread':
    case 'await':
      return deeper([value.value])
    case 'call':
      if (lastNameOf(value.callee) !== 'stringify') return [value]
      // a list of names chooses what is written: JSON.stringify(row, ['ID'])
      return value.args[1] !== undefined && 'items' in value.args[1] ? [] : deeper(value.args.slice(0, 1))
    case 'member':
    case 'reference':
    case 'choice':
      return [value]
    default:
      return []
  }
}
