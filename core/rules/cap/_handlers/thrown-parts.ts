import { resolveValue, valuesOf, type ScriptFacts, type Value } from '../../../facts/index.ts'
import type { Span } from '../../../types.ts'
import { neededBy, type Needed, type PartScript, type ThrowingCalls } from '../_routes/part-guards.ts'
import { mayBeMissing, type SentPart } from '../_routes/sent-parts.ts'

/** A place that throws where a part of a request is not as it needs it. */
export interface EventNeed extends Span, Needed {
  /** The code that throws, where it is more than the place: a loop, a pattern. */
  readonly before?: string
  /** It throws for undefined, and not for null. */
  readonly isDate?: true
}

/**
 * Facts: ECMAScript 2025 (JSON.parse, RegExp, BigInt, decodeURIComponent; Object.keys); WHATWG URL; Node.js 24, Buffer.from and `ERR_INVALID_URL` (TypeErrors). What `atob` and
 * jsonwebtoken throw, CAP does not take for an error of the program.
 */
const THROWING: ThrowingCalls = {
  malformed:
    /^(?:global:JSON parse \(\)|global:URL new|global:RegExp (?:new|\(\))|global:BigInt \(\)|global:decodeURI(?:Component)? \(\))$/,
  missing: /^global:(?:Buffer from|Object (?:keys|entries|values|fromEntries)) \(\)$/,
}

/** An element of `req.data`, or a header. */
function isNeeded({ part, what }: Needed): boolean {
  if (part[0] === 'headers') return what === 'presence' && mayBeMissing(part)
  return part[0] === 'data' && part.length === 2 && part[1] !== '*'
}

/** Places of a script that need a part of a request, in the order of the text. */
export function* createNeedReader(facts: ScriptFacts, script: PartScript, step: (count?: number) => void): Generator<EventNeed> {
  const present = function* (value: Value, { start, end }: Span, before = ''): Generator<EventNeed> {
    const part = script.partOf(value)
    const need = part && ({ part, what: 'presence', before } as const)
    if (need !== undefined && isNeeded(need)) yield { ...need, start, end }
  }
  for (const { value, parent } of valuesOf(facts)) {
    step()
    const need = neededBy(value, script, THROWING) ?? dateNeededBy(value, script)
    if (need !== undefined && isNeeded(need)) yield { ...need, start: value.start, end: value.end }
    // [...req.data.items], Math.max(...req.data.items)
    if (value.kind === 'spread' && parent !== undefined && /^(?:array|call|new)$/.test(parent.kind))
      yield* present(value.value, value)
  }
  for (const { definitions } of facts.bindings)
    for (const { kind, value, path } of definitions) {
      step()
      // for (const item of req.data.items), const { city } = req.data.address
      if (value === undefined) continue
      if (kind === 'each') yield* present(value, value, 'for (… of ')
      else if (kind === 'init' && path.length > 0)
        yield* present(value, value, /^\d+$/.test(path[0] ?? '') ? '[…] = ' : '{ … } = ')
    }
}

/** `new Date(req.data.from).toISOString()`. Fact: ECMAScript 2025, 21.4.4.36 (a RangeError for an invalid date). */
function dateNeededBy(value: Value, { partOf }: PartScript): (Needed & Pick<EventNeed, 'isDate'>) | undefined {
  if (value.kind !== 'call' || value.callee.kind !== 'member' || value.callee.name !== 'toISOString') return undefined
  const made = resolveValue(value.callee.object)
  const given = made.kind === 'new' && made.args.length === 1 && made.callee.kind === 'reference' && made.callee.name === 'Date'
  const part: SentPart | undefined = given && made.args[0] !== undefined ? partOf(made.args[0]) : undefined
  return part && { part, what: 'presence', isDate: true }
}
