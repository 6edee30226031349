import type { Chance } from '../hostile/mutate.ts'

/** What one scan is taken to need, by the size of its project. */
export interface Kind {
  /** Of 1. */
  readonly share: number
  /** Seconds of one processor. */
  readonly seconds: number
  readonly archiveBytes: number
  /** Large archives have a lane of their own. */
  readonly isLarge: boolean
}

export interface Scenario {
  readonly kinds: readonly Kind[]
  /** Per second, on average over the simulated time. */
  readonly arrivals: number
  /** How many scans are simulated. */
  readonly scans: number
  /** Of 1: arrivals that come many at once, as from a pipeline that starts for all projects. */
  readonly burstShare: number
  readonly burstSize: number
  /** Each carries out one small and one large scan at once. */
  readonly workers: number
  /** Seconds between two losses of one worker on average, until somebody else begins its scan anew, and until it is back. */
  readonly lossEvery: number
  readonly noticedAfter: number
  readonly backAfter: number
}

export interface Waiting {
  /** Seconds from a scan's arrival to its begin. */
  readonly p50: number
  readonly p99: number
  /** Scans that waited at once at most. */
  readonly most: number
  readonly lost: number
}

export interface Simulated {
  readonly small: Waiting
  readonly large: Waiting
  /** Bytes of archives that waited at once, at most in both lanes. */
  readonly waitingBytes: number
}

interface Arrival {
  readonly at: number
  readonly kind: Kind
}

/** Plays a scenario through, each lane first come first served. The same chance gives the same figures. */
export function simulate(scenario: Scenario, chance: Chance): Simulated {
  const arrivals = drawArrivals(scenario, chance)
  const [small, large] = [false, true].map((isLarge) => {
    const lane = arrivals.filter(({ kind }) => kind.isLarge === isLarge)
    const waiting = runLane(lane, scenario, chance)
    const mean = lane.reduce((sum, { kind }) => sum + kind.archiveBytes, 0) / Math.max(1, lane.length)
    return { waiting, bytes: waiting.most * mean }
  })
  if (small === undefined || large === undefined) throw new Error('there are two lanes')
  return { small: small.waiting, large: large.waiting, waitingBytes: small.bytes + large.bytes }
}

/** From 0 to 1, without both. */
const draw = (chance: Chance): number => (chance.below(1_000_000) + 0.5) / 1_000_000
const drawGap = (rate: number, chance: Chance): number => -Math.log(draw(chance)) / rate

function drawKind(kinds: readonly Kind[], chance: Chance): Kind {
  let left = draw(chance)
  const found = kinds.find(({ share }) => (left -= share) <= 0) ?? kinds.at(-1)
  if (found === undefined) throw new Error('there are no projects')
  return found
}

function drawArrivals({ kinds, arrivals, scans, burstShare, burstSize }: Scenario, chance: Chance): Arrival[] {
  const all: Arrival[] = []
  const add = (at: number): void => void all.push({ at, kind: drawKind(kinds, chance) })
  const bursts = Math.round((scans * burstShare) / burstSize)
  const end = scans / arrivals
  for (let burst = 0; burst < bursts; burst++) {
    const at = draw(chance) * end
    for (let index = 0; index < burstSize; index++) add(at)
  }
  const rate = arrivals * (1 - burstShare)
  for (let at = drawGap(rate, chance); at < end; at += drawGap(rate, chance)) add(at)
  return all.sort((one, other) => one.at - other.at)
}

/** One scan may need a third or three times what is usual for its size. */
const drawSeconds = ({ seconds }: Kind, chance: Chance): number => seconds * 3 ** (draw(chance) + draw(chance) - 1)

function runLane(lane: readonly Arrival[], scenario: Scenario, chance: Chance): Waiting {
  const free = createHeap(Array.from({ length: scenario.workers }, () => 0))
  const waits: number[] = []
  const begins: number[] = []
  const again: Arrival[] = []
  let lost = 0
  let most = 0
  let begun = 0
  for (let index = 0; index < lane.length || again.length > 0;) {
    const [next, repeated] = [lane[index], again[0]]
    const isRepeated = next === undefined || (repeated !== undefined && repeated.at <= next.at)
    const arrival = isRepeated ? again.shift() : next
    if (!isRepeated) index++
    if (arrival === undefined) break
    const begin = Math.max(arrival.at, free.top())
    while ((begins[begun] ?? Infinity) <= arrival.at) begun++
    begins.push(begin)
    most = Math.max(most, begins.length - begun - (begin <= arrival.at ? 1 : 0))
    if (!isRepeated) waits.push(begin - arrival.at)
    const seconds = drawSeconds(arrival.kind, chance)
    if (draw(chance) < seconds / scenario.lossEvery) {
      lost++
      const at = begin + seconds * draw(chance)
      again.push({ at: at + scenario.noticedAfter, kind: arrival.kind })
      again.sort((one, other) => one.at - other.at)
      free.replaceTop(at + scenario.backAfter)
    } else free.replaceTop(begin + seconds)
  }
  waits.sort((one, other) => one - other)
  const at = (share: number): number => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99), most, lost }
}

/** When workers are free again, the earliest first. */
function createHeap(times: number[]): { top(): number; replaceTop(time: number): void } {
  return {
    top: () => times[0] ?? Infinity,
    replaceTop(time) {
      let at = 0
      for (;;) {
        const child = [2 * at + 1, 2 * at + 2].reduce((one, other) =>
          (times[other] ?? Infinity) < (times[one] ?? Infinity) ? other : one,
        )
        const least = times[child]
        if (least === undefined || least >= time) break
        times[at] = least
        at = child
      }
      times[at] = time
    },
  }
}
