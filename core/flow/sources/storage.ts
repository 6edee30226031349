import { accessesOf, isConstant, isNonText, type CallValue, type Value } from '../../facts/index.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { ANY_KEPT, keyOf, STORAGE } from '../values/store-keys.ts'
import { behindFields } from '../fields/field-values.ts'
import { STORAGES } from '../tables/web.ts'

/** A storage of the browser, also one that is a field of `this`. */
export function isStorage(value: Value, draft: FlowDraft): boolean {
  return behindFields(value, draft).some((one) =>
    accessesOf(one).some(({ root, steps }) => STORAGES.test([root, ...steps].join(' '))),
  )
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
    if (value !== undefined && !draft.fields.lastWrites.isGone(call))
      draft.ports.push({ node: draft.use(value), access: 'write', store, path: [], ...(isFixed && { isFixed }) })
  } else if (key !== undefined) {
    draft.ports.push({ node: result, access: 'read', store, path: [] })
    draft.sources.push({ node: result, origin: 'storage', weak: false, kept: store })
    draft.show(result, call)
  }
}
