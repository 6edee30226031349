import type { Log } from '../../core/index.ts'
import { createLog } from './log.ts'
import { listSecrets, readSettings, SettingsFault, type Settings } from './settings.ts'
import { startServer } from './server.ts'
import { tell } from '../terminal/tell.ts'
import { tuneEngine } from './tune-engine.ts'

/** Starts the service from the environment; a bad setting or a port in use ends it with one line. */
async function serve(): Promise<void> {
  const settings = settingsOrExit()
  const log = createLog(settings.log, undefined, listSecrets(settings))
  const starting = startServer(settings, log)
  // it answers before all of it is loaded: what it has begun by then is ended in order too
  runUntilStopped(log, async () => (await starting).stop())
  const server = await starting.catch((error: unknown) => {
    const inUse =
      error instanceof Error && !(error instanceof SettingsFault) && /port|EADDRINUSE/i.test(`${error.name} ${error.message}`)
    exit(
      inUse
        ? `Parapet can't start: port ${settings.port} on ${settings.host} is in use. Set PORT to another one.`
        : `Parapet can't start: ${describe(error)}`,
    )
  })
  process.stdout.write(`Parapet answers on ${server.url}\n`)
}

/** Starts a process that carries out scans of a shared queue. */
async function work(): Promise<void> {
  const settings = settingsOrExit()
  const log = createLog(settings.log, undefined, listSecrets(settings))
  const { startWorkerService } = await import('./worker-service.ts')
  const worker = await startWorkerService(settings, log).catch((error: unknown) =>
    exit(`Parapet can't start: ${describe(error)}`),
  )
  const figures = worker.url === undefined ? '' : `; figures on ${worker.url}api/metrics`
  process.stdout.write(`Parapet takes scans off the queue, ${settings.workers} at once${figures}\n`)
  runUntilStopped(log, worker.stop)
}

/** A first signal stops it in order, a second one at once. */
function runUntilStopped(log: Log, end: () => Promise<void>): void {
  let stopping = false
  const stop = (code: number) => async (): Promise<void> => {
    if (stopping) process.exit(code === 0 ? 130 : code)
    stopping = true
    await end()
    process.exit(code)
  }
  process.on('SIGINT', () => void stop(0)())
  process.on('SIGTERM', () => void stop(0)())
  process.on('uncaughtException', (error) => {
    log({ level: 'error', event: 'uncaught', error: error.stack ?? String(error) })
    void stop(1)()
  })
  process.on('unhandledRejection', (error) => {
    log({ level: 'error', event: 'unhandled', error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    void stop(1)()
  })
}

const describe = (error: unknown): string => (error instanceof SettingsFault ? `${error.message}.` : String(error))

function settingsOrExit(): Settings {
  try {
    return readSettings(process.env)
  } catch (error) {
    if (error instanceof SettingsFault) exit(`Parapet can't start: ${error.message}.`)
    throw error
  }
}

function exit(line: string): never {
  tell(line)
  process.exit(2)
}

tuneEngine('hands')
// the same file, so that one image serves both
await (process.argv[2] === 'worker' ? work() : serve())
