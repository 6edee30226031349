import type { Value } from '../../facts/index.ts'

const UNNAMED = '(…)'

/** As a developer reads it: `fs.readFile`, `res.status(…).send`. */
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
  if (value.kind !== 'new' && value.kind !== 'call') return UNNAMED
  return `${value.kind === 'new' ? 'new ' : ''}${nameOf(value.callee)}${value.args.length === 0 ? '()' : UNNAMED}`
}
