import { Refusal } from '../core/index.ts'

/** A scan that was let in, from before its body is read until its answer is made. */
export interface Ticket {
  readonly signal: AbortSignal
  /** Rejects with the refusal when it is cancelled: for whoever waits for something that knows no signal. */
  readonly cancelled: Promise<never>
  /** Aborts `signal`; the refusal is what the client is told, if there still is one. */
  cancel(reason: Refusal): void
  /** Whether the scan waits for its turn: such a one does not begin any more when the service shuts down. */
  wait(waiting: boolean): void
  /** What the body turned out to be, in bytes. */
  hold(bytes: number): void
  /** The body is no longer held by anybody. */
  release(): void
  /** The answer is made. */
  end(): void
}

export interface Admission {
  /** Lets a scan in whose body has at most so many bytes. Throws the refusal `busy`. */
  admit(bytes: number): Ticket
  /** Lets nobody in any more, and cancels who waits. Resolves when all answers are made; those that take longer than `grace` ms are cancelled as `busy`. */
  drain(grace: number): Promise<void>
}

/** Seconds after which a retry makes sense: most scans take less. */
const RETRY_AFTER = 5

const createBusy = (): Refusal => new Refusal('busy', { retryAfter: RETRY_AFTER })

/** Counts the bytes of all bodies together: single limits don't bound what many requests hold at once. */
export function createAdmission(maxHeld: number): Admission {
  const open = new Set<Ticket>()
  const waiting = new Set<Ticket>()
  let held = 0
  let draining = false
  let whenEmpty: (() => void) | undefined

  function admit(bytes: number): Ticket {
    // a single body may be larger than the setting, else it could never be scanned
    if (draining || (held > 0 && held + bytes > maxHeld)) throw createBusy()
    const controller = new AbortController()
    const { signal } = controller
    const cancelled = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    cancelled.catch(() => undefined)
    let own = bytes
    held += own
    const ticket: Ticket = {
      signal,
      cancelled,
      cancel: (reason) => controller.abort(reason),
      wait(waits) {
        if (waits) waiting.add(ticket)
        else waiting.delete(ticket)
        if (waits && draining) ticket.cancel(createBusy())
      },
      hold(actual) {
        held += actual - own
        own = actual
      },
      release: () => ticket.hold(0),
      end() {
        open.delete(ticket)
        waiting.delete(ticket)
        if (open.size === 0) whenEmpty?.()
      },
    }
    open.add(ticket)
    return ticket
  }

  async function drain(grace: number): Promise<void> {
    draining = true
    for (const ticket of waiting) ticket.cancel(createBusy())
    if (open.size === 0) return
    const empty = new Promise<void>((resolve) => {
      const earlier = whenEmpty
      whenEmpty = () => {
        earlier?.()
        resolve()
      }
    })
    const timer = setTimeout(() => {
      for (const ticket of open) ticket.cancel(createBusy())
    }, grace)
    await empty
    clearTimeout(timer)
  }

  return { admit, drain }
}
