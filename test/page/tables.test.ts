import { expect, test } from 'vitest'
import type { Report } from '../../core/report/types.ts'
import { scanFiles } from '../scan-files.ts'
import { scanByApi } from './browser.ts'
import { usePage } from './fixture.ts'
import { findOverflow } from './judge.ts'
import { MADE_ID, makeReport } from './made-report.ts'

const fixture = usePage()

const ACCESS =
  'Any authenticated user may read the entities and call the functions of it, since @requires names authenticated-user; what they write is restricted further by @restrict.'
const roles = { read: ['any'], change: ['authenticated-user'] }

/** Short names beside sentences. */
function withInventory(report: Report): Report {
  const file = 'srv/booking-service.cds'
  const services = ['BookingService', 'AdminService'].map((name, line) => ({
    name,
    file,
    line: line + 1,
    path: `/odata/v4/${name.slice(0, 5).toLowerCase()}`,
    access: ACCESS,
    exposure: { reach: 'anyone' as const, assumed: true },
    entities: [{ name: 'AllBookings', ...roles, exposure: { reach: 'anyone' as const, by: { file, line: 4 } } }],
  }))
  const routes = [{ file: 'xs-app.json', line: 3, source: '^/(.*)$', target: 'webapp (localDir)', authentication: ACCESS }]
  const packages = [{ name: 'axios', range: '^0.21.0' }]
  const { results } = report
  return {
    ...report,
    results: {
      ...results,
      cap: { ...results.cap, services },
      npm: { ...results.npm, packages },
      approuter: { ...results.approuter, routes },
    },
  }
}

test.each(['en', 'fr'])(
  'at 1280 pixels no short name is broken beside a wide column, and the map tells who may (%s)',
  async (lang) => {
    const watched = await fixture.browser.open({ viewport: { width: 1280, height: 900 }, locale: lang })
    const { page } = watched
    const made = withInventory(makeReport(5))
    await page.route(`**/api/scan/${MADE_ID}*`, (route) => route.fulfill({ json: made }))
    for (const view of ['looked', 'map']) {
      await page.goto(`${fixture.service.url}scans/${MADE_ID}?view=${view}`)
      await page.locator('.data-table .short').first().waitFor()
      const broken = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.data-table .cell > code, .data-table .cell > .path')].flatMap((name) => {
          const lines = new Set([...name.getClientRects()].map(({ top }) => Math.round(top)))
          return lines.size > 1 && (name.textContent ?? '').length <= 24 ? [name.textContent] : []
        }),
      )
      expect([view, broken, await findOverflow(page)]).toEqual([view, [], []])
    }
    // two lines have room for what one would cut
    const who = (await page.locator('.access-map .map-who').allTextContents()).join(' ')
    expect(who).toContain(lang === 'fr' ? 'lire : tout le monde; modifier : tout' : 'read: anybody; change: any user')
    expect(who).not.toContain('…')
    expect(await page.locator('.data-table tbody tr').nth(3).locator('td').first().textContent()).toBe('Destination')
  },
)

test('a route has the severity of its own findings, also where all routes stand in one line, or one in several', async () => {
  const { page } = await fixture.browser.open()
  const routes = [
    { source: '^/odata/(.*)$', destination: 'srv', authenticationType: 'none' },
    { source: '^(.*)$', target: '$1', localDir: 'webapp', authenticationType: 'xsuaa' },
  ]
  for (const indent of [0, 2]) {
    const files = new Map([['xs-app.json', JSON.stringify({ routes }, undefined, indent)]])
    const { en: made } = await scanFiles(files, { options: { scanId: MADE_ID } })
    expect(made.results.approuter.findings.some(({ ruleId }) => ruleId === 'approuter/route-authentication-none')).toBe(true)
    await page.route(`**/api/scan/${MADE_ID}*`, (route) => route.fulfill({ json: made }))
    await page.goto(`${fixture.service.url}scans/${MADE_ID}?view=map`)
    const rows = page.locator('.data-table tbody tr')
    await rows.first().waitFor()
    const [open, strict] = await rows.locator('td:last-child').allTextContents()
    expect([indent, open?.trim(), strict]).toEqual([indent, 'high', '–'])
  }
})

test('a step of the data flow marks its code without the indentation', async () => {
  const { page } = await fixture.browser.open()
  const flow = [
    { file: 'webapp/folder-0/File0.controller.js', line: 11, column: 3, message: 'comes in' },
    { file: 'webapp/folder-0/File0.controller.js', line: 10, column: 3, message: 'goes out' },
  ]
  const made = makeReport(1, (one) => ({ ...one, flow, snippet: 'one\ntwo\nthree\n  evil(value)\n    five(5)\nsix\nseven' }))
  await page.route(`**/api/scan/${MADE_ID}*`, (route) => route.fulfill({ json: made }))
  await page.goto(`${fixture.service.url}scans/${MADE_ID}`)
  await page.locator('.finding > summary').first().click()
  expect(await page.locator('.at-step .code-said').textContent()).toBe('five(5)')
})

