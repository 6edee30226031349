import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { pathOf } from '../../../facts/index.ts'

/**
 * One of each script of XS classic that reads cookies of the browser and writes cookies into a request or an answer: the session of its users is one of another system.
 * Fact: SAP HANA XS JavaScript API Reference, $.request.cookies, $.web.WebRequest (`cookies`), $.response.cookies.
 */
export const passedCookies: Extract<'passed'> = defineExtract({
  name: 'cap-xs-passed-cookies',
  keywords: ['$.request.cookies'],
  isFor: (path) => /\.xsjs(?:lib)?$/i.test(path),
  *collect({ facts, step }) {
    step(facts.calls.length)
    if (facts.calls.some(({ callee }) => SETS_COOKIE.test(pathOf(callee)?.join('.') ?? ''))) yield 'passed'
  },
})

const SETS_COOKIE = /\.cookies\.set$/
