import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { boundConnections, CONNECTION_BOUNDS, type ConnectionBounds } from '../../adapters/node/connections.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A server on loopback, with bounds that a test need not wait long for. */
async function start(bounds: Partial<ConnectionBounds>, answer: RequestListener = (_, response) => response.end('ok')) {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const connections = boundConnections(server, { look: 20, ...bounds })
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    server,
    connections,
    count: () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
  }
}

interface Client {
  readonly socket: Socket
  readonly text: () => string
  readonly gone: () => boolean
}

async function open(port: number, send = ''): Promise<Client> {
  const socket = connect(port, '127.0.0.1')
  closers.push(() => socket.destroy())
  let text = ''
  let gone = false
  socket.on('data', (chunk) => (text += String(chunk)))
  socket.on('error', () => undefined)
  socket.on('close', () => (gone = true))
  await once(socket, 'connect')
  socket.write(send)
  return { socket, text: () => text, gone: () => gone }
}

/** One whose answer is not read: what the kernel buffers is all that is taken. */
async function openUnread(port: number): Promise<Client> {
  const client = await open(port)
  client.socket.pause()
  client.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  return client
}

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function countAlive(references: readonly WeakRef<object>[]): number {
  collectGarbage()
  return references.filter((reference) => reference.deref() !== undefined).length
}

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const BIG = Buffer.alloc(16 * 1024 * 1024)
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const ask = (port: number): Promise<number> => fetch(`http://127.0.0.1:${port}/`).then(({ status }) => status)

describe('sockets without a request', () => {
  test.each([
    ['that send nothing', ''],
    ['that stop in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: '],
    ['that stop after an answer', GET],
    ['that stop in the next header', `${GET}GET / HT`],
  ])('%s are closed in time', async (_, sent) => {
    const { port, count } = await start({ head: 1000 })
    const client = await open(port, sent)
    await wait(100)
    expect(client.gone()).toBe(false)
    await vi.waitFor(() => expect(client.gone()).toBe(true), 10_000)
    await vi.waitFor(async () => expect(await count()).toBe(0), 10_000)
  })

  test('that send a header now and then are closed in the same time', async () => {
    const { port } = await start({ head: 500 })
    const client = await open(port, 'GET / HTTP/1.1\r\n')
    const timer = setInterval(() => client.socket.write('X-A: b\r\n'), 30)
    closers.push(() => clearInterval(timer))
    await vi.waitFor(() => expect(client.gone()).toBe(true), 10_000)
  })

  test('are so many at most: the oldest make room, and whoever asks gets an answer', async () => {
    const { port, count } = await start({ waiting: 20 })
    const stalled: Client[] = []
    for (let index = 0; index < 60; index++) stalled.push(await open(port, 'GET / HT'))
    expect(await ask(port)).toBe(200)
    await vi.waitFor(async () => expect(await count()).toBeLessThanOrEqual(20), 10_000)
    // a client learns of it a moment after the server has counted
    await vi.waitFor(() => expect(stalled.slice(0, 40).every(({ gone }) => gone())).toBe(true), 10_000)
  })

  test('in a burst that is larger than all that are let in: within moments there is room again', async () => {
    const { port, count } = await start({ waiting: 20, all: 50 })
    await Promise.all(Array.from({ length: 200 }, () => open(port, 'GET / HT').catch(() => undefined)))
    await vi.waitFor(async () => expect(await ask(port)).toBe(200), 10_000)
    await vi.waitFor(async () => expect(await count()).toBeLessThanOrEqual(20), 10_000)
  })
})

describe('answers that are not read', () => {
  test('end in time, but not while they are read', async () => {
    const { port, count } = await start({ stall: 2000 }, (_, response) => response.end(BIG))
    const stalled = await openUnread(port)
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect((await response.arrayBuffer()).byteLength).toBe(BIG.byteLength)
    // asks the server: a socket that is not read does not learn that it is closed
    await vi.waitFor(async () => expect(await count()).toBeLessThanOrEqual(1), 10_000)
    stalled.socket.resume()
    await vi.waitFor(() => expect(stalled.gone()).toBe(true), 10_000)
    expect(stalled.text().length).toBeLessThan(BIG.byteLength)
  })

  test('are so many at most: those that took nothing for longest make room', async () => {
    const { port, count } = await start({ unread: 5 }, (_, response) => response.end(BIG))
    for (let index = 0; index < 15; index++) await openUnread(port)
    await vi.waitFor(async () => expect(await count()).toBe(5), 10_000)
  })

  test('a request that takes its time to be answered is no such thing', async () => {
    const { port } = await start({ stall: 100, head: 100, unread: 0, waiting: 0 }, (_, response) => {
      setTimeout(() => response.end('late'), 600)
    })
    const client = await open(port, GET)
    await vi.waitFor(() => expect(client.text()).toContain('late'), 10_000)
  })
})

