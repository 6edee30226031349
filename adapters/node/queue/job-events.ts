import { QueueEvents } from 'bullmq'
import type { ScanProgress } from '../../../core/index.ts'
import { PREFIX } from './board.ts'
import { closeSoon, openPatient } from './connection.ts'
import { LANES, nameOf, readProgress } from './job-data.ts'
import type { Log } from '../../../core/index.ts'

/** Who wants to know of one job. */
export interface Listener {
  progress(progress: ScanProgress): void
  /** Something happened: it is time to look. */
  changed(): void
}

/** What workers tell of jobs, to those who listen. Nothing is promised: an event that was lost is made good by looking now and then. */
export interface JobEvents {
  listen(id: string, listener: Listener): () => void
  close(): Promise<void>
}

export function openJobEvents(url: string, log: Log): JobEvents {
  const listeners = new Map<string, Set<Listener>>()
  const tell = (id: string, say: (listener: Listener) => void): void => {
    for (const listener of listeners.get(id) ?? []) say(listener)
  }
  const streams = LANES.map((lane) => {
    const connection = openPatient(url, log)
    const events = new QueueEvents(nameOf(lane), { connection, prefix: PREFIX, skipVersionCheck: true })
    events.on('progress', ({ jobId, data }) => {
      const progress = readProgress(data)
      if (progress !== undefined) tell(jobId, (listener) => listener.progress(progress))
    })
    const changed = ({ jobId }: { readonly jobId: string }): void => tell(jobId, (listener) => listener.changed())
    events.on('completed', changed)
    events.on('failed', changed)
    events.on('removed', changed)
    // told by the connection itself
    events.on('error', () => undefined)
    return { connection, events }
  })
  return {
    listen(id, listener) {
      const some = listeners.get(id) ?? new Set()
      listeners.set(id, some.add(listener))
      return () => {
        some.delete(listener)
        if (some.size === 0) listeners.delete(id)
      }
    },
    async close() {
      for (const { connection, events } of streams) {
        await closeSoon(() => events.close())
        connection.disconnect()
      }
    },
  }
}
