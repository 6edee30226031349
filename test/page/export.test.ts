import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeHtml } from '../../core/report/writers/html.ts'
import type { Report } from '../../core/report/types.ts'
import { scanFiles } from '../scan-files.ts'
import { createFinding, createHostileReport, createReport, OPTIONS } from '../report/writers/reports.ts'
import { launch, sampleFiles } from './browser.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let browser: Browser
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-export-'))
  browser = await launch(folder)
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Opens the file of a report from the disk, and keeps what it asks for and what goes wrong. */
async function open(report: Report, options: BrowserContextOptions = {}): Promise<{ page: Page; faults: string[] }> {
  const path = join(folder, 'report.html')
  writeFileSync(path, [...writeHtml(report, OPTIONS)].join(''))
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })).newPage()
  const faults: string[] = []
  const own = pathToFileURL(path).href
  page.on('request', (request) => request.url() !== own && faults.push(request.url()))
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('dialog', (dialog) => (faults.push(dialog.message()), void dialog.dismiss()))
  page.on('console', (message) => /Content Security Policy/i.test(message.text()) && faults.push(message.text()))
  await page.goto(own)
  return { page, faults }
}

const { en: sample } = await scanFiles(new Map(Object.entries(sampleFiles())))
const shown = (page: Page): Promise<number> => page.locator('article:visible').count()

test('without scripts all of it can be read', async () => {
  const { page, faults } = await open(sample, { javaScriptEnabled: false })
  expect(await shown(page)).toBe(sample.summary.total)
  expect(await page.locator('form').isVisible()).toBe(false)
  const [finding] = sample.results.cap.findings
  const text = (await page.locator('main').textContent()) ?? ''
  for (const part of [finding?.message, finding?.why, finding?.fix]) expect(text).toContain(part)
  expect(faults).toEqual([])
})

test('with them it filters by severity, by area and by words, and says how many are shown', async () => {
  const { page, faults } = await open(sample)
  const high = sample.summary.high
  expect([high > 0, high < sample.summary.total]).toEqual([true, true])
  await page.locator('select[name=severity]').selectOption('HIGH')
  expect(await shown(page)).toBe(high)
  expect(await page.locator('output').textContent()).toContain(String(high))
  await page.locator('select[name=severity]').selectOption('')
  await page.locator('select[name=area]').selectOption('cap')
  expect(await shown(page)).toBe(sample.results.cap.findings.length)
  await page.locator('input[name=search]').fill('cql-injection')
  expect(await shown(page)).toBe(1)
  await page.locator('input[name=search]').fill('nothing like it')
  expect(await shown(page)).toBe(0)
  expect(faults).toEqual([])
})

test('the code of a finding has the numbers of its lines, which are no text, and the finding is marked', async () => {
  const finding = createFinding(0, { line: 3, endLine: 3, snippet: 'one\n\n    eval(value)\nfour\nfive\nsix' })
  const { page } = await open(createReport([finding]))
  const lines = page.locator('article pre span')
  const rows = await lines.evaluateAll((all) =>
    all.map((row) => [getComputedStyle(row, '::before').content, row.className, Math.round(row.getBoundingClientRect().height)]),
  )
  const height = rows[0]?.[2]
  expect(rows).toEqual([1, 2, 3, 4, 5, 6].map((number) => [`"${number}"`, number === 3 ? 'match' : '', height]))
  expect(await page.locator('article mark').allTextContents()).toEqual(['eval'])
  expect(await page.locator('article pre').textContent()).toBe(`${finding.snippet}\n`)
})

test('the labels of the filters stand at one height', async () => {
  const { page } = await open(sample)
  const tops = await page.locator('form label').evaluateAll((all) => all.map((label) => label.getBoundingClientRect().top))
  expect([tops.length, new Set(tops).size]).toEqual([3, 1])
})

test('on paper it has all findings of the filter, and no form', async () => {
  const { page } = await open(sample)
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('form').isVisible()).toBe(false)
  expect(await shown(page)).toBe(sample.summary.total)
  expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(20_000)
})

test('hostile names and messages are text, with scripts too', async () => {
  const { page, faults } = await open(createHostileReport())
  expect(await page.locator('img, iframe, [onerror], [onmouseover]').count()).toBe(0)
  expect(await page.locator('script').count()).toBe(1)
  expect(await page.locator('main').innerText()).toContain('<script>alert(1)</script>')
  expect(faults).toEqual([])
})

test('5,000 findings can be filtered', async () => {
  const { page, faults } = await open(createReport(Array.from({ length: 5000 }, (_, index) => createFinding(index))))
  await page.locator('select[name=severity]').selectOption('CRITICAL')
  expect(await shown(page)).toBe(1000)
  expect(faults).toEqual([])
})

test('it begins with what to repair first, and which packages to move', async () => {
  const { page } = await open(sample, { javaScriptEnabled: false })
  const first = page.locator('header ol li')
  expect(await first.count()).toBe(3)
  const target = await first.first().locator('a').getAttribute('href')
  expect(await page.locator(`article${target}`).count()).toBe(1)
  expect(await page.locator('header .upgrades tbody tr').count()).toBe(sample.results.npm.upgrades.length)
  expect(sample.results.npm.upgrades.length).toBeGreaterThan(0)
})

test.each([
  ['light', 'en', 1280],
  ['dark', 'fr', 320],
] as const)('axe finds nothing in it: %s, %s, %i pixels', async (colorScheme, _, width) => {
  const { page } = await open(sample, { colorScheme, viewport: { width, height: 900 } })
  // not as a script element: the policy of the page would refuse it
  await page.evaluate(AXE)
  const results: AxeResults = await page.evaluate("axe.run({ resultTypes: ['violations'] })")
  expect(results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target.join(' ')}`)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
})
