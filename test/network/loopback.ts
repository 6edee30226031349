import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly body: string
}

export interface Loopback {
  readonly url: string
  /** Everything that reached the server, in order. */
  readonly asked: Asked[]
}

/** A server on loopback that answers as told, for as long as the test runs. */
export async function startLoopback(answer: (asked: Asked, response: ServerResponse) => void): Promise<Loopback> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const it = { method: request.method ?? '', path: request.url ?? '', body: Buffer.concat(chunks).toString() }
      asked.push(it)
      answer(it, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return { url: `http://127.0.0.1:${isInfo(address) ? address.port : 0}`, asked }
}

function isInfo(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}

export function sendJson(response: ServerResponse, document: unknown): void {
  response.setHeader('content-type', 'application/json')
  response.end(typeof document === 'string' ? document : JSON.stringify(document))
}

/** One byte now and then, without an end. */
export function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 50)
  response.on('close', () => clearInterval(timer))
}
