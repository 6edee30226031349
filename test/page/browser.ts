import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page, type Request } from 'playwright-core'
import type { Report } from '../../core/report/types.ts'

export const ROOT = new URL('../../', import.meta.url).pathname
export const WEB = join(ROOT, 'dist/web')
const SERVER = join(ROOT, 'dist/adapters/node/main.js')
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  // a container has 64 MB of shared memory
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface Service {
  readonly url: string
  stop(): void
}

/** The built service in a process of its own; it asks nobody outside. */
export async function startService(env: Readonly<Record<string, string>> = {}): Promise<Service> {
  if (!existsSync(join(WEB, 'index.html'))) throw new Error('the page is not built: run `npm run build`')
  const child: ChildProcess = spawn(process.execPath, [SERVER], {
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      PARAPET_ADVISORIES: 'bundled',
      PARAPET_CATALOGUE_URL: 'http://127.0.0.1:9',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (chunk) => resolve(String(chunk)))
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
  })
  return { url: /http:\/\/\S+\//.exec(line)?.[0] ?? '', stop: () => child.kill('SIGKILL') }
}

/** What a page must never do, as it happens. */
export interface Watched {
  readonly page: Page
  /** Requests to other origins. */
  readonly foreign: string[]
  /** Violations of its policy, and errors that nobody caught. */
  readonly faults: string[]
  /** Resolves when the screen is there: it has a heading, nothing is asked for any more, and what came is painted. */
  settled(): Promise<void>
}

export interface OpenBrowser {
  open(options?: BrowserContextOptions): Promise<Watched>
  close(): Promise<void>
}

/** Chromium with what it keeps in a folder. */
export function launch(home: string, more: readonly string[] = []): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error('Chromium is missing: `apt-get install chromium`, or set CHROMIUM to its path')
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...more], env: { ...process.env, HOME: home } })
}

/** A browser with a profile of its own, thrown away at the end. */
export async function openBrowser(service: Service): Promise<OpenBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-chromium-'))
  const browser = await launch(folder)
  const contexts: BrowserContext[] = []
  return {
    async open(options = {}) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        locale: 'en-US',
        reducedMotion: 'reduce',
        ...options,
      })
      contexts.push(context)
      const page = await context.newPage()
      const [foreign, faults]: [string[], string[]] = [[], []]
      const { origin } = new URL(service.url)
      const asked = new Set<Request>()
      page.on('request', (request) => asked.add(request))
      page.on('requestfinished', (request) => asked.delete(request))
      page.on('requestfailed', (request) => asked.delete(request))
      page.on('request', (request) => {
        const { protocol, origin: asked } = new URL(request.url())
        if (protocol !== 'blob:' && asked !== origin) foreign.push(request.url())
      })
      page.on('pageerror', (error) => faults.push(error.message))
      page.on('console', (message) => {
        if (/Content Security Policy|Trusted/i.test(message.text())) faults.push(message.text())
      })
      page.on('dialog', (dialog) => {
        if (dialog.type() !== 'beforeunload') faults.push(`dialog: ${dialog.message()}`)
        void dialog.accept()
      })
      const settled = async (): Promise<void> => {
        await page.locator('h1, .empty-title').first().waitFor()
        do await page.evaluate(painted)
        while (asked.size > 0 || (await page.locator('.pending').count()) > 0)
      }
      return { page, foreign, faults, settled }
    },
    async close() {
      for (const context of contexts) await context.close()
      await browser.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** In the page: what is known by now was painted. */
function painted(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

/** The sample project of the page, as files. */
export function sampleFiles(): Record<string, string> {
  const folder = join(ROOT, 'adapters/web/sample')
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]),
  )
}

export const toZip = (files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> =>
  new Uint8Array(zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)]))))

/** Scans by the interface, as a scan whose page is already closed. */
export async function scanByApi(service: Service, files: Readonly<Record<string, string>>, name: string): Promise<Report> {
  const form = new FormData()
  form.append('projectName', name)
  form.append('project', new Blob([toZip(files)]), 'project.zip')
  const answer = await fetch(`${service.url}api/scan/upload`, { method: 'POST', body: form })
  if (answer.status !== 201) throw new Error(`the scan was answered with ${answer.status}`)
  return answer.json()
}
