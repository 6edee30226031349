import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf, isOnTheWay, type Assignment, type ScriptFacts } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isAround } from '../../../facts/span-index.ts'
import { lateFunctions } from '../../approuter/_extension-handlers.ts'

/**
 * Headers that code of an approuter sets in every request before it hands it on, whatever the caller sent.
 * Fact: @sap/approuter 23.0.0, doc/extending.md (`beforeRequestHandler`).
 */
export const setHeaders: Extract<string> = defineExtract({
  name: 'approuter-set-headers',
  keywords: ['@sap/approuter', 'insertMiddleware'],
  prefilter: (text) => text.includes('beforeRequestHandler') && text.includes('headers'),
  *collect({ facts, step }) {
    const late = lateFunctions(facts, '/')
    if (late.size === 0) return
    for (const assignment of facts.assignments) {
      const { target, function: around } = assignment
      if (target.name === undefined || !late.has(around) || !isHeader(assignment)) continue
      step(1 + ((facts.guards.length + facts.partial.length + facts.calls.length) >> 3))
      if (isCertain(assignment, facts)) yield target.name.toLowerCase()
    }
  },
})

/** `req.headers['x-user'] = …` of the request itself, and not of what its caller sent in headers. */
function isHeader({ target, operator, value, function: around }: Assignment): boolean {
  const { object } = target
  if (operator !== '=' || object.kind !== 'member' || object.name !== 'headers') return false
  const { object: request } = object
  if (request.kind !== 'reference' || request.binding === undefined || request.binding !== around.parameters[0]) return false
  return !accessesOf(value).some(({ steps }) => steps.includes('headers') || steps.includes('get'))
}

/** No condition and no loop decides about it, and nothing has handed the request on before. */
function isCertain({ start, function: around }: Assignment, { guards, partial, calls }: ScriptFacts): boolean {
  return (
    !guards.some((guard) => guard.function === around && isOnTheWay(guard, start)) &&
    !partial.some((span) => isAround(span, start)) &&
    !calls.some((call) => call.function === around && call.start < start && lastNameOf(call.callee) === 'next')
  )
}
