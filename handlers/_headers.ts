import type { H3Event } from 'h3'

/** On every answer, errors and 304 included. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/** On every answer under /api/: data is never a document, and stays in no cache. */
export const DATA_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Middleware. Both sets, because h3 drops the first where an error becomes the answer. */
export function setSecurityHeaders(event: H3Event): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
    event.res.headers.set(name, value)
    event.res.errHeaders.set(name, value)
  }
}

export function setDataHeaders(event: H3Event): void {
  for (const [name, value] of Object.entries(DATA_HEADERS)) event.res.headers.set(name, value)
}
