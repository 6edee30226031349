import type { H3Event } from 'h3'
import {
  isRefusal,
  Refusal,
  untilAborted,
  type Job,
  type Locale,
  type Outcome,
  type ScanProgress,
  type Severity,
} from '../core/index.ts'
import type { Ticket } from './_admission.ts'
import { createCutShort, readBody, readDeclaredLength, type BodyConsumer } from './_body.ts'
import { deliver } from './_delivery.ts'
import { openEvents, sendEvents } from './_events.ts'
import { JSON_TYPE } from './_headers.ts'
import { readIdempotencyKey } from './_job-requests.ts'
import { answerAccepted, scanOnce, submitJob } from './_jobs.ts'
import { pickLocale, setLanguage } from './_language.ts'
import { createLeave } from './_leave.ts'
import { prefersAsync } from './_prefer.ts'
import { RefusalWithMembers, toProblem } from './_problem.ts'
import { describeRequest, type RequestFacts } from './_request.ts'
import { gateQuery, severityOfGate } from './_requests.ts'
import { readQuery, type Route } from './_route.ts'
import { toScanOptions, type ScanRequest } from './_scan-options.ts'
import type { Service } from './_service.ts'
import { findStatuses } from './_statuses.ts'

/** What either POST answers. */
export const SCAN_ANSWERS: Route['answers'] = {
  201: { description: 'The report, stored', schema: 'Report', events: true, headers: ['Location'] },
  202: {
    description: 'The job that the scan became: "Prefer: respond-async"',
    schema: 'Job',
    headers: ['Location', 'Preference-Applied', 'Retry-After'],
  },
}

/** A scan that is stored, and its report as it is told. */
interface StoredScan {
  readonly scanId: string
  readonly report: Uint8Array
}

/** What makes a scan of a body. */
export interface ScanConsumer extends BodyConsumer {
  /** Throws or rejects with refusals. */
  toScanRequest(body: Uint8Array): ScanRequest | Promise<ScanRequest>
}

/**
 * The way of both POSTs: let in, read the body, scan, store, answer; or hand the scan in and answer with its job. Up to the body a refusal is an answer of its own; from
 * then on those who listen to events get it as one. A client that goes away cancels its scan, unless a key says that it may come back for it.
 */
export async function performScan(event: H3Event, service: Service, limit: number, consumer: ScanConsumer): Promise<unknown> {
  const locale = pickLocale(event, service.language)
  const request = service.requestOf(event)
  const { headers } = event.req
  const gate = severityOfGate(readQuery(event, gateQuery))
  const key = readIdempotencyKey(headers)
  // what a gate asks for is told with a report alone
  const isAsync = service.background && gate === undefined && prefersAsync(headers.get('prefer'))
  const ticket = service.admission.admit(Math.min(readDeclaredLength(event.req) ?? limit, limit))
  const leave = createLeave(event, () => ticket.cancel(createCutShort()))

  const scan = async (body: Uint8Array, onProgress?: (progress: ScanProgress) => void): Promise<StoredScan> => {
    const toTell = (scanId: string, record: Uint8Array): Promise<Uint8Array> =>
      tellOverTime(service, request, scanId, record, gate)
    if (key !== undefined) {
      const asked = await prepare(ticket, consumer, body)
      const scanId = await scanOnce(service, request, asked, key, ticket, leave, onProgress)
      const { bytes } = await service.historyOf(request.space).read(scanId, locale)
      return { scanId, report: await toTell(scanId, bytes) }
    }
    const { scanId, report } = await scanAndStore(service, request, ticket, consumer, body, locale, onProgress)
    return { scanId, report: await toTell(scanId, report) }
  }
  const end = (): void => {
    leave.stop()
    ticket.end()
  }

  let body: Uint8Array
  try {
    body = await readBody(event.req, limit, ticket.cancelled, { ...consumer, hold: ticket.hold, clock: service.clock })
    ticket.received()
  } catch (error) {
    ticket.release()
    end()
    throw error
  }

  if (isAsync) {
    // from now on nobody need be there
    leave.stop()
    const asked = await prepare(ticket, consumer, body).catch((error: unknown) => {
      ticket.end()
      throw error
    })
    const job = await submitJob(service, request, asked, key, ticket)
    // a host that may stop when everything is answered is told to stay for this
    if (service.jobs.place === 'process') event.waitUntil(untilEnded(service, request, job, ticket))
    return answerAccepted(event, service, job)
  }

  if (acceptsEvents(event)) {
    const pieces = openEvents(event, service.clock, leave.now)
    const work = async (): Promise<void> => {
      await sendEvents(pieces, service.deliveries, async (onProgress) => {
        try {
          return { event: 'report', data: (await scan(body, onProgress)).report }
        } catch (error) {
          return { event: 'problem', data: new TextEncoder().encode(toProblem(error, locale, service, request).json) }
        } finally {
          end()
        }
      })
    }
    // a client that is gone, or a log that throws: there is nobody left to be told
    event.waitUntil(work().catch(() => pieces.cut()))
    setLanguage(event, locale)
    return pieces.stream
  }

  try {
    const { scanId, report } = await scan(body)
    setLanguage(event, locale)
    event.res.status = 201
    event.res.headers.set('location', `${service.base}/api/scan/${scanId}`)
    event.res.headers.set('content-type', JSON_TYPE)
    // stored, so it is sent whatever else is on its way
    return await deliver(event, service, report, true)
  } finally {
    end()
  }
}

