import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report } from '../../core/report/types.ts'
import { openBrowser, sampleFiles, scanByApi, startService, toZip, type OpenBrowser, type Service } from './browser.ts'
import { MADE_ID, makeReport } from './made-report.ts'

let service: Service
let browser: OpenBrowser
let folder: string
let report: Report

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-navigation-'))
  service = await startService()
  browser = await openBrowser(service)
  report = await scanByApi(service, sampleFiles(), 'shop')
})
afterAll(async () => {
  await browser?.close()
  service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')

function fileOf(name: string, bytes: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

test('a link whose filter hides the finding that it names shows the finding all the same', async () => {
  const { page, faults } = await browser.open()
  const [finding] = report.results.cap.findings
  await page.goto(`${service.url}scans/${report.scanId}?sev=info&q=nothing+like+it#f-${finding?.id}`)
  await page.locator(`#f-${finding?.id}[open] .code-frame`).waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect(new URL(page.url()).hash).toBe(`#f-${finding?.id}`)
  await page.goto(`${service.url}scans/${report.scanId}#f-%E0%A4%A`)
  await page.locator('.finding').first().waitFor()
  expect(faults).toEqual([])
})

test('a link to the last of many findings shows it, and a filter then makes few rows again', async () => {
  const made = makeReport(900)
  const { page } = await browser.open()
  await page.route(`**/api/scan/${MADE_ID}`, (route) => route.fulfill({ json: made }))
  const last = made.results.ui5.findings.at(-1) ?? made.results.cap.findings.at(-1)
  await page.goto(`${service.url}scans/${MADE_ID}#f-${last?.id}`)
  await page.locator(`#f-${last?.id}[open]`).waitFor()
  await page.locator('#search').fill('number')
  await page.waitForFunction(() => document.querySelectorAll('.finding').length === 60)
})

test('an address that leads nowhere is the page, in the language and with its own files', async () => {
  const { page, faults } = await browser.open({ locale: 'fr-FR' })
  const missing: string[] = []
  page.on('response', (answer) => answer.status() >= 400 && missing.push(new URL(answer.url()).pathname))
  for (const path of ['nowhere', 'scans/a/b/c', 'rules/%E0%A4%A']) {
    await page.goto(`${service.url}${path}`)
    await page.getByRole('heading', { name: 'Cette page n’existe pas' }).waitFor()
  }
  expect(missing).toEqual(['/nowhere', '/scans/a/b/c', '/rules/%E0%A4%A'])
  expect(faults).toEqual([])
})

test('no file of the page is asked for below another screen', async () => {
  const { page } = await browser.open()
  const missing: string[] = []
  page.on('response', (answer) => answer.status() >= 400 && missing.push(answer.url()))
  await page.goto(`${service.url}scan`)
  await page.getByRole('link', { name: 'History', exact: true }).click()
  await page.locator(`a[href$="scans/${report.scanId}"]`).first().click()
  await page.locator('.finding').first().waitFor()
  expect(await page.evaluate(() => document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href)).toContain(
    `${service.url}assets/`,
  )
  expect(missing).toEqual([])
})

test('a new fault takes the place of an old one', async () => {
  const { page } = await browser.open()
  await page.goto(`${service.url}scan`)
  await page.setInputFiles('#file', fileOf('notes.txt', new TextEncoder().encode('hello')))
  await page.getByRole('alert').getByText('This file is not a ZIP archive').waitFor()
  await page.getByLabel('Absolute path').fill('/nowhere/at/all')
  await page.getByRole('button', { name: 'Scan the folder' }).click()
  await page
    .getByRole('alert')
    .getByText(/^Request /)
    .waitFor()
  expect(await page.getByRole('alert').count()).toBe(1)
})

test('the path of a folder that is refused stays and has the focus; only another one is sent', async () => {
  const { page } = await browser.open()
  await page.goto(`${service.url}scan`)
  const path = page.getByLabel('Absolute path')
  await path.fill('/nowhere/at/all')
  await page.keyboard.press('Enter')
  const alert = page.getByRole('alert')
  await alert.getByText(/^Request /).waitFor()
  expect(await path.inputValue()).toBe('/nowhere/at/all')
  expect(await path.evaluate((field) => field === document.activeElement)).toBe(true)
  expect(await alert.getByRole('button').allTextContents()).toEqual(['Close'])

  // what the server never saw can be sent again, as it is in the field now
  const sent: string[] = []
  await page.route('**/api/scan/directory', (route) => (sent.push(route.request().postData() ?? ''), route.abort()))
  await path.press('Enter')
  await alert.getByRole('button', { name: 'Try again' }).waitFor()
  await path.fill('/another')
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => sent).toEqual(['{"dirPath":"/nowhere/at/all"}', '{"dirPath":"/another"}'])
})

test('the focus stays where the reader is: after Cancel of a scan and of a dialog', async () => {
  const { page } = await browser.open()
  await page.goto(`${service.url}scan`)
  await page.route('**/api/scan/upload', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2000))
    await route.continue().catch(() => undefined)
  })
  await page.setInputFiles('#file', fileOf('shop.zip', toZip(sampleFiles())))
  await page.getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  expect(await focused(page)).toBe('Try again')

  await page.goto(`${service.url}scans/${report.scanId}`)
  const open = page.getByRole('button', { name: 'Delete' })
  await open.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await focused(page)).toBe('Delete')
})

