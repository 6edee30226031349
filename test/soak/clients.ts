import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { listFindings } from '../../core/report/list-findings.ts'
import type { Report } from '../../core/report/types.ts'

/** What clients were answered, by name of the client and status (or why there was none). */
export type Tally = Map<string, number>

export interface Target {
  readonly url: string
  readonly isOver: () => boolean
  readonly tally: Tally
  /** What must not happen, as it happens. */
  readonly fault: (text: string) => void
}

/** What an ordinary client uploads, and what is right. */
export interface Ordinary {
  readonly name: string
  readonly bytes: Uint8Array
  readonly ids: string
}

/** Longer than any scan with what waits before it. */
const PATIENCE_MS = 600_000
const BOUNDARY = 'parapet-soak'

const count = (tally: Tally, what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1)

export interface Answer {
  readonly status: number
  readonly location: string
  readonly text: string
}

/** Each request on a connection of its own: this thread is busy at times, and would take one that the service has just closed. */
function send(url: string, method = 'GET', body?: Uint8Array, signal = AbortSignal.timeout(PATIENCE_MS)): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers =
      body === undefined ? {} : { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': body.length }
    const call = request(url, { method, headers, agent: false, signal }, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          location: answer.headers.location ?? '',
          text: Buffer.concat(pieces).toString(),
        }),
      )
    })
    call.on('error', reject)
    call.end(body)
  })
}

export function post(url: string, bytes: Uint8Array, signal?: AbortSignal): Promise<Answer> {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="project"; filename="x.zip"\r\n\r\n`
  return send(
    `${url}/api/scan/upload`,
    'POST',
    Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
    signal,
  )
}

export const readIds = ({ text }: Answer): string => {
  const report: Report = JSON.parse(text)
  return idsOf(report)
}

const idsOf = (report: Report): string =>
  listFindings(report)
    .map(({ id }) => id)
    .toSorted()
    .join(' ')

/** Of a project that is as projects are: a right report, or `busy` with a time after which to ask again. */
export async function ordinaryClient({ url, isOver, tally, fault }: Target, projects: readonly Ordinary[]): Promise<void> {
  for (let round = 0; !isOver(); round++) {
    const project = projects[round % projects.length]
    if (project === undefined) return
    try {
      const answer = await post(url, project.bytes)
      count(tally, `ordinary ${answer.status}`)
      if (answer.status === 201) {
        if (readIds(answer) !== project.ids) fault(`${project.name}: other findings than in peace`)
        // half of them read it again in another form and throw it away
        if (round % 2 === 0) {
          for (const path of [answer.location, `${answer.location}/export/sarif`]) {
            const { status } = await send(url + path)
            if (status !== 200 && status !== 404 && status !== 503) fault(`${path}: ${status}`)
          }
          await send(url + answer.location, 'DELETE')
        }
      } else if (answer.status !== 503) fault(`${project.name}: ${answer.status} ${answer.text.slice(0, 300)}`)
    } catch (error) {
      fault(`${project.name}: ${describe(error)}`)
    }
    await sleep(500)
  }
}

/** Of one hostile input after the other: an answer with a code, whatever it is; the scan may die, the answer must come. */
export async function hostileClient(
  { url, isOver, tally, fault }: Target,
  next: () => readonly [string, Uint8Array],
): Promise<void> {
  while (!isOver()) {
    const [name, bytes] = next()
    try {
      const answer = await post(url, bytes)
      count(tally, `hostile ${answer.status}`)
      if (answer.status === 503) await sleep(1000)
      else if (answer.status >= 500) fault(`${name}: ${answer.status}`)
    } catch (error) {
      fault(`${name}: ${describe(error)}`)
    }
  }
}

/** Leaves in the middle: while it sends, while it waits, while the scan runs. */
export async function abortingClient({ url, isOver, tally }: Target, next: () => readonly [string, Uint8Array]): Promise<void> {
  while (!isOver()) {
    const [, bytes] = next()
    const within = (randomBytes(2).readUInt16LE() / 65_536) * 3000
    await post(url, bytes, AbortSignal.timeout(Math.ceil(within))).then(
      () => count(tally, 'aborting: answered before'),
      () => count(tally, 'aborting: left'),
    )
    await sleep(200)
  }
}

export const SLOW_KINDS = ['headers', 'body', 'unread', 'events'] as const

/** Sends hardly anything, or reads nothing: cut off by the service some time, and another comes. */
export async function slowClient({ url, isOver, tally }: Target, kind: (typeof SLOW_KINDS)[number]): Promise<void> {
  const { port, hostname, host } = new URL(url)
  const upload = (more: string): string =>
    `POST /api/scan/upload HTTP/1.1\r\nHost: ${host}\r\n${more}Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 80000000\r\n\r\n`
  const first = {
    headers: `POST /api/scan/upload HTTP/1.1\r\nHost: ${host}\r\nX-A: `,
    body: upload(''),
    unread: `GET /api/openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(200),
    events: upload('Accept: text/event-stream\r\n'),
  }[kind]
  while (!isOver()) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    if (kind === 'unread') socket.pause()
    else socket.resume()
    socket.write(first)
    const ended = once(socket, 'close').then(
      () => true,
      () => true,
    )
    const drip = setInterval(() => drop(socket, kind), 250)
    const isCut = await Promise.race([ended, sleep(kind === 'unread' ? 20_000 : 60_000, false, { ref: false })])
    clearInterval(drip)
    socket.destroy()
    count(tally, `slow ${kind}: ${isCut ? 'cut off' : 'left'}`)
    await sleep(100)
  }
}

function drop(socket: Socket, kind: string): void {
  if (kind !== 'unread' && socket.writable) socket.write('x')
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}`
}