describe('bodies that nobody reads', () => {
  const POST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n'

  test('the answer is seen, then the socket is closed, whatever is still sent', async () => {
    const { port, count } = await start({ linger: 200 }, (_, response) => {
      response.statusCode = 503
      response.end('busy')
    })
    const client = await open(port, POST)
    const timer = setInterval(() => client.socket.writable && client.socket.write('x'.repeat(1000)), 20)
    closers.push(() => clearInterval(timer))
    await vi.waitFor(() => expect(client.text()).toContain('busy'), 10_000)
    await vi.waitFor(() => expect(client.gone()).toBe(true), 10_000)
    expect(await count()).toBe(0)
  })

  test('one that is whole in time keeps its socket', async () => {
    const { port } = await start({ linger: 2000, head: 10_000 }, (_, response) => response.end('ok'))
    const client = await open(port, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n12')
    await vi.waitFor(() => expect(client.text()).toContain('ok'), 10_000)
    client.socket.write(`345${GET}`)
    await wait(2500)
    expect(client.text().match(/HTTP\/1\.1 200/g)).toHaveLength(2)
    expect(client.gone()).toBe(false)
  })
})

test('together they leave sockets for those that come', () => {
  const { waiting, unread, all } = CONNECTION_BOUNDS
  // and as many bodies are read at once as there are sockets that wait
  expect(waiting * 2 + unread).toBeLessThan(all)
})

describe('a server that closes', () => {
  test('sends the rest of an answer whose end is written', async () => {
    const { port, server } = await start({}, (_, response) => {
      response.setHeader('content-length', BIG.byteLength)
      response.end(BIG)
    })
    const client = await openUnread(port)
    await wait(100)
    server.close()
    await wait(100)
    client.socket.resume()
    await vi.waitFor(() => expect(client.text().length).toBeGreaterThan(BIG.byteLength), 10_000)
  })

  test('says so in the answers that are still to be made, and in those to whoever comes now', async () => {
    const answers: (() => void)[] = []
    const { port, connections } = await start({}, (_, response) => answers.push(() => response.end('ok')))
    const early = await open(port, GET)
    await vi.waitFor(() => expect(answers).toHaveLength(1))
    connections.announceEnd()
    const late = await open(port, GET)
    await vi.waitFor(() => expect(answers).toHaveLength(2))
    for (const answer of answers) answer()
    for (const client of [early, late]) {
      await vi.waitFor(() => expect(client.gone()).toBe(true), 10_000)
      expect(client.text()).toMatch(/^HTTP\/1\.1 200 OK\r\nconnection: close\r\n/i)
    }
  })

  test('ends sockets on which nothing is asked', async () => {
    const { port, server } = await start({})
    const clients = [await open(port), await open(port, GET), await open(port, `${GET}GET / HT`)]
    await wait(100)
    server.close()
    for (const client of clients) await vi.waitFor(() => expect(client.gone()).toBe(true), 1000)
  })
})

describe('requests that were sent before the first of them was answered', () => {
  test('are answered in their order, up to ten of them', async () => {
    let asked = 0
    const { port } = await start({}, (_, response) => void setTimeout(() => response.end(`answer ${asked++}`), 20))
    const client = await open(port, GET.repeat(10))
    await vi.waitFor(() => expect(client.text()).toContain('answer 9'), 10_000)
    expect(client.gone()).toBe(false)
  })

  test('are let go of when their connection ends', async () => {
    const responses: WeakRef<object>[] = []
    const { port, count } = await start({}, (_, response) => void responses.push(new WeakRef(response)))
    const client = await open(port, GET.repeat(1000))
    await vi.waitFor(() => expect(client.gone()).toBe(true), 10_000)
    await vi.waitFor(async () => expect(await count()).toBe(0), 10_000)
    expect(responses.length).toBeGreaterThan(10)
    // one that is on its way through the last callback may still be held
    await vi.waitFor(() => expect(countAlive(responses)).toBeLessThan(3), 10_000)
  })

  test('end their connection where they are more', async () => {
    const { port, count } = await start({}, () => undefined)
    const client = await open(port, GET.repeat(1000))
    await vi.waitFor(() => expect(client.gone()).toBe(true), 10_000)
    expect(client.text()).toBe('')
    await vi.waitFor(async () => expect(await count()).toBe(0), 10_000)
  })
})
