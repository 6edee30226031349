import type { ObjectValue, Value } from './types.ts'
import type { Walk } from './walk.ts'

/** Notes the string literals that a value is made of, under the name that the value gets: of `a || 'b'`, `'b' + c` and `['b']` too. */
export function nameLiterals(walk: Walk, value: Value, name: string | undefined, owner?: ObjectValue): void {
  if (name === undefined) return
  switch (value.kind) {
    case 'literal':
      if (typeof value.value !== 'string' || value.value === '') return
      walk.literals.push({ start: value.start + 1, end: value.end - 1, name, value: value.value, owner })
      return
    case 'choice':
      for (const option of value.options) nameLiterals(walk, option, name, owner)
      return
    case 'concat':
      for (const part of value.parts) nameLiterals(walk, part, name, owner)
      return
    case 'array':
      for (const item of value.items) nameLiterals(walk, item, name, owner)
      return
    default:
  }
}

/** Most values hold none: arguments and fields are asked before anything is made for them. */
export function mayHoldLiterals({ kind }: Value): boolean {
  return kind === 'literal' || kind === 'choice' || kind === 'concat' || kind === 'array'
}

/** The last name of what a value is read from or called by: `b` of `a.b`. */
export function lastNameOf(value: Value): string | undefined {
  if (value.kind === 'member') return value.name
  if (value.kind === 'reference') return value.name
  return undefined
}
