import type { Value } from '../../facts/index.ts'

/** As a developer reads it: `fs.readFile`, `res.redirect`. */
export function nameOf(value: Value): string {
  if (value.kind === 'reference') return value.name
  if (value.kind === 'this') return 'this'
  if (value.kind === 'await') return nameOf(value.value)
  if (value.kind === 'member') return `${nameOf(value.object)}.${value.name ?? '[]'}`
  return value.kind === 'call' ? `${nameOf(value.callee)}()` : '…'
}