/** What the body asks for. Where that is refused, the body is let go of. */
async function prepare(ticket: Ticket, consumer: ScanConsumer, body: Uint8Array): Promise<ScanRequest> {
  try {
    return await untilAborted(Promise.resolve(consumer.toScanRequest(body)), ticket.signal)
  } catch (error) {
    ticket.release()
    throw error
  }
}

async function untilEnded({ jobs }: Service, { space }: RequestFacts, { id }: Job, { signal }: Ticket): Promise<void> {
  await jobs.watch(space, id, () => undefined, signal).catch(() => undefined)
}

/** Runs one scan. Rejects at once when the ticket is cancelled; the body counts as held until the runner has let go of it. */
async function runScan(
  service: Service,
  { space }: RequestFacts,
  ticket: Ticket,
  consumer: ScanConsumer,
  body: Uint8Array,
  onProgress?: (progress: ScanProgress) => void,
): Promise<Outcome> {
  const { signal } = ticket
  const asked = await prepare(ticket, consumer, body)
  try {
    const running = service.runner(asked.source, toScanOptions(service, asked), {
      space,
      signal,
      onProgress: (progress) => {
        ticket.wait(progress.phase === 'waiting')
        onProgress?.(progress)
      },
    })
    running.then(ticket.release, ticket.release)
    return await untilAborted(running, signal)
  } catch (error) {
    throw signal.aborted && !isRefusal(error) ? signal.reason : error
  }
}

/** Holds nothing of the report in the other language when it is stored. */
async function scanAndStore(
  service: Service,
  request: RequestFacts,
  ticket: Ticket,
  consumer: ScanConsumer,
  body: Uint8Array,
  locale: Locale,
  onProgress?: (progress: ScanProgress) => void,
): Promise<StoredScan> {
  const outcome = await runScan(service, request, ticket, consumer, body, onProgress)
  await storeOutcome(service, request, outcome, locale)
  return { scanId: outcome.entry.scanId, report: outcome.records[locale] }
}

/** Throws the refusal `storage-unavailable` with the finished report, so that no work is lost. */
async function storeOutcome(service: Service, request: RequestFacts, outcome: Outcome, locale: Locale): Promise<void> {
  try {
    await service.historyOf(request.space).save(outcome, true)
  } catch (error) {
    if (!isRefusal(error)) throw error
    throw new RefusalWithMembers(error, { report: new TextDecoder().decode(outcome.records[locale]) })
  }
  service.log({ level: 'info', event: 'scan-stored', ...describeRequest(request), scanId: outcome.entry.scanId })
}

/** The report as it is read back: with what its project tells. */
async function tellOverTime(
  service: Service,
  request: RequestFacts,
  scanId: string,
  record: Uint8Array,
  gate: Severity | undefined,
): Promise<Uint8Array> {
  const statuses = await findStatuses(service, request, scanId)
  // what nobody can say does not pass
  if (statuses === undefined && gate !== undefined) throw new Refusal('storage-unavailable')
  if (statuses === undefined) return record
  const { annotateReport, tellGate } = await import('./_annotate.ts')
  const report = annotateReport(record, statuses)
  return gate === undefined ? report : tellGate(report, statuses.countNew(gate))
}

function acceptsEvents(event: H3Event): boolean {
  return (event.req.headers.get('accept') ?? '').split(',', 50).some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === 'text/event-stream' && !parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter))
  })
}

/** For a body that says what it is in a type that can't be read. */
export function refuseEncoding(event: H3Event): void {
  const encoding = event.req.headers.get('content-encoding')
  if (encoding !== null && encoding.toLowerCase() !== 'identity') throw new Refusal('unsupported-media-type')
}
