import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, sampleFiles, scanByApi, startService, toZip, type OpenBrowser, type Service } from './browser.ts'

let service: Service
let browser: OpenBrowser
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-page-'))
  service = await startService()
  browser = await openBrowser(service)
})
afterAll(async () => {
  await browser?.close()
  service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function fileOf(name: string, bytes: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

/** A stored entry of random bytes: nothing makes it smaller on its way. */
function largeZip(bytes: number): Uint8Array {
  const files = { ...sampleFiles(), 'assets/film.bin': '' }
  const zip = toZip(files)
  const filler = new Uint8Array(bytes - zip.length)
  // bytes before an archive are part of what is sent, and of no entry
  const all = new Uint8Array(bytes)
  all.set(filler)
  all.set(zip, filler.length)
  return all
}

test('a file that is no ZIP archive is not even sent', async () => {
  const { page } = await browser.open()
  await page.goto(`${service.url}scan`)
  await page.setInputFiles('#file', fileOf('notes.txt', new TextEncoder().encode('hello')))
  await page.getByRole('alert').getByText('This file is not a ZIP archive').waitFor()
})

test('one that only claims to be an archive is refused in the words of the server, with the id of the request', async () => {
  const { page } = await browser.open()
  await page.goto(`${service.url}scan`)
  await page.setInputFiles('#file', fileOf('false.zip', new TextEncoder().encode('hello, this is no archive at all')))
  const alert = page.getByRole('alert')
  await alert.getByText(/^Request [0-9a-f-]{36}$/).waitFor()
  expect(await alert.textContent()).toMatch(/ZIP/)
  // several may have been tried
  expect(await alert.textContent()).toContain('false.zip')
  await alert.getByRole('button', { name: 'Close' }).click()
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('one that is larger than the limit of this server is not sent, and the limit is told', async () => {
  const small = await startService({ PARAPET_MAX_UPLOAD: '64KiB' })
  try {
    const { page } = await browser.open()
    await page.goto(small.url)
    await page.getByText('ZIP up to 64 KiB').waitFor()
    await page.setInputFiles('#file', fileOf('large.zip', new Uint8Array(70_000)))
    expect(await page.getByRole('alert').textContent()).toContain('the limit is 64')
  } finally {
    small.stop()
  }
})

test('an upload of 100 MiB shows how far it is, and ends in a report or in what the server says', async () => {
  const { page, faults } = await browser.open()
  await page.goto(`${service.url}scan`)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 60_000_000,
  })
  await page.getByText('ZIP up to 100 MiB').waitFor()
  // collected by the page itself: on a busy machine a question from outside can come too late for every state
  const sent = page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const texts = new Set<string>()
        const observer = new MutationObserver(() => {
          const text = document.querySelector('.progress-text')?.textContent ?? ''
          if (text.startsWith('Sending')) texts.add(text)
          if (document.querySelector('.report, [role=alert]') === null) return
          observer.disconnect()
          resolve([...texts])
        })
        observer.observe(document.body, { childList: true, subtree: true, characterData: true })
      }),
  )
  await page.setInputFiles('#file', fileOf('film.zip', largeZip(100 * 1024 * 1024 - 4096)))
  await page.locator('.report, [role=alert]').first().waitFor({ timeout: 120_000 })
  const states = (await sent).length
  process.stdout.write(`100 MiB: ${states} different states while sending\n`)
  expect(states).toBeGreaterThan(1)
  expect(faults).toEqual([])
})

test('a cancelled scan says so, keeps nothing, and can be begun again', async () => {
  const { page } = await browser.open()
  await page.goto(`${service.url}scan`)
  await page.route('**/api/scan/upload', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 3000))
    await route.continue().catch(() => undefined)
  })
  await page.setInputFiles('#file', fileOf('shop.zip', toZip(sampleFiles())))
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alert').getByText('The scan was cancelled').waitFor()
  await page.unroute('**/api/scan/upload')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.waitForURL('**/scans/**')
})

