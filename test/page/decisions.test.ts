import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Page } from 'playwright-core'
import { openBrowser, sampleFiles, scanByApi, startService, type OpenBrowser, type Service } from './browser.ts'
import { judge } from './judge.ts'

let service: Service
let browser: OpenBrowser

beforeAll(async () => {
  service = await startService()
  browser = await openBrowser(service)
})
afterAll(async () => {
  await browser?.close()
  service?.stop()
})

/** Presses Tab until what has the focus fits. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let turn = 0; turn < 120; turn++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${selector} can't be reached`)
}

const put = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${service.url}api/projects/${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

test('by keyboard: a finding is decided, the decision holds for the next scan, and its history is kept', async () => {
  const { scanId } = await scanByApi(service, sampleFiles(), 'guild')
  const { page, foreign, faults } = await browser.open()
  page.setDefaultTimeout(10_000)
  await page.goto(`${service.url}scans/${scanId}`)
  await page.locator('.finding').first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('cql-injection')
  await page.getByText('1 of ').waitFor()
  await tabTo(page, '.finding > summary')
  await page.keyboard.press('ArrowRight')
  await tabTo(page, '.finding-actions .decide')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Decide on 1 finding' })
  await dialog.waitFor()
  await tabTo(page, 'dialog select')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Members alone call it.')
  await dialog.getByLabel('Your name').focus()
  await page.keyboard.type('Ada')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.locator('.finding .decision', { hasText: 'False positive Members alone call it. by Ada' }).waitFor()

  const { scanId: second } = await scanByApi(service, sampleFiles(), 'guild')
  await page.goto(`${service.url}scans/${second}?status=decided`)
  await page.getByText('1 of ').waitFor()
  expect(await page.locator('.finding-facts .kind').textContent()).toBe('False positive')
  expect(await page.locator('.report-facts').textContent()).toContain('1 decided')
  await page.locator('.finding > summary').click()
  await page.getByRole('button', { name: 'Decide …' }).click()
  // the name is asked for once
  expect(await page.getByLabel('Your name').inputValue()).toBe('Ada')
  await page.locator('dialog select').selectOption('accepted')
  expect(await judge(page)).toEqual([])
  await page.getByLabel('Reason').press('Enter')
  await page.locator('.finding .decision', { hasText: 'Risk accepted' }).waitFor()
  await page.goto(`${service.url}projects/guild`)
  await page.locator('.decisions .data-table tbody tr').waitFor()
  await page.getByText('1 decision before').click()
  await page.locator('.former .decision', { hasText: 'False positive' }).waitFor()
  expect(await judge(page)).toEqual([])
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('parapet.config.json')
  expect([foreign, faults]).toEqual([[], []])
})

test('several at once: what a filter shows; undecided, decided and expired are told apart', async () => {
  const { scanId } = await scanByApi(service, sampleFiles(), 'brewery')
  const { page } = await browser.open()
  page.setDefaultTimeout(10_000)
  await page.goto(`${service.url}scans/${scanId}?area=approuter`)
  await page.locator('.finding').first().waitFor()
  const shown = await page.locator('.finding').count()
  expect(shown).toBeGreaterThan(1)
  await page.getByRole('button', { name: `Decide on the ${shown} shown …` }).click()
  await page.getByLabel('Reason').fill('Behind another gateway.')
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('Holds until').fill('2020-01-01')
  await page.getByRole('button', { name: 'Save' }).click()
  await page
    .locator('.finding .kind.expired')
    .nth(shown - 1)
    .waitFor()
  await page.getByLabel('Status').selectOption('decided')
  await page.getByText('No findings match the filters').waitFor()
  await page.getByLabel('Status').selectOption('expired')
  await page.getByText(`${shown} of `).waitFor()
  await page.goto(`${service.url}projects`)
  await page.locator('.expiring', { hasText: `${shown} expire soon` }).waitFor()
})

/** Makes a process live some days from now. */
const laterBy = (days: number): string =>
  `const Now = Date; globalThis.Date = class extends Now {
    constructor(...given) { given.length > 0 ? super(...given) : super(Date.now()) }
    static now() { return Now.now() + ${days * 24 * 60 * 60 * 1000} }
  }`

test('a decision that holds until tomorrow holds today, and no more the day after tomorrow', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-expiry-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const today = await startService({ PARAPET_STORAGE: folder })
  const { scanId } = await scanByApi(today, sampleFiles(), 'library')
  const { page } = await browser.open()
  await page.goto(`${today.url}scans/${scanId}?q=cql-injection`)
  await page.locator('.finding > summary').first().click()
  await page.getByRole('button', { name: 'Decide …' }).click()
  await page.getByLabel('Reason').fill('Until the next release.')
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('Holds until').fill(new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('.finding .decision', { hasText: 'Until the next release.' }).waitFor()
  expect(await page.locator('.finding .kind.expired').count()).toBe(0)
  today.stop()

  const later = await startService({
    PARAPET_STORAGE: folder,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(laterBy(2))}`,
  })
  onTestFinished(() => later.stop())
  await page.goto(`${later.url}scans/${scanId}?status=expired`)
  await page.locator('.finding .kind.expired').waitFor()
  expect(await page.locator('.report-facts').textContent()).not.toContain('1 decided')
})

test('somebody else decided meanwhile: it is said, shown, and replaced only by who saw it', async () => {
  const { scanId } = await scanByApi(service, sampleFiles(), 'orchard')
  const { page } = await browser.open()
  page.setDefaultTimeout(10_000)
  await page.goto(`${service.url}scans/${scanId}?q=cql-injection`)
  await page.locator('.finding > summary').first().click()
  await page.getByRole('button', { name: 'Decide …' }).click()
  const id = await page.locator('.finding').first().getAttribute('id')
  const theirs = { state: 'will-repair', reason: 'Next week.', by: 'Grace' }
  expect((await put(`orchard/decisions/${id?.slice(2)}`, theirs, { 'if-none-match': '*' })).status).toBe(201)
  await page.getByLabel('Reason').fill('Mine.')
  await page.getByLabel('Your name').fill('Ada')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Decision changed').waitFor()
  expect(await page.locator('.present .decision').textContent()).toContain('Will be fixed Next week. by Grace')
  expect(await judge(page)).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('.finding .decision', { hasText: 'Risk accepted Mine. by Ada' }).waitFor()
  await page.getByRole('button', { name: 'Decide …' }).click()
  await page.getByText('1 decision before').waitFor()
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.locator('.finding .decision').waitFor({ state: 'detached' })
})
