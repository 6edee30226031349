import { constantOf, resolveValue, type Value } from '../../facts/index.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** What stands in front of a credential in an address: a parameter of that name, or the user of `user:password@host`. */
const IN_FRONT =
  /[?&](?:password|passwd|pwd|pass|token|access_?token|api_?key|secret|client_?secret|j_password)=$|:\/\/[^\s/@]{0,100}:$/i

/** A text that puts a value where an address has a credential begins a path of its own: whatever requests it, hands it over in the clear. */
export function addSecretUrl(value: Value & { readonly kind: 'template' | 'concat' }, node: number, draft: FlowDraft): void {
  const pieces: { readonly before: string; readonly after: string; readonly part: Value }[] = []
  if (value.kind === 'template')
    for (const [index, part] of value.parts.entries())
      pieces.push({ before: frontOf(value, index), after: value.texts[index + 1] ?? '', part })
  else
    for (const [index, part] of value.parts.entries()) {
      const next = value.parts[index + 1]
      const before = value.parts.slice(0, index).map((one) => constantOf(one) ?? '\0')
      pieces.push({ before: before.join(''), after: String((next && constantOf(next)) ?? ''), part })
    }
  for (const { before, after, part } of pieces) {
    if (constantOf(part) !== undefined || !IN_FRONT.test(before)) continue
    if (before.endsWith(':') && !after.startsWith('@')) continue
    draft.sources.push({ node, origin: 'secret', weak: false })
    draft.show(node, part)
    return
  }
}

/** Fields of settings whose fields a client joins into the address. Facts: documentation of axios (params), got (searchParams), request (qs). */
export const PARAMETER_FIELDS: ReadonlySet<string> = new Set(['params', 'searchParams', 'qs'])
const PARAMETER = /^(?:password|passwd|pwd|pass|token|access_?token|api_?key|secret|client_?secret|j_password)$/i

/** `{ params: { api_key: key } }`: which of them is a credential, its name says. */
export function addSecretParameters(given: Value, node: number, draft: FlowDraft): void {
  const parameters = resolveValue(given)
  if (parameters.kind !== 'object') return
  const secret = parameters.fields.find(({ key, value }) => PARAMETER.test(key ?? '') && constantOf(value) === undefined)
  if (secret === undefined) return
  draft.sources.push({ node, origin: 'secret', weak: false })
  draft.show(node, secret.value)
}

/** The text before a part, with a mark for each part before it. */
function frontOf({ texts }: { readonly texts: readonly string[] }, index: number): string {
  return texts.slice(0, index + 1).join('\0')
}
