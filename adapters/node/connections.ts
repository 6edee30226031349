import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How many sockets clients may hold, and for how long, by what they do with them. Milliseconds and counts. */
export interface ConnectionBounds {
  /** Without a whole head of a request, be it the first or the next one. */
  readonly head: number
  /** Answered before the body was whole: as long as the client may take to see the answer. */
  readonly linger: number
  /** With bytes of an answer of which none are taken. */
  readonly stall: number
  /** Sockets without a request. */
  readonly waiting: number
  /** Sockets whose client takes nothing of its answer. */
  readonly unread: number
  /** Requests of one socket that were sent before the first of them was answered: no browser sends a second one. */
  readonly pipelined: number
  /** All sockets, for a moment. */
  readonly all: number
  /** Between two looks. */
  readonly look: number
}

export const CONNECTION_BOUNDS: ConnectionBounds = {
  head: 10_000,
  linger: 2000,
  stall: 10_000,
  waiting: 250,
  unread: 250,
  pipelined: 10,
  all: 1000,
  look: 1000,
}

/** After so many ms the head of a request that was sent at once is there: a burst of others must not take its socket. */
const BURST_MS = 20

interface Connection {
  readonly socket: Socket
  /** Of requests that are not answered yet. They go with their socket: Node ends those that wait behind others without a word when it is closed (20.20 and 24.21). */
  readonly unanswered: Set<ServerResponse>
  /** Since when there is no request. */
  idle: number
  /** Since when there is an answer to a request whose body is not whole. */
  early?: number
  /** Bytes that were taken, and when that last changed. */
  taken: number
  moved: number
}

export interface BoundedConnections {
  /** From now on each answer says that it is the last one of its connection: a client that was promised more takes the end of the connection for a fault. */
  announceEnd(): void
}

/**
 * Bounds what clients hold by holding sockets. Node's own limits are in time alone and looked at every 30 s, and at its limit in number it turns
 * away whoever comes; here those who have done nothing for longest make room, so that others still get through.
 */
export function boundConnections(server: Server, changes: Partial<ConnectionBounds> = {}): BoundedConnections {
  const bounds = { ...CONNECTION_BOUNDS, ...changes }
  const connections = new Map<Socket, Connection>()
  let ending = false
  let burst: NodeJS.Timeout | undefined

  server.maxConnections = bounds.all
  server.maxHeadersCount = 100
  server.headersTimeout = bounds.head
  server.keepAliveTimeout = 5000
  // longer than a body may take: that one is refused with words
  server.requestTimeout = 660_000
  // close() calls it, and Node's own takes an answer for sent when its end was written: what still waits in the socket would be cut off (20.20 and 24.21)
  server.closeIdleConnections = () => {
    for (const { socket, unanswered } of connections.values()) if (unanswered.size === 0) socket.destroy()
  }

  const look = (): void => {
    const now = performance.now()
    const unread: Connection[] = []
    const waiting: Connection[] = []
    for (const connection of connections.values()) {
      const { socket, unanswered, idle, early } = connection
      const left = socket.writableLength
      const taken = socket.bytesWritten - left
      if (left === 0 || taken !== connection.taken) {
        connection.taken = taken
        connection.moved = now
      }
      if (unanswered.size === 0) {
        if (now - idle > bounds.head || (early !== undefined && now - early > bounds.linger)) socket.destroy()
        else waiting.push(connection)
      } else if (now - connection.moved > bounds.stall) socket.resetAndDestroy()
      else if (connection.moved < now) unread.push(connection)
    }
    for (const { socket } of exceeding(waiting, bounds.waiting, ({ idle }) => idle)) socket.destroy()
    // with a reset, or the kernel would keep what is not taken and go on offering it
    for (const { socket } of exceeding(unread, bounds.unread, ({ moved }) => moved)) socket.resetAndDestroy()
  }

  /** Once what has already arrived is read: after a long task timers come first. */
  const lookSoon = (): void => void setImmediate(look)

  const onConnection = (socket: Socket): void => {
    const now = performance.now()
    connections.set(socket, { socket, unanswered: new Set(), idle: now, taken: 0, moved: now })
    socket.once('close', () => connections.delete(socket))
    if (connections.size > bounds.waiting) burst ??= setTimeout(endBurst, BURST_MS)
  }
  const endBurst = (): void => {
    burst = undefined
    lookSoon()
  }

  const announce = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('connection', 'close')
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    if (ending) announce(response)
    const connection = connections.get(request.socket)
    if (connection === undefined) return
    connection.unanswered.add(response)
    // a thousand of them fit into one packet, and all answers would wait in memory for the first to be taken
    if (connection.unanswered.size > bounds.pipelined) request.socket.resetAndDestroy()
    connection.early = undefined
    response.once('close', () => {
      const now = performance.now()
      connection.unanswered.delete(response)
      connection.idle = now
      if (!request.complete) connection.early = now
    })
  }

  const timer = setInterval(lookSoon, bounds.look).unref()
  server.on('connection', onConnection)
  server.on('request', onRequest)
  server.once('close', () => {
    clearInterval(timer)
    clearTimeout(burst)
  })
  return {
    announceEnd() {
      ending = true
      for (const { unanswered } of connections.values()) unanswered.forEach(announce)
    },
  }
}

/** Those that are too many, oldest first. */
function exceeding(some: readonly Connection[], most: number, since: (connection: Connection) => number): readonly Connection[] {
  return some.length <= most ? [] : some.toSorted((a, b) => since(a) - since(b)).slice(0, some.length - most)
}
