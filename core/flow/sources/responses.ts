import { resolveValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** What a response of `fetch` says of itself. Fact: Fetch standard, "Response class": a number and flags. */
const RESPONSE_STATE: ReadonlySet<string> = new Set(['status', 'ok', 'redirected', 'bodyUsed'])

/** Whether a field of a value is one of them. */
export function isResponseState(name: string | undefined, object: Value, draft: FlowDraft): boolean {
  return RESPONSE_STATE.has(name ?? '') && isResponse(object, draft)
}

/** `await fetch(url)`, the parameter of `fetch(url).then((response) => …)`: not what was read from it. */
function isResponse(value: Value, { facts }: FlowDraft): boolean {
  const here = resolveValue(value)
  if (here.kind === 'await') return isFetch(here.value)
  const binding = here.kind === 'reference' && here.binding?.kind === 'parameter' ? here.binding : undefined
  if (binding === undefined || binding.function.parameters[0] !== binding) return false
  return facts.calls.some(
    ({ callee, args: [then] }) =>
      then?.kind === 'function' &&
      then.function === binding.function &&
      callee.kind === 'member' &&
      callee.name === 'then' &&
      isFetch(callee.object),
  )
}

function isFetch(value: Value): boolean {
  const here = resolveValue(value)
  return here.kind === 'call' && lastNameOf(here.callee) === 'fetch'
}
