import { createEngine, type Engine } from '../../../core/engine.ts'
import { RULES } from '../../../core/rules/index.ts'
import { allFindings } from '../../scan-files.ts'
import { watchScan, type Cost } from '../../cost/watched-scan.ts'
import type { Pump } from './construct.ts'

/** Below, a scan costs what starts and ends it; what grows is not seen yet. */
const SECONDS = 0.2
/** Four times the input: linear with a log, and what the collector of garbage adds. */
const MAX_GROWTH = 6
/** Nobody can stop a scan that counts nothing for so long. */
const MAX_SILENCE = 2
/** Where others use the machine, too, the same work takes more of its time. */
const SLACK = 2
/** What took so long shows how it grows. */
const ENOUGH_SECONDS = 1
const FIRST_COUNT = 32
const TRIES = 3

/** What a project costs too much, or lost; undefined: nothing. `most`: bytes up to which it grows. */
export async function findFault(pump: Pump, most: number): Promise<string | undefined> {
  for (let count = FIRST_COUNT; ; count *= 2) {
    const [small, large] = [await watchScan(pump.grow(count)), await watchScan(pump.grow(count * 4))]
    if (describeEnd(small, large) !== undefined || grows(small, large)) {
      const fault = await confirm(pump, count)
      if (fault !== undefined) return `${pump.name}: ${fault} (${count} and ${count * 4})`
    }
    if (large.bytes >= most || large.seconds >= ENOUGH_SECONDS) return undefined
  }
}

/** The least of some runs: what others do at the same time makes a run slower, never faster. */
async function confirm(pump: Pump, count: number): Promise<string | undefined> {
  const scan = (times: number, engine?: Engine): Promise<Cost> => watchScan(pump.grow(count * times), undefined, engine)
  let [small, large] = [await scan(1), await scan(4)]
  for (let run = 1; run < TRIES && describeEnd(small, large) !== undefined; run++)
    [small, large] = [cheaper(small, await scan(1)), cheaper(large, await scan(4))]
  const end = describeEnd(small, large)
  if (end !== undefined) return end
  // the flow may grow until its budget ends it
  ;[small, large] = [await scan(1, WITHOUT_FLOW), await scan(4, WITHOUT_FLOW)]
  for (let run = 1; run < TRIES && grows(small, large); run++)
    [small, large] = [cheaper(small, await scan(1, WITHOUT_FLOW)), cheaper(large, await scan(4, WITHOUT_FLOW))]
  return grows(small, large) ? `grows: ${tell(small, large)}` : undefined
}

const WITHOUT_FLOW = createEngine(RULES.filter(({ checks }) => checks.flow === undefined))

function cheaper(one: Cost, other: Cost): Cost {
  const [first, second] = one.seconds <= other.seconds ? [one, other] : [other, one]
  return { ...first, silence: Math.min(first.silence, second.silence) }
}

function grows(small: Cost, large: Cost): boolean {
  return large.seconds > SECONDS && large.seconds > MAX_GROWTH * small.seconds
}

/** Whatever grows ends at a budget, and tells what it has found. */
function describeEnd(small: Cost, large: Cost): string | undefined {
  if (large.silence > MAX_SILENCE) return `silent for ${large.silence.toFixed(1)} s until ${large.after}; ${tell(small, large)}`
  if (large.seconds > SLACK * Math.max(2, large.bytes / 1e6)) return `too slow: ${tell(small, large)}`
  if (foundIn(small) > 0 && foundIn(large) === 0) return `nothing of ${foundIn(small)} findings is left; ${tell(small, large)}`
  return undefined
}

function tell(small: Cost, large: Cost): string {
  return `${small.seconds.toFixed(2)} s and ${large.seconds.toFixed(2)} s for ${small.bytes} and ${large.bytes} bytes`
}

function foundIn({ report }: Cost): number {
  return allFindings(report).length
}
