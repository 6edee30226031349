/**
 * What inputs within the default limits need in memory, over all processes of the service: `tsx test/bench/memory.ts [part of a name ...]`, after `npm run
 * build`. Each is uploaded to the built service with one scan at a time; told is its peak beyond the base and the upload. Exits with 1 where one needs more than
 * the limit. Linux alone tells what other processes hold.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { strToU8, zipSync } from 'fflate'
import { HOSTILE } from '../hostile/hostile-archives.ts'
import { PUMPS } from '../fuzz/pump/index.ts'
import { CONTENT } from './hostile.ts'
import { startBuiltServer } from './server.ts'

/** MB beyond the base and the upload. */
const LIMIT = 350
/** Bytes of a project that the pump makes. */
const PUMPED = 2_000_000
const LOOK_MS = 20

type Input = readonly [name: string, build: () => Uint8Array]

const lineBreaks = (line: string): Uint8Array => {
  const text = strToU8(`eval(location.hash)\n${line.repeat(Math.floor(4_990_000 / line.length))}`)
  return zipSync(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`webapp/f${index}.js`, text])))
}

const pumped = PUMPS.map(({ name, grow }): Input => [
  `pump: ${name}`,
  () => {
    const sizeOf = (files: ReadonlyMap<string, string>): number => [...files.values()].reduce((sum, text) => sum + text.length, 0)
    const count = Math.max(32, Math.floor((PUMPED / sizeOf(grow(512))) * 512))
    return zipSync(Object.fromEntries([...grow(count)].map(([path, text]) => [path, strToU8(text)])))
  },
])

const INPUTS: readonly Input[] = [
  ['line-breaks', () => lineBreaks('\n')],
  ['line-breaks-cr', () => lineBreaks('\r')],
  ['line-breaks-code', () => lineBreaks('a()\n')],
  ...HOSTILE.map(({ name, build }): Input => [name, build]),
  ...CONTENT,
  ...pumped,
]

/** A process and those that it has started. */
function processesOf(parent: number): number[] {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && fieldOf(Number(name), 'PPid') === parent)
  return [parent, ...children.map(Number)]
}

/** Of its status; 0 for one that is gone. Memory in kB. */
function fieldOf(pid: number, field: 'PPid' | 'VmRSS' | 'VmHWM'): number {
  try {
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

const sum = (pids: readonly number[], field: 'VmRSS' | 'VmHWM'): number =>
  pids.reduce((all, pid) => all + fieldOf(pid, field), 0) / 1000

/** Runs a piece of work and tells the most MB that the processes held meanwhile: each one's peak, and what was seen of those that ended. */
async function peakDuring<Result>(
  service: number,
  work: () => Promise<Result>,
): Promise<{ readonly peak: number; readonly each: readonly number[]; readonly result: Result }> {
  // the peaks begin anew: proc_pid_clear_refs(5)
  for (const pid of processesOf(service)) writeFileSync(`/proc/${pid}/clear_refs`, '5')
  let seen = 0
  let pids = processesOf(service)
  let looks = 0
  const timer = setInterval(() => {
    if (looks++ % 10 === 0) pids = processesOf(service)
    seen = Math.max(seen, sum(pids, 'VmRSS'))
  }, LOOK_MS)
  const result = await work()
  clearInterval(timer)
  const each = processesOf(service).map((one) => sum([one], 'VmHWM'))
  return {
    peak: Math.max(
      seen,
      each.reduce((all, one) => all + one, 0),
    ),
    each,
    result,
  }
}

const wanted = process.argv.slice(2)
const inputs = INPUTS.filter(([name]) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
const server = await startBuiltServer({ PARAPET_WORKERS: '1', PARAPET_HISTORY_BYTES: '32MiB' })
const pid = server.pid ?? 0
const upload = async (bytes: Uint8Array): Promise<string> => {
  const form = new FormData()
  form.append('project', new Blob([new Uint8Array(bytes)]), 'x.zip')
  const answer = await fetch(`${server.url}/api/scan/upload`, {
    method: 'POST',
    body: form,
    signal: AbortSignal.timeout(180_000),
  })
  const text = await answer.text()
  const notices = [...text.matchAll(/"code":"(time-limit|memory-limit)"/g)].map(([, code]) => code)
  return `${answer.status} ${[...new Set(notices)].join(', ')}`
}
try {
  await upload(zipSync({ 'package.json': strToU8('{}') }))
  const base = sum(processesOf(pid), 'VmRSS')
  process.stdout.write(`base ${base.toFixed(0)} MB\n`)
  const over: string[] = []
  let most = 0
  for (const [name, build] of inputs) {
    const bytes = build()
    // connections that the service closed while this thread made an input: they must be seen as closed before one is used again
    await sleep(50)
    const began = performance.now()
    const { peak, each, result } = await peakDuring(pid, () => upload(bytes).catch(String))
    const beyond = peak - base - bytes.length / 1e6
    most = Math.max(most, beyond)
    const line = `${beyond.toFixed(0).padStart(5)} MB  ${((performance.now() - began) / 1000).toFixed(1).padStart(5)} s  ${(bytes.length / 1e6).toFixed(2)} MB  ${name}  ${result}  (${each.map((one) => one.toFixed(0)).join(' + ')})\n`
    if (beyond > LIMIT) over.push(line)
    process.stdout.write(line)
  }
  process.stdout.write(
    `${inputs.length} inputs, at most base + upload + ${most.toFixed(0)} MB (limit ${LIMIT})\n${over.map((line) => `OVER ${line}`).join('')}`,
  )
  process.exitCode = over.length > 0 ? 1 : 0
} finally {
  server.stop()
}
