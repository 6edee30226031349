import { effect, signal, type ReadonlySignal } from '@preact/signals'
import type { Report } from '../../../core/index.ts'
import { fetchHistory, fetchLimits, fetchReport, fetchRules, toFault, type Fault } from './api.ts'
import { locale } from './settings.ts'

/** Something of the server: what there is of it, whether it is being fetched, and what went wrong the last time. */
export interface Loaded<T> {
  readonly value?: T
  readonly fault?: Fault
  readonly busy: boolean
}

export interface Resource<T> {
  readonly state: ReadonlySignal<Loaded<T>>
  load(): Promise<void>
}

/** What was loaded stays readable while it is loaded again, and when that fails. */
export function createResource<T>(fetchIt: () => Promise<T>): Resource<T> {
  const state = signal<Loaded<T>>({ busy: false })
  let turn = 0
  return {
    state,
    async load() {
      const own = ++turn
      state.value = { ...state.peek(), busy: true }
      try {
        const value = await fetchIt()
        if (own === turn) state.value = { value, busy: false }
      } catch (error) {
        if (own === turn) state.value = { ...state.peek(), fault: toFault(error), busy: false }
      }
    },
  }
}

export const limits = createResource(fetchLimits)
export const rules = createResource(fetchRules)
export const scans = createResource(() => fetchHistory())

/** Scans that the first screen shows. Not the whole history: of 10,000 scans that keeps the server busy for a second. */
export const RECENT = 5
export const recentScans = createResource(() => fetchHistory(RECENT))

interface KeptReport extends Resource<Report> {
  /** Takes a report that came with its scan. */
  take(report: Report): void
}

const kept = new Map<string, KeptReport>()
/** Reports held in the tab; of 10,000 findings one has about 20 MB. */
const MAX_KEPT = 8

/** A report by its scan, in the language of the page. */
export function reportOf(scanId: string): KeptReport {
  const known = kept.get(scanId)
  if (known !== undefined) return known
  const state = signal<Loaded<Report>>({ busy: false })
  const resource: KeptReport = {
    state,
    async load() {
      const wanted = locale.peek()
      state.value = { ...state.peek(), busy: true }
      try {
        const value = await fetchReport(scanId)
        if (wanted === locale.peek()) state.value = { value, busy: false }
      } catch (error) {
        state.value = { ...state.peek(), fault: toFault(error), busy: false }
      }
    },
    take(value) {
      state.value = { value, busy: false }
    },
  }
  for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - MAX_KEPT + 1))) kept.delete(oldest)
  kept.set(scanId, resource)
  return resource
}

export function forgetReport(scanId: string): void {
  kept.delete(scanId)
}

let shown = locale.peek()
effect(() => {
  if (locale.value === shown) return
  shown = locale.value
  for (const resource of kept.values()) void resource.load()
  if (rules.state.peek().value !== undefined) void rules.load()
})
