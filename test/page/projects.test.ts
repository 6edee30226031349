import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { openBrowser, sampleFiles, startService, toZip, type OpenBrowser, type Service } from './browser.ts'

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

async function scan(files: Readonly<Record<string, string>>, fields: Readonly<Record<string, string>>): Promise<void> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('project', new Blob([toZip(files)]), 'project.zip')
  expect((await fetch(`${service.url}api/scan/upload`, { method: 'POST', body: form })).status).toBe(201)
}

const names = (page: Page): Promise<string[]> => page.locator('.data-table tbody td:first-child .fd-link').allTextContents()

test('one scan: what to scan next comes first; with more of them the projects do', async () => {
  const { page, settled, foreign, faults } = await browser.open()
  const { 'srv/catalog-service.js': _, ...before } = sampleFiles()
  await scan(before, { projectName: 'Museum', branch: 'main', release: 'v1.0' })
  await page.goto(service.url)
  await page.getByRole('button', { name: 'Choose a file' }).waitFor()
  await scan(sampleFiles(), { projectName: 'Museum', branch: 'main' })
  await scan({ 'webapp/manifest.json': '{"sap.app":{"id":"a"}}' }, { projectName: 'Archive' })
  await page.goto(service.url)
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
  await settled()
  expect(await names(page)).toEqual(['Archive', 'Museum'])
  expect(await page.locator('.bar nav a[aria-current]').textContent()).toBe('Projects')
  const [, museum] = await page.locator('.data-table tbody tr').all()
  expect(await museum?.locator('td').nth(3).textContent()).toMatch(/^[1-9] \/ 0$/)
  expect(await museum?.locator('.sparkline').getAttribute('aria-label')).toMatch(/^Risk over 2 scans: from \d+ to \d+$/)
  await page.getByRole('link', { name: 'Scan', exact: true }).click()
  await page.getByRole('button', { name: 'Choose a file' }).waitFor()
  expect([foreign, faults]).toEqual([[], []])
})

test('search, tags and order stand in the address; a project tells what is new, with a chart and the same as a table', async () => {
  const { page, settled, faults } = await browser.open()
  page.setDefaultTimeout(8_000)
  await page.goto(`${service.url}projects`)
  await settled()
  await page.keyboard.press('/')
  await page.keyboard.type('MUS')
  await page.getByText('1 of 2 projects').waitFor()
  expect(new URL(page.url()).searchParams.get('q')).toBe('MUS')
  await page.getByRole('link', { name: 'Museum' }).press('Enter')
  await page.getByRole('heading', { name: 'Museum', level: 1 }).waitFor()
  await settled()
  expect(await page.locator('.new-findings li').count()).toBeGreaterThan(0)
  expect(await page.locator('.levels > svg').getAttribute('aria-label')).toMatch(/^Findings by severity over 2 scans: /)
  expect(await page.locator('.levels .column').count()).toBe(2)
  expect(await page.locator('.release-mark + text').allTextContents()).toEqual(['v1.0'])
  const rows = page.locator('.data-table tbody tr')
  expect(await rows.count()).toBe(2)
  expect(await rows.nth(1).locator('td').nth(1).textContent()).toBe('v1.0')
  expect(await rows.nth(0).getByRole('link', { name: 'Compare with the scan before' }).count()).toBe(1)

  await page.getByRole('button', { name: 'Title and tags' }).press('Enter')
  await page.getByLabel('Title', { exact: true }).fill('House of art')
  await page.getByLabel('Tags, separated by commas').fill('public, tours')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'House of art', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'tours' }).click()
  await page.getByText('1 of 2 projects').waitFor()
  expect(await names(page)).toEqual(['House of art'])
  await page.getByLabel('Sort by').selectOption('risk')
  expect(new URL(page.url()).search).toBe('?tag=tours&sort=risk')

  // what is new leads to its finding in the report
  await page.getByRole('link', { name: 'House of art' }).click()
  await page.locator('.new-findings li a').first().click()
  await page.locator('.finding[open] .code-frame').waitFor()
  await page.getByLabel('Status').selectOption('new')
  await page.getByText(/^[1-9] of /).waitFor()
  await page.getByRole('link', { name: 'All scans of this project' }).click()
  await page.getByRole('heading', { name: 'House of art', level: 1 }).waitFor()
  expect(faults).toEqual([])
})

test.each(['a/b', '..', '%2e%2e', 'né 日本 🛡', 'a?b#c', '<img src=x onerror=alert(1)>', 'x'.repeat(200)])(
  'a project called %j is opened from the list and deleted by its name',
  async (projectName) => {
    const { page, settled, foreign, faults } = await browser.open()
    page.setDefaultTimeout(8_000)
    await scan({ 'webapp/manifest.json': '{"sap.app":{"id":"a"}}' }, { projectName })
    await page.goto(`${service.url}projects`)
    await settled()
    await page.locator('.data-table').getByRole('link', { name: projectName, exact: true }).click()
    await page.getByRole('heading', { name: projectName, level: 1 }).waitFor()
    const { page: again } = await browser.open()
    await again.goto(page.url())
    await again.getByRole('heading', { name: projectName, level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Delete the project' }).click()
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete the project' })
    await page.getByLabel('Name of the project').fill(projectName.slice(0, -1))
    expect(await remove.isDisabled()).toBe(true)
    await page.getByLabel('Name of the project').fill(projectName)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/projects')
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
    expect(await names(page)).not.toContain(projectName)
    expect([foreign, faults]).toEqual([[], []])
  },
)

/** How long the page takes, in ms, to show a table of so many projects. */
async function measureTable(count: number): Promise<number> {
  const { page } = await browser.open()
  const trend = Array.from({ length: 30 }, (_, index) => (index * 7) % 100)
  const summary = { critical: 1, high: 2, medium: 3, low: 4, info: 5, total: 15 }
  const rows = Array.from({ length: count }, (_, index) => ({
    name: `project ${index}`,
    key: index.toString(16).padStart(32, '0'),
    tags: ['tag'],
    lastScan: {
      scanId: `${index}`,
      scannedAt: '2026-11-20T12:00:00.000Z',
      riskScore: 50,
      riskLevel: 'MEDIUM',
      complete: true,
      kept: true,
    },
    counts: summary,
    new: 1,
    fixed: 2,
    decided: 0,
    scans: 50,
    trend,
  }))
  await page.route('**/api/projects', (route) => route.fulfill({ json: rows }))
  await page.goto(`${service.url}scan`)
  await page.getByText('ZIP up to').waitFor()
  const took = await page.evaluate(async (wanted) => {
    const begun = performance.now()
    document.querySelector<HTMLElement>('nav a[href$="/projects"]')?.click()
    while (document.querySelectorAll('.data-table tbody tr').length < wanted) await new Promise(requestAnimationFrame)
    return performance.now() - begun
  }, count)
  await page.close()
  return took
}

test('200 projects with 50 scans each are a table in ten times what 20 take', async () => {
  await measureTable(20)
  const rounds: [few: number, many: number][] = []
  for (let round = 0; round < 3; round++) rounds.push([await measureTable(20), await measureTable(200)])
  process.stdout.write(`20 and 200 projects: ${rounds.map((times) => times.map(Math.round).join(' and ')).join(', ')} ms\n`)
  expect(Math.min(...rounds.map(([few, many]) => many / few))).toBeLessThan(10)
})
