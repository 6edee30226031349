import { constantOf, fieldOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { asksModel, MODEL_ADDRESS, MODEL_WRITTEN } from '../tables/language-models.ts'
import { CLEAN, COPY, TEXT } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'

/**
 * What a language model answers is chosen by whoever wrote a part of its prompt, whatever the prompt says besides: OWASP, "LLM01:2025 Prompt Injection" and
 * "LLM05:2025 Improper Output Handling".
 */
export function addModelAnswer(
  call: CallValue,
  paths: readonly string[],
  result: number,
  args: readonly number[],
  { graph, use }: FlowDraft,
): void {
  const { callee } = call
  // response.getContent() of the SAP Cloud SDK for AI
  if (callee.kind === 'member' && callee.name === 'getContent' && args.length === 0)
    graph.connect(use(callee.object), result, COPY)
  const isModel = paths.some(asksModel) || call.args.slice(0, 2).some(isModelAddress)
  if (!isModel) return
  const answer = graph.add(call)
  for (const argument of args) graph.connect(argument, answer, TEXT)
  graph.connect(answer, result, CLEAN, MODEL_WRITTEN)
}

/** `/chat/completions`, the end of a template with it, or the `url` of settings. */
function isModelAddress(argument: Value): boolean {
  const given = resolveValue(argument)
  const url = given.kind === 'object' ? fieldOf(given, 'url')?.value : given
  const address = url && resolveValue(url)
  if (address?.kind === 'template') return MODEL_ADDRESS.test(address.texts.at(-1) ?? '')
  const last = address?.kind === 'concat' ? address.parts.at(-1) : address
  const text = last && constantOf(last)
  return typeof text === 'string' && MODEL_ADDRESS.test(text)
}
