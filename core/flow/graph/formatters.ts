import { isConstant, resolveValue, type Value } from '../../facts/index.ts'
import type { FlowDraft } from './draft.ts'

const MAX_OPTIONS = 20

/** Adds the markup that functions give: where one formats what an HTML control shows, what it puts between the tags has to be encoded. */
export function addMarkupResults(draft: FlowDraft): void {
  for (const { parameters, returns } of draft.facts.functions) {
    if (parameters.length === 0) continue
    for (const value of returns.flatMap((given) => optionsOf(given))) {
      if (!holdsTags(value) || isConstant(value)) continue
      const { start, end } = value
      draft.sinks.push({ node: draft.use(value), fault: 'ui5/formatter-html', name: 'return', isOpen: true, start, end })
    }
  }
}

function optionsOf(value: Value): readonly Value[] {
  const open = [value]
  const found: Value[] = []
  for (let here = open.pop(); here !== undefined && found.length < MAX_OPTIONS; here = open.pop()) {
    const behind = resolveValue(here)
    if (behind.kind === 'choice') open.push(...behind.options)
    else found.push(behind)
  }
  return found
}

function holdsTags(value: Value): boolean {
  if (value.kind === 'template') return value.texts.some((text) => TAG.test(text))
  return (
    value.kind === 'concat' &&
    value.parts.some((part) => part.kind === 'literal' && typeof part.value === 'string' && TAG.test(part.value))
  )
}

const TAG = /<[a-z/]/i
