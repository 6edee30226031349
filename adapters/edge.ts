import { createStorage } from 'unstorage'
import kvDriver from 'unstorage/drivers/cloudflare-kv-binding'
import { MAX_PARSE_EDGE, MAX_UPLOAD_EDGE } from '../core/index.ts'
import { createScannerApp } from '../handlers/index.ts'

/** What a worker is bound to; each may be left out. */
export interface EdgeEnvironment {
  /** A KV namespace of Cloudflare: reports outlive the isolate. */
  readonly PARAPET_HISTORY?: KVNamespace
  /** A secret: the bearer token for /api/. */
  readonly PARAPET_TOKEN?: string
}

/** As much of Cloudflare's KVNamespace as is used. */
export interface KVNamespace {
  get(key: string): Promise<string | null>
  put(key: string, value: string, options?: object): Promise<void>
  delete(key: string): Promise<void>
  list(options?: object): Promise<unknown>
}

type Fetch = (request: Request, environment?: EdgeEnvironment) => Response | Promise<Response>

/** An edge runtime has 128 MB for everything, no directories, and no clock that runs while it computes. */
function createApp({
  PARAPET_HISTORY: binding,
  PARAPET_TOKEN: token,
}: EdgeEnvironment): (request: Request) => Response | Promise<Response> {
  const app = createScannerApp({
    limits: { upload: MAX_UPLOAD_EDGE, held: 2 * MAX_UPLOAD_EDGE, parse: MAX_PARSE_EDGE },
    page: { get: async (path) => (await import('./page.ts')).PAGE.get(path) },
    retention: binding === undefined ? { limit: 200, bytes: MAX_UPLOAD_EDGE } : {},
    token,
    // what runs on when its answer is sent may be stopped, and the next request may meet another isolate
    background: false,
    ...(binding !== undefined && { storage: createStorage({ driver: kvDriver({ binding, base: 'parapet' }) }) }),
  })
  return (request) => app.fetch(request)
}

/** One app for an isolate: bindings are there with the first request, and do not change. */
function createFetch(): Fetch {
  let answer: ReturnType<typeof createApp> | undefined
  return (request, environment = {}) => {
    answer ??= createApp(environment)
    return answer(request)
  }
}

/** The entry of Cloudflare Workers and those that follow their form. */
const worker: { readonly fetch: Fetch } = { fetch: createFetch() }
export default worker
