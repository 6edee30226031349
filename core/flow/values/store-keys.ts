import { accessOf, constantOf, type Value } from '../../facts/index.ts'

/** The name of something shared: a constant, or one of another file by its name there. `Channel.SELECTED` stands for the same wherever it is read. */
export function keyOf(value: Value): string | undefined {
  const text = constantOf(value)
  if (text !== undefined) return typeof text === 'string' ? text : undefined
  if (value.kind !== 'member' && value.kind !== 'reference') return undefined
  const access = accessOf(value)
  if (access === undefined || access.steps.some((step) => !/^\w+$/.test(step))) return undefined
  const name = access.steps.at(-1)
  if (access.root.startsWith('module:') && name !== undefined)
    return `@${access.root.slice(access.root.lastIndexOf('/') + 1)}.${access.steps.join('.')}`
  return name !== undefined && /^[A-Z][A-Z\d_]*$/.test(name) ? `@.${name}` : undefined
}

/** What the browser keeps, by its name. */
export const STORAGE = 'storage '
/** Stands for what is kept under names that nobody can tell. */
export const ANY_KEPT = 'storage *'
