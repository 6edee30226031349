import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { unpackCorpus, type Corpus } from './corpus.ts'

const CLI = fileURLToPath(new URL('../../dist/adapters/cli.js', import.meta.url))
const SAVES = 15
/** Between two saves, so that nothing of the one before is left to do. */
const REST_MS = 300

/** Milliseconds: from the start to the first report; from a saved change to what is told of it, and the CPU of the process meanwhile. */
export interface WatchFigures {
  readonly first: number
  readonly change: number
  readonly change95: number
  readonly cpu: number
}

/** Watches a corpus as a folder and saves one of its controllers again and again: `tsx test/bench/watch.ts M`. */
export async function measureWatch(name: Corpus['name']): Promise<WatchFigures> {
  const folder = unpackCorpus(name)
  const began = performance.now()
  const child = spawn(process.execPath, [CLI, 'watch', folder, '-q', '--json', '--jobs', '1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', PARAPET_ADVISORIES: 'bundled', PARAPET_CATALOGUE_URL: 'http://127.0.0.1:9' },
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  try {
    await lines.next()
    const first = performance.now() - began
    const path = join(
      folder,
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((file) => file.endsWith('Controller.js')) ?? '',
    )
    const text = readFileSync(path, 'utf8')
    const changes: number[] = []
    const cpus: number[] = []
    for (let save = 0; save < SAVES; save++) {
      await sleep(REST_MS)
      const [saved, spent] = [performance.now(), cpuOf(child.pid)]
      writeFileSync(path, `${text}\n// ${save}\n`)
      await lines.next()
      changes.push(performance.now() - saved)
      cpus.push(cpuOf(child.pid) - spent)
    }
    const at = (of: number[], share: number): number => of.toSorted((a, b) => a - b)[Math.floor(share * of.length)] ?? 0
    return { first, change: at(changes, 0.5), change95: at(changes, 0.95), cpu: at(cpus, 0.5) }
  } finally {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** In milliseconds; a tick of Linux is ten. */
function cpuOf(pid = 0): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const name = process.argv[2] === 'L' || process.argv[2] === 'S' ? process.argv[2] : 'M'
  const { first, change, change95, cpu } = await measureWatch(name)
  process.stdout.write(
    `watch ${name}: first report after ${first.toFixed(0)} ms, a saved change after ${change.toFixed(0)} (95 %: ${change95.toFixed(0)}), CPU ${cpu.toFixed(0)}\n`,
  )
}
