import { accessesOf, type Value } from '../../facts/index.ts'
import { NAMESPACE_STORE } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { namespaceOf } from '../pages/namespaces.ts'

/** The name of a window is kept when it is led to another page. Fact: HTML standard, "browsing context name". */
const WINDOW = /^global:(?:window|self|globalThis|top|parent|opener)(?: (?:top|parent|opener)){0,4}$/

/** `my.app.Helper` as a value: what the app has put there. `window.name`: what the page that opened it has put there. */
export function addGlobalMember(
  value: Value & { readonly kind: 'member' },
  node: number,
  { ports, sources, show }: FlowDraft,
): void {
  const namespace = namespaceOf(value)
  if (namespace !== undefined) ports.push({ node, access: 'read', store: `${NAMESPACE_STORE}${namespace}`, path: [] })
  if (value.name !== 'name' || !accessesOf(value.object).some(({ root, steps }) => WINDOW.test([root, ...steps].join(' '))))
    return
  sources.push({ node, origin: 'url', weak: false })
  show(node, value)
}
