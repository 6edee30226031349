import type { H3Event } from 'h3'

/** What an answer can be packed with, the better one first. */
export const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Packs the bytes of an answer, as the platform can. */
export type Compress = (bytes: Uint8Array, encoding: Encoding) => Promise<Uint8Array>

/** What is smaller fits into a packet all the same. */
const LEAST_BYTES = 1400
// a header of any length names few codings
const MAX_CODINGS = 20
const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/** The coding that a client likes best (RFC 9110, 12.5.3); undefined where it wants the bytes as they are, or has none of ours. */
export function negotiateEncoding(header: string): Encoding | undefined {
  const rated = new Map(header.split(',', MAX_CODINGS).map(parseCoding))
  const rate = (name: string): number => rated.get(name) ?? rated.get('*') ?? 0
  const best = Math.max(...ENCODINGS.map(rate))
  if (best === 0 || best < (rated.get('identity') ?? 0)) return undefined
  return ENCODINGS.find((name) => rate(name) === best)
}

function parseCoding(text: string): readonly [string, number] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
  return [name === 'x-gzip' ? 'gzip' : name, QUALITY.test(weight) ? Number(weight) : 0]
}

/** How an answer of so many bytes is packed for this client, and says in the answer that another client may get it otherwise. */
export function chooseEncoding(event: H3Event, bytes: number, compress: Compress | undefined): Encoding | undefined {
  if (compress === undefined || bytes < LEAST_BYTES) return undefined
  const vary = event.res.headers.get('vary')
  event.res.headers.set('vary', vary === null ? 'Accept-Encoding' : `${vary}, Accept-Encoding`)
  const encoding = negotiateEncoding(event.req.headers.get('accept-encoding') ?? '')
  if (encoding !== undefined) event.res.headers.set('content-encoding', encoding)
  return encoding
}

/** The bytes as this client takes them. */
export async function encodeAnswer(event: H3Event, bytes: Uint8Array, compress: Compress | undefined): Promise<Uint8Array> {
  const encoding = chooseEncoding(event, bytes.byteLength, compress)
  return encoding === undefined || compress === undefined ? bytes : compress(bytes, encoding)
}
