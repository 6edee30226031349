import type { RequestListener } from 'node:http'
import { toNodeHandler } from 'h3/node'
import type { H3 } from 'h3'
import { listen } from 'listhen'
import { boundConnections } from './connections.ts'
import { isLoopback, type Settings } from './settings.ts'

/** A port that answers. */
export interface Listener {
  readonly url: string
  /** From now on answers say that their connection ends. */
  announceEnd(): void
  /** No new connections; the answers that are being read have some seconds to end. */
  close(): Promise<void>
}

/** How long a client may take to read the last of its answer once everything is answered. */
const FLUSH_MS = 5000

/** Answers on the port of the settings, with bounds on what connections may hold. Rejects where the port is in use. */
export async function openListener(app: H3, { host, port }: Pick<Settings, 'host' | 'port'>): Promise<Listener> {
  const listener = await listen(toListhenHandler(app), {
    hostname: host,
    // a port in use is an error, never another one: the only alternative is the same
    port: { port, alternativePortRange: [port, port], random: port === 0, verbose: false },
    public: !isLoopback(host),
    isProd: true,
    showURL: false,
    open: false,
    clipboard: false,
    qr: false,
    autoClose: false,
  })
  const connections = boundConnections(listener.server)
  return {
    url: listener.url,
    announceEnd: connections.announceEnd,
    async close() {
      const closed = listener.close()
      const timer = setTimeout(() => listener.server.closeAllConnections(), FLUSH_MS)
      await closed
      clearTimeout(timer)
    },
  }
}

/**
 * Guards listhen's http-shutdown: it writes to `req.socket`, which Node sets to null when the body's stream is cancelled, and the process dies
 * (listhen 1.10.1). The microtask lets its own `request` listener run first.
 */
function toListhenHandler(app: H3): RequestListener {
  const handle = toNodeHandler(app)
  return (request, response) => {
    const { socket } = request
    response.once('finish', () => {
      request.socket ??= socket
    })
    queueMicrotask(() => {
      // whoever was cut off in the meantime is answered nothing
      if (!socket.destroyed) void handle(request, response)
    })
  }
}
