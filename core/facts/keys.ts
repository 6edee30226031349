import { isRoot, placedAccessOf } from './paths.ts'
import type { Binding, Value } from './types.ts'

/** Values that are read from no place. */
const PLACELESS: ReadonlySet<Value['kind']> = new Set<Value['kind']>([
  'literal',
  'regex',
  'template',
  'concat',
  'operation',
  'array',
  'function',
  'class',
  'jsx',
  'unknown',
])

/** The same for two values that are read from the same place. */
export function keyOf(value: Value): string | undefined {
  if (PLACELESS.has(value.kind)) return undefined
  let here = value
  let names = ''
  let left = MAX_MEMBERS
  while (here.kind === 'member' && here.name !== undefined) {
    names = ` ${here.name}${names}`
    // fields of these names are written as what is made anew
    left = here.name === 'new' || here.name === '()' ? -1 : left - 1
    here = here.object
  }
  // most keys begin at `this` or at a name that leads no further: no list of steps is made for them
  const isShort = left > 0
  if (here.kind === 'this' && isShort) return `this ${names}`
  const binding = 'binding' in here ? here.binding : undefined
  const isGivenAgain = binding !== undefined && binding.definitions.length > 1 && !binding.isCaptured
  if (binding !== undefined && !isGivenAgain && isShort && isRoot(binding))
    return `${binding.kind}:${binding.name} ${binding.start}${names}`
  const access = isGivenAgain ? undefined : placedAccessOf(value)
  // what is made anew has no place of its own
  if (access !== undefined && !access.steps.includes('()') && !access.steps.includes('new')) {
    // a key is asked for of nearly every value: no list is made to be joined
    let key = `${access.root} ${access.binding?.start ?? ''}`
    for (const step of access.steps) key += ` ${step}`
    return key
  }
  // a name that is given what a call gives, once, or an item of it: `entry`, and what is read from it
  if (binding === undefined || (binding.definitions.length !== 1 && !isGivenAgain)) return undefined
  return `${binding.kind}:${binding.name} ${binding.start} ${isGivenAgain ? versionOf(binding, here.start) : ''}${names}`
}

/** Where the name is declared that the key of a value begins with; undefined: it has no key, or that begins with no name that is declared. */
export function declarationOf(value: Value): number | undefined {
  let here = value
  while ('object' in here && here.name !== undefined && here.name !== 'new' && here.name !== '()') here = here.object
  // no key is put together where nothing else can come of it
  if (!('binding' in here)) return declaredIn(keyOf(value))
  const { binding } = here
  if (binding === undefined) return undefined
  const isGivenAgain = binding.definitions.length > 1 && !binding.isCaptured
  return isGivenAgain || isRoot(binding) ? binding.start : declaredIn(keyOf(value))
}

/** The same of a key. */
export function declaredIn(key: string | undefined): number | undefined {
  if (key === undefined) return undefined
  const start = key.indexOf(' ') + 1
  const end = key.indexOf(' ', start)
  const declared = key.slice(start, end < 0 ? undefined : end)
  return start === 0 || declared === '' ? undefined : Number(declared)
}

/** Fewer than those that paths follow. */
const MAX_MEMBERS = 60

/** The key of a name where it is declared: of a parameter, in the body of its function. */
export function keyOfName(binding: Binding): string | undefined {
  const { start, end, name } = binding
  return keyOf({ kind: 'reference', start, end, name, binding })
}

/** A name that is given something again is another one from there on. */
function versionOf({ definitions }: Binding, at: number): number {
  return definitions.reduce((last, { start }) => (start < at && start > last ? start : last), 0)
}
