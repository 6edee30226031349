import { constantOf, fieldOf, findPart, resolveValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { holdsAt, type WordPlaces } from '../../keywords/index.ts'
import type { Span } from '../../types.ts'

/** A token that the page takes out of its own address, and a header that it is sent as. */
const RECEIVES = /\.get\(\s{0,4}["'`]\w{0,20}(?:token|jwt)["'`]\s{0,4}\)/iy
const SENDS = /["'`]?(?:x-)?authorization["'`]?\s{0,4}[:,\]]/i

/** Asked before a script is parsed. */
export function mayReceiveToken(text: string, hits: WordPlaces): boolean {
  return holdsAt(text, hits.places(text, RECEIVED_WORDS), RECEIVES) && SENDS.test(text)
}

/** Words that this asks for. */
export const RECEIVED_WORDS: readonly string[] = ['.get(']

const TOKEN_NAME = /^\w{0,20}(?:token|jwt)$/i
const AUTHORIZATION = /^(?:x-)?authorization$/i
const OF_ADDRESS: ReadonlySet<string> = new Set(['search', 'getUriParameters', 'UriParameters'])

/** `new URLSearchParams(location.search).get("token")`, where a header of the same script gets it. What is behind the `#` is OAuth's. */
export function* tokensReceived(facts: ScriptFacts): Generator<Span & { readonly name: string }> {
  const reads = facts.calls.flatMap((call) => {
    const name = lastNameOf(call.callee) === 'get' && call.args[0] !== undefined ? constantOf(call.args[0]) : undefined
    return typeof name === 'string' && TOKEN_NAME.test(name) && findPart(call.callee, isOfAddress) !== undefined
      ? [{ call, name }]
      : []
  })
  if (reads.length === 0) return
  const sent = [...valuesSent(facts)]
  for (const { call, name } of reads)
    if (sent.some((value) => findPart(value, (part) => part === call) !== undefined)) {
      yield { start: call.start, end: call.end, name }
      return
    }
}

function isOfAddress(part: Value): boolean {
  return OF_ADDRESS.has(lastNameOf(part) ?? '') || ('callee' in part && OF_ADDRESS.has(lastNameOf(part.callee) ?? ''))
}

/** Values of headers for authorization: `{ Authorization: value }`, `headers.append("X-Authorization", value)`. */
function* valuesSent({ calls }: ScriptFacts): Generator<Value> {
  for (const call of calls) {
    const [key, value] = call.args
    const name = /^(?:append|set|setRequestHeader)$/.test(lastNameOf(call.callee) ?? '') && key ? constantOf(key) : undefined
    if (typeof name === 'string' && AUTHORIZATION.test(name) && value !== undefined) yield value
    for (const argument of call.args) {
      const settings = resolveValue(argument)
      const headers = fieldOf(settings, 'headers')?.value ?? settings
      const given = resolveValue(headers)
      if ('fields' in given)
        for (const field of given.fields) if (field.key !== undefined && AUTHORIZATION.test(field.key)) yield field.value
    }
  }
}
