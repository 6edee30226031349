import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { openBrowser, sampleFiles, scanByApi, startService, toZip, type OpenBrowser, type Service } from './browser.ts'
import { percentile } from '../node/health-watch.ts'
import { MADE_ID, makeReport } from './made-report.ts'
import type { Report } from '../../core/report/types.ts'

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

/** Presses Tab until what has the focus fits; a person would not go on for ever either. */
async function tabTo(page: Page, selector: string, key = 'Tab'): Promise<void> {
  for (let turn = 0; turn < 120; turn++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${selector} can't be reached with ${key}`)
}

test('by keyboard alone: choose a file, filter, open a finding, walk its flow, copy its link, export, compare, delete the report', async () => {
  await scanByApi(service, { ...sampleFiles(), 'srv/other.js': 'eval(process.argv[2])\n' }, 'shop')
  const folder = mkdtempSync(join(tmpdir(), 'parapet-way-'))
  const file = join(folder, 'shop.zip')
  writeFileSync(file, toZip(sampleFiles()))
  const { page, foreign, faults, settled } = await browser.open({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(`${service.url}scan`)
  await page.getByRole('button', { name: 'Choose a file' }).waitFor()
  await settled()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content')
  await tabTo(page, '.drop .fd-button')
  const chooser = page.waitForEvent('filechooser')
  // it is waited for from the next answer of the browser on: a key before would open a dialog that nobody sees
  await page.evaluate(() => undefined)
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(file)
  await page.waitForURL('**/scans/**')
  await page.locator('.finding').first().waitFor()

  await page.keyboard.press('/')
  await page.keyboard.type('cql-injection')
  await page.getByText('1 of ').waitFor()
  expect(new URL(page.url()).searchParams.get('q')).toBe('cql-injection')
  await tabTo(page, '.finding > summary')
  await page.keyboard.press('ArrowRight')
  await page.locator('.code-frame').waitFor()
  expect(page.url()).toContain('#f-')
  await tabTo(page, '.flow-step.current button')
  await page.keyboard.press('ArrowDown')
  expect(await page.locator('.flow-step.current').getAttribute('class')).toContain('current')
  expect(await page.locator('.flow-count').textContent()).toMatch(/^Step 2 of /)
  await tabTo(page, '.finding-actions button')
  await page.keyboard.press('Enter')
  await page.getByText('Copied').waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())

  await page.getByRole('button', { name: 'Copy fix' }).press('Enter')
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('ID = ${'))

  // the link leads back to the finding, without the filter
  await page.goto(link)
  await page.locator('.finding[open] .code-frame').waitFor()
  expect(await page.locator('.finding').count()).toBeGreaterThan(5)

  await page.evaluate(() => document.querySelector<HTMLElement>('main')?.focus())
  await tabTo(page, '.menu > summary')
  await page.keyboard.press('Enter')
  await tabTo(page, '.menu li:last-child button')
  const download = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  expect((await download).suggestedFilename()).toMatch(/^shop-.*\.json$/)
  await tabTo(page, '.compare-menu')
  await page.keyboard.press('ArrowDown')
  await page.waitForURL('**/compare/**')
  await page.getByRole('heading', { name: 'Comparison', level: 1 }).waitFor()
  await page.goto(link)
  await page.locator('.finding[open] .code-frame').waitFor()

  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.evaluate(() => document.querySelector<HTMLElement>('main')?.focus())
  for (let turn = 0; turn < 30; turn++) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate(() => document.activeElement?.textContent)) === 'Delete') break
  }
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete this report?' })
  await dialog.waitFor()
  await tabTo(page, 'dialog .fd-button--negative')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/history')
  await page.goto(link)
  await page.getByText('This report is no longer available').waitFor()
  expect(foreign).toEqual([])
  expect(faults).toEqual([])
  rmSync(folder, { recursive: true, force: true })
})

async function openMade(page: Page, report: Report): Promise<void> {
  await page.route(`**/api/scan/${MADE_ID}`, (route) => route.fulfill({ json: report }))
  await page.goto(`${service.url}scans/${MADE_ID}`)
  await page.locator('.finding').first().waitFor()
}

