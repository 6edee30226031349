import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { constantOf, type CallValue } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isAround } from '../../../facts/span-index.ts'

/** What decides itself about the requests of pages, or lets none through. Facts: Puppeteer 24, "setRequestInterception", "setOfflineMode"; Playwright 1, "route", "setOffline". */
const INTERCEPTS = 'setRequestInterception'
const OFFLINE: ReadonlySet<string> = new Set(['setOfflineMode', 'setOffline'])

/** Scripts with a browser whose pages fetch only what the script lets through. */
export const closedBrowsers: Extract<true> = defineExtract({
  name: 'cap-closed-browsers',
  keywords: [INTERCEPTS, ...OFFLINE],
  *collect({ facts: { calls }, step }) {
    step(calls.length)
    const switched = calls.filter(({ args: [first] }) => first !== undefined && constantOf(first) === true)
    const isOffline = switched.some(({ callee }) => OFFLINE.has(lastNameOf(callee) ?? ''))
    const isIntercepted = switched.some(({ callee }) => lastNameOf(callee) === INTERCEPTS)
    if (isOffline || (isIntercepted && abortsRequests(calls, step))) yield true
  },
})

/** `page.on('request', (request) => request.abort())`: what is intercepted goes on otherwise. */
function abortsRequests(calls: readonly CallValue[], step: (count?: number) => void): boolean {
  const aborting = calls.filter(({ callee }) => callee.kind === 'member' && callee.name === 'abort')
  return calls.some(({ callee, args: [event, listener] }) => {
    if (event === undefined || listener === undefined || !/^(?:on|once)$/.test(lastNameOf(callee) ?? '')) return false
    const handler = constantOf(event) === 'request' ? functionOf(listener) : undefined
    step(aborting.length)
    return handler !== undefined && aborting.some(({ start }) => isAround(handler, start))
  })
}
