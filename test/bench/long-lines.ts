import { openCredentials, SECRET_KEYWORDS } from '../secrets/open-credentials.ts'

// npx tsx test/bench/long-lines.ts: how long the worst keywords hold up the search, each again and again on one line of 2 MB; told, the steps are tested
const SIZE = 2 * 1024 * 1024
const MANY = 12
const ENDINGS = ['="a" ', ': ', '= ']

function timeOnce(unit: string): number {
  const file = openCredentials(unit.repeat(Math.ceil(SIZE / unit.length)), { path: 'srv/a.js' })
  const { user, system } = process.cpuUsage()
  file.found()
  const after = process.cpuUsage({ user, system })
  return (after.user + after.system) / 1000
}

const times = SECRET_KEYWORDS.map((keyword, index) => {
  const unit = `${keyword}${ENDINGS[index % ENDINGS.length] ?? ''}`
  return { unit, milliseconds: Math.min(timeOnce(unit), timeOnce(unit)) }
}).sort((a, b) => b.milliseconds - a.milliseconds)
const middle = times[times.length >> 1]?.milliseconds ?? 0
process.stdout.write(`${times.length} keywords on 2 MB of one line, ms of CPU: median ${middle.toFixed(0)}, the worst\n`)
for (const { unit, milliseconds } of times.slice(0, MANY))
  process.stdout.write(`${milliseconds.toFixed(0).padStart(6)} ${JSON.stringify(unit)}\n`)
