import { readFileSync } from 'node:fs'
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

/** Latency of health requests, one every 5 ms whatever the last one took, while the built service scans an archive. Loopback only, bounded by the scan. */
export async function measureHealth(zip: string): Promise<Health> {
  const server = await startBuiltServer()
  const { url } = server
  try {
    const form = new FormData()
    form.append('project', new Blob([readFileSync(zip)]), 'bench.zip')
    const latencies: number[] = []
    const pending: Promise<void>[] = []
    const agent = new Agent({ keepAlive: true })
    const ask = async (): Promise<void> => {
      const started = performance.now()
      await new Promise<void>((resolve, reject) => {
        get(`${url}/api/health`, { agent }, (answer) => answer.resume().on('end', resolve)).on('error', reject)
      })
      latencies.push(performance.now() - started)
    }
    // the first ones pay for the connection pool
    for (let index = 0; index < 50; index++) await ask()
    latencies.length = 0
    const started = performance.now()
    const scanned = fetch(`${url}/api/scan/upload`, { method: 'POST', body: form }).then(async (answer) => ({
      status: answer.status,
      bytes: (await answer.arrayBuffer()).byteLength,
    }))
    const timer = setInterval(() => pending.push(ask()), EVERY_MS)
    const { status } = await scanned
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
