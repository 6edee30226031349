import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const CLI = fileURLToPath(new URL('../../dist/adapters/cli.js', import.meta.url))
const PROJECT = fileURLToPath(new URL('../projects/orders', import.meta.url))

/** CPU seconds, user and system: a scan of a small project from the command line, and a Node.js that does nothing. */
export interface Cold {
  readonly scan: number
  readonly node: number
}

/** Starts both in turn, each in a process of its own. */
export function measureCold(rounds: number): Cold {
  const pairs = Array.from({ length: rounds }, () => ({ scan: cpuOf([CLI, 'scan', PROJECT]), node: cpuOf(['-e', '0']) }))
  const median = (pick: (pair: Cold) => number): number => pairs.map(pick).toSorted((a, b) => a - b)[rounds >> 1] ?? 0
  return { scan: median(({ scan }) => scan), node: median(({ node }) => node) }
}

/** What the shell tells of its children: the second line of `times`, `0m0.520s 0m0.060s`. */
function cpuOf(args: readonly string[]): number {
  const said = execFileSync('bash', ['-c', '"$0" "$@" > /dev/null 2>&1; times', process.execPath, ...args], { encoding: 'utf8' })
  const children = said.trim().split('\n').at(-1) ?? ''
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  )
}
