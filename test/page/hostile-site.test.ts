import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { launch, sampleFiles, scanByApi, startService, toZip, type Service } from './browser.ts'

/** A page of somebody else, open in the browser of who runs the service: its name leads to this machine, as after DNS rebinding. */
let site: Server
let origin: string
let service: Service
let browser: Browser
let home: string
let known: string

async function listen(): Promise<Server> {
  const server = createServer((_, answer) =>
    answer.setHeader('content-type', 'text/html').end('<!doctype html><title>Cats</title>'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

beforeAll(async () => {
  site = await listen()
  origin = `http://evil.test:${portOf(site)}`
  home = mkdtempSync(join(tmpdir(), 'parapet-chromium-'))
  browser = await launch(home, [
    '--host-resolver-rules=MAP evil.test 127.0.0.1,MAP rebound.test 127.0.0.1',
    '--disable-popup-blocking',
  ])
  service = await startService()
  known = (await scanByApi(service, sampleFiles(), 'shop')).scanId
})
afterAll(async () => {
  await browser?.close()
  service?.stop()
  site?.close()
  rmSync(home, { recursive: true, force: true })
})

const historyIds = async (of = service): Promise<string[]> => {
  const list: { scanId: string }[] = await (await fetch(`${of.url}api/scan/history`)).json()
  return list.map(({ scanId }) => scanId)
}

/** A page of the site, or of another origin. */
async function openAt<Result>(url: string, work: (page: Page) => Promise<Result>): Promise<Result> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(url)
    return await work(page)
  } finally {
    await context.close()
  }
}

test('it starts no scan, of an upload or of a folder, and deletes none', async () => {
  const told = await openAt(origin, (page) =>
    page.evaluate(
      async ({ url, zip, id }) => {
        const form = new FormData()
        form.append('project', new Blob([new Uint8Array(zip)]), 'a.zip')
        const folder = JSON.stringify({ path: '/etc' })
        const attempt = (path: string, init: RequestInit): Promise<string> =>
          fetch(url + path, init).then(
            (answer) => `${answer.type} ${answer.status}`,
            () => 'failed',
          )
        return [
          await attempt('api/scan/upload', { method: 'POST', body: form }),
          await attempt('api/scan/upload', { method: 'POST', body: form, mode: 'no-cors' }),
          await attempt('api/scan/directory', { method: 'POST', body: folder, mode: 'no-cors' }),
          await attempt('api/scan/directory', { method: 'POST', body: folder, headers: { 'content-type': 'application/json' } }),
          await attempt(`api/scan/${id}`, { method: 'DELETE' }),
          String(navigator.sendBeacon(`${url}api/scan/upload`, form)),
        ]
      },
      { url: service.url, zip: [...toZip({ 'a.js': 'eval(1)' })], id: known },
    ),
  )
  // not even an opaque answer; none of it was a scan
  expect(told).toEqual(['failed', 'failed', 'failed', 'failed', 'failed', 'true'])
  expect(await historyIds()).toEqual([known])
})

test('a form that posts itself gets a refusal, which it can not read', async () => {
  const status = await openAt(origin, async (page) => {
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/api/scan/upload'))
    await page.evaluate((url) => {
      const form = document.createElement('form')
      form.method = 'POST'
      form.action = `${url}api/scan/upload`
      form.enctype = 'multipart/form-data'
      form.innerHTML = '<input name="project" value="x">'
      document.body.append(form)
      form.submit()
    }, service.url)
    return (await answered).status()
  })
  expect(status).toBe(403)
  expect(await historyIds()).toEqual([known])
})

test('it frames neither the page nor a report, and holds no window that it has opened', async () => {
  await openAt(origin, async (page) => {
    const paths = ['', `scans/${known}`, `api/scan/${known}`, `api/scan/${known}/export/html`]
    for (const path of paths) {
      await page.evaluate(
        (url) =>
          new Promise((resolve) => {
            const frame = document.createElement('iframe')
            frame.src = url
            frame.addEventListener('load', resolve)
            document.body.append(frame)
          }),
        service.url + path,
      )
      const frame = page.frames().at(-1)
      expect(await frame?.evaluate(() => document.body.innerText), path).not.toMatch(/parapet|shop/i)
      expect(frame?.url(), path).toMatch(/^chrome-error:|\/api\//)
    }
    const held = await page.evaluate(async (url) => {
      const opened = window.open(url, 'parapet')
      await new Promise((resolve) => setTimeout(resolve, 1500))
      return opened === null || opened.closed
    }, service.url)
    expect(held).toBe(true)
  })
})

test('a name that leads here since a moment ago gets nothing', async () => {
  // the page came from its own server, while the name still led there
  const before = await listen()
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`http://rebound.test:${portOf(before)}/`)
  const port = portOf(before)
  before.closeAllConnections()
  await new Promise((resolve) => before.close(resolve))
  const here = await startService({ PORT: String(port) })
  const { scanId } = await scanByApi(here, sampleFiles(), 'shop')
  const told = await page.evaluate(async (id) => {
    const ask = async (path: string, method = 'GET'): Promise<string> => {
      const answer = await fetch(path, { method })
      return `${answer.status} ${(await answer.text()).includes('shop')}`
    }
    return [
      await ask('/api/scan/history'),
      await ask(`/api/scan/${id}`),
      await ask(`/api/scan/${id}`, 'DELETE'),
      await ask('/api/rules'),
    ]
  }, scanId)
  expect(told).toEqual(Array.from({ length: 4 }, () => '421 false'))
  expect((await page.goto(`http://rebound.test:${port}/`))?.status()).toBe(421)
  expect(await historyIds(here)).toEqual([scanId])
  await context.close()
  here.stop()
})

test('whether a scan exists shows neither by what happens to an image, a script, a sheet, nor by time', async () => {
  const missing = known.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  const told = await openAt(origin, (page) =>
    page.evaluate(
      async ({ url, ids }) => {
        const outcome = (element: HTMLElement): Promise<string> =>
          new Promise((resolve) => {
            element.addEventListener('load', () => resolve('load'))
            element.addEventListener('error', () => resolve('error'))
            document.body.append(element)
          })
        const elements = (address: string): HTMLElement[] => [
          Object.assign(new Image(), { src: address }),
          Object.assign(document.createElement('script'), { src: address }),
          Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address }),
          Object.assign(document.createElement('object'), { data: address }),
        ]
        const events: string[][] = []
        for (const id of ids) events.push(await Promise.all(elements(`${url}api/scan/${id}`).map(outcome)))
        const times: number[][] = ids.map(() => [])
        for (let round = 0; round < 200; round++)
          for (const [index, id] of ids.entries()) {
            const began = performance.now()
            await fetch(`${url}api/scan/${id}`, { mode: 'no-cors', cache: 'no-store' }).catch(() => undefined)
            times[index]?.push(performance.now() - began)
          }
        return { events, medians: times.map((list) => list.toSorted((a, b) => a - b)[100] ?? 0) }
      },
      { url: service.url, ids: [known, missing] },
    ),
  )
  const [of, without] = told.events
  expect(of).toEqual(without)
  const [a = 0, b = 0] = told.medians
  // what reads a report from the storage takes several times as long
  expect(Math.abs(a - b), `${a} and ${b} ms`).toBeLessThan(Math.max(1, 0.3 * Math.min(a, b)))
})
