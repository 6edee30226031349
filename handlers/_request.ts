import type { H3Event } from 'h3'

/** What is known of a request beside what it asks for. */
export interface RequestFacts {
  /** Names it in the log, and is the `instance` of its problem. */
  readonly id: string
  /** Of the caller's trace (W3C Trace Context), as it was sent. */
  readonly traceparent?: string
  /** The name space of its token; the empty one is everybody's who has none. */
  space: string
}

/** https://www.w3.org/TR/trace-context/#traceparent-header: version 00; ids of zeros alone are not valid. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** Remembers the facts of each request as long as it is handled; makes them when they are first asked for. */
export function createRequests(randomId: () => string): (event: H3Event) => RequestFacts {
  const known = new WeakMap<H3Event, RequestFacts>()
  return (event) => {
    const earlier = known.get(event)
    if (earlier !== undefined) return earlier
    const sent = event.req.headers.get('traceparent') ?? ''
    const facts = { id: randomId(), space: '', ...(TRACEPARENT.test(sent) && { traceparent: sent }) }
    known.set(event, facts)
    return facts
  }
}

/** What a line of the log says of its request. */
export function describeRequest({ id, traceparent }: Pick<RequestFacts, 'id' | 'traceparent'>): {
  id: string
  traceparent?: string
} {
  return { id, ...(traceparent !== undefined && { traceparent }) }
}
