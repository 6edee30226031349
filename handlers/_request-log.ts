import type { H3Event, Middleware } from 'h3'
import type { Log, TextMasker } from '../core/index.ts'
import { describeRequest, type RequestFacts } from './_request.ts'

/** Asked every few seconds by whoever watches over the service. */
const PROBES = /^\/api\/(?:health|ready)\/?$/

const MAX_PATH = 300

export interface RequestLogContext {
  readonly log: Log
  readonly clock: () => number
  readonly requestOf: (event: H3Event) => RequestFacts
  readonly maskText: TextMasker
}

/** One line for each answer. The query is left out: others may have put anything into it. */
export function createRequestLog({ log, clock, requestOf, maskText }: RequestLogContext): Middleware {
  return async (event, next) => {
    const begun = clock()
    const answer = await next()
    const path = event.url.pathname
    if (PROBES.test(path)) return answer
    log({
      level: 'info',
      event: 'request',
      ...describeRequest(requestOf(event)),
      method: event.req.method,
      path: maskText(path).slice(0, MAX_PATH),
      status: statusOf(answer, event),
      ms: Math.round(clock() - begun),
    })
    return answer
  }
}

function statusOf(answer: unknown, event: H3Event): number {
  if (answer instanceof Response) return answer.status
  // h3 says by a symbol that nobody took it
  return typeof answer === 'symbol' ? 404 : (event.res.status ?? 200)
}
