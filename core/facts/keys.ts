import { accessOf } from './paths.ts'
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
  while (here.kind === 'member' && here.name !== undefined) {
    names = ` ${here.name}${names}`
    here = here.object
  }
  const binding = here.kind === 'reference' ? here.binding : undefined
  const isGivenAgain = binding !== undefined && binding.definitions.length > 1 && !binding.isCaptured
  const access = isGivenAgain ? undefined : accessOf(value)
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

/** The key of a name where it is declared: of a parameter, in the body of its function. */
export function keyOfName(binding: Binding): string | undefined {
  const { start, end, name } = binding
  return keyOf({ kind: 'reference', start, end, name, binding })
}

/** A name that is given something again is another one from there on. */
function versionOf({ definitions }: Binding, at: number): number {
  return definitions.reduce((last, { start }) => (start < at && start > last ? start : last), 0)
}
