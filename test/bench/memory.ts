/**
 * What inputs within the default limits need in memory, over all processes of the service: `tsx test/bench/memory.ts [part of a name ...]`, after `npm run
 * build`. Each is uploaded to the built service with one scan at a time; told is its peak beyond the base and the upload. Exits with 1 where one needs more than
 * the limit. Linux alone tells what other processes hold.
 */
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { strToU8, zipSync } from 'fflate'
import { INPUTS } from './inputs.ts'
import { memoryOf, processesOf } from './processes.ts'
import { startBuiltServer } from './server.ts'

/** MB beyond the base and the upload. */
const LIMIT = 350
/** How often is looked at what all processes hold at once. */
const LOOK_MS = 5
/** Looks between two at which processes there are. */
const LOOKS = 40

interface Peak {
  /** MB of each process at the moment when all of them together held most. */
  readonly most: readonly number[]
  /** MB of each process at its own peak. Their sum is more: a scan has ended when the service takes its report over. */
  readonly own: readonly number[]
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
const tell = (numbers: readonly number[]): string => numbers.map((one) => one.toFixed(0)).join(' + ')

/** Runs a piece of work and tells what the processes held meanwhile. */
async function peakDuring<Result>(service: number, work: () => Promise<Result>): Promise<Peak & { readonly result: Result }> {
  // the peaks begin anew: proc_pid_clear_refs(5)
  for (const pid of processesOf(service)) writeFileSync(`/proc/${pid}/clear_refs`, '5')
  let most: number[] = []
  let pids = processesOf(service)
  let looks = 0
  const timer = setInterval(() => {
    if (looks++ % LOOKS === 0) pids = processesOf(service)
    const held = pids.map((pid) => memoryOf([pid], 'VmRSS'))
    if (sumOf(held) > sumOf(most)) most = held
  }, LOOK_MS)
  const result = await work()
  clearInterval(timer)
  return { most, own: processesOf(service).map((pid) => memoryOf([pid], 'VmHWM')), result }
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
  const base = memoryOf(processesOf(pid), 'VmRSS')
  process.stdout.write(`base ${base.toFixed(0)} MB\n`)
  const over: string[] = []
  let most = 0
  for (const [name, build] of inputs) {
    const bytes = build()
    // connections that the service closed while this thread made an input: they must be seen as closed before one is used again
    await sleep(50)
    const began = performance.now()
    const { most: held, own, result } = await peakDuring(pid, () => upload(bytes).catch(String))
    const beyond = sumOf(held) - base - bytes.length / 1e6
    most = Math.max(most, beyond)
    const line = `${beyond.toFixed(0).padStart(5)} MB  ${((performance.now() - began) / 1000).toFixed(1).padStart(5)} s  ${(bytes.length / 1e6).toFixed(2)} MB  ${name}  ${result}  (${tell(held)}; each at its own peak ${tell(own)})\n`
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
