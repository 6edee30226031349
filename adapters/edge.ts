import { MAX_PARSE_EDGE, MAX_UPLOAD_EDGE } from '../core/index.ts'
import { createScannerApp } from '../handlers/index.ts'
import { PAGE } from './page.ts'

/** An edge runtime has 128 MB for everything, no directories, and no clock that runs while it computes. */
const app = createScannerApp({
  limits: { upload: MAX_UPLOAD_EDGE, held: 2 * MAX_UPLOAD_EDGE, parse: MAX_PARSE_EDGE },
  page: PAGE,
  retention: { limit: 200, bytes: MAX_UPLOAD_EDGE },
})

/** The entry of Cloudflare Workers and those that follow their form. */
export default { fetch: (request: Request): Response | Promise<Response> => app.fetch(request) }
