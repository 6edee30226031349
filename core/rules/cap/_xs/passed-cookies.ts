import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf, pathOf } from '../../../facts/index.ts'

/**
 * One of each script of XS classic that writes cookies of the browser into a request to another system: the session of its users is one of that.
 * Fact: SAP HANA XS JavaScript API Reference, $.request.cookies, $.web.WebRequest (`cookies`).
 */
export const passedCookies: Extract<'passed'> = defineExtract({
  name: 'cap-xs-passed-cookies',
  keywords: ['$.request.cookies'],
  isFor: (path) => /\.xsjs(?:lib)?$/i.test(path),
  *collect({ facts, step }) {
    step(facts.calls.length)
    const isPassed = facts.calls.some(({ callee, args: [, value] }) => {
      const path = pathOf(callee)?.join('.') ?? ''
      if (!SETS_COOKIE.test(path) || value === undefined || path.startsWith('global:$.response.')) return false
      return accessesOf(value).some(
        ({ root, steps: [object, member] }) => root === 'global:$' && object === 'request' && member === 'cookies',
      )
    })
    if (isPassed) yield 'passed'
  },
})

const SETS_COOKIE = /\.cookies\.set$/
