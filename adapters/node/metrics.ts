import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import {
  isRefusal,
  REFUSAL_CODES,
  SEVERITIES,
  type Log,
  type Outcome,
  type ScanPhase,
  type ScanRunner,
} from '../../core/index.ts'

/** Figures of this process for whoever watches over it, in the text format of Prometheus. No label holds what a client says. */
export interface Metrics {
  /** The same runner, its scans counted. */
  measure(runner: ScanRunner): ScanRunner
  /** The same log, its refusals and lost workers counted. */
  count(log: Log): Log
  render(facts: MetricsFacts): Promise<{ readonly type: string; readonly text: string }>
}

export interface MetricsFacts {
  /** Of the bodies that are held now. */
  readonly heldBytes: number
  /** Of a shared queue; without this member that of the process is told. `oldest` in seconds. */
  readonly queue?: { readonly waiting: number; readonly oldest: number } | 'unknown'
}

const OUTCOMES = ['done', 'incomplete', 'refused', 'cancelled', 'failed'] as const
/** Seconds: from the smallest project to the time limit of a scan and what its queue may add. */
const BUCKETS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60, 120, 300]
/** How the log of the pool tells of a worker that it has to replace. */
const LOST: ReadonlyMap<string, string> = new Map([
  ['worker-died', 'died'],
  ['worker-out-of-memory', 'memory'],
])
const CODES: ReadonlySet<string> = new Set(REFUSAL_CODES)

/** In milliseconds of the clock. */
interface OpenScan {
  phase: ScanPhase
  since: number
  readonly begun: number
}

/** Makes a registry of its own: nothing is shared with a host that counts too. `clock`: milliseconds, never running back. */
export function openMetrics(clock: () => number = () => performance.now()): Metrics {
  const registers = [new Registry()]
  const scans = new Counter({ name: 'parapet_scans_total', help: 'Scans that ended', labelNames: ['outcome'], registers })
  for (const outcome of OUTCOMES) scans.inc({ outcome }, 0)
  const phases = new Histogram({
    name: 'parapet_phase_duration_seconds',
    help: 'Time that a scan spent in a phase',
    labelNames: ['phase'],
    buckets: BUCKETS,
    registers,
  })
  const findings = new Counter({
    name: 'parapet_findings_total',
    help: 'Findings of scans that ended',
    labelNames: ['severity'],
    registers,
  })
  for (const severity of SEVERITIES) findings.inc({ severity: severity.toLowerCase() }, 0)
  const lost = new Counter({
    name: 'parapet_worker_restarts_total',
    help: 'Workers that ended by themselves and were replaced',
    labelNames: ['reason'],
    registers,
  })
  for (const reason of LOST.values()) lost.inc({ reason }, 0)
  const refusals = new Counter({
    name: 'parapet_refusals_total',
    help: 'Requests and jobs that were refused',
    labelNames: ['code'],
    registers,
  })
  const length = new Gauge({ name: 'parapet_queue_length', help: 'Scans that wait for a worker', registers })
  const age = new Gauge({
    name: 'parapet_queue_oldest_age_seconds',
    help: 'How long the oldest waiting scan has waited',
    registers,
  })
  const running = new Gauge({ name: 'parapet_scans_running', help: 'Scans that have a worker', registers })
  const held = new Gauge({ name: 'parapet_held_bytes', help: 'Bytes of request bodies that are held', registers })

  const open = new Set<OpenScan>()

  const countOutcome = ({ entry, facts }: Outcome): void => {
    scans.inc({ outcome: facts?.complete === false ? 'incomplete' : 'done' })
    const { critical, high, medium, low, info } = entry.summary
    for (const [severity, n] of Object.entries({ critical, high, medium, low, info })) findings.inc({ severity }, n)
  }

  return {
    measure: (runner) => async (source, options, control) => {
      const begun = clock()
      const scan: OpenScan = { phase: 'waiting', since: begun, begun }
      open.add(scan)
      const enter = (phase: ScanPhase): void => {
        if (phase === scan.phase) return
        const now = clock()
        phases.observe({ phase: scan.phase }, (now - scan.since) / 1000)
        scan.phase = phase
        scan.since = now
      }
      try {
        const outcome = await runner(source, options, {
          ...control,
          onProgress(progress) {
            enter(progress.phase)
            control.onProgress?.(progress)
          },
        })
        countOutcome(outcome)
        return outcome
      } catch (error) {
        scans.inc({ outcome: isRefusal(error) ? 'refused' : control.signal?.aborted === true ? 'cancelled' : 'failed' })
        throw error
      } finally {
        phases.observe({ phase: scan.phase }, (clock() - scan.since) / 1000)
        open.delete(scan)
      }
    },
    count: (log) => (entry) => {
      const { event, code } = entry
      const reason = LOST.get(event)
      if (reason !== undefined) lost.inc({ reason })
      if ((event === 'refused' || event === 'failed') && typeof code === 'string' && CODES.has(code)) refusals.inc({ code })
      log(entry)
    },
    async render({ heldBytes, queue }) {
      const waiting = [...open].filter(({ phase }) => phase === 'waiting')
      const now = clock()
      const own = {
        waiting: waiting.length,
        oldest: waiting.reduce((oldest, { begun }) => Math.max(oldest, now - begun), 0) / 1000,
      }
      // not a number is how the format says so; an old figure, or 0, would be believed
      const { waiting: count, oldest } = queue === 'unknown' ? { waiting: NaN, oldest: NaN } : (queue ?? own)
      length.set(count)
      age.set(oldest)
      running.set(open.size - waiting.length)
      held.set(heldBytes)
      const [registry = new Registry()] = registers
      return { type: registry.contentType, text: await registry.metrics() }
    },
  }
}
