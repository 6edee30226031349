import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A port of this machine that nobody has. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Waits until a service answers. */
export async function pollHealth(url: string): Promise<void> {
  const until = Date.now() + 60_000
  while (Date.now() < until) {
    const answer = await fetch(`${url}/api/health`).catch(() => undefined)
    if (answer?.ok === true) return
    await sleep(100)
  }
  throw new Error(`no answer from ${url}`)
}

/** A report without what other scans of its project decide: one that began earlier may be stored later. */
export function withoutOthers(report: unknown): unknown {
  return JSON.parse(
    JSON.stringify(report, (key, value: unknown) => (['status', 'firstSeen', 'decided'].includes(key) ? undefined : value)),
  )
}
