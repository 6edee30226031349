import type { Log } from '../log.ts'
import { createBreaker } from '../network/breaker.ts'
import { FetchError } from '../network/fetch-json.ts'
import { createBundledAnswer } from './bundled.ts'
import { toCatalogueLines } from './lines.ts'
import type { CatalogueAnswer, CatalogueLine, CataloguePort } from './types.ts'

const HOUR = 3_600_000

/**
 * The catalogue for scans: asked once an hour at most, once for all that wait, and not again for five minutes after a failure. Then the last good
 * copy answers, or the bundled snapshot.
 */
export function createScanOverview(ask: () => Promise<unknown>, log: Log, now: () => Date): CataloguePort['overview'] {
  const breaker = createBreaker('catalogue-unavailable', log, now)
  const bundled = createBundledAnswer()
  let copy: { readonly answer: CatalogueAnswer; readonly until: number } | undefined
  let flight: Promise<CatalogueAnswer> | undefined

  const atHand = (complete: boolean): CatalogueAnswer => (copy === undefined ? bundled(complete) : { ...copy.answer, complete })

  const refresh = async (): Promise<CatalogueAnswer> => {
    try {
      const lines = toCatalogueLines(await ask())
      if (lines === undefined) throw new FetchError('not-json')
      const answer: CatalogueAnswer = {
        source: 'online',
        date: now().toISOString().slice(0, 10),
        complete: true,
        lines: withRemovedFromAll(lines, bundled(true).lines),
      }
      // so that many instances don't ask in the same minute
      copy = { answer, until: now().getTime() + HOUR * (0.9 + 0.2 * Math.random()) }
      breaker.succeed()
      return answer
    } catch (error) {
      breaker.fail(error instanceof FetchError ? error.reason : 'unreachable')
      return atHand(false)
    }
  }

  return async (needed, signal) => {
    if (!needed) return atHand(true)
    if (copy !== undefined && now().getTime() < copy.until) return copy.answer
    if (breaker.isOpen() || signal?.aborted === true) return atHand(false)
    flight ??= refresh().finally(() => {
      flight = undefined
    })
    return signal === undefined ? flight : Promise.race([flight, aborted(signal).then(() => atHand(false))])
  }
}

/** The catalogue tells of one network; what is gone from both, the bundled snapshot knows. */
function withRemovedFromAll(lines: readonly CatalogueLine[], known: readonly CatalogueLine[]): CatalogueLine[] {
  const byMinor = new Map(known.map(({ minor, removed = [] }) => [minor, removed]))
  return lines.map((line) => (line.removed === undefined ? line : { ...line, removedFromAll: byMinor.get(line.minor) ?? [] }))
}

/** A scan that is cancelled waits no longer; the flight goes on for the others. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
