/** `parapet/deno`: the service on Deno, with the settings of the environment. docs/runtimes.md has the permissions that it needs. */
import { openFetchService } from './fetch-service.ts'

/** As much of Deno as is used. */
declare const Deno: {
  readonly env: { toObject(): Record<string, string> }
  serve(
    options: {
      readonly hostname: string
      readonly port: number
      readonly onListen: (address: { readonly port: number }) => void
    },
    fetch: (request: Request) => Response | Promise<Response>,
  ): { shutdown(): Promise<void> }
  addSignalListener(signal: 'SIGINT' | 'SIGTERM', listener: () => void): void
  exit(code: number): never
}

// where an open file really is stands in /proc, which Deno gives to programs with all permissions alone
const { settings, fetch, stop } = await openFetchService(Deno.env.toObject(), { folders: false })
const { host } = settings
const server = Deno.serve(
  {
    hostname: host,
    port: settings.port,
    // oxlint-disable-next-line no-console -- it takes the place of the line that Deno prints itself
    onListen: ({ port }) => console.info(`Parapet answers on http://${host.includes(':') ? `[${host}]` : host}:${port}/`),
  },
  fetch,
)

let stopping = false
const end = async (): Promise<void> => {
  if (stopping) Deno.exit(130)
  stopping = true
  await stop()
  await server.shutdown()
  Deno.exit(0)
}
Deno.addSignalListener('SIGINT', () => void end())
Deno.addSignalListener('SIGTERM', () => void end())