test('the arrows scroll, and walk through the findings from one of them; j and k do from everywhere', async () => {
  const { page } = await browser.open({ viewport: { width: 1280, height: 500 } })
  await page.goto(`${service.url}scans/${report.scanId}`)
  await page.locator('.finding').first().waitFor()
  await page.evaluate(() => scrollTo(0, 0))
  await page.keyboard.press('ArrowDown')
  await page.waitForFunction(() => scrollY > 0)
  expect(await page.evaluate(() => document.activeElement?.closest('.finding'))).toBeNull()
  const at = (): Promise<number> =>
    page.evaluate(() => [...document.querySelectorAll('.finding > summary')].findIndex((row) => row === document.activeElement))
  await page.keyboard.press('j')
  expect(await at()).toBe(0)
  await page.keyboard.press('ArrowDown')
  expect(await at()).toBe(1)
  await page.keyboard.press('k')
  expect(await at()).toBe(0)
})

test('a menu closes when the reader goes elsewhere', async () => {
  const { page } = await browser.open()
  await page.goto(`${service.url}scans/${report.scanId}`)
  for (const menu of ['.menu', '.risk']) {
    await page.locator(`${menu} > summary`).click()
    expect(await page.locator(`${menu}[open]`).count()).toBe(1)
    await page.locator('h1').click()
    expect(await page.locator(`${menu}[open]`).count()).toBe(0)
    await page.locator(`${menu} > summary`).click()
    await page.keyboard.press('Escape')
    expect(await page.locator(`${menu}[open]`).count()).toBe(0)
    expect(await page.evaluate((kind) => document.activeElement?.matches(`${kind} > summary`), menu)).toBe(true)
  }
})

test('the table of upgrades says of each package from which version to which, and whether that may break', async () => {
  const made = makeReport(1)
  const repairs = { packages: 1, advisories: 2 }
  const upgrades = [
    { package: 'express', from: '4.16.0', to: '5.1.0', file: 'package-lock.json', breaking: true, repairs },
    { package: 'qs', from: '6.5.1', file: 'package-lock.json', breaking: false, repairs },
  ]
  const { npm } = made.results
  const { page } = await browser.open()
  await page.route(`**/api/scan/${MADE_ID}`, (route) =>
    route.fulfill({ json: { ...made, results: { ...made.results, npm: { ...npm, upgrades } } } }),
  )
  await page.goto(`${service.url}scans/${MADE_ID}`)
  const table = page.locator('.upgrades table')
  await table.waitFor()
  expect(await table.locator('th').allTextContents()).toEqual(['Package', 'Version', 'Compatibility', 'Fixes', 'File'])
  expect(await table.locator('tbody tr').first().locator('td').allTextContents()).toEqual([
    'express',
    '4.16.0 → 5.1.0',
    'may break',
    '2 advisories',
    'package-lock.json',
  ])
  expect(await table.locator('tbody tr').nth(1).locator('td').nth(1).textContent()).toBe('6.5.1 → a later release')
})

