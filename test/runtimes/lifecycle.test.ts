import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { start, upload, type Running } from '../node/running.ts'
import { SHOP, slowProject, zipOf } from '../runners/projects.ts'
import { runs } from '../soak.ts'
import { listListeners } from './listeners.ts'
import { freePort, pollHealth, withoutOthers } from './processes.ts'
import { startRedis } from './redis.ts'

const ZIP = zipOf(SHOP)

const ROOT = new URL('../../', import.meta.url).pathname

test('SIGTERM during scans: every client gets its report or a coded 503, and the process ends with 0', async () => {
  const told = { reports: 0, busy: 0 }
  for (let round = 0; round < runs(50); round++) {
    const { url, child } = await start({ PARAPET_WORKERS: '1' })
    const exit = once(child, 'exit')
    const clients = [slowProject(20), ZIP, ZIP, slowProject(5), ZIP].map(async (zip) => {
      const answer = await upload(url, zip)
      const { code } = await answer.json()
      return [answer.status, code]
    })
    await sleep(300 + ((round * 97) % 700))
    child.kill('SIGTERM')
    // who comes now finds the door open, or closed, but no scan
    const late = await upload(url, ZIP).then(
      ({ status }) => status,
      () => 503,
    )
    expect(late).toBe(503)
    for (const answer of await Promise.all(clients)) {
      expect([
        [201, undefined],
        [503, 'busy'],
      ]).toContainEqual(answer)
      told[answer[0] === 201 ? 'reports' : 'busy'] += 1
    }
    expect((await exit)[0]).toBe(0)
  }
  process.stdout.write(`${runs(50)} SIGTERM during scans: ${told.reports} reports, ${told.busy} busy, nobody without an answer\n`)
})

/** Uploads and deletes, four at once, until the service is killed. Tells what was acknowledged: path to text. */
async function work({ url }: Running, acknowledged: Map<string, string>): Promise<void> {
  const one = async (number: number): Promise<void> => {
    for (; ; number += 4) {
      const answer = await upload(url, ZIP)
      const text = await answer.text()
      const path = answer.headers.get('location') ?? ''
      if (answer.status !== 201) continue
      acknowledged.set(path, text)
      if (number % 5 !== 0) continue
      acknowledged.delete(path)
      await fetch(url + path, { method: 'DELETE' })
    }
  }
  await Promise.allSettled([0, 1, 2, 3].map(one))
}

