import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Chance } from '../hostile/mutate.ts'

/** What the service asks outside, on loopback. */
export interface Liars {
  readonly url: string
  stop(): void
}

/** What an answer without end sends at most: nobody should read a tenth of it. */
const MOST = 2e9
const PIECE = Buffer.alloc(64 * 1024, ' ')

/** A vulnerability database and a catalogue that stall, redirect, send gigabytes, hang up, and tell of other packages; by turns of chance, never the truth. */
export async function startLiars(chance: Chance): Promise<Liars> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => chance.pick(LIES)(response))
    request.on('error', () => undefined)
    response.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${isInfo(address) ? address.port : 0}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const json = (response: ServerResponse, document: string): void =>
  void response.setHeader('content-type', 'application/json').end(document)

const LIES: readonly ((response: ServerResponse) => void)[] = [
  // never answers
  () => undefined,
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(timer))
  },
  (response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
  (response) => void response.destroy(),
  (response) => void response.writeHead(500).end(PIECE),
  (response) => sendMost(response.writeHead(200, { 'content-type': 'application/json' })),
  (response) => json(response, `{"results":[${'{},'.repeat(300_000)}{}]}`),
  (response) => json(response, `{"libraries":[${'{},'.repeat(600_000)}{}]}`),
  (response) => json(response, '['.repeat(500_000)),
  (response) => json(response, JSON.stringify({ results: [{ vulns: [{ id: 'GHSA-else-else-else' }] }] })),
]

function sendMost(response: ServerResponse): void {
  let sent = 0
  const more = (): void => {
    while (!response.destroyed && sent < MOST) {
      sent += PIECE.length
      if (!response.write(PIECE)) return void response.once('drain', more)
    }
    response.end()
  }
  more()
}

function isInfo(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}
