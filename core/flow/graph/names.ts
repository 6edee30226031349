import type { Value } from '../../facts/index.ts'

const UNNAMED = '(…)'

/** As a developer reads it: `fs.readFile`, `res.redirect`. */
export function nameOf(value: Value): string {
  if (value.kind === 'reference') return value.name
  if (value.kind === 'this') return 'this'
  if (value.kind === 'await') return nameOf(value.value)
  if (value.kind === 'import' || value.kind === 'super') return value.kind
  if (value.kind === 'member') {
    const object = nameOf(value.object)
    // of `(own ? a : b).put` the method alone: a name with a gap in it reads like a text that was cut off
    return object === UNNAMED && value.name !== undefined ? value.name : `${object}.${value.name ?? '[]'}`
  }
  if (value.kind === 'new') return `new ${nameOf(value.callee)}()`
  return value.kind === 'call' ? `${nameOf(value.callee)}()` : UNNAMED
}
