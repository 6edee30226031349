import { accessesOf, resolveValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { createSpanIndex, isWithin } from '../../facts/span-index.ts'
import { CALLER_FIELDS } from '../tables/routes.ts'
import type { EffectCall } from '../frameworks/route-effects.ts'

/**
 * Whether a function in front of routes only notes the user, if it finds one, and lets each request on: `try { req.user = await users.findOne({ sid }); next() } catch (error) { next(error) }`.
 * What fails there is a query, and never that nobody is found. `asked`: where it looks at the caller.
 * Fact: Express 5, "Using middleware" (`next()` runs what comes next, an argument is an error).
 */
export function createKeptUserReader({
  assignments,
  partial,
}: ScriptFacts): (asked: readonly number[], calls: readonly EffectCall[]) => boolean {
  const written = new Set(
    assignments.flatMap(({ target, value }) =>
      CALLER_FIELDS.test(target.name ?? '') && !throwsAtNobody(value) ? target.start : [],
    ),
  )
  if (written.size === 0) return () => false
  const caughtAt = createSpanIndex(
    partial.filter(({ tried }) => tried !== undefined),
    (span) => span,
  )
  return (asked, calls) => {
    if (asked.length === 0 || !asked.every((start) => written.has(start))) return false
    const letsOn = calls.some(({ name, hasArgs }) => name === 'next' && !hasArgs)
    const isHarmless = (call: EffectCall): boolean => {
      if (call.name === 'next') return !call.hasArgs || caughtAt(call.start).some((span) => isWithin(call, span))
      // what a function of another file throws is not known here
      return call.usesData !== false || call.isIdle
    }
    return letsOn && calls.every(isHarmless)
  }
}

/** `{ id: rows[0].id }`, `{ id }` of `const { id } = rows[0]`: where nothing is found, that throws. */
function throwsAtNobody(value: Value): boolean {
  const made = resolveValue(value)
  return 'fields' in made && made.fields.some((field) => isOfRow(field.value))
}

function isOfRow(value: Value): boolean {
  if ('object' in value && 'isOptional' in value) return !value.isOptional && value.name !== 'length' && isRow(value.object)
  const [definition] = ('binding' in value && value.binding?.definitions) || []
  return definition?.value !== undefined && definition.path.length > 0 && isRow(definition.value)
}

/** An item of a list, by its place in it: `rows[0]`, `user` of `const [user] = rows`. */
function isRow(value: Value): boolean {
  const here = resolveValue(value)
  if ('property' in here) return here.name === '0' && !isSent(here)
  const [definition] = ('binding' in here && here.binding?.definitions) || []
  return definition?.path.at(-1) === '0'
}

function isSent(value: Value): boolean {
  return accessesOf(value).some(({ root }) => root.startsWith('parameter:'))
}
