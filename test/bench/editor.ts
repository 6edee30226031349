import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startClient, uriOf } from '../editor/client.ts'
import { CACHE, unpackCorpus, type Corpus } from './corpus.ts'

/** What an editor waits for, in milliseconds; memory in MB of the server's process; CPU while nobody does anything, in milliseconds of five seconds. */
export interface EditorFigures {
  /** A folder that was never open before: findings of what is open, and those of all files; and one that was. */
  readonly first: number
  readonly whole: number
  readonly opened: number
  readonly edit: number
  readonly edit95: number
  readonly memory: number
  readonly idle: number
}

const EDITS = 30
const IDLE_MS = 5000

/** Opens a corpus as a folder of an editor, and edits one of its controllers: `tsx test/bench/editor.ts M`. */
export async function measureEditor(name: Corpus['name']): Promise<EditorFigures> {
  const folder = unpackCorpus(name)
  const cache = mkdtempSync(join(tmpdir(), 'parapet-cache-'))
  const command = [process.execPath, join(CACHE, '../../../dist/adapters/cli.js'), 'lsp', '--cache-dir', cache]
  try {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const path = join(folder, files.find((name) => name.endsWith('Controller.js')) ?? '')
    const text = readFileSync(path, 'utf8')
    // what is shown first is of this text, and `whole` of another file
    const faulty = `${text}\nwindow.eval(location.hash.slice(1))\n`
    let [first, whole, opened] = [0, 0, 0]
    let client = await startClient({ folders: [folder], command })
    // the second time as on each later day: results of files are there
    for (const isSecond of [false, true]) {
      if (isSecond) client = await startClient({ folders: [folder], command })
      const begun = performance.now()
      client.open(path, faulty)
      const started = client
      await client.until(() => started.diagnostics(path).length > 0, 120_000)
      opened = performance.now() - begun
      if (isSecond) continue
      first = opened
      await client.until(() => started.told.size > 1, 120_000)
      whole = performance.now() - begun
      await client.stop()
    }
    const times: number[] = []
    for (let version = 2; version < EDITS + 2; version++) {
      const begun = performance.now()
      client.edit(path, `${text}\n// ${version}\n`)
      await client.until(() => client.told.get(uriOf(path))?.version === version, 60_000)
      times.push(performance.now() - begun)
    }
    times.sort((a, b) => a - b)
    const at = (share: number): number => times[Math.floor(share * times.length)] ?? 0
    const pid = client.process.pid ?? 0
    const before = cpuOf(pid)
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
    const idle = cpuOf(pid) - before
    const memory = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
    await client.stop()
    return { first, whole, opened, edit: at(0.5), edit95: at(0.95), memory, idle }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    rmSync(cache, { recursive: true, force: true })
  }
}

/** In milliseconds; a tick of Linux is ten. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const name = process.argv[2] === 'L' || process.argv[2] === 'S' ? process.argv[2] : 'M'
  const figures = await measureEditor(name)
  process.stdout.write(
    `${name}: ${Object.entries(figures)
      .map(([what, value]) => `${what} ${Math.round(value)}`)
      .join(', ')}\n`,
  )
}
