import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import type { AppControllerRoute, BullBoardQueues, IServerAdapter, UIConfig } from '@bull-board/api/typings/app'
import { H3, type H3Event } from 'h3'
import type { Log } from '../../../core/index.ts'
import { openQueue } from './board.ts'
import { closeSoon, createUnavailable, openQuick } from './connection.ts'
import { LANES } from './job-data.ts'

/** Bull Board: what lies on the queues of all lanes, for the operator. */
export interface Dashboard {
  /** Answers what is asked below the address at which it is mounted. */
  readonly app: H3
  close(): Promise<void>
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
}

/** Its scripts write styles into elements; nothing is fetched from elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'self'",
].join('; ')

/**
 * Opens it, to be mounted at `base`. It only reads: a job that is run again would find no archive, and one that is removed would leave its archive and its place among the open ones of its
 * name space behind. So no route that changes something exists. Throws where the packages of Bull Board are missing.
 */
export function openDashboard({ url, log }: { readonly url: string; readonly log: Log }, base: string): Dashboard {
  const redis = openQuick(url, log)
  const queues = LANES.map((lane) => openQueue(lane, redis))
  const app = new H3()
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter: createServerAdapter(app, base),
    options: { uiConfig: { boardTitle: 'Parapet', hideDocsLink: true } },
  })
  return {
    app,
    async close() {
      for (const queue of queues) await closeSoon(() => queue.close())
      redis.disconnect()
    },
  }
}

/** What Bull Board calls for the framework that it is served by; it sets the queues and its configuration before the routes. */
function createServerAdapter(app: H3, base: string): IServerAdapter {
  let queues: BullBoardQueues = new Map()
  let uiConfig: UIConfig = {}
  let views = ''
  const adapter: IServerAdapter = {
    setQueues(all) {
      queues = all
      return adapter
    },
    setUIConfig(config) {
      uiConfig = config
      return adapter
    },
    setViewsPath(folder) {
      views = folder
      return adapter
    },
    // what fails is told as everything else that Redis does not answer
    setErrorHandler: () => adapter,
    setStaticPath(path, folder) {
      for (const name of listFiles(folder)) {
        app.get(`${path}/${name}`, (event) => {
          event.res.headers.set('content-type', TYPES[extname(name)] ?? 'application/octet-stream')
          event.res.headers.set('cache-control', 'no-cache')
          return readFileSync(join(folder, name))
        })
      }
      return adapter
    },
    setEntryRoute({ route, handler }) {
      for (const path of [route].flat()) {
        app.get(path, (event) => {
          const { name, params } = handler({ basePath: base, uiConfig })
          event.res.headers.set('content-type', 'text/html; charset=utf-8')
          event.res.headers.set('content-security-policy', POLICY)
          event.res.headers.set('cache-control', 'no-cache')
          return fillTemplate(readFileSync(join(views, name), 'utf8'), params)
        })
      }
      return adapter
    },
    setApiRoutes(routes) {
      for (const { route, handler } of routes.filter(({ method }) => [method].flat().includes('get')))
        for (const path of [route].flat()) app.get(path, (event) => answer(event, handler))
      return adapter
    },
  }

  async function answer(event: H3Event, handler: AppControllerRoute['handler']): Promise<unknown> {
    try {
      const { status = 200, body } = await handler({
        queues,
        uiConfig,
        params: event.context.params ?? {},
        query: Object.fromEntries(event.url.searchParams),
        body: {},
        headers: {},
      })
      event.res.status = status
      event.res.headers.set('content-type', TYPES['.json'] ?? '')
      return JSON.stringify(body)
    } catch (error) {
      throw createUnavailable(error)
    }
  }
  return adapter
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

/** Fills in what the page is made with, all of it ours, and leaves out the font that it would fetch from elsewhere. */
function fillTemplate(template: string, params: Readonly<Record<string, string>>): string {
  return template
    .replace(/<link href="https:[^>]{0,500}>/g, '')
    .replace(/<%[=-] (\w{1,40}) %>/g, (_, name: string) => params[name] ?? '')
}
