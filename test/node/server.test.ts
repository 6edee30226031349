import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SHOP, slowProject, zipOf } from '../runners/projects.ts'
import { isHealthy, start, upload } from './running.ts'

test('answers health within a second of its start, and scans', async () => {
  const begun = Date.now()
  const { url } = await start()
  expect(await isHealthy(url)).toBe(true)
  expect(Date.now() - begun).toBeLessThan(20_000)
  const answer = await upload(url, zipOf(SHOP))
  expect(answer.status).toBe(201)
  const report = await answer.json()
  expect(report.summary.critical).toBeGreaterThan(0)
  const stored = await fetch(url + (answer.headers.get('location') ?? ''))
  expect(await stored.json()).toEqual(report)
})

test('a directory is scanned on loopback; a store of keys never', async () => {
  const { url } = await start()
  const scan = (dirPath: string): Promise<Response> =>
    fetch(`${url}/api/scan/directory`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ dirPath }),
    })
  expect((await scan(new URL('../projects/shop', import.meta.url).pathname)).status).toBe(201)
  expect((await scan('/proc')).status).toBe(403)
})

test('a port in use ends the start with one line, never another port', async () => {
  const blocker: Server = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  const { port } = blocker.address() as AddressInfo
  await expect(start({ PORT: String(port) })).rejects.toThrow(
    /^exit 2: Parapet can't start: port \d+ on 127\.0\.0\.1 is in use[^\n]*\n$/,
  )
  blocker.close()
})

test('a bad setting ends the start with one line', async () => {
  await expect(start({ PARAPET_MAX_UPLOAD: 'lots' })).rejects.toThrow(
    /^exit 2: Parapet can't start: PARAPET_MAX_UPLOAD must be [^\n]+\n$/,
  )
})

test('bound to everything without a token it warns', async () => {
  const { stderr } = await start({ HOST: '0.0.0.0' })
  expect(stderr()).toMatch(/no-token .*may scan and read reports, since PARAPET_TOKEN is not set$/m)
})

test('20 uploads that are cut and 20 at once leave it healthy', async () => {
  const { url, child } = await start({ PARAPET_WORKERS: '1' })
  const bytes = slowProject(4)
  const cuts = Array.from({ length: 20 }, (_, index) => cutUpload(url, bytes, (index + 1) * 700))
  await Promise.all(cuts)
  expect(await isHealthy(url)).toBe(true)
  const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await upload(url, zipOf(SHOP))).status))
  expect(statuses.every((status) => status === 201 || status === 503)).toBe(true)
  expect(statuses).toContain(201)
  expect(await isHealthy(url)).toBe(true)
  expect(child.exitCode).toBe(null)
})

/** Sends the head of an upload and some of its body, then goes away. */
async function cutUpload(url: string, bytes: Uint8Array, send: number): Promise<void> {
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `POST /api/scan/upload HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${bytes.length}\r\n\r\n`,
  )
  socket.write(bytes.subarray(0, send))
  await new Promise((resolve) => setTimeout(resolve, 20))
  socket.destroy()
}

test('a client that goes away cancels its scan', async () => {
  const { url } = await start({ PARAPET_WORKERS: '1' })
  const controller = new AbortController()
  const gone = upload(url, slowProject(400), controller.signal).catch((error: Error) => error.name)
  await new Promise((resolve) => setTimeout(resolve, 700))
  controller.abort()
  expect(await gone).toBe('AbortError')
  // the only worker is free again, long before that scan would have ended
  expect((await upload(url, zipOf(SHOP))).status).toBe(201)
  expect(await (await fetch(`${url}/api/scan/history`)).json()).toHaveLength(1)
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s during a scan: it is answered, then the process ends with 0', async (signal) => {
  const { url, child } = await start({ PARAPET_WORKERS: '1' })
  const exit = once(child, 'exit')
  const running = upload(url, slowProject(20))
  await new Promise((resolve) => setTimeout(resolve, 600))
  child.kill(signal)
  const answer = await running
  expect([201, 503]).toContain(answer.status)
  await answer.arrayBuffer()
  expect((await exit)[0]).toBe(0)
})

test('SIGTERM with a grace that is over: 503 busy', async () => {
  const { url, child } = await start({ PARAPET_WORKERS: '1', PARAPET_SHUTDOWN_GRACE: '1s' })
  const exit = once(child, 'exit')
  const running = upload(url, slowProject(900))
  await new Promise((resolve) => setTimeout(resolve, 800))
  child.kill('SIGTERM')
  const answer = await running
  expect(answer.status).toBe(503)
  expect((await answer.json()).code).toBe('busy')
  expect((await exit)[0]).toBe(0)
})

test('a report in a durable storage survives a kill', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const first = await start({ PARAPET_STORAGE: folder })
  const answer = await upload(first.url, zipOf(SHOP))
  const report = await answer.text()
  const path = answer.headers.get('location') ?? ''
  first.child.kill('SIGKILL')
  const second = await start({ PARAPET_STORAGE: folder })
  expect(await (await fetch(second.url + path)).text()).toBe(report)
})
