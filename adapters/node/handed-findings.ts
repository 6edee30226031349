import { setImmediate } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import { createFindingCollector, type Finding, type FindingCollector, type LeftOut } from '../../core/host.ts'

/** Findings in V8's format for structured clones, which only the version that wrote it has to read. */
export interface FindingBatch {
  readonly bytes: Uint8Array
  readonly count: number
}

/**
 * What a worker handed over, should it have to be ended. Nobody reads it otherwise, so it stays bytes: the thread that answers requests has no time for
 * ten thousand objects.
 */
export interface HandedFindings {
  add(batch: FindingBatch): void
  /** What a report would show of them, and what it would leave out. */
  kept(): { readonly findings: readonly Finding[]; readonly leftOut: LeftOut }
}

/** Beyond so many those go that no report would show: a worker hands over each finding that it makes, also those that better ones push out later. */
const MOST = 40_000

export const NOTHING_LEFT_OUT: LeftOut = { findings: 0, suppressed: 0, places: 0 }

export function packFindings(findings: readonly Finding[]): FindingBatch {
  return { bytes: serialize(findings), count: findings.length }
}

export function createHandedFindings(most: number = MOST): HandedFindings {
  const batches: FindingBatch[] = []
  let count = 0
  let leftOut = NOTHING_LEFT_OUT
  let isThinning = false

  const startCollector = (): FindingCollector => {
    const collector = createFindingCollector()
    collector.leaveOut(leftOut)
    return collector
  }

  /** In turns, so that others are answered between two batches; what is added meanwhile stays behind it. */
  const thin = async (): Promise<void> => {
    isThinning = true
    const read = [...batches]
    const collector = startCollector()
    for (const batch of read) {
      collector.add(unpack(batch))
      await setImmediate()
    }
    const kept = collector.kept()
    const packed = packFindings(kept.findings)
    batches.splice(0, read.length, packed)
    count += packed.count - read.reduce((sum, batch) => sum + batch.count, 0)
    leftOut = kept.leftOut
    isThinning = false
  }

  return {
    add(batch) {
      batches.push(batch)
      count += batch.count
      // a fault leaves them as they are, which costs memory alone
      if (count > most && !isThinning) thin().catch(() => undefined)
    },
    kept() {
      const collector = startCollector()
      for (const batch of batches) collector.add(unpack(batch))
      return collector.kept()
    },
  }
}

function unpack({ bytes }: FindingBatch): readonly Finding[] {
  const findings: readonly Finding[] = deserialize(bytes)
  return findings
}
