import { href } from './router.ts'

/** What an approuter in front gave; the service itself looks at the origin and gives none. */
let token: Promise<string | null> | undefined

/**
 * The header with which an approuter lets a request write that comes from its own page.
 * Fact: @sap/approuter, README, "csrfProtection": a token is fetched by a GET with `x-csrf-token: fetch`, and `required` answers a stale one.
 */
export async function csrfHeaders(): Promise<Record<string, string>> {
  token ??= fetch(href('api/health'), { headers: { 'x-csrf-token': 'fetch' } })
    .then(({ headers }) => headers.get('x-csrf-token'))
    .catch(() => null)
  const known = await token
  return known === null ? {} : { 'x-csrf-token': known }
}

/** Whether a write was refused because the session has another token by now: the next one asks for it. */
export function isStale(status: number, header: string | null): boolean {
  const stale = status === 403 && header?.toLowerCase() === 'required'
  if (stale) token = undefined
  return stale
}
