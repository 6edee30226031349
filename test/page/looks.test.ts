import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, ROOT, startService, type OpenBrowser, type Service, type Watched } from './browser.ts'
import { mainScreens, otherScreens, scanTwice, show, type Scans } from './screens.ts'
import { terminalPage } from './terminal-picture.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Pictures of every combination, to be looked at; `UPDATE=1` writes those that the documentation shows. */
const PICTURES = process.env['SCREENSHOTS'] ?? join(ROOT, 'node_modules/.cache/parapet/screenshots')
const DOCS = join(ROOT, 'docs/screenshots')

let service: Service
let browser: OpenBrowser
let scans: Scans

beforeAll(async () => {
  service = await startService()
  browser = await openBrowser(service)
  mkdirSync(PICTURES, { recursive: true })
  scans = await scanTwice(service)
})
afterAll(async () => {
  await browser?.close()
  service?.stop()
})

const WIDTHS = [1280, 390] as const
const THEMES = ['light', 'dark'] as const
const LANGUAGES = ['en', 'fr'] as const

async function judge(page: Page): Promise<readonly string[]> {
  // not as a script element: the policy of the page would refuse it
  await page.evaluate(AXE)
  const results: AxeResults = await page.evaluate("axe.run({ resultTypes: ['violations'] })")
  return results.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map(({ target }) => target.join(' '))
        .slice(0, 4)
        .join(', ')}`,
  )
}

/** What is wider than its place: the page itself, and whatever cuts its own words. */
function findOverflow(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const wide =
      document.documentElement.scrollWidth > innerWidth ? [`page: ${document.documentElement.scrollWidth} > ${innerWidth}`] : []
    const cut = [
      ...document.querySelectorAll<HTMLElement>('button, .badge, .tile, .kind, th, h1, h2, h3, label, legend, .step-mark'),
    ].filter(
      (element) =>
        element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 && !element.matches('.visually-hidden'),
    )
    return [...wide, ...cut.map((element) => `${element.tagName} ${element.className}: ${element.textContent?.slice(0, 40)}`)]
  })
}

function openFor(theme: string, language: string, width: number): Promise<Watched> {
  return browser.open({
    viewport: { width, height: 900 },
    colorScheme: theme === 'dark' ? 'dark' : 'light',
    locale: language === 'fr' ? 'fr-FR' : 'en-US',
    ...(theme === 'contrast' && { contrast: 'more' }),
  })
}

describe.each(THEMES)('%s', (theme) => {
  describe.each(LANGUAGES)('%s', (language) => {
    test.each(WIDTHS)('at %i pixels: axe finds nothing, nothing overflows, nothing leaves the origin', async (width) => {
      const watched = await openFor(theme, language, width)
      const { page, foreign, faults } = watched
      const wrong: string[] = []
      for (const [name, path] of Object.entries(mainScreens(scans))) {
        await show(service, watched, path)
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
    ['light', otherScreens(scans)],
    ['contrast', { ...mainScreens(scans), ...otherScreens(scans) }],
  ] as const) {
    const watched = await openFor(theme, 'fr', width)
    const { page } = watched
    for (const [name, path] of Object.entries(screens)) {
      await show(service, watched, path)
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

test('on paper every finding is open, and where the report is stands below', async () => {
  const watched = await openFor('light', 'en', 1280)
  const { page } = watched
  await show(service, watched, `scans/${scans.first}`)
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await page.emulateMedia({ media: 'print' })
  const total = await page.locator('.finding').count()
  expect(total).toBeGreaterThan(10)
  expect(await page.locator('.finding[open] .why-fix').count()).toBe(total)
  expect(await page.locator('.print-address').isVisible()).toBe(true)
  expect(await page.locator('.bar').isVisible()).toBe(false)
  const paper = await page.pdf({ format: 'A4' })
  expect(paper.length).toBeGreaterThan(20_000)
})

test('the pictures of the documentation', async () => {
  const update = process.env['UPDATE'] !== undefined
  const folder = update ? DOCS : PICTURES
  mkdirSync(folder, { recursive: true })
  for (const theme of THEMES) {
    const { page } = await openFor(theme, 'en', 1280)
    await page.setViewportSize({ width: 1180, height: 780 })
    await page.goto(`${service.url}scans/${scans.first}?rule=cap%2Fcql-injection`)
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
