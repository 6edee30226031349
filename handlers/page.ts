import type { H3, H3Event, HTTPError } from 'h3'
import { Refusal } from '../core/index.ts'
import { encodeAnswer } from './_encoding.ts'
import { SECURITY_HEADERS } from './_headers.ts'
import { pickLocale, setLanguage } from './_language.ts'
import type { Service } from './_service.ts'

/** A file of the page, as the build wrote it. */
export interface PageFile {
  readonly type: string
  readonly body: string | Uint8Array<ArrayBuffer>
}

/** The files of the page by their path below its root: `index.html`, `assets/…`. Every `Map` is one. */
export interface PageFiles {
  get(path: string): PageFile | undefined | Promise<PageFile | undefined>
}

/** Scripts, styles and data are the page's own files; whatever a project holds can be text alone. */
export const PAGE_POLICY: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** The screens below the root. */
const SCREENS = [
  '/scan',
  '/projects',
  '/projects/:name',
  '/history',
  '/limits',
  '/rules',
  '/rules/:area/:name',
  '/scans/:scanId',
  '/compare/:before/:after',
] as const

/** Puts the page beside the interface. Its own files need no token: they hold nothing of a project. */
export function addPage(app: H3, page: PageFiles, service: Service): void {
  answer(app, '/', async (event) => redirectToRoot(event, service) ?? sendScreen(event, page, 0, service))
  for (const path of SCREENS) answer(app, path, (event) => sendScreen(event, page, countSegments(path), service))
  answer(app, '/assets/**', (event) => sendAsset(event, page, service))
  const sendUnknown = (event: H3Event): Promise<string> => {
    if (!acceptsPage(event)) throw new Refusal('not-found')
    event.res.status = 404
    return sendScreen(event, page, countSegments(event.context.params?.['_'] ?? ''), service)
  }
  app.get('/**', sendUnknown)
  app.head('/**', sendUnknown)
}

/** The page instead of data for a person whose address does not decode: h3 refuses it before it looks for a route. */
export async function answerBadAddress(
  error: HTTPError,
  event: H3Event,
  page: PageFiles,
  service: Service,
): Promise<Response | undefined> {
  const { pathname } = event.url
  if (error.unhandled || error.status !== 400 || !acceptsPage(event) || pathname.startsWith(`${service.base}/api/`))
    return undefined
  const body = await sendScreen(event, page, countSegments(pathname), service)
  const headers = new Headers({ ...SECURITY_HEADERS, ...Object.fromEntries(event.res.headers) })
  return new Response(body, { status: 400, headers })
}

const countSegments = (path: string): number => path.split('/').filter((segment) => segment !== '').length

/** A person's browser asks for pages; a program is told what is wrong as data. */
function acceptsPage({ req }: H3Event): boolean {
  return req.headers.get('accept')?.includes('text/html') === true
}

/** Mounted, the root may be asked for without its slash: what the page addresses relatively would lie beside it. */
function redirectToRoot({ url }: H3Event, { base }: Service): Response | undefined {
  if (url.pathname.endsWith('/')) return undefined
  return new Response(null, { status: 308, headers: { location: `${base === '' ? url.pathname : base}/${url.search}` } })
}

function answer(app: H3, path: string, handle: (event: H3Event) => Promise<unknown>): void {
  app.get(path, handle)
  app.head(path, handle)
  app.all(path, () => {
    throw new Refusal('method-not-allowed', { allow: 'GET, HEAD' })
  })
}

async function sendScreen(event: H3Event, page: PageFiles, segments: number, service: Service): Promise<string> {
  const file = await page.get('index.html')
  if (file === undefined || typeof file.body !== 'string') throw new Refusal('not-found')
  const locale = pickLocale(event, service.language)
  setLanguage(event, locale)
  const { headers } = event.res
  headers.set('content-type', file.type)
  headers.set('content-security-policy', PAGE_POLICY)
  headers.set('cache-control', 'no-cache')
  return file.body
    .replace('<html lang="en"', `<html lang="${locale}"`)
    .replaceAll('="./', `="${toRoot(event, segments, service)}`)
}

/** The way to the page's root: where it is mounted, or without that word as many segments up, so that every prefix works. */
function toRoot({ url }: H3Event, segments: number, { base }: Service): string {
  if (base !== '') return `${base}/`
  const up = url.pathname.endsWith('/') ? segments : segments - 1
  return up === 0 ? './' : '../'.repeat(up)
}

async function sendAsset(event: H3Event, page: PageFiles, { compress }: Service): Promise<string | Uint8Array> {
  const name = event.url.pathname.slice(event.url.pathname.lastIndexOf('/assets/') + 1)
  const file = await page.get(name)
  if (file === undefined) throw new Refusal('not-found')
  event.res.headers.set('content-type', file.type)
  // a name holds the hash of what it names
  event.res.headers.set('cache-control', 'public, max-age=31536000, immutable')
  if (!/^(?:text|application\/json|image\/svg)/.test(file.type)) return file.body
  const bytes = typeof file.body === 'string' ? new TextEncoder().encode(file.body) : file.body
  return encodeAnswer(event, bytes, compress)
}
