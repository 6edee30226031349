import type { H3Event } from 'h3'
import {
  isRefusal,
  Refusal,
  type Locale,
  type Outcome,
  type ScanOrigin,
  type ScanProgress,
  type Severity,
  type SourceData,
} from '../core/index.ts'
import type { Ticket } from './_admission.ts'
import { createCutShort, readBody, readDeclaredLength, type BodyConsumer } from './_body.ts'
import { deliver } from './_delivery.ts'
import { openEvents, sendEvents } from './_events.ts'
import { JSON_TYPE } from './_headers.ts'
import { pickLocale, setLanguage } from './_language.ts'
import { RefusalWithMembers, toProblem } from './_problem.ts'
import { describeRequest, type RequestFacts } from './_request.ts'
import type { Service } from './_service.ts'
import { gateQuery, severityOfGate } from './_requests.ts'
import { readQuery } from './_route.ts'
import { findStatuses } from './_statuses.ts'

/** What a body says is to be scanned. */
export interface ScanRequest {
  readonly source: SourceData
  readonly projectName: string
  readonly origin?: ScanOrigin
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
 * The way of both POSTs: let in, read the body, scan, store, answer. Up to the body a refusal is an answer of its own; from then on those who
 * listen to events get it as one. A client that goes away cancels its scan.
 */
export async function performScan(event: H3Event, service: Service, limit: number, consumer: ScanConsumer): Promise<unknown> {
  const locale = pickLocale(event, service.language)
  const request = service.requestOf(event)
  const gate = severityOfGate(readQuery(event, gateQuery))
  const ticket = service.admission.admit(Math.min(readDeclaredLength(event.req) ?? limit, limit))
  const leave = (): void => ticket.cancel(createCutShort())
  if (event.req.signal.aborted) leave()
  event.req.signal.addEventListener('abort', leave, { once: true })

  const scan = async (body: Uint8Array, onProgress?: (progress: ScanProgress) => void): Promise<StoredScan> => {
    const outcome = await runScan(service, ticket, () => consumer.toScanRequest(body), onProgress)
    await storeOutcome(service, request, outcome, locale)
    return { scanId: outcome.entry.scanId, report: await tellOverTime(service, request, outcome, locale, gate) }
  }
  const end = (): void => {
    event.req.signal.removeEventListener('abort', leave)
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

  if (acceptsEvents(event)) {
    const pieces = openEvents(event, service.clock, leave)
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

/** Runs one scan. Rejects at once when the ticket is cancelled; the body counts as held until the runner has let go of it. */
async function runScan(
  service: Service,
  ticket: Ticket,
  prepare: () => ScanRequest | Promise<ScanRequest>,
  onProgress?: (progress: ScanProgress) => void,
): Promise<Outcome> {
  const { signal, cancelled } = ticket
  let running: Promise<Outcome> | undefined
  try {
    const { source, projectName, origin } = await Promise.race([prepare(), cancelled])
    const scanId = service.createScanId()
    const { upload: _, held: __, ...limits } = service.limits
    const options = {
      scanId,
      scannedAt: service.now().toISOString(),
      projectName,
      limits,
      suppressions: service.suppressions,
      fingerprintKey: service.fingerprintKey,
      origin,
    }
    running = service.runner(source, options, {
      signal,
      onProgress: (progress) => {
        ticket.wait(progress.phase === 'waiting')
        onProgress?.(progress)
      },
    })
    return await Promise.race([running, cancelled])
  } catch (error) {
    throw signal.aborted && !isRefusal(error) ? signal.reason : error
  } finally {
    if (running === undefined) ticket.release()
    else running.then(ticket.release, ticket.release)
  }
}

/** Throws the refusal `storage-unavailable` with the finished report, so that no work is lost. */
async function storeOutcome(service: Service, request: RequestFacts, outcome: Outcome, locale: Locale): Promise<void> {
  try {
    await service.historyOf(request.space).save(outcome)
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
  { entry, records }: Outcome,
  locale: Locale,
  gate: Severity | undefined,
): Promise<Uint8Array> {
  const statuses = await findStatuses(service, request, entry.scanId)
  // what nobody can say does not pass
  if (statuses === undefined && gate !== undefined) throw new Refusal('storage-unavailable')
  if (statuses === undefined) return records[locale]
  const { annotateReport, tellGate } = await import('./_annotate.ts')
  const report = annotateReport(records[locale], statuses)
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
