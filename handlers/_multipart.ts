import { Refusal } from '../core/index.ts'

export interface Part {
  readonly name: string
  /** As it was sent, and only there where the part is a file: a label, never a path. */
  readonly filename?: string
  /** A view of the body, not a copy. */
  readonly bytes: Uint8Array
}

export const MAX_PARTS = 16
export const MAX_PART_HEADERS: number = 8 * 1024

/** RFC 2046, 5.1.1: 1 to 70 of these, no space at the end. */
const BOUNDARY = /^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/

const CR = 13
const LF = 10
const DASH = 45
const SPACE = 32
const TAB = 9

/** The media type of a header, lower case, without parameters. */
export function readMediaType(header: string | null): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** The boundary that a Content-Type names. Throws the refusals `unsupported-media-type` and `invalid-request`. */
export function readBoundary(contentType: string | null): string {
  if (readMediaType(contentType) !== 'multipart/form-data') throw new Refusal('unsupported-media-type')
  const boundary = parseParameters(contentType ?? '')?.get('boundary')
  if (boundary === undefined || !BOUNDARY.test(boundary)) throw refuse('no-boundary')
  return boundary
}

/** The parts of a whole body. Throws the refusal `invalid-request`. */
export function parseMultipart(body: Uint8Array, boundary: string): Part[] {
  return createPartsReader(boundary).finish(body)
}

export interface PartsReader {
  /** Looks at what came since the last time. Each view begins with the bytes of the one before; it may be of other memory. Never throws. */
  arrived(body: Uint8Array): void
  /** The parts, in order, once the body is whole. Throws the refusal `invalid-request`. */
  finish(body: Uint8Array): Part[]
}

/**
 * Reads a multipart/form-data body (RFC 7578) while it arrives: to look through 20 MB in one go would keep a service's thread from everybody
 * else for 10 ms and more.
 */
export function createPartsReader(boundary: string): PartsReader {
  const source: Source = { body: new Uint8Array(0), whole: false }
  const work = readLayout(source, new TextEncoder().encode(`\r\n--${boundary}`))
  let outcome: (() => readonly PartLayout[]) | undefined
  const advance = (): void => {
    if (outcome !== undefined) return
    try {
      const { done, value } = work.next()
      if (done === true) outcome = () => value
    } catch (error) {
      outcome = () => {
        throw error
      }
    }
  }
  return {
    arrived(body) {
      source.body = body
      advance()
    },
    finish(body) {
      source.body = body
      source.whole = true
      advance()
      const layout = outcome?.() ?? fail('cut-short')
      return layout.map(({ headers, start, end }) => ({ ...headers, bytes: body.subarray(start, end) }))
    },
  }
}

interface Source {
  /** What has come of it. */
  body: Uint8Array
  whole: boolean
}

/** Work that pauses where it needs bytes that have not come. */
type Paused<Result> = Generator<undefined, Result, undefined>

interface PartLayout {
  readonly headers: { readonly name: string; readonly filename?: string }
  readonly start: number
  readonly end: number
}

/** Reads each byte a bounded number of times whatever the body holds: a delimiter has one CR, at its start, so a comparison that fails never has to go back. */
function* readLayout(source: Source, delimiter: Uint8Array): Paused<readonly PartLayout[]> {
  const parts: PartLayout[] = []
  // the first delimiter may stand at the very start, without a line break
  let next = yield* findDelimiter(source, delimiter, -2)
  if (next === undefined) throw refuse('not-multipart')
  while (!next.last) {
    if (parts.length === MAX_PARTS) throw refuse('too-many-parts')
    const { after } = next
    while (lacks(source, after + MAX_PART_HEADERS)) yield
    const start = findHeadersEnd(source.body, after)
    const headers = readHeaders(source.body.subarray(after, start))
    // the blank line's break may be the delimiter's own: headers without content (RFC 2046)
    next = (yield* findDelimiter(source, delimiter, start - 2)) ?? fail('cut-short')
    parts.push({ headers, start, end: Math.max(start, next.at) })
  }
  return parts
}

/** Whether more must come before anything can be said of the first so many bytes. */
function lacks({ body, whole }: Source, bytes: number): boolean {
  return !whole && body.byteLength < bytes
}

interface Delimiter {
  /** Where its line break begins. */
  readonly at: number
  /** Where its line is over. */
  readonly after: number
  /** It closes the body. */
  readonly last: boolean
}

/** The next delimiter whose line break stands at `from` or later; -2 is one that was before the body. */
function* findDelimiter(source: Source, delimiter: Uint8Array, from: number): Paused<Delimiter | undefined> {
  let at = from
  while (at !== -1) {
    while (lacks(source, at + delimiter.byteLength)) yield
    const found = startsWith(source.body, delimiter, at)
      ? yield* readDelimiterEnd(source, at, at + delimiter.byteLength)
      : undefined
    if (found !== undefined) return found
    at = source.body.indexOf(CR, Math.max(0, at + 1))
    while (at === -1 && !source.whole) {
      const searched = source.body.byteLength
      yield
      at = source.body.indexOf(CR, searched)
    }
  }
  return undefined
}

