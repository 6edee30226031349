import { functionOf } from './callbacks.ts'
import { constantOf } from './constants.ts'
import { lastNameOf } from './literals.ts'
import type { Value } from './types.ts'
import { isNothing, resolveValue } from './values.ts'

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
      return chooses(value.args[1]) ? [] : deeper(value.args.slice(0, 1))
    case 'member':
    case 'reference':
    case 'choice':
      return [value]
    default:
      return []
  }
}

/** A list of names, or a function that leaves something out, chooses what is written as JSON: `JSON.stringify(row, ['ID'])`. */
function chooses(replacer: Value | undefined): boolean {
  if (replacer === undefined) return false
  if ('items' in resolveValue(replacer)) return true
  return functionOf(replacer)?.returns.some((value) => optionsOf(value).some(isLeftOut)) === true
}

function optionsOf(value: Value): readonly Value[] {
  return 'options' in value ? value.options : [value]
}

/** `undefined`, `'***'` */
function isLeftOut(value: Value): boolean {
  return isNothing(value) || constantOf(value) !== undefined
}
