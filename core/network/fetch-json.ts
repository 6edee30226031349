import { untilAborted } from '../until-aborted.ts'
import { VERSION } from '../version.ts'

export type Fetch = typeof globalThis.fetch

/** Why an answer can't be used; `status` is any HTTP status but 200, redirects included. */
export type FetchErrorReason = 'timeout' | 'unreachable' | 'status' | 'too-large' | 'not-json'

/** A request that got no usable answer. It never holds an address or words of the other side. */
export class FetchError extends Error {
  readonly reason: FetchErrorReason
  readonly status: number | undefined

  constructor(reason: FetchErrorReason, status?: number) {
    super(reason)
    this.name = 'FetchError'
    this.reason = reason
    this.status = status
  }
}

export interface JsonRequest {
  /** Sent by POST as JSON; without it the request is a GET. */
  readonly body?: object
  /** Cap of the decoded answer: a compressed bomb counts as what it becomes. */
  readonly maxBytes: number
  /** Cap of its objects, lists and members: two bytes may become an object, and whoever checks a document looks at each. */
  readonly maxValues: number
  /** Ends the request and the reading of its body. */
  readonly signal: AbortSignal
}

/** Asks for a JSON document. Rejects with a FetchError alone. */
export type JsonFetch = (address: string, request: JsonRequest) => Promise<unknown>

/** Nobody nests deeper; whoever prints the document later recurses. */
const MAX_DEPTH = 100

/** What takes part in requests is loaded when there is one: many scans ask nobody. */
export const loadFetchClient = (): Promise<typeof import('ofetch')> => import('ofetch')

/** The only door to the network. Redirects are refused: one could lead into the network of the machine that this runs on. */
export function createJsonFetch(fetch: Fetch = (...request) => globalThis.fetch(...request)): JsonFetch {
  const ask = async (address: string, { body, maxBytes, maxValues, signal }: JsonRequest): Promise<unknown> => {
    const { createFetch } = await loadFetchClient()
    const client = createFetch({ fetch })
    const response = await client.raw(address, {
      method: body === undefined ? 'GET' : 'POST',
      body,
      headers: { accept: 'application/json', 'user-agent': `parapet/${VERSION}` },
      // not 'error': edge runtimes know 'manual' alone, and a redirect is then a status that is not 200
      redirect: 'manual',
      credentials: 'omit',
      retry: false,
      ignoreResponseError: true,
      responseType: 'stream',
      signal,
    })
    if (response.status !== 200 || response.body === null) {
      response.body?.cancel().catch(() => {})
      throw new FetchError('status', response.status)
    }
    return readJson(await readCapped(response.body, maxBytes), maxValues)
  }
  return async (address, request) => {
    // many requests share a signal, and Node warns of eleven listeners
    const signal = AbortSignal.any([request.signal])
    try {
      // the signal ends the waiting even where a fetch does not heed it
      return await untilAborted(ask(address, { ...request, signal }), signal)
    } catch (error) {
      if (signal.aborted) throw new FetchError('timeout')
      throw error instanceof FetchError ? error : new FetchError('unreachable')
    }
  }
}

async function readCapped(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.length
    if (bytes > maxBytes) {
      reader.cancel().catch(() => {})
      throw new FetchError('too-large')
    }
    text += decode(decoder, value)
  }
  return text + decode(decoder)
}

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
  } catch {
    throw new FetchError('not-json')
  }
}

function readJson(text: string, maxValues: number): unknown {
  const { depth, values } = measure(text)
  if (depth > MAX_DEPTH) throw new FetchError('not-json')
  if (values > maxValues) throw new FetchError('too-large')
  try {
    // a reviver is slow, so only where such a key may stand, escaped or not
    return JSON.parse(text, text.includes('__proto__') || text.includes('\\u') ? refusePrototype : undefined)
  } catch {
    throw new FetchError('not-json')
  }
}

/** No document has such a key; a copy of it member by member would change what an object inherits. */
function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new FetchError('not-json')
  return value
}

const QUOTE = 34
const COMMA = 44
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/** How deep a document is at most, and how many objects, lists and commas it has, before anything is made of it. */
function measure(text: string): { readonly depth: number; readonly values: number } {
  let deepest = 0
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      values++
      deepest = Math.max(deepest, ++depth)
    } else if (code === COMMA) values++
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
  }
  return { depth: deepest, values }
}
