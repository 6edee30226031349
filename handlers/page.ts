import type { H3, H3Event } from 'h3'
import { Refusal } from '../core/index.ts'
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

/** The screens, each with how many segments deep it lies: the files are addressed relatively, so that a mount prefix works. */
const SCREENS: Readonly<Record<string, number>> = {
  '/': 0,
  '/history': 0,
  '/limits': 0,
  '/rules': 0,
  '/rules/:area/:name': 2,
  '/scans/:scanId': 1,
  '/compare/:before/:after': 2,
}

/** Puts the page beside the interface. Its own files need no token: they hold nothing of a project. */
export function addPage(app: H3, page: PageFiles, service: Service): void {
  for (const [path, depth] of Object.entries(SCREENS)) {
    answer(app, path, (event) => sendScreen(event, page, depth, service))
  }
  answer(app, '/assets/**', (event) => sendAsset(event, page))
}

function answer(app: H3, path: string, handle: (event: H3Event) => Promise<unknown>): void {
  app.get(path, handle)
  app.head(path, handle)
  app.all(path, () => {
    throw new Refusal('method-not-allowed', { allow: 'GET, HEAD' })
  })
}

async function sendScreen(event: H3Event, page: PageFiles, depth: number, service: Service): Promise<string> {
  const file = await page.get('index.html')
  if (file === undefined || typeof file.body !== 'string') throw new Refusal('not-found')
  const locale = pickLocale(event, service.language)
  setLanguage(event, locale)
  const { headers } = event.res
  headers.set('content-type', file.type)
  headers.set('content-security-policy', PAGE_POLICY)
  headers.set('cache-control', 'no-cache')
  const root = toRoot(event.url.pathname, depth)
  return file.body.replace('<html lang="en"', `<html lang="${locale}"`).replaceAll('="./', `="${root}`)
}

/** The way from the address of a screen to the page's root. The mount itself may be asked for without its slash. */
function toRoot(pathname: string, depth: number): string {
  if (depth === 0 && pathname.endsWith('/')) return './'
  const last = pathname.slice(pathname.lastIndexOf('/') + 1)
  const isScreen = Object.hasOwn(SCREENS, `/${last}`)
  return depth === 0 ? (isScreen ? './' : `./${last}/`) : '../'.repeat(depth)
}

async function sendAsset(event: H3Event, page: PageFiles): Promise<string | Uint8Array> {
  const name = event.url.pathname.slice(event.url.pathname.lastIndexOf('/assets/') + 1)
  const file = await page.get(name)
  if (file === undefined) throw new Refusal('not-found')
  event.res.headers.set('content-type', file.type)
  // a name holds the hash of what it names
  event.res.headers.set('cache-control', 'public, max-age=31536000, immutable')
  return file.body
}
