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
  /** The memory of the body has so many bytes by now. Throws the refusal `busy` where there is no room for it. */
  hold(bytes: number): void
  /** The body is whole: from now on it is no client that takes its time. */
  received(): void
  /** The body is no longer held by anybody. */
  release(): void
  /** Something else than the answer must come to its end too; what it gives is called then. */
  share(): () => void
  /** The answer is made. */
  end(): void
}

export interface Admission {
  /** Lets a scan in whose body has at most so many bytes. Throws the refusal `busy`. */
  admit(bytes: number): Ticket
  /** Bytes of all bodies that are held now. */
  heldBytes(): number
  /** Whether nobody is let in any more. */
  isDraining(): boolean
  /** Lets nobody in any more, and cancels who waits. Resolves when all answers are made; those that take longer than `grace` ms are cancelled as `busy`. */
  drain(grace: number): Promise<void>
}

export interface AdmissionOptions {
  /** Bytes of all bodies together: single limits don't bound what many requests hold at once. */
  readonly maxHeld: number
  /** Milliseconds since any moment; never runs back. */
  readonly clock: () => number
}

/** Bodies that are read at once: half of the sockets that the server on Node opens, so that whoever wants something else still gets one. */
export const MAX_OPEN_BODIES = 250

/** A body that is read for longer is a slow one. */
export const SLOW_AFTER_MS = 10_000

/** Of the memory and of the number of bodies, slow ones have this share at most. */
export const SLOW_SHARE = 0.5

/** Seconds after which a retry makes sense: most scans take less. */
const RETRY_AFTER = 5

export const createBusy = (cause?: unknown): Refusal => new Refusal('busy', { retryAfter: RETRY_AFTER }, { cause })

/** What a scan holds, and since when its body is read. */
interface Holding {
  readonly ticket: Ticket
  readonly since: number
  bytes: number
}

/**
 * Counts what bodies really hold, not what their clients declared: who declares much and sends little must not shut others out. So memory may run
 * short while bodies are read; then the newest give way, and the oldest gets through.
 */
export function createAdmission({ maxHeld, clock }: AdmissionOptions): Admission {
  const open = new Set<Ticket>()
  const waiting = new Set<Ticket>()
  // in the order in which they came
  const reading = new Set<Holding>()
  let held = 0
  let draining = false
  let whenEmpty: (() => void) | undefined

  const resize = (holding: Holding, bytes: number): void => {
    held += bytes - holding.bytes
    holding.bytes = bytes
  }

  const giveWay = (holding: Holding): void => {
    reading.delete(holding)
    resize(holding, 0)
    holding.ticket.cancel(createBusy())
  }

  /** The newest slow bodies give way while they have more than their share; a single one may be larger, else it could never be read. */
  const boundSlow = (): void => {
    const now = clock()
    const slow = [...reading].filter(({ since }) => now - since > SLOW_AFTER_MS)
    let bytes = slow.reduce((sum, holding) => sum + holding.bytes, 0)
    while (slow.length > 1 && (bytes > maxHeld * SLOW_SHARE || slow.length > MAX_OPEN_BODIES * SLOW_SHARE)) {
      const newest = slow.pop()
      if (newest === undefined) return
      bytes -= newest.bytes
      giveWay(newest)
    }
  }

  /** Makes those that came later give way, newest first, where that is enough; else `holding` itself has to. */
  const makeRoom = (holding: Holding): void => {
    // a single body may be larger than the setting, else it could never be scanned
    if (held <= maxHeld || held === holding.bytes) return
    const later = [...reading]
    later.splice(0, later.indexOf(holding) + 1)
    const freed = later.reduce((sum, other) => sum + other.bytes, 0)
    if (held - freed > maxHeld && held - freed !== holding.bytes) {
      giveWay(holding)
      return
    }
    for (const newest of later.toReversed()) if (held > maxHeld) giveWay(newest)
  }

  function admit(bytes: number): Ticket {
    boundSlow()
    if (draining || reading.size >= MAX_OPEN_BODIES || (held > 0 && held + bytes > maxHeld)) throw createBusy()
    const controller = new AbortController()
    const { signal } = controller
    const cancelled = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    cancelled.catch(() => undefined)
    let isAnswered = false
    let shares = 0
    const close = (): void => {
      if (shares > 0) return
      open.delete(ticket)
      waiting.delete(ticket)
      if (open.size === 0) whenEmpty?.()
    }
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
        signal.throwIfAborted()
        resize(holding, actual)
        boundSlow()
        if (reading.has(holding)) makeRoom(holding)
        signal.throwIfAborted()
      },
      received: () => void reading.delete(holding),
      release() {
        reading.delete(holding)
        resize(holding, 0)
      },
      share() {
        let isOver = false
        shares++
        return () => {
          if (isOver) return
          isOver = true
          shares--
          if (isAnswered) close()
        }
      },
      end() {
        isAnswered = true
        close()
      },
    }
    const holding: Holding = { ticket, since: clock(), bytes: 0 }
    open.add(ticket)
    reading.add(holding)
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

  return { admit, drain, heldBytes: () => held, isDraining: () => draining }
}
