import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { readReport } from '../../../handlers/index.ts'
import type { Settings } from '../../node/settings.ts'
import type { Arguments } from '../arguments.ts'
import { describeRequest, headersOf, packForm, readProblem, refusedToken, toAddress, tokenOf } from '../scan-on-server.ts'
import type { ScannedPath } from '../scan-path.ts'
import { say } from '../words.ts'
import { ProjectFault } from './failure.ts'
import type { ProjectScanner } from './local-scanner.ts'

/** Milliseconds for which a service is asked again before its project has failed. */
export interface Patience {
  /** It says that it is busy. */
  readonly busy: number
  /** It does not answer. */
  readonly away: number
}

const PATIENCE: Patience = { busy: 600_000, away: 30_000 }
const AT_ONCE = 4
/** A job that the service forgot, as one does that starts again without a shared queue, is handed in again. */
const MOST_SUBMISSIONS = 3
/** Between two questions, where the service names no time; and what it may name at most. */
const PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000
/** A service that knows no jobs answers when the scan is done. */
const UPLOAD_MS = 900_000
const ANSWER_MS = 60_000
const CANCEL_MS = 2000

/** Nothing of an address comes from the service: only an id, of which the address is made here. */
const job = z.looseObject({
  id: z.guid(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
  scanId: z.guid().optional(),
  problem: z.looseObject({ code: z.string(), detail: z.string() }).optional(),
})
type Job = z.infer<typeof job>

interface Answer {
  readonly status: number
  readonly text: string
  /** Milliseconds that it asks to wait. */
  readonly pause: number
}

/** Hands projects to a service, as jobs where it knows them. Throws a UsageFault where the address is none. */
export function createServerScanner(
  args: Arguments,
  url: string,
  settings: Settings,
  patience: Patience = PATIENCE,
): ProjectScanner {
  const { locale } = args
  const token = tokenOf(process.env)
  const access = { url, locale, ...(token !== undefined && { token }) }
  const upload = toAddress(access)
  const { origin } = upload
  const headers = headersOf(access)
  /** Since when nothing came back; who comes later need not wait as long again. */
  let awaySince: number | undefined
  /** What holds for every project. */
  let refused: ProjectFault | undefined

  /** Asks until there is an answer that says more than to come again. */
  const ask = async (address: URL, init: RequestInit, signal: AbortSignal, limit = ANSWER_MS): Promise<Answer> => {
    const until = performance.now() + patience.busy
    for (;;) {
      if (refused !== undefined) throw refused
      signal.throwIfAborted()
      const answer = await request(address, init, signal, limit).catch(() => undefined)
      signal.throwIfAborted()
      if (answer === undefined) {
        awaySince ??= performance.now()
        if (performance.now() - awaySince >= patience.away)
          throw new ProjectFault('server-unreachable', say(locale, 'serverAway', { origin }))
      } else {
        awaySince = undefined
        if (answer.status === 401) throw (refused = new ProjectFault('unauthorized', refusedToken(origin, token)[locale]))
        if (!isBusy(answer) || performance.now() + answer.pause > until) return answer
      }
      await sleep(answer?.pause ?? Math.min(PAUSE_MS, patience.away), undefined, { signal })
    }
  }

  const request = async (address: URL, init: RequestInit, signal: AbortSignal, limit: number): Promise<Answer> => {
    const answer = await fetch(address, {
      ...init,
      headers: { ...headers, ...init.headers },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(limit)]),
    })
    const seconds = Number(answer.headers.get('retry-after') ?? '')
    const pause = seconds > 0 ? Math.min(seconds * 1000, LONGEST_PAUSE_MS) : PAUSE_MS
    return { status: answer.status, text: await answer.text(), pause }
  }

  const faultOf = ({ status, text }: Answer): ProjectFault => {
    const problem = readProblem(text)
    return problem === undefined ? noReport(status) : new ProjectFault(problem.code, problem.detail)
  }
  const noReport = (status: number): ProjectFault =>
    new ProjectFault('no-report', say(locale, 'serverNoReport', { origin, status }))

  const toScanned = (answer: Answer): ScannedPath => {
    const parsed = readReport(new TextEncoder().encode(answer.text))
    if (parsed === undefined) throw noReport(answer.status)
    return { text: answer.text, parsed }
  }

  const addressOf = (path: string): URL => new URL(path, new URL('.', upload))

  const readJob = (answer: Answer): Job => {
    const known = job.safeParse(parse(answer.text)).data
    if (known === undefined) throw noReport(answer.status)
    return known
  }

  /** Polls a job to its end. Undefined where the service ended before it, or does not know it any more. */
  const follow = async (id: string, signal: AbortSignal): Promise<ScannedPath | undefined> => {
    const address = addressOf(`jobs/${id}`)
    try {
      for (;;) {
        const answer = await ask(address, {}, signal)
        if (answer.status === 404) return undefined
        if (answer.status !== 200) throw faultOf(answer)
        const { state, scanId, problem } = readJob(answer)
        if (state === 'done') {
          const report = await ask(addressOf(scanId ?? id), {}, signal)
          if (report.status !== 200) throw faultOf(report)
          return toScanned(report)
        }
        if (state === 'failed' && problem?.code === 'busy') return undefined
        if (state === 'failed' && problem !== undefined) throw new ProjectFault(problem.code, problem.detail)
        if (state === 'failed' || state === 'cancelled')
          throw new ProjectFault('job-cancelled', say(locale, 'serverCancelled', { origin }))
        await sleep(answer.pause, undefined, { signal })
      }
    } catch (error) {
      // whoever ends the run needs its scans no more; that nobody hears it changes nothing
      if (signal.aborted)
        await request(address, { method: 'DELETE' }, new AbortController().signal, CANCEL_MS).catch(() => undefined)
      throw error
    }
  }

  return {
    atOnce: args.jobs ?? AT_ONCE,
    async scan({ path, isFolder }, signal) {
      if (refused !== undefined) throw refused
      const body = await packForm(path, settings, await describeRequest(path, isFolder, args, url))
      for (let submission = 1; submission <= MOST_SUBMISSIONS; submission++) {
        // an upload whose answer was lost is not scanned twice
        const key = { prefer: 'respond-async', 'idempotency-key': randomUUID() }
        const answer = await ask(upload, { method: 'POST', body, headers: key }, signal, UPLOAD_MS)
        if (answer.status === 201 || answer.status === 200) return toScanned(answer)
        if (answer.status !== 202) throw faultOf(answer)
        const scanned = await follow(readJob(answer).id, signal)
        if (scanned !== undefined) return scanned
      }
      throw new ProjectFault('job-not-found', say(locale, 'serverForgot', { origin }))
    },
    close: async () => undefined,
  }
}

/** A service that has no place now, or whose queue is away; or a proxy whose service is. */
function isBusy({ status, text }: Answer): boolean {
  return status === 503 && ['busy', 'queue-unavailable', undefined].includes(readProblem(text)?.code)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