/** Drops entries of a made file system: a browser under test can't be given a folder by hand. */
async function dropFolder(page: Page, name: string, files: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate(
    ([root, texts]) => {
      const toEntry = (path: string, label: string): object => {
        const names = new Set(
          Object.keys(texts)
            .filter((file) => file.startsWith(path === '' ? '' : `${path}/`))
            .map((file) => file.slice(path === '' ? 0 : path.length + 1).split('/')[0] ?? ''),
        )
        const text = texts[path]
        if (text !== undefined)
          return {
            isFile: true,
            isDirectory: false,
            name: label,
            file: (take: (file: File) => void) => take(new File([text], label)),
          }
        // as browsers do, in pieces and then an empty one
        const left = [...names]
        const readEntries = (take: (some: object[]) => void): void =>
          take(left.splice(0, 2).map((one) => toEntry(path === '' ? one : `${path}/${one}`, one)))
        const getFile = (at: string, _: object, take: (entry: object) => void, fail: (error: Error) => void): void => {
          if (texts[at] === undefined) fail(new DOMException('', 'NotFoundError'))
          else take(toEntry(at, at))
        }
        return { isFile: false, isDirectory: true, name: label, createReader: () => ({ readEntries }), getFile }
      }
      const event = new Event('drop', { bubbles: true, cancelable: true })
      const items = [{ webkitGetAsEntry: () => toEntry('', root) }]
      Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], items, files: [] } })
      document.querySelector('footer')?.dispatchEvent(event)
    },
    [name, files] as const,
  )
}

test('a folder that is dropped anywhere is packed without what is never analysed, and scanned as its archive is', async () => {
  const { page, faults, foreign } = await browser.open()
  // the names of an archive stand in it as they are
  await page.addInitScript(() => {
    const { send } = XMLHttpRequest.prototype
    XMLHttpRequest.prototype.send = function (body) {
      const file = body instanceof FormData ? body.get('project') : undefined
      if (file instanceof File) void file.text().then((text) => (window.name = text.replaceAll(/[^\x20-\x7e]/g, ' ')))
      send.call(this, body)
    }
  })
  await page.goto(`${service.url}history`)
  await page.getByRole('heading', { name: 'History', level: 1 }).waitFor()
  await dropFolder(page, 'shop', { ...sampleFiles(), 'node_modules/evil/index.js': 'eval(x)\n', '.git/config': '[core]\n' })
  await page.waitForURL('**/scans/**')
  await page.locator('.finding').first().waitFor()
  expect(await page.locator('h1').textContent()).toBe('shop')
  expect(await page.locator('.shown').textContent()).toBe(`${report.summary.total} of ${report.summary.total} findings`)
  const sent = await page.evaluate(() => window.name)
  expect(sent).toContain('srv/catalog-service.js')
  expect(sent).not.toMatch(/node_modules|\.git\/config/)
  expect([faults, foreign]).toEqual([[], []])
})

test('places of a folder that is a Git checkout lead to its source; without a remote they are texts', async () => {
  const { page, faults } = await browser.open()
  const commit = '0123456789abcdef0123456789abcdef01234567'
  const git = {
    '.git/HEAD': 'ref: refs/heads/feature/x\n',
    '.git/packed-refs': `# pack-refs\n${commit} refs/heads/feature/x\n`,
    '.git/config': '[remote "origin"]\n\turl = https://me:secret@github.com/acme/shop.git\n',
  }
  const linkOf = async (files: Readonly<Record<string, string>>): Promise<string | null> => {
    await page.goto(`${service.url}scan`)
    await page.getByText('ZIP up to').waitFor()
    await dropFolder(page, 'linked', { ...sampleFiles(), ...files })
    await page.waitForURL('**/scans/**')
    await page.locator('.finding > summary', { hasText: 'catalog-service.js' }).first().click()
    await page.locator('.finding-actions').waitFor()
    const link = page.getByRole('link', { name: 'Open in the source' }).first()
    return (await link.count()) === 0 ? null : link.getAttribute('href')
  }
  expect(await linkOf(git)).toMatch(new RegExp(`^https://github\\.com/acme/shop/blob/${commit}/srv/catalog-service\\.js#L\\d+$`))
  expect(await linkOf({ ...git, '.git/config': '[core]\n' })).toBeNull()
  expect(faults).toEqual([])
})

test('a folder is picked too; an empty one says so', async () => {
  const own = join(folder, 'picked')
  for (const [path, text] of Object.entries(sampleFiles())) {
    mkdirSync(dirname(join(own, path)), { recursive: true })
    writeFileSync(join(own, path), text)
  }
  const { page, faults } = await browser.open()
  await page.goto(`${service.url}scan`)
  await page.setInputFiles('#folder', own)
  await page.waitForURL('**/scans/**')
  await page.locator('.finding').first().waitFor()
  expect(await page.locator('h1').textContent()).toBe('picked')
  expect(await page.locator('.shown').textContent()).toBe(`${report.summary.total} of ${report.summary.total} findings`)
  await page.goto(`${service.url}scan`)
  await page.getByText('ZIP up to').waitFor()
  await dropFolder(page, 'empty', { 'node_modules/a/b.js': '1' })
  await page.getByRole('alert').getByText('There is nothing to scan in this folder').waitFor()
  expect(faults).toEqual([])
})
