import type { Log } from '../../core/index.ts'
import { SettingsFault, type Settings } from './settings.ts'

/** The queue of PARAPET_QUEUE. Only who sets it needs BullMQ and a client of Redis: nobody else loads them. */
export async function loadQueue(): Promise<typeof import('./queue/open-queue.ts')> {
  return import('./queue/open-queue.ts').catch((error: unknown) => {
    throw new SettingsFault(`PARAPET_QUEUE needs the packages bullmq and ioredis (${String(error)})`)
  })
}

/** What takes part in the queue needs; undefined: there is none. */
export function toQueueParts(
  settings: Settings,
  log: Log,
): { readonly settings: Settings; readonly url: string; readonly log: Log } | undefined {
  return settings.queue === undefined ? undefined : { settings, url: settings.queue, log }
}
