import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { drawn } from '../soak.ts'
import { ROOT, startService, type Watched } from './browser.ts'
import { usePage } from './fixture.ts'
import { findOverflow, judge, setUp } from './judge.ts'
import { MADE_ID, makeReport } from './made-report.ts'

const fixture = usePage()

const THEMES = ['light', 'dark', 'contrast', 'contrast-dark'] as const
const LANGUAGES = ['en', 'fr'] as const
const WIDTHS = [320, 768, 1920] as const

type Step = (watched: Watched) => Promise<void>

async function go({ page, settled }: Watched, path: string): Promise<void> {
  await page.goto(fixture.service.url + path)
  await settled()
}

const press = (page: Page, selector: string): Promise<void> => page.locator(selector).first().click()

/** States that a reader meets beside the screens as they open. */
const STATES: Readonly<Record<string, Step>> = {
  'all findings open': async (watched) => {
    await go(watched, `scans/${fixture.scans.first}`)
    await watched.page.evaluate(() => {
      for (const finding of document.querySelectorAll<HTMLDetailsElement>('details.finding')) finding.open = true
    })
    await watched.page.locator('.finding-body').last().waitFor()
  },
  'a filter that hides everything': async (watched) => {
    await go(watched, `scans/${fixture.scans.first}?q=nothing-has-this`)
    await watched.page.locator('.empty-title').waitFor()
  },
  'a menu that is open': async (watched) => {
    await go(watched, `scans/${fixture.scans.first}`)
    await press(watched.page, '.menu > summary')
  },
  'the question before deleting': async (watched) => {
    await go(watched, `scans/${fixture.scans.first}`)
    await press(watched.page, '.report-actions > button:last-of-type')
    await watched.page.locator('dialog[open]').waitFor()
  },
  'the question about a decision': async (watched) => {
    await go(watched, `scans/${fixture.scans.first}`)
    await press(watched.page, '.finding > summary')
    await press(watched.page, '.finding-actions .decide')
    await watched.page.locator('dialog[open] textarea, dialog[open] input').first().waitFor()
  },
  'the question before a project is deleted': async (watched) => {
    await go(watched, 'projects/sample-shop')
    await press(watched.page, '.report-actions > button:last-of-type')
    await watched.page.locator('dialog[open]').waitFor()
  },
  'the title and the tags of a project': async (watched) => {
    await go(watched, 'projects/sample-shop')
    await press(watched.page, '.report-actions > button')
    await watched.page.locator('dialog[open]').waitFor()
  },
  'a project that is gone': (watched) => go(watched, 'projects/nobody'),
  'the help': async (watched) => {
    await go(watched, 'rules')
    await watched.page.keyboard.press('?')
    await watched.page.locator('dialog[open]').waitFor()
  },
  'the question before printing': async (watched) => {
    await watched.page.route(`**/api/scan/${MADE_ID}`, (route) => route.fulfill({ json: makeReport(300) }))
    await go(watched, `scans/${MADE_ID}`)
    await watched.page.locator('.report-actions button', { hasText: /^(?:Print|Imprimer)/ }).click()
    await watched.page.locator('dialog[open]').waitFor()
  },
  'a refused file': async (watched) => {
    await go(watched, 'scan')
    const file = { name: 'broken.zip', mimeType: 'application/zip', buffer: Buffer.from('PK\u0003\u0004 no archive') }
    await watched.page.locator('input[type=file]:not([webkitdirectory])').setInputFiles(file)
    await watched.page.locator('.fd-message-strip').first().waitFor()
  },
  'a server that is gone': async (watched) => {
    await watched.page.route('**/api/**', (route) => route.abort())
    await watched.page.goto(`${fixture.service.url}history`)
    await watched.page.locator('.fd-message-strip, .empty-title').first().waitFor()
  },
  'a report that is no longer kept': (watched) => go(watched, 'scans/01900000-0000-7000-8000-000000000000'),
  'an address that leads nowhere': (watched) => go(watched, 'nowhere/at/all'),
  'a comparison with changed severities': async (watched) => {
    const made = makeReport(5, (one) => ({
      ...one,
      grade: { impact: 'data', reach: 'user', usage: 'deployed', evidence: 'shown', because: '-' },
    }))
    const worse = makeReport(5, (one) => ({
      ...one,
      severity: 'CRITICAL',
      grade: { impact: 'data', reach: 'anyone', usage: 'deployed', evidence: 'shown', because: '-' },
      package: { name: `package-${one.id}`, version: '1.0.0' },
      advisories: [{ id: 'GHSA-1', aliases: [], severity: 'HIGH', title: 'A title', url: 'https://example.org' }],
    }))
    const other = MADE_ID.replace('abcd', 'abce')
    await watched.page.route(`**/api/scan/${MADE_ID}`, (route) => route.fulfill({ json: made }))
    await watched.page.route(`**/api/scan/${other}`, (route) => route.fulfill({ json: { ...worse, scanId: other } }))
    await go(watched, `compare/${MADE_ID}/${other}`)
    expect(await watched.page.locator('.compare-part .data-table').count()).toBe(2)
  },
}

/** Each theme at each width, each language with each of both. */
const COMBINATIONS = THEMES.flatMap((theme, row) =>
  WIDTHS.map((width, column) => [theme, LANGUAGES[(row + column) % 2] ?? 'en', width] as const),
)

/** The same with their numbers: outside of a soak each has a quarter of the states, so that each state is seen at three of them. */
const TURNS = COMBINATIONS.map((combination, turn) => [...combination, turn] as const)

test.each(TURNS)(
  '%s, %s, %i pixels: axe finds nothing in its states, and nothing overflows',
  async (theme, language, width, turn) => {
    const wrong: string[] = []
    for (const [name, enter] of drawn(Object.entries(STATES), 8, turn)) {
      const watched = await fixture.browser.open(setUp(theme, language, width))
      await enter(watched)
      for (const fault of [...(await judge(watched.page)), ...(await findOverflow(watched.page))]) wrong.push(`${name}: ${fault}`)
      await watched.page.context().close()
    }
    expect(wrong).toEqual([])
  },
)

test('the question for a token', async () => {
  const guarded = await startService({ PARAPET_TOKEN: 'token-of-this-test' })
  try {
    for (const [theme, , width] of drawn(COMBINATIONS, 4)) {
      const { page } = await fixture.browser.open(setUp(theme, 'fr', width))
      await page.goto(`${guarded.url}history`)
      await page.locator('dialog[open]').waitFor()
      expect([theme, width, await judge(page), await findOverflow(page)]).toEqual([theme, width, [], []])
      await page.context().close()
    }
  } finally {
    guarded.stop()
  }
})

test('the HTML export', async () => {
  const folder = join(ROOT, 'node_modules/.cache/parapet/export')
  mkdirSync(folder, { recursive: true })
  for (const language of LANGUAGES) {
    const answer = await fetch(`${fixture.service.url}api/scan/${fixture.scans.first}/html?lang=${language}`)
    const file = join(folder, `${language}.html`)
    writeFileSync(file, await answer.text())
    for (const [theme, , width] of drawn(COMBINATIONS, 4, LANGUAGES.indexOf(language))) {
      const { page } = await fixture.browser.open(setUp(theme, language, width))
      await page.goto(pathToFileURL(file).href)
      const found = [...(await judge(page)), ...(await findOverflow(page))]
      expect([language, theme, width, found]).toEqual([language, theme, width, []])
      await page.context().close()
    }
  }
})
