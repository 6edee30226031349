import { createChance } from '../hostile/mutate.ts'
import { simulate, type Kind, type Simulated } from './simulate.ts'

/** What one project of a corpus needs, measured by `npm run sizing`. */
export interface Measured {
  /** Seconds of one processor, in a process that has scanned before. */
  readonly cpuSeconds: number
  readonly peakBytes: number
  readonly archiveBytes: number
  /** In both languages, as they are stored. */
  readonly reportBytes: number
}

export type Figures = Readonly<Record<'S' | 'M' | 'L', Measured>>

/** What nobody can measure ahead, and what is told beside the table. */
export const ASSUMED = {
  shares: { S: 0.9, M: 0.09, L: 0.01 },
  /** Of a day's projects, in its busiest hour. */
  busiestHour: 0.12,
  burstShare: 0.2,
  burstSize: 100,
  /** Of the processors, in the busiest hour: the rest is for what comes at once and for losses. */
  load: 0.6,
  lossEvery: 6 * 3600,
  noticedAfter: 20,
  backAfter: 30,
  /** Jobs in a second that one Redis passes on: 4,500 that do nothing were measured on two shared processors; each of ours also tells its progress. */
  redisJobs: 1000,
  /** Bytes in a second of a network of 1 Gbit/s, of which two thirds are used. */
  network: (1e9 / 8) * 0.66,
} as const

const LARGE = 8 * 1024 * 1024
/** Enough that one in a hundred is more than chance. */
const SIMULATED = 50_000
const MB = 1e6
const GB = 1e9

export const VOLUMES: readonly number[] = [1000, 100_000, 10_000_000]

export interface Row {
  readonly projects: number
  readonly workers: number
  readonly processors: number
  readonly memory: number
  readonly simulated: Simulated
  readonly redis: number
  /** Networks of 1 Gbit/s that the servers fill. */
  readonly network: number
  readonly storedADay: number
}

const NAMES = ['S', 'M', 'L'] as const

/** How much of everything a number of projects a day needs. */
export function size(projects: number, figures: Figures): Row {
  const kinds = NAMES.map((name): Kind => {
    const { cpuSeconds, archiveBytes } = figures[name]
    return { share: ASSUMED.shares[name], seconds: cpuSeconds, archiveBytes, isLarge: archiveBytes >= LARGE }
  })
  const mean = (of: (measured: Measured) => number): number =>
    NAMES.reduce((sum, name) => sum + ASSUMED.shares[name] * of(figures[name]), 0)
  const arrivals = (projects * ASSUMED.busiestHour) / 3600
  // each worker has a place for a small scan and one for a large: the lane that needs more decides
  const lanes = [false, true].map((isLarge) =>
    kinds.filter((kind) => kind.isLarge === isLarge).reduce((sum, { share, seconds }) => sum + share * seconds, 0),
  )
  const workers = Math.max(1, ...lanes.map((seconds) => Math.ceil((arrivals * seconds) / ASSUMED.load)))
  const { burstShare, burstSize, lossEvery, noticedAfter, backAfter } = ASSUMED
  const simulated = simulate(
    { kinds, arrivals, scans: SIMULATED, burstShare, burstSize, workers, lossEvery, noticedAfter, backAfter },
    createChance(projects),
  )
  const peak = Math.max(figures.S.peakBytes, figures.M.peakBytes) + figures.L.peakBytes
  return {
    projects,
    workers,
    processors: Math.ceil(workers * 2),
    memory: workers * (peak + 200 * MB),
    simulated,
    redis: arrivals / ASSUMED.redisJobs,
    // in from the client and out to the blobs, and reports out
    network: (arrivals * mean(({ archiveBytes, reportBytes }) => 2 * archiveBytes + reportBytes)) / ASSUMED.network,
    storedADay: projects * mean(({ reportBytes }) => reportBytes),
  }
}

const whole = new Intl.NumberFormat('en')
/** Two digits that count. */
const digits = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })
const percent = (value: number): string => `${digits.format(value * 100)} %`
const bytes = (value: number): string =>
  value >= GB ? `${digits.format(value / GB)} GB` : `${digits.format(Math.ceil(value / MB))} MB`

/** The section of docs/operations.md between its marks. */
export function renderSizing(figures: Figures): string {
  const measured = NAMES.map((name) => {
    const { cpuSeconds, peakBytes, archiveBytes, reportBytes } = figures[name]
    return `| ${name} | ${digits.format(cpuSeconds)} s | ${bytes(peakBytes)} | ${digits.format(archiveBytes / MB)} MB | ${digits.format(reportBytes / MB)} MB | ${percent(ASSUMED.shares[name])} |`
  })
  const rows = VOLUMES.map((volume) => size(volume, figures)).map(
    ({ projects, workers, processors, memory, simulated: { small, large, waitingBytes }, redis, network, storedADay }) =>
      `| ${whole.format(projects)} | ${whole.format(workers)} | ${whole.format(processors)} | ${bytes(memory)} | ${digits.format(small.p50)} s, ${digits.format(small.p99)} s | ${digits.format(large.p50)} s, ${digits.format(large.p99)} s | ${whole.format(small.most + large.most)}, ${bytes(waitingBytes)} | ${percent(redis)} | ${percent(network)} | ${bytes(storedADay)} |`,
  )
  return [
    '| project | CPU of a scan | peak memory | archive | reports, both languages | share of projects |',
    '|---|---|---|---|---|---|',
    ...measured,
    '',
    '| projects a day | workers | processors | memory | small ones wait, p50, p99 | large ones wait, p50, p99 | wait at once at most, in blobs | one Redis | one network of 1 Gbit/s | reports stored a day |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