/** What follows the boundary: `--`, or blanks and a line break. Anything else is a longer text that begins like it. */
function* readDelimiterEnd(source: Source, at: number, end: number): Paused<Delimiter | undefined> {
  while (lacks(source, end + 2)) yield
  if (source.body[end] === DASH && source.body[end + 1] === DASH) return { at, after: end + 2, last: true }
  let after = end
  while (source.body[after] === SPACE || source.body[after] === TAB) {
    after += 1
    while (lacks(source, after + 2)) yield
  }
  return source.body[after] === CR && source.body[after + 1] === LF ? { at, after: after + 2, last: false } : undefined
}

function startsWith(body: Uint8Array, text: Uint8Array, at: number): boolean {
  for (let index = Math.max(0, -at); index < text.byteLength; index++) {
    if (body[at + index] !== text[index]) return false
  }
  return true
}

/** Where the content begins, behind the blank line. Looks no further than headers may reach. */
function findHeadersEnd(body: Uint8Array, start: number): number {
  if (body[start] === CR && body[start + 1] === LF) return start + 2
  const window = body.subarray(start, start + MAX_PART_HEADERS)
  for (let at = window.indexOf(CR); at !== -1; at = window.indexOf(CR, at + 1)) {
    if (window[at + 1] === LF && window[at + 2] === CR && window[at + 3] === LF) return start + at + 4
  }
  throw refuse(window.byteLength < MAX_PART_HEADERS ? 'cut-short' : 'part-headers')
}

function readHeaders(bytes: Uint8Array): { name: string; filename?: string } {
  let disposition: string | undefined
  for (const line of new TextDecoder().decode(bytes).split('\r\n')) {
    if (line === '') continue
    const colon = line.indexOf(':')
    // also a continued line, which nobody has sent for years
    if (colon < 1 || line.startsWith(' ') || line.startsWith('\t')) throw refuse('part-headers')
    const name = line.slice(0, colon).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (name === 'content-disposition') {
      if (disposition !== undefined) throw refuse('part-headers')
      disposition = value
    }
    // an encoding that is not undone would be scanned as something else
    if (name === 'content-transfer-encoding' && !/^(?:binary|8bit|7bit)$/i.test(value)) throw refuse('part-headers')
  }
  const parameters = disposition === undefined ? undefined : parseParameters(disposition)
  const name = parameters?.get('name')
  if (parameters === undefined || name === undefined || readMediaType(disposition ?? '') !== 'form-data')
    throw refuse('part-headers')
  const filename = decodeExtended(parameters.get('filename*')) ?? parameters.get('filename')
  return filename === undefined ? { name } : { name, filename }
}

/** `; name=value` and `; name="value"` behind a first word. Undefined where it is none of these, or a name stands twice. */
function parseParameters(header: string): Map<string, string> | undefined {
  const parameters = new Map<string, string>()
  let at = header.indexOf(';')
  while (at !== -1 && at < header.length) {
    const equals = header.indexOf('=', at)
    const name = header
      .slice(at + 1, equals === -1 ? undefined : equals)
      .trim()
      .toLowerCase()
    // a semicolon at the end
    if (equals === -1) return name === '' ? parameters : undefined
    const value = header[equals + 1] === '"' ? readQuoted(header, equals + 2) : readToken(header, equals + 1)
    if (value === undefined || name === '' || parameters.has(name)) return undefined
    parameters.set(name, value.text)
    at = value.end
  }
  return parameters
}

interface ParameterValue {
  readonly text: string
  /** Where the next semicolon stands, or the header's length. */
  readonly end: number
}

function readToken(header: string, start: number): ParameterValue {
  const semicolon = header.indexOf(';', start)
  const end = semicolon === -1 ? header.length : semicolon
  return { text: header.slice(start, end).trim(), end }
}

/** Browsers write `%22` for a quote, others a backslash before it; a backslash before anything else is a path of Windows. */
function readQuoted(header: string, start: number): ParameterValue | undefined {
  let text = ''
  for (let at = start; at < header.length; at++) {
    const char = header[at]
    if (char === '"') {
      const end = header.indexOf(';', at)
      const rest = header.slice(at + 1, end === -1 ? undefined : end)
      return rest.trim() === '' ? { text, end: end === -1 ? header.length : end } : undefined
    }
    const following = header[at + 1]
    if (char === '\\' && (following === '"' || following === '\\')) at += 1
    text += header[at] ?? ''
  }
  return undefined
}

/** `UTF-8''a%20b.zip` (RFC 8187). Undefined where it is not that. */
function decodeExtended(value: string | undefined): string | undefined {
  const encoded = value === undefined ? undefined : /^utf-8'[\w-]{0,40}'(.*)$/is.exec(value)?.[1]
  if (encoded === undefined) return undefined
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

function refuse(fault: string): Refusal {
  return new Refusal('invalid-request', { errors: [{ path: '', message: fault }] })
}

function fail(fault: string): never {
  throw refuse(fault)
}