test('names, snippets and messages of a hostile project are text', async () => {
  const evil = '<img src=x onerror=alert(1)><script>alert(2)</script>'
  const report = makeReport(30, (finding) => ({
    ...finding,
    title: `${evil} title`,
    message: `${evil} \u202emessage`,
    why: evil,
    fix: evil,
    docs: 'javascript:alert(3)',
    file: `webapp/${evil}/\u202efdp.js`,
    snippet: `${evil}\n${evil}\n${evil}\n${evil}`,
    line: 4,
    endLine: 4,
    flow: [
      { file: evil, line: 4, message: evil },
      { file: evil, line: 5, message: evil },
    ],
    occurrences: [{ file: evil, line: 1 }],
    advisories: [{ id: evil, aliases: [evil], severity: 'HIGH', title: evil, url: 'javascript:alert(4)' }],
  }))
  const { page, foreign, faults } = await browser.open()
  await openMade(page, {
    ...report,
    projectName: evil,
    complete: false,
    notices: [{ code: 'file-unreadable', file: evil, detail: evil }],
    suppressed: [{ id: 'a', ruleId: evil, file: evil, reason: evil }],
    results: {
      ...report.results,
      cap: { findings: [], services: [{ name: evil, file: evil, path: evil, access: evil }] },
      approuter: { findings: [], routes: [{ file: evil, source: evil, target: evil, authentication: evil }] },
    },
  })
  for (const group of ['Rule', 'File', 'Severity', 'Area']) {
    await page.getByText(group, { exact: true }).last().click()
    if ((await page.locator('.finding-body').count()) === 0) await page.locator('.finding > summary').first().click()
    await page.locator('.finding-body').first().waitFor()
  }
  expect(await page.locator('main').textContent()).toContain('<U+202E>')
  for (const view of ['What was looked at', 'Access map', 'Notices', 'Suppressed']) {
    await page.getByRole('link', { name: view }).first().click()
    await page.getByText('<img src=x').first().waitFor()
  }
  expect(await page.locator('main img, main script, main [onerror]').count()).toBe(0)
  expect(await page.locator('a[href^="javascript"]').count()).toBe(0)
  expect([foreign, faults]).toEqual([[], []])
})

test('the map leads from a route to its service and to the entities in it, with who may do what; the table says the same', async () => {
  const { scanId } = await scanByApi(service, sampleFiles(), 'map')
  const { page, settled } = await browser.open()
  await page.goto(`${service.url}scans/${scanId}?view=map`)
  await settled()
  const rights = await page.locator('svg.access-map .map-who').allTextContents()
  expect(rights.filter((right) => right.startsWith('read'))).toEqual(['read, change: anybody', 'read, change: admin'])
  expect(await page.locator('svg.access-map .map-link').count()).toBeGreaterThanOrEqual(4)
  const rows = await page.locator('.data-table tbody tr').all()
  const cells = await Promise.all(rows.map((row) => row.locator('td').allTextContents()))
  expect(cells.filter(([kind]) => kind === 'Entity').map((row) => row.slice(1, 5))).toEqual([
    ['Products', '–', 'anyone', 'read, change: anybody'],
    ['Orders', '–', 'privileged users', 'read, change: admin'],
  ])
  expect(cells.find(([, name]) => name === 'AdminService')?.[2]).toBe('Orders')
})

/**
 * The processor's time, in ms, that the page takes to show a report of so many findings and to filter it: what else the machine does must not count.
 * Every filter leaves at least 60 findings, which is what is painted of any list.
 */
async function measureReport(findings: number): Promise<{ opened: number; first: number; filter: number; waits: number[] }> {
  const { page } = await browser.open()
  await page.route(`**/api/scan/${MADE_ID}`, (route) => route.fulfill({ json: makeReport(findings) }))
  await page.goto(`${service.url}scan`)
  await page.getByText('ZIP up to').waitFor()
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const spent = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
  const waits: number[] = []
  const measure = async (text: string): Promise<number> => {
    const before = await spent()
    const waited = await page.evaluate(async (what) => {
      const begun = performance.now()
      const painted = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      const search = document.querySelector<HTMLInputElement>('#search')
      if (search === null) {
        history.pushState(null, '', what)
        dispatchEvent(new PopStateEvent('popstate'))
        while (document.querySelector('.finding') === null) await painted()
      } else {
        search.value = what
        search.dispatchEvent(new Event('input', { bubbles: true }))
      }
      await painted()
      return performance.now() - begun
    }, text)
    waits.push(Math.round(waited))
    return (await spent()) - before
  }
  const opened = await measure(`scans/${MADE_ID}`)
  expect(await page.locator('.finding').count()).toBe(60)
  // the first one makes the texts that are searched
  const first = await measure('number')
  const times: number[] = []
  for (const text of ['value number', '', 'reaches', 'sink', '', 'webapp', 'folder', '']) times.push(await measure(text))
  expect(await page.locator('.finding').count()).toBe(60)
  const all = findings.toLocaleString('en')
  expect(await page.locator('.shown').textContent()).toBe(`${all} of ${all} findings`)
  await page.close()
  return {
    opened,
    first,
    filter: percentile(
      times.toSorted((one, other) => one - other),
      0.5,
    ),
    waits,
  }
}

test('a report of 2,000 findings is painted and filtered in the time that 60 take, but for a little', async () => {
  await measureReport(60)
  const [few, many] = [await measureReport(60), await measureReport(2000)]
  const tell = ({ opened, first, filter, waits }: typeof few): string =>
    `report ${Math.round(opened)} ms, first filter ${Math.round(first)} ms, filters ${Math.round(filter)} ms (until painted: ${waits.join(' ')} ms)`
  process.stdout.write(`processor time of 60 findings: ${tell(few)}; of 2,000: ${tell(many)}\n`)
  expect(many.opened / few.opened).toBeLessThan(4)
  expect(many.first / few.first).toBeLessThan(4)
  expect(many.filter / few.filter).toBeLessThan(3)
})
