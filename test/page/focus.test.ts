import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { drawn } from '../soak.ts'
import { usePage } from './fixture.ts'
import { setUp } from './judge.ts'
import { measureChange } from './focus-change.ts'
import { mainScreens, otherScreens, show } from './screens.ts'

const fixture = usePage()

const THEMES = ['light', 'dark', 'contrast-light', 'contrast-dark'] as const
/** Stops of one screen: a key that leads in circles ends the walk. */
const MAX_STOPS = 400

/** What has the focus: how it is called in a message, and what looks alike. */
interface Stop {
  readonly name: string
  readonly looks: string
  /** The ring by its style: solid, and at least two pixels. */
  readonly ring: string
}

const stopOf = (page: Page): Promise<Stop | undefined> =>
  page.evaluate(() => {
    const { activeElement: element } = document
    if (element === null || element === document.body || element.hasAttribute('data-walked')) return undefined
    element.setAttribute('data-walked', '')
    const shown =
      element instanceof HTMLInputElement && element.type === 'radio' ? (element.closest('label') ?? element) : element
    const { outlineStyle, outlineWidth } = getComputedStyle(shown)
    const ring = outlineStyle === 'solid' && Number.parseFloat(outlineWidth) >= 2 ? 'ring' : `${outlineStyle} ${outlineWidth}`
    const kind = [
      shown.tagName,
      shown.className,
      shown.parentElement?.className,
      shown.getAttribute('aria-current'),
      shown.matches(':disabled'),
    ]
    return {
      name: `${shown.tagName} ${shown.className} "${shown.textContent?.trim().slice(0, 30)}"`,
      looks: kind.join('|'),
      ring,
    }
  })

/** Walks with the key, and says of each stop what is wrong; of those that look alike the first is measured in pixels. */
async function walk(page: Page): Promise<{ stops: number; wrong: string[] }> {
  const wrong: string[] = []
  const known = new Set<string>()
  let stops = 0
  for (; stops < MAX_STOPS; stops++) {
    await page.keyboard.press('Tab')
    const stop = await stopOf(page)
    if (stop === undefined) break
    if (stop.ring !== 'ring') wrong.push(`${stop.name}: ${stop.ring}`)
    if (known.has(stop.looks)) continue
    known.add(stop.looks)
    const { share, contrast } = await measureChange(page)
    if (share < 1)
      wrong.push(`${stop.name}: ${Math.round(share * 100)} % of a ring of 2 pixels at 3:1 (best ${contrast.toFixed(1)})`)
  }
  return { stops, wrong }
}

describe.each(THEMES.map((theme, turn) => [theme, turn] as const))('%s', (theme, turn) => {
  // outside of a soak a quarter of the screens, so that each is walked in one theme
  test('the focus shows at every stop of its screens: two pixels all around that differ by 3 to 1', async () => {
    const watched = await fixture.browser.open(setUp(theme, 'en', 1280))
    const { page } = watched
    const wrong: string[] = []
    let all = 0
    const screens = Object.entries({ ...mainScreens(fixture.scans), ...otherScreens(fixture.scans) })
    for (const [name, path] of drawn(screens, 4, turn)) {
      await show(fixture.service, watched, path)
      expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe(theme)
      const { stops, wrong: here } = await walk(page)
      expect([name, stops > 6 && stops < MAX_STOPS]).toEqual([name, true])
      all += stops
      wrong.push(...here.map((fault) => `${name}: ${fault}`))
    }
    await show(fixture.service, watched, `scans/${fixture.scans.first}`)
    for (const dialog of ['Delete', 'Keyboard shortcuts']) {
      await page.getByRole('button', { name: dialog }).click()
      await page.getByRole('dialog').waitFor()
      wrong.push(...(await walk(page)).wrong.map((fault) => `${dialog}: ${fault}`))
      await page.keyboard.press('Escape')
    }
    await page.locator('.menu > summary').first().click()
    wrong.push(...(await walk(page)).wrong.map((fault) => `menu: ${fault}`))
    process.stdout.write(`${theme}: ${all} stops\n`)
    expect(wrong).toEqual([])
  })
})
