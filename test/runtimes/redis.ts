import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { onTestFinished } from 'vitest'

/** A Redis of one test, on a port of its own of this machine. */
export interface TestRedis {
  readonly url: string
  readonly client: Redis
  /** Ends it at once; what it holds is on its disk. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Answers nothing any more, and keeps its connections. */
  freeze(): void
  thaw(): void
}

/** Starts a redis-server that writes each change to its disk before it answers. Without one installed the test fails. */
export async function startRedis(options: Readonly<Record<string, string>> = {}): Promise<TestRedis> {
  const redis = await launchRedis(options)
  onTestFinished(redis.stop)
  return redis
}

/** The same for whoever stops it himself. */
export async function launchRedis(more: Readonly<Record<string, string>> = {}): Promise<TestRedis & { stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-redis-'))
  const port = await freePort()
  let child: ChildProcess | undefined
  const kill = async (): Promise<void> => {
    if (child === undefined) return
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
    child = undefined
  }
  const start = async (): Promise<void> => {
    const options = {
      port,
      bind: '127.0.0.1',
      dir: folder,
      appendonly: 'yes',
      appendfsync: 'always',
      save: '',
      loglevel: 'warning',
      ...more,
    }
    const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
    child = spawn('redis-server', words, { stdio: 'ignore' })
    const failed = once(child, 'error').then(([error]) => {
      throw new Error(`redis-server is missing: apt-get install redis-server (${String(error)})`)
    })
    failed.catch(() => undefined)
    await Promise.race([failed, untilAnswers(client)])
  }
  const client = new Redis({ port, host: '127.0.0.1', lazyConnect: true, maxRetriesPerRequest: null, retryStrategy: () => 50 })
  client.on('error', () => undefined)
  const stop = async (): Promise<void> => {
    client.disconnect()
    child?.kill('SIGCONT')
    await kill()
    rmSync(folder, { recursive: true })
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    client,
    stop,
    kill,
    start,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  }
}

async function untilAnswers(client: Redis): Promise<void> {
  while ((await client.ping().catch(() => '')) !== 'PONG') await sleep(50)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
