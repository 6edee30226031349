import type { H3Event } from 'h3'

/** The address that a client used: its host with the port, and whether by TLS. */
export interface PublicAddress {
  readonly host: string
  readonly secure: boolean
}

/**
 * Where a proxy in front is trusted, what it says, else what the connection says. A proxy adds its own to what it was sent, so its word is the last
 * (RFC 7239, 7.1); what stands before may be the client's.
 */
export function readAddress(event: H3Event, trustProxy: boolean): PublicAddress {
  const own = { host: event.req.headers.get('host') ?? event.url.host, secure: event.url.protocol === 'https:' }
  if (!trustProxy) return own
  const forwarded = lastOf(event.req.headers.get('forwarded'))
  const host = readPair(forwarded, 'host') ?? lastOf(event.req.headers.get('x-forwarded-host'))
  const proto = readPair(forwarded, 'proto') ?? lastOf(event.req.headers.get('x-forwarded-proto'))
  return { host: host ?? own.host, secure: proto === undefined ? own.secure : proto.toLowerCase() === 'https' }
}

function lastOf(header: string | null): string | undefined {
  return header?.split(',').at(-1)?.trim() || undefined
}

/** One of the pairs of a Forwarded element: `for=…;host="…";proto=https`. */
function readPair(element: string | undefined, name: string): string | undefined {
  for (const pair of element?.split(';') ?? []) {
    const [key = '', value = ''] = pair.split('=', 2)
    if (key.trim().toLowerCase() === name) return value.trim().replace(/^"(.*)"$/, '$1') || undefined
  }
  return undefined
}
