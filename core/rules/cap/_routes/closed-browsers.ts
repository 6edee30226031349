import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { lastNameOf } from '../../../facts/literals.ts'

/** What decides itself about the requests of pages, or lets none through. Facts: Puppeteer 24, "setRequestInterception", "setOfflineMode"; Playwright 1, "route", "setOffline". */
const CLOSING: ReadonlySet<string> = new Set(['setRequestInterception', 'setOfflineMode', 'setOffline'])

/** Scripts with a browser whose pages fetch only what the script lets through. */
export const closedBrowsers: Extract<true> = defineExtract({
  name: 'cap-closed-browsers',
  keywords: [...CLOSING],
  *collect({ facts }) {
    if (facts.calls.some(({ callee }) => CLOSING.has(lastNameOf(callee) ?? ''))) yield true
  },
})
