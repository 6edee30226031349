import { isConstant, isNonText, type CallValue, type Value, accessOf, constantOf } from '../../facts/index.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { isReachedBy } from '../fields/members.ts'
import { STORAGES } from '../tables/web.ts'
import { fileNameOf } from '../../paths.ts'

/** A storage of the browser, also one that is a field of `this`. */
export function isStorage(value: Value, draft: FlowDraft): boolean {
  return isReachedBy(STORAGES, value, draft)
}

/** What is kept in the browser under a name comes back under it. */
export function addStorage(call: CallValue, result: number, draft: FlowDraft): void {
  const { callee, args } = call
  if (callee.kind !== 'member' || !isStorage(callee.object, draft)) return
  const key = args[0] && keyOf(args[0])
  const [, value] = args
  const store = key === undefined ? ANY_KEPT : `${STORAGE}${key}`
  if (callee.name === 'setItem' || callee.name === 'put') {
    const isFixed = value !== undefined && (isNonText(value) || isConstant(value))
    if (value !== undefined && !draft.page.lastWrites.isGone(call))
      draft.ends.ports.push({ node: draft.use(value), access: 'write', store, path: [], ...(isFixed && { isFixed }) })
  } else if (key !== undefined) {
    draft.ends.ports.push({ node: result, access: 'read', store, path: [] })
    draft.ends.sources.push({ node: result, origin: 'storage', weak: false, kept: store })
    draft.show(result, call)
  }
}

/** The name of something shared: a constant, or one of another file by its name there. `Channel.SELECTED` stands for the same wherever it is read. */
export function keyOf(value: Value): string | undefined {
  const text = constantOf(value)
  if (text !== undefined) return typeof text === 'string' ? text : undefined
  if (value.kind !== 'member' && value.kind !== 'reference') return undefined
  const access = accessOf(value)
  if (access === undefined || access.steps.some((step) => !/^\w+$/.test(step))) return undefined
  const name = access.steps.at(-1)
  if (access.root.startsWith('module:') && name !== undefined) return `@${fileNameOf(access.root)}.${access.steps.join('.')}`
  return name !== undefined && /^[A-Z][A-Z\d_]*$/.test(name) ? `@.${name}` : undefined
}

/** What the browser keeps, by its name. */
export const STORAGE = 'storage '
/** Stands for what is kept under names that nobody can tell. */
export const ANY_KEPT = 'storage *'
