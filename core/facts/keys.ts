import { accessOf } from './paths.ts'
import type { Value } from './types.ts'

/** The same for two values that are read from the same place. */
export function keyOf(value: Value): string | undefined {
  const access = accessOf(value)
  if (access !== undefined && !access.steps.includes('()'))
    return [access.root, access.binding?.start ?? '', ...access.steps].join(' ')
  // a name that is given what a call gives, once, or an item of it: `entry`, and what is read from it
  const names: string[] = []
  let here = value
  while (here.kind === 'member' && here.name !== undefined) {
    names.push(here.name)
    here = here.object
  }
  const binding = here.kind === 'reference' ? here.binding : undefined
  if (binding?.definitions.length !== 1) return undefined
  return [`${binding.kind}:${binding.name}`, binding.start, ...names.reverse()].join(' ')
}
