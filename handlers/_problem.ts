import type { H3Event, HTTPError } from 'h3'
import {
  isRefusal,
  Refusal,
  type ArchiveReason,
  type DecidedFinding,
  type Locale,
  type Log,
  type RefusalCode,
  type RefusalDetails,
  type TextMasker,
} from '../core/index.ts'
import { isDashboard } from './_dashboard.ts'
import { discardBody } from './_body.ts'
import { SMALL_ANSWER, type Deliveries } from './_delivery.ts'
import { PROBLEMS, REASONS, SEEMS } from './_errors.ts'
import { FAULTS, UNNAMED_FAULT } from './_fault-words.ts'
import { DATA_HEADERS, SECURITY_HEADERS } from './_headers.ts'
import { pickLocale } from './_language.ts'
import { describeRequest, type RequestFacts } from './_request.ts'

/** RFC 9457. `instance` is the id of the request; the log line of the refusal has it. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: RefusalCode
  readonly instance: string
  readonly reason?: ArchiveReason
  readonly entry?: string
  readonly limit?: number
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
  /** Of `decision-changed`: what holds now. */
  readonly findings?: readonly DecidedFinding[]
}

/** A refusal whose problem has members that only one endpoint knows: name to JSON text. */
export class RefusalWithMembers extends Refusal {
  readonly members: Readonly<Record<string, string>>

  constructor(refusal: Refusal, members: Readonly<Record<string, string>>) {
    super(refusal.code, refusal.details, { cause: refusal.cause })
    this.members = members
  }
}

/** What a refusal needs to be told. */
export interface ProblemContext {
  readonly language: Locale
  readonly log: Log
  readonly maskText: TextMasker
  readonly requestOf: (event: H3Event) => RequestFacts
  /** Bytes of an unread body that are swallowed before the answer. */
  readonly drain: number
  readonly deliveries: Deliveries
}

export const PROBLEM_TYPE = 'application/problem+json'

/** Names in archives may have 64 KiB. */
const MAX_ENTRY = 300

/** The detail of a refusal, in words. */
export function describeRefusal({ code, details }: Refusal, locale: Locale): string {
  const { reason, detected = 'unknown' } = details
  const seems = reason === 'not-a-zip' && detected !== 'unknown' ? SEEMS[locale] : ''
  const words = reason === undefined ? PROBLEMS[code].detail : REASONS[reason]
  const values: Record<string, string> = {
    limit: formatLimit(details, locale),
    allow: details.allow ?? '',
    detected,
  }
  return (words[locale] + seems).replace(/\{(\w{1,20})\}/g, (_, name: string) => values[name] ?? '')
}

/** What a refusal is told as. `instance` is the id of the request that it answers. */
export function describeProblem(
  refusal: Refusal,
  locale: Locale,
  { maskText }: Pick<ProblemContext, 'maskText'>,
  instance: string,
): Problem {
  const { code, details } = refusal
  return {
    type: `/problems/${code}`,
    title: PROBLEMS[code].title[locale],
    status: PROBLEMS[code].status,
    detail: describeRefusal(refusal, locale),
    code,
    instance,
    reason: details.reason,
    // before it is cut: half a token is known to nobody
    entry: details.entry === undefined ? undefined : maskText(details.entry).slice(0, MAX_ENTRY),
    limit: details.limit,
    errors: details.errors?.map(({ path, message }) => ({ path, message: (FAULTS[message] ?? UNNAMED_FAULT)[locale] })),
  }
}

/** Logs what a request, or the job that it became, ended with. */
export function logRefusal({ code, details, cause }: Refusal, log: Log, request: Pick<RequestFacts, 'id' | 'traceparent'>): void {
  const { status } = PROBLEMS[code]
  const failed = code === 'internal-error'
  log({
    level: failed ? 'error' : status > 501 ? 'warn' : 'info',
    event: failed ? 'failed' : 'refused',
    ...describeRequest(request),
    code,
    status,
    reason: details.reason,
    cause,
  })
}

/** What is not a refusal becomes `internal-error` and says no more. */
export function toRefusal(error: unknown): Refusal {
  return isRefusal(error) ? error : new Refusal('internal-error', {}, { cause: error })
}

/** Makes the problem of whatever was thrown, as JSON text, and logs it. */
export function toProblem(
  error: unknown,
  locale: Locale,
  context: ProblemContext,
  request: RequestFacts,
): { problem: Problem; refusal: Refusal; json: string } {
  const refusal = toRefusal(error)
  const problem = describeProblem(refusal, locale, context, request.id)
  logRefusal(refusal, context.log, request)
  return { problem, refusal, json: appendMembers(JSON.stringify(problem), refusal) }
}

/** The answer to whatever was thrown while a request was handled. Carries all headers itself: h3 adds none where nothing was routed. */
export async function answerError(error: HTTPError, event: H3Event, context: ProblemContext): Promise<Response> {
  await discardBody(event.req, context.drain)
  const locale = pickLocale(event, context.language)
  const { problem, refusal, json } = toProblem(unwrap(error), locale, context, context.requestOf(event))
  const headers = new Headers({
    ...SECURITY_HEADERS,
    ...DATA_HEADERS,
    'content-type': PROBLEM_TYPE,
    'content-language': locale,
    vary: 'Accept-Language',
  })
  const { allow, retryAfter } = refusal.details
  if (problem.status === 401)
    headers.set('www-authenticate', isDashboard(event.url.pathname) ? 'Basic realm="Parapet"' : 'Bearer')
  if (allow !== undefined) headers.set('allow', allow)
  if (retryAfter !== undefined) headers.set('retry-after', String(retryAfter))
  const bytes = new TextEncoder().encode(json)
  // one that carries a report is as large as the report
  if (bytes.byteLength <= SMALL_ANSWER) return new Response(bytes, { status: problem.status, headers })
  headers.set('content-length', String(bytes.byteLength))
  return new Response(context.deliveries.reserve(bytes.byteLength, true).send(bytes), { status: problem.status, headers })
}

/** h3 wraps what it catches, and throws two errors of its own: a path that does not decode, and one without a route. */
function unwrap(error: HTTPError): unknown {
  if (isRefusal(error.cause)) return error.cause
  if (!error.unhandled && error.status === 404) return new Refusal('not-found')
  if (!error.unhandled && error.status === 400) return new Refusal('invalid-request', { errors: [{ path: '', message: 'url' }] })
  return error.cause ?? error
}

function appendMembers(json: string, refusal: Refusal): string {
  if (!(refusal instanceof RefusalWithMembers)) return json
  // spliced, because a stored report is text that nobody parses again
  const members = Object.entries(refusal.members).map(([name, text]) => `,${JSON.stringify(name)}:${text}`)
  return `${json.slice(0, -1)}${members.join('')}}`
}

function formatLimit({ limit, reason }: RefusalDetails, locale: Locale): string {
  if (limit === undefined) return ''
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  if (reason === 'entries' || reason === 'path') return number.format(limit)
  const units = locale === 'fr' ? ['octets', 'Kio', 'Mio', 'Gio'] : ['bytes', 'KiB', 'MiB', 'GiB']
  let value = limit
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${number.format(value)} ${units[unit] ?? ''}`
}
