import { openCredentials, SECRET_KEYWORDS } from '../secrets/open-credentials.ts'

// npx tsx test/bench/long-lines.ts: how long the worst keywords hold up the search, each again and again on one line of 2 MB; told, the steps are tested
const SIZE = 2 * 1024 * 1024
const AGAIN = 40
const SHOWN = 12
const ENDINGS = ['="a" ', ': ', '= ']

function timeOnce(unit: string): number {
  const file = openCredentials(unit.repeat(Math.ceil(SIZE / unit.length)), { path: 'srv/a.js' })
  const { user, system } = process.cpuUsage()
  file.found()
  const after = process.cpuUsage({ user, system })
  return (after.user + after.system) / 1000
}

interface Timed {
  readonly unit: string
  readonly milliseconds: number
}

/** The least of so many runs: others are those of the machine's other work, and of the compiler. */
function timeBest(unit: string, runs: number): Timed {
  return { unit, milliseconds: Math.min(...Array.from({ length: runs }, () => timeOnce(unit))) }
}

const slowestFirst = (a: Timed, b: Timed): number => b.milliseconds - a.milliseconds
const units = SECRET_KEYWORDS.map((keyword, index) => `${keyword}${ENDINGS[index % ENDINGS.length] ?? ''}`)
const times = units.map((unit) => timeBest(unit, 2)).sort(slowestFirst)
const again = times
  .slice(0, AGAIN)
  .map(({ unit }) => timeBest(unit, 8))
  .sort(slowestFirst)
const middle = times[times.length >> 1]?.milliseconds ?? 0
process.stdout.write(`${times.length} keywords on 2 MB of one line, ms of CPU: median ${middle.toFixed(0)}, the worst\n`)
for (const { unit, milliseconds } of again.slice(0, SHOWN))
  process.stdout.write(`${milliseconds.toFixed(0).padStart(6)} ${JSON.stringify(unit)}\n`)
