import { createServer, request as requestNode, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { H3 } from 'h3'
import { toNodeHandler } from 'h3/node'
import { afterAll, describe, expect } from 'vitest'
import type { z } from 'zod'
import { DATA_HEADERS, SECURITY_HEADERS } from '../../handlers/_headers.ts'
import { SCHEMAS } from '../../handlers/_schemas.ts'

export interface Init {
  readonly method?: string
  readonly headers?: Record<string, string>
  /** A stream is sent in chunks, without Content-Length. */
  readonly body?: Uint8Array | string | ReadableStream<Uint8Array>
  readonly signal?: AbortSignal
}

/** Sends one request to an app that is served for it, and checks what holds for every answer. */
export type Send = (app: H3, path: string, init?: Init) => Promise<Response>

/** Runs a suite against the app itself, and against a Node server on loopback. */
export function describeMatrix(name: string, suite: (send: Send) => void): void {
  describe(`${name} (fetch)`, () => suite(sendToApp))
  describe(`${name} (node)`, () => {
    const servers = new Map<H3, Promise<{ port: number; close: () => void }>>()
    afterAll(async () => {
      for (const server of servers.values()) (await server).close()
    })
    suite(
      checked(async (app, path, init) => {
        const server = servers.get(app) ?? serve(app)
        servers.set(app, server)
        return sendToPort((await server).port, path, init)
      }),
    )
  })
}

const sendUnchecked: Send = async (app, path, { method = 'GET', headers = {}, body, signal } = {}) => {
  const length =
    body === undefined || body instanceof ReadableStream ? {} : { 'content-length': String(toBytes(body).byteLength) }
  const init = { method, headers: { host: 'localhost', ...length, ...headers }, body, signal, duplex: 'half' }
  return app.request(new Request(`http://localhost${path}`, init as RequestInit))
}

export const sendToApp: Send = checked((...request) => sendUnchecked(...request))

async function serve(app: H3): Promise<{ port: number; close: () => void }> {
  const server = createServer(toNodeHandler(app))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function sendToPort(port: number, path: string, { method = 'GET', headers = {}, body, signal }: Init = {}): Promise<Response> {
  const isStream = body instanceof ReadableStream
  const length = body === undefined || isStream ? {} : { 'content-length': String(toBytes(body).byteLength) }
  return new Promise((resolve, reject) => {
    const sent = requestNode({
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { host: 'localhost', ...length, ...headers },
      signal,
      agent: false,
    })
    sent.on('response', (message) => resolve(toResponse(message, method)))
    sent.on('error', reject)
    if (isStream) pipeline(Readable.fromWeb(body as never), sent).catch(() => undefined)
    else sent.end(body)
  })
}

function toResponse(message: IncomingMessage, method: string): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(message.headers)) headers.set(name, String(value))
  const status = message.statusCode ?? 0
  const isEmpty = method === 'HEAD' || status === 204 || status === 304
  if (isEmpty) message.resume()
  return new Response(isEmpty ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>), { status, headers })
}

const toBytes = (body: Uint8Array | string): Uint8Array => (typeof body === 'string' ? new TextEncoder().encode(body) : body)

/** What must never be read in an answer: places on a disk, stacks, words of libraries. */
const LEAK =
  /\/node_modules|node_modules\/|\bat [\w.<]+ \(|\.ts:\d|file:\/\/|Invalid input|Unexpected token|ECONN|HTTPError|\/home\/|\/root\/|\/tmp\//

/** What a success has as its body; the first that fits. */
const ANSWERS: readonly (readonly [RegExp, z.ZodType])[] = [
  [/\/api\/health/, SCHEMAS.Health],
  [/\/api\/scan\/history/, SCHEMAS.History],
  [/\/api\/projects(?:\?|$)/, SCHEMAS.Projects],
  [/\/decisions\/config/, SCHEMAS.Suppressions],
  [/\/decisions\//, SCHEMAS.DecidedFinding],
  [/\/api\/projects\/.*\/decisions$/, SCHEMAS.Decisions],
  [/\/api\/projects\/.*\/vex$/, SCHEMAS.Vex],
  [/\/api\/projects\//, SCHEMAS.Project],
  [/\/api\/ready/, SCHEMAS.Ready],
  [/\/api\/scan\/jobs(?:\?|$)/, SCHEMAS.Jobs],
  [/\/api\/scan\/jobs\//, SCHEMAS.Job],
  [/\/sarif/, SCHEMAS.Sarif],
  [/\/sbom/, SCHEMAS.Sbom],
  [/\/api\/scan\//, SCHEMAS.Report],
  [/\/api\/vendor\/ui5\/version/, SCHEMAS.CatalogueOverview],
  [/\/api\/vendor\/ui5\/resources/, SCHEMAS.CatalogueDetail],
  [/\/api\/rules/, SCHEMAS.Rules],
  [/\/api\/limits/, SCHEMAS.Limits],
]

function checked(send: Send): Send {
  return async (app, path, init) => {
    const response = await send(app, path, init)
    for (const [name, value] of Object.entries(SECURITY_HEADERS))
      expect(response.headers.get(name), `${name} of ${path}`).toBe(value)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    const type = response.headers.get('content-type') ?? ''
    const isProblem = type === 'application/problem+json'
    // a person who asks for a page gets one that says what is wrong; the interface answers with data
    const isPage =
      init?.headers?.['accept']?.includes('text/html') === true && type.startsWith('text/html') && !path.includes('/api/')
    expect(isProblem || isPage, `${response.status} ${type} of ${path}`).toBe(response.status >= 400 || isPage)
    if (!type.includes('json')) return response
    // packed, it is looked at by the test of that
    if (response.headers.has('content-encoding')) return response
    expect(response.headers.get('content-security-policy')).toBe(DATA_HEADERS['content-security-policy'])
    if (!isProblem) {
      const schema = response.status === 202 ? SCHEMAS.Job : ANSWERS.find(([pattern]) => pattern.test(path))?.[1]
      if (init?.method !== 'HEAD') schema?.parse(await response.clone().json())
      return response
    }
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('vary')).toBe('Accept-Language')
    const text = await response.clone().text()
    expect(text).not.toMatch(LEAK)
    if (init?.method !== 'HEAD') {
      const problem = SCHEMAS.Problem.parse(JSON.parse(text))
      expect(problem.status).toBe(response.status)
      expect(problem.type).toBe(`/problems/${problem.code}`)
    }
    return response
  }
}
