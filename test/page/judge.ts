import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong on what is shown. */
export async function judge(page: Page): Promise<readonly string[]> {
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
export function findOverflow(page: Page): Promise<readonly string[]> {
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

/** How a reader has set up the browser. */
export function setUp(theme: string, language: string, width: number): BrowserContextOptions {
  return {
    viewport: { width, height: 900 },
    colorScheme: theme.endsWith('dark') ? 'dark' : 'light',
    locale: language === 'fr' ? 'fr-FR' : 'en-US',
    ...(theme.startsWith('contrast') && { contrast: 'more' as const }),
  }
}
