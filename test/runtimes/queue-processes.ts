import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SCHEMAS } from '../../handlers/_schemas.ts'
import { installPackage } from './build-package.ts'
import { freePort, pollHealth } from './processes.ts'

type JobAnswer = ReturnType<typeof SCHEMAS.Job.parse>

/** A server or a worker of a shared queue, as a process. */
export interface QueueProcess {
  readonly url: string
  /** What it said on stderr so far. */
  log(): string
  kill(signal?: NodeJS.Signals): Promise<void>
}

/** Processes that share a queue and a folder. */
export interface QueueSetup {
  readonly folder: string
  startServer(more?: Readonly<Record<string, string>>): Promise<QueueProcess>
  startWorker(more?: Readonly<Record<string, string>>): Promise<QueueProcess>
  /** Files of archives and reports that wait for somebody. */
  countBlobs(): number
  stop(): Promise<void>
}

/** `packages`: those that are installed beside it, by name. */
export function setUpQueue(packed: string, redisUrl: string, packages: Readonly<Record<string, string>> = {}): QueueSetup {
  const project = installPackage(packed, packages)
  const folder = mkdtempSync(join(tmpdir(), 'parapet-queue-'))
  const script = join(project, 'node_modules/parapet/dist/adapters/node/main.js')
  const running = new Set<QueueProcess>()

  const start = async (words: readonly string[], port: number, more: Readonly<Record<string, string>>): Promise<QueueProcess> => {
    const child = spawn(process.execPath, [script, ...words], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        PORT: String(port),
        PARAPET_LOG: 'json',
        PARAPET_ADVISORIES: 'bundled',
        PARAPET_CATALOGUE_URL: 'http://127.0.0.1:9',
        PARAPET_STORAGE: join(folder, 'storage'),
        PARAPET_QUEUE: redisUrl,
        PARAPET_BLOBS_KEY: 'k'.repeat(32),
        PARAPET_MAX_UPLOAD: '1MiB',
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let errors = ''
    child.stderr.on('data', (chunk) => (errors += String(chunk)))
    const exit = once(child, 'exit')
    const started = once(child.stdout, 'data')
    const own: QueueProcess = {
      url: `http://127.0.0.1:${port}`,
      log: () => errors,
      async kill(signal = 'SIGKILL') {
        running.delete(own)
        child.kill(signal)
        await exit
      },
    }
    running.add(own)
    const failed = exit.then(() => Promise.reject(new Error(`it ended: ${errors}`)))
    failed.catch(() => undefined)
    await Promise.race([started, failed])
    return own
  }

  return {
    folder,
    async startServer(more = {}) {
      const server = await start([], await freePort(), { PARAPET_WORKERS: '0', ...more })
      await pollHealth(server.url)
      return server
    },
    startWorker: (more = {}) => start(['worker'], 0, { PARAPET_WORKERS: '1', ...more }),
    countBlobs() {
      try {
        return readdirSync(join(folder, 'storage', 'blobs')).length
      } catch {
        return 0
      }
    },
    async stop() {
      await Promise.all([...running].map((one) => one.kill()))
      for (const path of [project, folder]) rmSync(path, { recursive: true, force: true })
    },
  }
}

/** Hands an archive in. */
export async function handIn(
  url: string,
  archive: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const body = new FormData()
  body.append('project', new Blob([new Uint8Array(archive)]), 'shop.zip')
  return fetch(`${url}/api/scan/upload`, { method: 'POST', body, headers: { prefer: 'respond-async', ...headers } })
}

export async function readJob(url: string, id: string, headers: Readonly<Record<string, string>> = {}): Promise<JobAnswer> {
  const answer = await fetch(`${url}/api/scan/jobs/${id}`, { headers })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  return SCHEMAS.Job.parse(await answer.json())
}

/** The job once it is as wanted; an answer that fails is asked again. */
export async function untilJob(
  url: string,
  id: string,
  isWanted: (job: JobAnswer) => boolean,
  headers: Readonly<Record<string, string>> = {},
): Promise<JobAnswer> {
  let last: unknown
  for (const until = Date.now() + 120_000; Date.now() < until; await sleep(50)) {
    try {
      const job = await readJob(url, id, headers)
      if (isWanted(job)) return job
      last = job.state
    } catch (error) {
      last = error
    }
  }
  throw new Error(`job ${id}: ${String(last)}`)
}

export const hasEnded = ({ state }: JobAnswer): boolean => state !== 'waiting' && state !== 'running'
