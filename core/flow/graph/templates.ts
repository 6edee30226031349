import { constantOf, fieldOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { ANY_FIELD, CONCAT, READ } from '../types.ts'
import type { FlowDraft } from './draft.ts'

/** The text that a template makes of the fields of its data. */
export function addRendered(call: CallValue, given: Value | undefined, { graph, use }: FlowDraft): void {
  if (given === undefined) return
  const field = graph.add(given)
  graph.connect(use(given), field, READ, ANY_FIELD)
  graph.connect(field, use(call), CONCAT)
}

/** The template that is rendered: compiled before, or handed over with the data. */
export function templateOf(
  call: CallValue,
  draft: FlowDraft,
): { readonly text: string; readonly compiled: CallValue | undefined } {
  const compiled = compiledBehind(call.callee, draft)
  const [template] = compiled === undefined ? call.args : compiled.args
  return { text: template === undefined ? '' : String(constantOf(template) ?? ''), compiled }
}

/** `render`, `TEMPLATES.row`, `this.render`: the call that compiled what is called. */
function compiledBehind(callee: Value, draft: FlowDraft): CallValue | undefined {
  const here = resolveValue(callee)
  if (here.kind === 'call') return here
  if (here.kind !== 'member' || here.name === undefined) return undefined
  const object = resolveValue(here.object)
  const owner = draft.owners.ownerBehind(here.object)
  const values =
    object.kind === 'object'
      ? [fieldOf(object, here.name)?.value]
      : owner === undefined
        ? []
        : draft.fieldValues(owner, here.name)
  for (const value of values) {
    const made = value && resolveValue(value)
    if (made?.kind === 'call') return made
  }
  return undefined
}
