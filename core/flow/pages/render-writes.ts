import { constantOf, type CallValue, type Value } from '../../facts/index.ts'
import { ADDRESS_ATTRIBUTE, ATTRIBUTE_WRITES, CLICKED_ATTRIBUTE, RAW_WRITES, STYLE_WRITE } from '../tables/renderers.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'

/** Adds what a render manager writes as it is, and the addresses among the attributes that it writes. */
export function addRenderManagerCall(call: CallValue, draft: FlowDraft): void {
  const { callee, args } = call
  if (callee.kind !== 'member' || callee.name === undefined) return
  if (callee.name === 'createRenderManager') draft.sources.push({ node: draft.use(call), origin: 'render-manager', weak: false })
  const raw = RAW_WRITES.get(callee.name)
  const isAddress = ATTRIBUTE_WRITES.has(callee.name) && ADDRESS_ATTRIBUTE.test(String(args[0] && constantOf(args[0])))
  const isStyle = callee.name === STYLE_WRITE && args.length > 1
  if (raw === undefined && !isAddress && !isStyle) return
  const receiver = { node: draft.use(managerOf(callee.object)), origin: 'render-manager' } as const
  const kind = raw === undefined ? FOUND_SINKS.renderedAttribute : FOUND_SINKS.renderedMarkup
  for (const index of raw ?? [1]) {
    const value = args[index]
    if (value === undefined || constantOf(value) !== undefined) continue
    const { start, end } = value
    const known = { node: draft.use(value), ...kind, name: `RenderManager.${callee.name}`, receiver, start, end }
    // an address below a fixed beginning runs no code
    if (isAddress && CLICKED_ATTRIBUTE.test(String(args[0] && constantOf(args[0]))))
      draft.sinks.push({ ...known, ...FOUND_SINKS.linkAddress })
    draft.sinks.push(isAddress ? { ...known, detail: 'begin' } : isStyle ? { ...known, detail: 'style' } : known)
  }
}

/** What a chain of calls begins with: every method of a render manager gives it back. */
function managerOf(value: Value): Value {
  let here = value
  for (let hops = 0; hops < 1000 && here.kind === 'call' && here.callee.kind === 'member'; hops++) {
    if (here.callee.name === 'createRenderManager') return here
    here = here.callee.object
  }
  return here
}
