/** `parapet/bun`: the service on Bun, with the settings of the environment. Run it: `bun node_modules/parapet/dist/adapters/bun.js`. */
import { BODY_MARGIN, openFetchService } from './fetch-service.ts'

/** As much of Bun as is used. */
declare const Bun: {
  serve(options: {
    readonly hostname: string
    readonly port: number
    readonly maxRequestBodySize: number
    /** Seconds without a byte; at most 255. */
    readonly idleTimeout: number
    readonly fetch: (request: Request) => Response | Promise<Response>
  }): { readonly url: URL; stop(closeAll?: boolean): Promise<void> }
}

const { settings, fetch, stop } = await openFetchService(process.env, { folders: true })
const server = Bun.serve({
  hostname: settings.host,
  port: settings.port,
  maxRequestBodySize: settings.limits.upload + BODY_MARGIN,
  // a scan may take a minute, and Bun's own 10 s would cut its answer
  idleTimeout: 255,
  fetch,
})
process.stdout.write(`Parapet answers on ${server.url.href}\n`)

let stopping = false
const end = async (): Promise<void> => {
  if (stopping) process.exit(130)
  stopping = true
  await stop()
  await server.stop()
  process.exit(0)
}
process.on('SIGINT', () => void end())
process.on('SIGTERM', () => void end())
