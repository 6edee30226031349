import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

const CLI = fileURLToPath(new URL('../../dist/adapters/cli.js', import.meta.url))

/** Of one scan by the command line. Seconds; `cpu`: user and system, of all threads. */
interface Timed {
  readonly wall: number
  readonly cpu: number
  readonly report: string
}

/** Two threads in shares of one: medians of rounds that were run in turn. */
export interface Threads {
  readonly wall: number
  readonly cpu: number
  /** Told: seconds of wall time with one thread. */
  readonly seconds: number
  readonly areReportsEqual: boolean
}

/** Scans an archive with one thread and with as many as `args` say, in turn, each in a process of its own. Nothing is kept. */
export function measureThreads(zip: string, rounds: number, args: readonly string[]): Threads {
  // compiled code is kept by the first scan
  scan(zip, ['--jobs', '1'])
  const pairs = Array.from({ length: rounds }, (_, round) => {
    const order = round % 2 === 0
    const first = scan(zip, order ? ['--jobs', '1'] : args)
    const second = scan(zip, order ? args : ['--jobs', '1'])
    return order ? { one: first, more: second } : { one: second, more: first }
  })
  const median = (pick: (pair: (typeof pairs)[number]) => number): number =>
    pairs.map(pick).toSorted((a, b) => a - b)[rounds >> 1] ?? 0
  return {
    wall: median(({ one, more }) => more.wall / one.wall),
    cpu: median(({ one, more }) => more.cpu / one.cpu),
    seconds: median(({ one }) => one.wall),
    areReportsEqual: pairs.every(({ one, more }) => one.report === more.report),
  }
}

export const PROCESSORS: number = availableParallelism()

/** The shell tells of its children by `times`, on its last line: `0m0.520s 0m0.060s`. */
function scan(zip: string, args: readonly string[]): Timed {
  const began = performance.now()
  const command = [process.execPath, CLI, 'scan', zip, '--quiet', '--json', '--no-cache', ...args]
  const { stdout, stderr } = spawnSync('bash', ['-c', '"$@"; times >&2', 'bash', ...command], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { PATH: process.env['PATH'] ?? '', PARAPET_ADVISORIES: 'bundled', PARAPET_CATALOGUE_URL: 'http://127.0.0.1:9' },
  })
  const wall = (performance.now() - began) / 1000
  const spent = [...(stderr.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  const cpu = spent.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0)
  const report: { scanId?: unknown; scannedAt?: unknown } = JSON.parse(stdout)
  return { wall, cpu, report: JSON.stringify({ ...report, scanId: '', scannedAt: '' }) }
}

/** One corpus alone, by its path: `tsx test/bench/threads.ts test/bench/.cache/L-3.zip 5`. */
const [, script, zip, rounds = '3', ...args] = process.argv
if (script === fileURLToPath(import.meta.url) && zip !== undefined) {
  const figures = measureThreads(zip, Number(rounds), args.length > 0 ? args : ['--jobs', '2'])
  process.stdout.write(`${JSON.stringify(figures)}\n`)
}
