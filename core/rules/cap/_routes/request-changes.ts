import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf, constantOf, excerptOf, fieldOf, resolveValue, type CallValue, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { CHANGING_VERBS } from '../../../server-frameworks.ts'
import { SENDING_CLIENTS } from '../../../flow/tables/routes.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'
import { createExportReader } from '../_handlers/handler-links.ts'
import { runningIn, STEPS_OF_CHANGE, type StateChange } from '../_rows/state-changes.ts'

/** A request of an HTTP client that changes something at another system, or may only read. */
export interface RequestChange extends StateChange {
  /** The method is no POST, which many services take for what only reads, or the other system wants a CSRF token, as it does for changes alone. */
  readonly isSure: boolean
}

/** Requests of HTTP clients with another method than GET, and a body of the handler's own. */
export const requestChanges: Extract<RequestChange> = defineExtract({
  name: 'cap-request-changes',
  keywords: ['axios', 'executeHttpRequest', 'fetch(', 'got', 'superagent', 'needle'],
  prefilter: (text) => /\b(?:post|put|patch|delete)\b/i.test(text),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    const requests = facts.calls.flatMap((call) => requestOf(call) ?? [])
    if (requests.length === 0) return
    const { handlers, handlersOf } = findHandledFunctions(facts)
    const exportedAt = createExportReader(facts)
    for (const { call, method, says } of requests) {
      step(handlers.length)
      const words = [call.function.name, ...says.map(({ start, end }) => text.slice(start, end))]
      if (method === 'post' && words.some((word) => ASKS.test(word))) continue
      const running = handlersOf(call)
      step(STEPS_OF_CHANGE * running.length)
      const exported = running.length === 0 ? exportedAt(call) : undefined
      if (running.length === 0 && exported === undefined) continue
      const { start, end } = call
      const isSure = method !== 'post' || CSRF_TOKEN.test(text.slice(start, end))
      for (const handler of running.length === 0 ? [undefined] : running)
        yield {
          start,
          end,
          effect: excerptOf(text, call),
          write: undefined,
          asks: 'unknown',
          isSure,
          ...runningIn(handler, exported),
        }
    }
  },
})

/** What gets a token or an answer by POST: a login, a search, a query, a model. */
const ASKS =
  /token|oauth|grant_?type|client_?credentials|search|query|graphql|\$batch|chat|completion|embedding|inference|predict|translat|convert|render|calculat|simulat|validat/i
/** Facts: SAP Gateway Foundation Developer Guide, "Cross-Site Request Forgery Protection" (for changing requests); @sap-cloud-sdk/http-client 4, `fetchCsrfToken`. */
const CSRF_TOKEN = /x-csrf-token|fetchCsrfToken/i

/** A request that sends something, and what says where and what. */
interface SentRequest {
  readonly call: CallValue
  readonly method: string
  readonly says: readonly Value[]
}

/** `axios.post(url, body)`, `axios({ method: 'post', url, data })`, `fetch(url, { method: 'POST', body })`, `executeHttpRequest(destination, { method: 'POST', url, data })` */
function requestOf(call: CallValue): SentRequest | undefined {
  const { callee, args } = call
  if (!accessesOf(callee).some(({ root, steps }) => SENDING_CLIENTS.test([root, ...steps].join(' ')))) return undefined
  const named = lastNameOf(callee)?.toLowerCase() ?? ''
  if (CHANGING_VERBS.has(named))
    return named === 'delete' || isSent(args[1]) ? { call, method: named, says: args.slice(0, 2) } : undefined
  const options = args.slice(0, 2).find((given) => fieldOf(resolveValue(given), 'method') !== undefined)
  const fieldsOf = (...names: readonly string[]): readonly Value[] =>
    options === undefined ? [] : names.flatMap((name) => fieldOf(resolveValue(options), name)?.value ?? [])
  const method = fieldsOf('method').map((value) => String(constantOf(value)).toLowerCase())[0]
  if (method === undefined || !CHANGING_VERBS.has(method)) return undefined
  const bodies = fieldsOf('data', 'body', 'json', 'form')
  if (method !== 'delete' && !bodies.some(isSent)) return undefined
  return { call, method, says: [...args.filter((given) => given !== options), ...fieldsOf('url', 'uri'), ...bodies] }
}

/** It is no constant. */
function isSent(body: Value | undefined): boolean {
  return body !== undefined && constantOf(body) === undefined && !('fields' in body && body.fields.length === 0)
}
