import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { startBuiltServer } from './server.ts'

export interface Health {
  readonly p99: number
  readonly max: number
  readonly requests: number
  /** How long the scan took. */
  readonly seconds: number
}

const EVERY_MS = 5

const UPLOAD = `
import { readFileSync } from 'node:fs'
const [url, zip] = process.argv.slice(1)
const form = new FormData()
form.append('project', new Blob([readFileSync(zip)]), 'bench.zip')
const answer = await fetch(url, { method: 'POST', body: form })
await answer.arrayBuffer()
console.log(answer.status)
`

async function timeHealth(url: string, agent: Agent): Promise<number> {
  const started = performance.now()
  await new Promise<void>((resolve, reject) => {
    const attempt = (): void => {
      const request = get(`${url}/api/health`, { agent }, (answer) => answer.resume().on('end', resolve))
      // the service closes connections that were idle for 5 s: a client opens another one
      request.on('error', (error) => (request.reusedSocket ? attempt() : reject(error)))
    }
    attempt()
  })
  return performance.now() - started
}

/** Asks for the health every 10 ms until it is stopped. */
export function startHealthProbe(url: string): { stop(): Promise<{ readonly p99: number; readonly failed: number }> } {
  const agent = new Agent({ keepAlive: true })
  const latencies: number[] = []
  const pending: Promise<void>[] = []
  let failed = 0
  const ask = (): Promise<void> =>
    timeHealth(url, agent).then(
      (latency) => void latencies.push(latency),
      () => void failed++,
    )
  const timer = setInterval(() => pending.push(ask()), 2 * EVERY_MS)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(pending)
      agent.destroy()
      latencies.sort((a, b) => a - b)
      return { p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0, failed }
    },
  }
}

/** Latency of health requests, one every 5 ms whatever the last one took, while the built service scans an archive. Loopback only, bounded by the scan. */
export async function measureHealth(zip: string): Promise<Health> {
  const server = await startBuiltServer()
  const { url } = server
  try {
    const agent = new Agent({ keepAlive: true })
    const latencies: number[] = []
    const pending: Promise<void>[] = []
    const ask = async (): Promise<void> => void latencies.push(await timeHealth(url, agent))
    // the first ones pay for the connection pool
    for (let index = 0; index < 50; index++) await ask()
    latencies.length = 0
    const started = performance.now()
    // a process of its own: sending 20 MB would hold up this one's clock
    const upload = spawn(process.execPath, ['--input-type=module', '--eval', UPLOAD, `${url}/api/scan/upload`, zip], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const scanned = once(upload.stdout, 'data').then(([line]) => Number(line))
    const timer = setInterval(() => pending.push(ask()), EVERY_MS)
    const status = await scanned
    clearInterval(timer)
    const seconds = (performance.now() - started) / 1000
    await Promise.all(pending)
    if (status !== 201) throw new Error(`the scan of ${zip} answered ${status}`)
    latencies.sort((a, b) => a - b)
    return {
      p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
      max: latencies.at(-1) ?? 0,
      requests: latencies.length,
      seconds,
    }
  } finally {
    server.stop()
  }
}
