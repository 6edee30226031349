import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface BuiltServer {
  readonly url: string
  readonly pid: number | undefined
  /** How it ended; undefined while it runs. */
  ended(): string | undefined
  stop(): void
}

/** Starts the built service on a free port of loopback, with nothing outside to ask. `onLog`: takes what it logs. */
export async function startBuiltServer(
  settings: Readonly<Record<string, string>> = {},
  onLog?: (text: string) => void,
): Promise<BuiltServer> {
  const child = spawn(process.execPath, [new URL('../../dist/adapters/node/main.js', import.meta.url).pathname], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      PARAPET_ADVISORIES: 'bundled',
      PARAPET_CATALOGUE_URL: 'http://127.0.0.1:9',
      ...settings,
    },
    stdio: ['ignore', 'pipe', onLog === undefined ? 'ignore' : 'pipe'],
  })
  if (onLog !== undefined) child.stderr?.setEncoding('utf8').on('data', onLog)
  if (child.stdout === null) throw new Error('no standard output')
  const [line] = await once(child.stdout, 'data')
  return {
    url: /http:\/\/\S+/.exec(String(line))?.[0].replace(/\/$/, '') ?? '',
    pid: child.pid,
    ended: () => (child.exitCode ?? child.signalCode)?.toString(),
    stop: () => void child.kill('SIGKILL'),
  }
}
