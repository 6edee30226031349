/**
 * What the work gives; rejects with the reason of the signal where that is aborted first. A signal may live for a day: unlike a promise of its end in a race, it holds nothing of what is over.
 */
export function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    const end = (): void => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort, { once: true })
    work.finally(end).then(resolve, reject)
    if (signal.aborted) abort()
  })
}