test('the history has a trend of a chosen project that was scanned twice', async () => {
  const { page, settled } = await fixture.browser.open()
  await page.goto(`${fixture.service.url}history`)
  await settled()
  expect(await page.locator('.trend').count()).toBe(0)
  const project = page.getByRole('combobox', { name: 'Project' })
  await project.selectOption('sample-shop')
  await page.getByText('Trend of sample-shop').waitFor()
  expect(await page.locator('.trend-point').count()).toBe(2)
  await scanByApi(fixture.service, { 'webapp/manifest.json': '{"sap.app":{"id":"a"}}' }, 'once')
  await page.goto(`${fixture.service.url}history?project=once`)
  await settled()
  expect([await page.locator('.data-table tbody tr').count(), await page.locator('.trend').count()]).toEqual([1, 0])
})

test('a project with a long name leaves the history as wide as a telephone', async () => {
  const { page, settled } = await fixture.browser.open({ viewport: { width: 320, height: 700 } })
  const name = 'a project whose name is much longer than the screen of a telephone is wide'
  await scanByApi(fixture.service, { 'webapp/manifest.json': '{"sap.app":{"id":"a"}}' }, name)
  await page.goto(`${fixture.service.url}history`)
  await settled()
  expect(await findOverflow(page)).toEqual([])
})

test('what was looked at tells the dates and who brings a package in; a note stands below its heading', async () => {
  const { page } = await fixture.browser.open()
  const report = makeReport(1)
  const { results } = report
  const app = { root: 'webapp', version: '1.120.0', support: 'in maintenance until 2030-12-31', catalogueDate: '2026-06-30' }
  const packages = [
    { name: 'express', version: '4.16.0', path: 'express' },
    { name: 'qs', version: '6.5.1', path: 'express > body-parser > qs' },
  ]
  const made: Report = {
    ...report,
    notices: [{ code: 'file-unreadable', file: 'a.js', detail: 'It is no JavaScript.' }],
    results: { ...results, ui5: { ...results.ui5, apps: [app] }, npm: { ...results.npm, packages } },
  }
  await page.route(`**/api/scan/${MADE_ID}*`, (route) => route.fulfill({ json: made }))
  await page.goto(`${fixture.service.url}scans/${MADE_ID}?view=looked`)
  await page.getByText('in maintenance until 2030-12-31 (as of 2026-06-30)').waitFor()
  const table = page.getByRole('table', { name: 'npm packages' })
  expect(await table.locator('tbody td:last-child').allTextContents()).toEqual(['the project itself', 'express > body-parser'])
  const isBelow = (note: string, heading: RegExp): Promise<boolean> =>
    page
      .getByRole('heading', { name: heading })
      .evaluate((one, text) => one.nextElementSibling?.textContent?.startsWith(text) === true, note)
  expect(await isBelow('Advisories of', /^npm packages 2$/)).toBe(true)
  await page.goto(`${fixture.service.url}scans/${MADE_ID}?view=notices`)
  await page.getByRole('table', { name: 'Notices' }).waitFor()
  expect(await isBelow('What was not analysed', /^Notices 1$/)).toBe(true)
})

test.each([320, 720, 1280])(
  'the words of the charts are at least 9 pixels high, and none covers another: %i pixels',
  async (width) => {
    const { page, settled } = await fixture.browser.open({ viewport: { width, height: 700 } })
    for (const path of ['history?project=sample-shop', 'projects/sample-shop']) {
      await page.goto(`${fixture.service.url}${path}`)
      await settled()
      const words = await page.locator('.trend-scale').evaluateAll((all) =>
        all.map((word) => {
          const { left, right, top, bottom } = word.getBoundingClientRect()
          const scale = word instanceof SVGGraphicsElement ? (word.getScreenCTM()?.a ?? 0) : 0
          return { left, right, top, bottom, size: Number.parseFloat(getComputedStyle(word).fontSize) * scale }
        }),
      )
      expect(words.length).toBeGreaterThanOrEqual(3)
      expect([path, words.filter(({ size }) => size < 9)]).toEqual([path, []])
      const covered = words.filter((one) =>
        words.some(
          (other) =>
            other !== one && one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom,
        ),
      )
      expect([path, covered]).toEqual([path, []])
      expect(await findOverflow(page)).toEqual([])
    }
  },
)

test('where a project has one scan, those of other projects are offered as such', async () => {
  const { page } = await fixture.browser.open()
  await page.route(`**/api/scan/${MADE_ID}*`, (route) => route.fulfill({ json: makeReport(1) }))
  await page.goto(`${fixture.service.url}scans/${MADE_ID}`)
  await page.locator('.compare-menu optgroup[label="Other projects"] option').first().waitFor({ state: 'attached' })
})
