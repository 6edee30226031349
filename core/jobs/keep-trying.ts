import { isRefusal } from '../errors.ts'

/** Milliseconds before each further attempt: a minute in all, which outlasts a restart of the storage. */
const PAUSES: readonly number[] = [250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000]

/**
 * Stores what nobody waits for: a storage that is away for a while costs no scan. Rejects as the last attempt did, and at once with whatever is not
 * `storage-unavailable`.
 */
export async function keepTrying<T>(store: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await store()
    } catch (error) {
      if (!isRefusal(error) || error.code !== 'storage-unavailable' || signal?.aborted === true) throw error
      await sleep(pause, signal)
    }
  }
  return store()
}

/** Ends early where the signal is aborted. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
