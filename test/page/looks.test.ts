import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ROOT, type Watched } from './browser.ts'
import { usePage } from './fixture.ts'
import { findOverflow, judge, setUp } from './judge.ts'
import { MADE_ID, makeReport } from './made-report.ts'
import { mainScreens, otherScreens, show } from './screens.ts'
import { terminalPage } from './terminal-picture.ts'
import { drawn } from '../soak.ts'

/** Pictures of every combination, to be looked at; `UPDATE=1` writes those that the documentation shows. */
const PICTURES = process.env['SCREENSHOTS'] ?? join(ROOT, 'node_modules/.cache/parapet/screenshots')
const DOCS = join(ROOT, 'docs/screenshots')

const fixture = usePage()
beforeAll(() => {
  mkdirSync(PICTURES, { recursive: true })
})

const WIDTHS = [1280, 390] as const
const THEMES = ['light', 'dark'] as const
const LANGUAGES = ['en', 'fr'] as const

/** Of the looks one after the other: what one of them leaves out the next one shows. */
let turn = 0

const openFor = (theme: string, language: string, width: number): Promise<Watched> =>
  fixture.browser.open(setUp(theme, language, width))

describe.each(THEMES)('%s', (theme) => {
  describe.each(LANGUAGES)('%s', (language) => {
    test.each(WIDTHS)('at %i pixels: axe finds nothing, nothing overflows, nothing leaves the origin', async (width) => {
      const watched = await openFor(theme, language, width)
      const { page, foreign, faults } = watched
      const wrong: string[] = []
      for (const [name, path] of drawn(Object.entries(mainScreens(fixture.scans)), 6, turn++)) {
        await show(fixture.service, watched, path)
        expect(await page.evaluate(() => document.documentElement.lang)).toBe(language)
        for (const fault of [...(await judge(page)), ...(await findOverflow(page))]) wrong.push(`${name}: ${fault}`)
        await page.screenshot({
          path: join(PICTURES, `${name}-${theme}-${language}-${width}.jpg`),
          type: 'jpeg',
          quality: 80,
          fullPage: true,
        })
      }
      expect([wrong, foreign, faults]).toEqual([[], [], []])
    })
  })
})

test.each([1280, 320])('the other screens in French, and all with high contrast, at %i pixels', async (width) => {
  const wrong: string[] = []
  for (const [theme, screens] of [
    ['light', otherScreens(fixture.scans)],
    ['contrast', { ...mainScreens(fixture.scans), ...otherScreens(fixture.scans) }],
  ] as const) {
    const watched = await openFor(theme, 'fr', width)
    const { page } = watched
    for (const [name, path] of drawn(Object.entries(screens), 4, turn++)) {
      await show(fixture.service, watched, path)
      for (const fault of [...(await judge(page)), ...(await findOverflow(page))]) wrong.push(`${name} ${theme}: ${fault}`)
      await page.screenshot({
        path: join(PICTURES, `${name}-${theme}-fr-${width}.jpg`),
        type: 'jpeg',
        quality: 80,
        fullPage: true,
      })
    }
  }
  expect(wrong).toEqual([])
})

test('on paper: what to repair first, the findings from HIGH on in full, the others as a table, and where the report is', async () => {
  const watched = await openFor('light', 'en', 1280)
  const { page } = watched
  await show(fixture.service, watched, `scans/${fixture.scans.first}`)
  const all = await page.locator('.finding').count()
  const high = await page.locator('.finding.critical, .finding.high').count()
  expect([high > 3, all > high]).toEqual([true, true])
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('.finding[open] .why-fix').count()).toBe(high)
  expect(await page.locator('.finding').count()).toBe(high)
  expect(await page.locator('.brief-findings tbody tr').count()).toBe(all - high)
  expect(await page.locator('.repair-first li').count()).toBe(3)
  expect(await page.locator('.print-address').isVisible()).toBe(true)
  expect(await page.locator('.bar').isVisible()).toBe(false)
  // a heading does not stay behind at the foot of a page
  const alone = await page.evaluate(() =>
    [...document.querySelectorAll('h1, h2, h3, h4, caption')].filter(
      (head) => getComputedStyle(head).breakAfter !== 'avoid-page',
    ),
  )
  expect(alone).toHaveLength(0)
  const pages = countPages(await page.pdf({ format: 'A4' }))
  process.stdout.write(`${all} findings on paper, ${high} in full: ${pages} pages\n`)
  expect(pages).toBeGreaterThan(2)
  // what is in full takes a page at most, the table and the summary a few
  expect(pages).toBeLessThanOrEqual(high + 4)
})

/** Of a PDF as Chromium writes it: each page is an object of its own. */
const countPages = (paper: Buffer): number => paper.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0

test('before many findings are printed it is asked in which form; all of them are in full where that is wanted', async () => {
  const { page } = await fixture.browser.open()
  await page.route(`**/api/scan/${MADE_ID}`, (route) => route.fulfill({ json: makeReport(300) }))
  await page.addInitScript(() => {
    window.print = () => {
      dispatchEvent(new Event('beforeprint'))
      const [open, brief] = ['.finding[open]', '.brief-findings tbody tr'].map((part) => document.querySelectorAll(part).length)
      document.title = `${open} ${brief} ${document.querySelectorAll('dialog').length}`
      dispatchEvent(new Event('afterprint'))
    }
  })
  await page.goto(`${fixture.service.url}scans/${MADE_ID}`)
  await page.locator('.finding').first().waitFor()
  for (const [choice, printed] of [
    ['Short form', '120 180 0'],
    ['All in full', '300 0 0'],
  ] as const) {
    await page.getByRole('button', { name: 'Print' }).click()
    await page.getByRole('dialog', { name: 'Print 300 findings?' }).getByRole('button', { name: choice }).click()
    expect(await page.title()).toBe(printed)
  }
  expect(await page.locator('.finding').count()).toBe(60)
})

test('the pictures of the documentation', async () => {
  const update = process.env['UPDATE'] !== undefined
  const folder = update ? DOCS : PICTURES
  mkdirSync(folder, { recursive: true })
  for (const theme of THEMES) {
    const { page } = await openFor(theme, 'en', 1280)
    await page.setViewportSize({ width: 1180, height: 780 })
    await page.goto(`${fixture.service.url}scans/${fixture.scans.first}?rule=cap%2Fcql-injection`)
    await page.locator('.finding > summary').first().click()
    await page.locator('.finding[open] .code-frame').waitFor()
    await page.evaluate(() => scrollTo(0, 0))
    const picture = await page.screenshot({ path: join(folder, `report-${theme}.png`) })
    expect(picture.length).toBeLessThan(250_000)
    await page.goto('about:blank')
    await page.setContent(terminalPage(theme))
    expect(await page.getByText('Repair first').isVisible()).toBe(true)
    const terminal = await page.screenshot({ path: join(folder, `terminal-${theme}.png`) })
    expect(terminal.length).toBeLessThan(250_000)
  }
})
