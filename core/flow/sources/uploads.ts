import { constantOf, fieldOf, pathOf, resolveValue, type CallValue } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { WRITE } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { PARSING_UPLOADS } from '../tables/calling.ts'

/**
 * `busboy({ preservePath: true }).on('file', (name, stream, { filename }) => …)`: the client chose the whole path. Fact: busboy 1 (README): otherwise folders are cut off
 * before the listener gets the name.
 */
export function addUploadNames({ callee, args: [event, listener] }: CallValue, draft: FlowDraft): void {
  if (callee.kind !== 'member' || callee.name !== 'on' || event === undefined || constantOf(event) !== 'file') return
  const fact = functionOf(listener)
  const made = resolveValue(callee.object)
  if (fact === undefined || (made.kind !== 'call' && made.kind !== 'new')) return
  if (pathOf(made.callee)?.[0] !== PARSING_UPLOADS) return
  const [settings] = made.args
  const whole = fieldOf(settings && resolveValue(settings), 'preservePath')?.value
  const info = draft.parameters.nodeOf(fact, 2)
  if (whole === undefined || constantOf(whole) !== true || info === undefined) return
  const name = draft.graph.add(fact)
  draft.sources.push({ node: name, origin: 'request', weak: false })
  draft.show(name, 'filename')
  draft.graph.connect(name, info, WRITE, 'filename')
}
