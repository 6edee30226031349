import { createLog } from './log.ts'
import { listSecrets, readSettings, SettingsFault, type Settings } from './settings.ts'
import { startServer } from './server.ts'
import { tell } from '../terminal/tell.ts'
import { tuneEngine } from './tune-engine.ts'

/** Starts the service from the environment; a bad setting or a port in use ends it with one line. */
async function serve(): Promise<void> {
  const settings = settingsOrExit()
  const log = createLog(settings.log, undefined, listSecrets(settings))
  const server = await startServer(settings, log).catch((error: unknown) => {
    const inUse = error instanceof Error && /port|EADDRINUSE/i.test(`${error.name} ${error.message}`)
    exit(
      inUse
        ? `Parapet can't start: port ${settings.port} on ${settings.host} is in use. Set PORT to another one.`
        : `Parapet can't start: ${String(error)}`,
    )
  })
  process.stdout.write(`Parapet answers on ${server.url}\n`)
  let stopping = false
  const stop = (code: number) => async (): Promise<void> => {
    if (stopping) process.exit(code === 0 ? 130 : code)
    stopping = true
    await server.stop()
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

tuneEngine()
await serve()
