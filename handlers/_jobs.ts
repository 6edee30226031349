import type { H3Event } from 'h3'
import { Refusal, type Job, type JobHold, type JobOrder, type ScanProgress } from '../core/index.ts'
import { createBusy, type Ticket } from './_admission.ts'
import { createCutShort } from './_body.ts'
import { hashScanRequest } from './_job-requests.ts'
import { pickLocale, setLanguage } from './_language.ts'
import type { Leave } from './_leave.ts'
import { loadScanner } from './_load-scanner.ts'
import { describeProblem, type Problem } from './_problem.ts'
import type { RequestFacts } from './_request.ts'
import { toScanOptions, type ScanRequest } from './_scan-options.ts'
import type { Service } from './_service.ts'

/** A job as it is told. */
export interface JobAnswer extends Omit<Job, 'failure'> {
  /** Of a job that is done, with the address of its report. */
  readonly scanId?: string
  readonly report?: string
  /** Of a job that failed. */
  readonly problem?: Problem
}

/** Seconds; a scan takes about one. */
const LONGEST_RETRY = 30

/** When to ask again; undefined: never. */
export function retryAfter({ state, position }: Job): number | undefined {
  if (state === 'waiting') return Math.min(Math.max(1, position), LONGEST_RETRY)
  return state === 'running' ? 1 : undefined
}

/** Words what became of a job, in the language of who asks. */
export function toJobAnswer(event: H3Event, service: Service, job: Job): JobAnswer {
  const locale = pickLocale(event, service.language)
  const { id, state, phase, done, total, position, submittedAt, failure } = job
  return {
    id,
    state,
    phase,
    // nothing tells progress once the report is written
    done: state === 'done' ? total : done,
    total,
    position,
    submittedAt,
    ...(state === 'done' && { scanId: id, report: `${service.base}/api/scan/${id}` }),
    ...(failure !== undefined && {
      problem: describeProblem(new Refusal(failure.code, failure.details), locale, service, failure.requestId),
    }),
  }
}

/** Answers with the job that a scan became. */
export function answerAccepted(event: H3Event, service: Service, job: Job): JobAnswer {
  const { headers } = event.res
  event.res.status = 202
  headers.set('preference-applied', 'respond-async')
  headers.set('location', `${service.base}/api/scan/jobs/${job.id}`)
  return answerJob(event, service, job)
}

export function answerJob(event: H3Event, service: Service, job: Job): JobAnswer {
  setLanguage(event, pickLocale(event, service.language))
  const seconds = retryAfter(job)
  if (seconds !== undefined) event.res.headers.set('retry-after', String(seconds))
  return toJobAnswer(event, service, job)
}

/** Hands a scan in. What it would refuse before it reads a file is refused now. From then on `hold` belongs to the job. */
export async function submitJob(
  service: Service,
  request: RequestFacts,
  scanRequest: ScanRequest,
  name: string | undefined,
  hold: JobHold,
): Promise<Job> {
  const { source } = scanRequest
  let order: JobOrder
  try {
    const options = toScanOptions(service, scanRequest)
    const { limits, suppressions, scannedAt } = options
    if (source.kind === 'archive') (await loadScanner()).judgeArchive(source.bytes, { limits, suppressions, date: scannedAt })
    order = {
      space: request.space,
      requestId: request.id,
      source,
      options,
      ...(name !== undefined && { key: { name, hash: await hashScanRequest(scanRequest) } }),
    }
  } catch (error) {
    hold.release()
    hold.end()
    throw error
  }
  return service.jobs.submit(order, hold)
}

/**
 * The scan of a request that has a key: run once, however often the request is repeated, and also where its client goes away. Gives the id of its report; throws what
 * the scan threw.
 */
export async function scanOnce(
  service: Service,
  request: RequestFacts,
  asked: ScanRequest,
  name: string,
  ticket: Ticket,
  leave: Leave,
  onProgress: (progress: ScanProgress) => void = () => undefined,
): Promise<string> {
  const gone = new AbortController()
  leave.become(() => gone.abort(createCutShort()))
  // what the process still does for the job counts as much as the answer
  const { signal, wait, release } = ticket
  const job = await submitJob(service, request, asked, name, { signal, wait, release, end: ticket.share() })
  const { id, state, failure } = await service.jobs.watch(
    request.space,
    job.id,
    onProgress,
    AbortSignal.any([gone.signal, signal]),
  )
  if (failure !== undefined) throw new Refusal(failure.code, failure.details)
  // somebody cancelled it meanwhile: who repeats the request gets a scan
  if (state !== 'done') throw createBusy()
  return id
}
