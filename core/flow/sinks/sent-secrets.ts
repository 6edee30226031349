import { constantOf, resolveValue, type Value, fieldOf, type CallValue } from '../../facts/index.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { isInternal, isLoopback, isSapHost, readUrl } from '../../model/deployment/index.ts'
import { leadingTextOf } from '../../model/script/index.ts'
import { nameOf } from '../graph/names.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { HOST_FIELDS, OWN_CLOUDS, TO_DESTINATIONS } from '../tables/http-sinks.ts'
import { addFound } from './sink-parts.ts'
import { bindingOf } from '../../facts/asked-values.ts'

/** Parameters of an address that are credentials, by their names. */
const PARAMETER = /^(?:password|passwd|passw|pwd|pass|token|access_?token|api_?key|secret|client_?secret|j_password)$/i
/** What stands in front of a value in an address: a parameter, or the user of `user:password@host`. */
const IN_FRONT = /[?&](\w{1,20})=$|:\/\/[^\s/@]{0,100}:$/

/** A text that puts a value where an address has a credential begins a path of its own: whatever requests it, hands it over in the clear. */
export function addSecretUrl(value: Value & { readonly kind: 'template' | 'concat' }, node: number, draft: FlowDraft): void {
  for (const { before, after, part } of value.kind === 'template'
    ? piecesOf(value.parts, value.texts)
    : joinedPieces(value.parts)) {
    if (constantOf(part) !== undefined) continue
    const [found, parameter] = IN_FRONT.exec(before) ?? []
    if (found === undefined) continue
    if (parameter === undefined ? !after.startsWith('@') : !PARAMETER.test(parameter)) continue
    draft.ends.sources.push({ node, origin: 'secret', weak: false })
    draft.show(node, part)
    return
  }
}

/** Fields of settings whose fields a client joins into the address. Facts: documentation of axios (params), got (searchParams), request (qs). */
export const PARAMETER_FIELDS: ReadonlySet<string> = new Set(['params', 'searchParams', 'qs'])

/** `{ params: { api_key: key } }`: which of them is a credential, its name says. */
export function addSecretParameters(given: Value, node: number, draft: FlowDraft): void {
  const parameters = resolveValue(given)
  if (parameters.kind !== 'object') return
  const secret = parameters.fields.find(({ key, value }) => PARAMETER.test(key ?? '') && constantOf(value) === undefined)
  if (secret === undefined) return
  draft.ends.sources.push({ node, origin: 'secret', weak: false })
  draft.show(node, secret.value)
}

interface Piece {
  readonly before: string
  readonly after: string
  readonly part: Value
}

/** Texts before a part that are looked at: an address has fewer, and a text of thousands of parts would be copied for each of them. */
const MOST_IN_FRONT = 40

/** The parts of a template, each with the text before it, in which a mark stands for each other part. */
function* piecesOf(parts: readonly Value[], texts: readonly string[]): Generator<Piece> {
  for (const [index, part] of parts.entries())
    yield {
      before: texts.slice(Math.max(0, index + 1 - MOST_IN_FRONT), index + 1).join('\0'),
      after: texts[index + 1] ?? '',
      part,
    }
}

/** The same of a text that is put together by `+`. */
function* joinedPieces(parts: readonly Value[]): Generator<Piece> {
  const constants = parts.map((part) => constantOf(part))
  const texts = constants.map((constant) => constant ?? '\0')
  for (const [index, part] of parts.entries())
    yield {
      before: texts.slice(Math.max(0, index - MOST_IN_FRONT), index).join(''),
      after: String(constants[index + 1] ?? ''),
      part,
    }
}

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
  addFound(FOUND_SINKS.sentHeaders, headers, draft, { name: nameOf(call.callee) })
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