test('SIGTERM as soon as it answers, before all of it is loaded: the process ends with 0', async () => {
  const port = await freePort()
  const child = spawn(process.execPath, [join(ROOT, 'dist/adapters/node/main.js')], {
    env: { PATH: process.env['PATH'] ?? '', PORT: String(port) },
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  await pollHealth(`http://127.0.0.1:${port}`)
  child.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
})

test.each(['a folder', 'Redis'])(
  'kills of the service at random moments with %s: no acknowledged report is lost or altered',
  async (place) => {
    const folder = mkdtempSync(join(tmpdir(), 'parapet-kills-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const settings = { PARAPET_STORAGE: place === 'Redis' ? (await startRedis()).url : folder }
    const acknowledged = new Map<string, string>()
    for (let round = 0; round < runs(200, 20); round++) {
      const running = await start(settings)
      const working = work(running, acknowledged)
      // the first scan of a process takes longest: from then on
      const until = Date.now() + 30_000
      for (const before = acknowledged.size; acknowledged.size === before && Date.now() < until;) await sleep(5)
      await sleep((round * 131) % 700)
      running.child.kill('SIGKILL')
      await working
    }
    const { url } = await start(settings)
    const history: readonly { scanId: string }[] = await (await fetch(`${url}/api/scan/history`)).json()
    const listed = new Set(history.map(({ scanId }) => `/api/scan/${scanId}`))
    expect(acknowledged.size).toBeGreaterThan(0)
    for (const [path, text] of acknowledged) {
      expect(listed).toContain(path)
      expect(withoutOthers(await (await fetch(url + path)).json())).toEqual(withoutOthers(JSON.parse(text)))
    }
    process.stdout.write(
      `${runs(200, 20)} kills of the service with ${place}: ${acknowledged.size} acknowledged reports, none lost or altered\n`,
    )
  },
)

test('Redis stopped and started under load: only coded answers, in time, and it recovers by itself', async () => {
  const redis = await startRedis()
  const { url, stderr } = await start({ PARAPET_STORAGE: redis.url })
  const statuses = new Map<string, number>()
  const over = new AbortController()
  let slowest = 0
  const client = async (kind: number): Promise<void> => {
    while (!over.signal.aborted) {
      const begun = Date.now()
      const answer = kind === 0 ? await upload(url, ZIP) : await fetch(`${url}${kind === 1 ? '/api/scan/history' : '/api/ready'}`)
      const body = await answer.json()
      if (kind > 0) slowest = Math.max(slowest, Date.now() - begun)
      const name = `${answer.status} ${answer.ok ? '' : body.code}`.trim()
      statuses.set(name, (statuses.get(name) ?? 0) + 1)
      await sleep(20)
    }
  }
  const clients = [0, 0, 1, 2].map(client)
  for (let round = 0; round < runs(30); round++) {
    await sleep(1000)
    if (round % 2 === 0) await redis.kill()
    else redis.freeze()
    await sleep(1500)
    if (round % 2 === 0) await redis.start()
    else redis.thaw()
    await expect.poll(async () => (await fetch(`${url}/api/ready`)).status, { timeout: 5000 }).toBe(200)
  }
  over.abort()
  await Promise.all(clients)
  expect([...statuses.keys()].toSorted()).toEqual(['200', '201', '503 storage-unavailable'])
  expect(slowest).toBeLessThan(3000)
  expect((await upload(url, ZIP)).status).toBe(201)
  expect(stderr()).not.toContain('internal-error')
  process.stdout.write(
    `Redis stopped ${runs(30)} times under load: ${JSON.stringify(Object.fromEntries(statuses))}, slowest read ${slowest} ms\n`,
  )
})

test('no listener on anything but loopback, unless it was told', async () => {
  const listens = async (settings: Record<string, string>): Promise<string[]> => {
    const { child, url } = await start(settings)
    expect((await upload(url.replace('[::]', '127.0.0.1').replace('0.0.0.0', '127.0.0.1'), ZIP)).status).toBe(201)
    return child.pid === undefined ? [] : listListeners(child.pid)
  }
  expect(await listens({})).toEqual(['loopback'])
  // what makes other servers listen on all interfaces
  expect(await listens({ NODE_ENV: 'production' })).toEqual(['loopback'])
  expect(await listens({ HOST: '0.0.0.0' })).toEqual(['00000000'])
})

test('behind a proxy that rewrites Host a page of the public address may write, one of another may not', async () => {
  const inner = await start({ PARAPET_TRUST_PROXY: 'on', PARAPET_HOSTS: 'scanner.example' })
  const told = await start({ PARAPET_ORIGINS: 'https://scanner.example' })
  const plain = await start()
  const targets = new Map([
    ['inner', inner],
    ['told', told],
    ['plain', plain],
  ])
  const proxy = createServer((incoming, outgoing) => {
    const target = targets.get(String(incoming.headers['x-target'])) ?? plain
    const headers = {
      ...incoming.headers,
      host: `127.0.0.1:${target.port}`,
      'x-forwarded-host': incoming.headers.host,
      'x-forwarded-proto': 'https',
    }
    const forwarded = request(
      { port: target.port, host: '127.0.0.1', path: incoming.url, method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      },
    )
    incoming.pipe(forwarded)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  const address = proxy.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const ask = (target: string, origin: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = {
        host: 'scanner.example',
        origin,
        'x-target': target,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      }
      request({ port, host: '127.0.0.1', path: '/api/scan/directory', method: 'POST', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
        .on('error', reject)
        .end('{}')
    })
  // 400: let in, and told that its body is nothing
  expect(await ask('inner', 'https://scanner.example')).toBe(400)
  expect(await ask('inner', 'https://evil.example')).toBe(403)
  expect(await ask('told', 'https://scanner.example')).toBe(400)
  expect(await ask('told', 'https://evil.example')).toBe(403)
  expect(await ask('plain', 'https://scanner.example')).toBe(403)
})
