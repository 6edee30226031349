/**
 * The soak of the built service (`npm run soak`; alone: `npm run build && tsx test/soak/run.ts [ordinary hostile aborting headers body unread events]`): for SOAK_MINUTES (60) all hostile inputs, slow clients, clients
 * that leave and ordinary uploads at once, over loopback, while the vulnerability database and the catalogue lie. Exits with 1 where the service ended, answered an ordinary client with anything but a right report or
 * `busy`, or does not come back to what it was: its memory, its processes, its open files, no temporary file. Linux alone tells what other processes hold.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { INPUTS } from '../bench/inputs.ts'
import { memoryOf, processesOf } from '../bench/processes.ts'
import { startBuiltServer } from '../bench/server.ts'
import { createChance } from '../hostile/mutate.ts'
import { percentile, watchHealth } from '../node/health-watch.ts'
import { ORDERS, SHOP, zipOf } from '../runners/projects.ts'
import { startLiars } from './liars.ts'
import {
  abortingClient,
  hostileClient,
  ordinaryClient,
  post,
  readIds,
  slowClient,
  SLOW_KINDS,
  type Ordinary,
  type Tally,
  type Target,
} from './clients.ts'

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 60)
/** How long it may take until everything is as it was. */
const REST_MS = 5 * 60_000
/** MB above the base that may stay. */
const LEFT_MB = 100
const MOST_FAULTS = 20

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const faults: string[] = []
const fault = (text: string): void => {
  faults.push(text)
  if (faults.length <= MOST_FAULTS) print(`FAULT ${text}`)
}

/** The hostile kit in an order of chance, again and again. Built before it begins: a client whose thread builds one for ten seconds reads no answer, and is cut off. */
function createDeck(seed: number): () => readonly [string, Uint8Array] {
  const chance = createChance(seed)
  return () => {
    const index = chance.below(INPUTS.length)
    return [INPUTS[index]?.[0] ?? '', readFileSync(join(kit, `${index}`))]
  }
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  )
const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

/** Of the hostile inputs, of the lies. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 1)
const liars = await startLiars(createChance(SEED))
const folder = mkdtempSync(join(tmpdir(), 'parapet-soak-'))
const [temporary, storage, kit] = [join(folder, 'tmp'), join(folder, 'store'), join(folder, 'kit')]
mkdirSync(temporary)
mkdirSync(kit)
for (const [index, [, build]] of INPUTS.entries()) writeFileSync(join(kit, `${index}`), build())
const events = new Map<string, number>()
const server = await startBuiltServer(
  {
    PARAPET_STORAGE: storage,
    PARAPET_LOG: 'json',
    PARAPET_ADVISORIES: 'online',
    PARAPET_ADVISORIES_URL: liars.url,
    PARAPET_CATALOGUE_URL: liars.url,
    PARAPET_SCAN_TIMEOUT: process.env['PARAPET_SCAN_TIMEOUT'] ?? '15s',
    TMPDIR: temporary,
  },
  (text) => {
    for (const [, event = ''] of text.matchAll(/"event":"([^"]+)"/g)) events.set(event, (events.get(event) ?? 0) + 1)
    if (text.includes('internal-error')) fault(text.slice(0, 2000))
  },
)
const { url, pid = 0 } = server

try {
  const ordinary: Ordinary[] = []
  for (const [name, files] of Object.entries({ SHOP, ORDERS })) {
    const bytes = zipOf(files)
    for (let round = 0; round < 5; round++) await post(url, bytes)
    ordinary.push({ name, bytes, ids: readIds(await post(url, bytes)) })
  }
  const state = (): { memory: number; each: string; processes: number; files: number } => {
    const pids = processesOf(pid)
    const each = pids.map((one) => memoryOf([one], 'VmRSS').toFixed(0)).join(' + ')
    return { memory: memoryOf(pids, 'VmRSS'), each, processes: pids.length, files: openFiles(pid) }
  }
  const tell = ({ memory, each, processes, files }: ReturnType<typeof state>): string =>
    `${memory.toFixed(0)} MB (${each}) in ${processes} processes, ${files} open files`
  const base = state()
  print(`base: ${tell(base)}`)

  const tally: Tally = new Map()
  const end = performance.now() + MINUTES * 60_000
  const target: Target = { url, tally, fault, isOver: () => performance.now() > end || server.ended() !== undefined }
  const deck = createDeck(SEED)
  let most = 0
  const look = setInterval(() => (most = Math.max(most, state().memory)), 1000)
  const minutes = setInterval(() => print(`${tell(state())}; ${[...tally].map((pair) => pair.join(' ')).join(', ')}`), 60_000)
  const health = watchHealth(url)
  const clients: Readonly<Record<string, readonly (() => Promise<void>)[]>> = {
    ordinary: [ordinary, ordinary.toReversed()].map((projects) => () => ordinaryClient(target, projects)),
    hostile: [deck, deck].map((next) => () => hostileClient(target, next)),
    aborting: [() => abortingClient(target, deck)],
    ...Object.fromEntries(SLOW_KINDS.map((kind) => [kind, Array.from({ length: 5 }, () => () => slowClient(target, kind))])),
  }
  const wanted = process.argv.slice(2)
  const chosen = Object.entries(clients).flatMap(([name, list]) => (wanted.length === 0 || wanted.includes(name) ? list : []))
  await Promise.all(chosen.map((client) => client()))
  clearInterval(look)
  clearInterval(minutes)
  if (server.ended() !== undefined) fault(`the service ended: ${server.ended()}`)
  else {
    const times = await health.stop()
    print(
      `health: p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms, at most ${times.at(-1)?.toFixed(0)} ms of ${times.length}`,
    )
    const rested = performance.now()
    const isBack = (): boolean => {
      const { memory, processes, files } = state()
      return memory <= base.memory + LEFT_MB && processes <= base.processes && files <= base.files + 2
    }
    while (!isBack() && performance.now() - rested < REST_MS) await sleep(1000)
    print(
      `at most ${most.toFixed(0)} MB; ${tell(state())} ${((performance.now() - rested) / 1000).toFixed(0)} s after the last client`,
    )
    if (!isBack()) fault(`not as before: ${tell(state())}`)
    for (const { name, bytes, ids } of ordinary)
      if (readIds(await post(url, bytes)) !== ids) fault(`${name}: other findings afterwards`)
  }
  print(
    [...tally]
      .toSorted()
      .map((pair) => pair.join(' '))
      .join('\n'),
  )
  print(`logged: ${[...events].map((pair) => pair.join(' ')).join(', ')}`)
  for (const left of [...filesIn(temporary), ...filesIn(join(storage, '.tmp'))]) fault(`left behind: ${left}`)
} finally {
  server.stop()
  liars.stop()
  rmSync(folder, { recursive: true, force: true })
}
print(`${MINUTES} minutes, ${faults.length} faults`)
process.exitCode = faults.length > 0 ? 1 : 0