test('a busy server is asked again when it said, and tells how long that takes', async () => {
  const { page } = await browser.open()
  await page.goto(`${service.url}scan`)
  let asked = 0
  await page.route('**/api/scan/upload', async (route) => {
    asked += 1
    if (asked > 1) return route.continue()
    return route.fulfill({
      status: 503,
      headers: { 'retry-after': '2', 'content-type': 'application/problem+json' },
      body: JSON.stringify({ type: '/problems/busy', title: 'Busy', status: 503, detail: 'Later.', code: 'busy', instance: 'x' }),
    })
  })
  await page.setInputFiles('#file', fileOf('shop.zip', toZip(sampleFiles())))
  await page.getByText('Trying again in 2 seconds').waitFor()
  await page.waitForURL('**/scans/**')
  expect(asked).toBe(2)
})

test('where the connection is lost the report stays readable, and a new scan says what to do', async () => {
  const report = await scanByApi(service, sampleFiles(), 'kept')
  const { page } = await browser.open()
  await page.goto(`${service.url}scans/${report.scanId}`)
  await page.locator('.finding').first().waitFor()
  await page.context().setOffline(true)
  await page.getByLabel('Language').selectOption('fr')
  await page.getByRole('alert').getByText('Le serveur ne répond pas').first().waitFor()
  expect(await page.locator('.finding').count()).toBeGreaterThan(5)
  await page.getByRole('link', { name: 'Analyser', exact: true }).click()
  await page.setInputFiles('#file', fileOf('shop.zip', toZip(sampleFiles())))
  await page.getByRole('alert').getByText('Le serveur ne répond pas').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await page.waitForURL('**/scans/**')
})

test('a report that is no longer kept leads to the history', async () => {
  const { page } = await browser.open()
  await page.goto(`${service.url}scans/01900000-0000-7000-8000-000000000000`)
  await page.getByText('This report is no longer available').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Open the history' }).click()
  await page.getByRole('heading', { name: 'History', level: 1 }).waitFor()
})

test('a server with a token asks for it, keeps it for the tab and says when it is wrong', async () => {
  const guarded = await startService({ PARAPET_TOKEN: 'correct-horse-battery' })
  try {
    const { page, faults } = await browser.open()
    await page.goto(`${guarded.url}history`)
    const dialog = page.getByRole('dialog', { name: 'This server requires a token' })
    await dialog.getByLabel('Token').fill('wrong')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('The server refused this token').waitFor()
    await dialog.getByLabel('Token').fill('correct-horse-battery')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('No scans yet').waitFor()
    await page.reload()
    await page.getByText('No scans yet').waitFor()
    expect(faults).toEqual([])
  } finally {
    guarded.stop()
  }
})

test('behind an approuter the page fetches a CSRF token before it writes, and another one when its session is new', async () => {
  const inner = await startService({ PARAPET_ORIGINS: 'http://scanner.localhost' })
  const refused: string[] = []
  let valid = 'first'
  // as @sap/approuter documents `csrfProtection`, and with a Host of its own
  const proxy = createServer((incoming, outgoing) => {
    const token = incoming.headers['x-csrf-token']
    const writes = incoming.method !== 'GET' && incoming.method !== 'HEAD'
    if (writes && token !== valid) {
      refused.push(String(token))
      incoming.resume()
      return outgoing.writeHead(403, { 'x-csrf-token': 'Required' }).end()
    }
    const { port } = new URL(inner.url)
    const headers = {
      ...incoming.headers,
      host: `127.0.0.1:${port}`,
      ...(incoming.headers.origin !== undefined && { origin: 'http://scanner.localhost' }),
    }
    const forwarded = request({ port, host: '127.0.0.1', path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, { ...answer.headers, ...(token === 'fetch' && { 'x-csrf-token': valid }) })
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  try {
    const address = proxy.address()
    const { page } = await browser.open()
    await page.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`)
    await page.setInputFiles('#file', fileOf('shop.zip', toZip(sampleFiles())))
    await page.waitForURL('**/scans/**')
    expect(refused).toEqual([])
    valid = 'second'
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/history')
    valid = 'third'
    await page.getByRole('link', { name: 'Scan', exact: true }).click()
    await page.setInputFiles('#file', fileOf('shop.zip', toZip(sampleFiles())))
    await page.waitForURL('**/scans/**')
    expect(refused).toEqual(['first', 'second'])
  } finally {
    proxy.close()
    inner.stop()
  }
})

test('without the page there is only the interface', async () => {
  const bare = await startService({ PARAPET_PAGE: 'off' })
  try {
    expect((await fetch(bare.url)).status).toBe(404)
    expect((await fetch(`${bare.url}api/health`)).status).toBe(200)
  } finally {
    bare.stop()
  }
})
