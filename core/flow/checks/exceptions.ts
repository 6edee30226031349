import type { Value } from '../../facts/index.ts'

/** Parameters that are exceptions by their names. */
const EXCEPTION = /^_?(?:e|err|error|exception|ex|fault|failure|problem|reason)$/i

/** What a `catch` names, or a parameter that is called so. */
export function isException(value: Value): boolean {
  if (!('binding' in value) || value.binding === undefined) return false
  const { kind, name } = value.binding
  return kind === 'catch' || (kind === 'parameter' && EXCEPTION.test(name))
}
