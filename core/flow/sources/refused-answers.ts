import { accessesOf, constantOf, findPart, keyOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { bindingOf, receiverOf } from '../../facts/asked-values.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { awaited } from '../../facts/conditions.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { BODY } from '../../conditions/atoms/refusals.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { sentBy } from './own-changes.ts'

/** Methods of a response that give its body. Fact: Fetch standard, "Body mixin". */
const BODY_READS: ReadonlySet<string> = new Set(['json', 'text'])

/**
 * `response.json()` where a condition says that the request was refused: what is read then are the words of the service about this request, no rows. Only of the own host, and where the
 * code alone says what is asked for: services repeat in their words what they were sent, which a link may have chosen.
 */
export function isOfRefused(call: CallValue, draft: Pick<FlowDraft, 'checks' | 'facts' | 'step'>): boolean {
  const response = receiverOf(call)
  if (response === undefined || call.args.length > 0 || !BODY_READS.has(lastNameOf(call.callee) ?? '')) return false
  const { guardsAt, parts } = draft.checks
  const guards = guardsAt(call.start)
  const key = guards.length === 0 ? undefined : keyOf(response)
  if (key === undefined) return false
  const found = parts.conditions.constraintsAt(guards, call.start, new Set([key + BODY]))
  return found.some(({ kind }) => kind === 'refused') && isChosenByCode(requestBehind(response, draft))
}

/** `fetch(…)` of `const response = await fetch(…)` and `fetch(…).then((response) => …)`. */
function requestBehind(response: Value, { facts, step }: Pick<FlowDraft, 'facts' | 'step'>): CallValue | undefined {
  const binding = bindingOf(response)
  if (binding?.function.parameters.includes(binding)) {
    step(facts.calls.length)
    const calling = facts.calls.find(({ args }) => args.some((given) => functionOf(given) === binding.function))
    return calling && lastNameOf(calling.callee) === 'then' ? sentBy(calling) : undefined
  }
  const sent = resolveValue(awaited(resolveValue(response)))
  return 'callee' in sent ? sent : undefined
}

/** The address is a constant of the own host, and nothing of the address of the page is sent along. */
function isChosenByCode(request: CallValue | undefined): boolean {
  const [address, settings] = request !== undefined && REQUESTS.test(lastNameOf(request.callee) ?? '') ? request.args : []
  const constant = address && constantOf(resolveValue(address))
  if (typeof constant !== 'string' || ELSEWHERE.test(constant)) return false
  return settings === undefined || findPart(settings, isOfAddress) === undefined
}

/** `fetch`, and functions of the app around it. */
const REQUESTS = /fetch$/i
/** An address with a scheme or a host. */
const ELSEWHERE = /^\s{0,10}(?:[a-z][\w+.-]{0,20}:|[/\\]{2})/i

function isOfAddress(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => PAGE_ADDRESS.test([root, ...steps].join(' ')))
}

const PAGE_ADDRESS = /(?:^global:|[ ])(?:location|URL|URLSearchParams|referrer|documentURI|baseURI)(?: |$)/
