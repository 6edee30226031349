import { fieldOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { isInternal, isLoopback, isSapHost, readUrl } from '../../model/deployment/index.ts'
import { leadingTextOf } from '../../model/script/index.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { nameOf } from '../graph/names.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { bindingOf } from './tags.ts'
import { HOST_FIELDS, OWN_CLOUDS, TO_DESTINATIONS } from '../tables/http-sinks.ts'

/** In which the caller says who he is. Facts: RFC 9110 (Authorization), RFC 6265 (Cookie). */
const OF_CALLER: readonly string[] = ['authorization', 'Authorization', 'cookie', 'Cookie']

/** Adds the headers that a request sends to a system of others: a destination, or a host that the code names. */
export function addForwardedHeaders(call: CallValue, paths: readonly string[], draft: FlowDraft): void {
  const settings = call.args.map((argument) => resolveValue(argument))
  const given = (key: string): readonly Value[] => settings.flatMap((object) => fieldOf(object, key)?.value ?? [])
  const [headers] = given('headers')
  if (headers === undefined || isWithoutCaller(headers, draft)) return
  const addresses = [...call.args.slice(0, 1), ...HOST_FIELDS.flatMap(given)]
  if (!paths.some((path) => TO_DESTINATIONS.has(path)) && !addresses.some(isForeign)) return
  const { start, end } = headers
  draft.sinks.push({ ...FOUND_SINKS.sentHeaders, name: nameOf(call.callee), node: draft.use(headers), start, end })
}

/** `https://api.partner.com/…`, whatever follows. On the domains of clouds a project's own applications run, which take the same token. */
function isForeign(address: Value): boolean {
  const { text } = leadingTextOf(address)
  const url = /^https?:\/\/[^/?#]{3,200}(?:[/?#]|$)/i.test(text) ? readUrl(text) : undefined
  return url !== undefined && ![isLoopback, isInternal, isSapHost].some((isOwn) => isOwn(url.host)) && !OWN_CLOUDS.test(url.host)
}

/** `delete headers.authorization`, `headers.cookie = ''`, `{ ...req.headers, authorization: own }`. */
function isWithoutCaller(headers: Value, { facts: { deletions, assignments } }: FlowDraft): boolean {
  const given = resolveValue(headers)
  if (OF_CALLER.some((name) => fieldOf(given, name) !== undefined)) return true
  const binding = bindingOf(headers)
  if (binding === undefined) return false
  return [...deletions, ...assignments.map(({ target }) => target)].some(
    ({ object, name = '' }) => OF_CALLER.includes(name) && bindingOf(object) === binding,
  )
}
