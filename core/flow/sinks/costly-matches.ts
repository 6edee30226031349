import { constantOf, fieldOf, keyOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { isFewCharacters, lengthThatBlocks } from '../../facts/regex/costly.ts'
import { isAround } from '../../facts/span-index.ts'
import { regexOf } from '../../facts/regular-expressions.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { constraintsBefore } from '../../conditions/earlier.ts'
import { nameOf } from '../graph/names.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { MATCHING_CALLS, MATCHING_METHODS } from '../models/matching.ts'
import { addFound } from './sink-parts.ts'

/** Adds the text that a constant regular expression is run on, where a short one keeps its engine busy for minutes: `/^(\w+-?)+$/.test(text)`. */
export function addCostlyMatch(call: CallValue, paths: readonly string[], draft: FlowDraft): void {
  const { callee, args } = call
  const path = paths.find((one) => MATCHING_CALLS.has(one))
  const row = path === undefined ? undefined : MATCHING_CALLS.get(path)
  const method = row === undefined && 'object' in callee ? MATCHING_METHODS.get(callee.name ?? '') : undefined
  const found = row ?? method
  if (found === undefined) return
  const receiver = 'object' in callee ? callee.object : undefined
  const [pattern, text] = [found.pattern, found.text].map((at) => (at === 'receiver' ? receiver : args[at]))
  const regex = pattern && regexOf(keptIn(pattern))
  if (regex === undefined || text === undefined) return
  if (lengthThatBlocks(regex.pattern, regex.flags, draft.step) === undefined) return
  if (isCut(resolveValue(text)) || isShortBefore(text, call, draft)) return
  const api = { name: nameOf(callee), subject: `/${regex.pattern}/${regex.flags}` }
  addFound(FOUND_SINKS.matchedText, text, draft, { name: nameOf(callee), api })
}

/** `nick.slice(0, 20)`; `nick.slice(2)` and `nick.slice(0, -1)` may be long. */
function isCut(text: Value): boolean {
  if (!('callee' in text) || !('object' in text.callee)) return false
  const [first, second] = text.args.map((one) => constantOf(one))
  const { name } = text.callee
  if (name === 'substr') return isFewCharacters(second)
  if (typeof first !== 'number' || (name !== 'slice' && name !== 'substring')) return false
  if (first < 0) return name === 'slice' && isFewCharacters(-first)
  return typeof second === 'number' && second >= 0 && isFewCharacters(second - first)
}

/** `FORMS.word` of `const FORMS = { word: /x/ }`. */
function keptIn(pattern: Value): Value {
  if (!('object' in pattern) || pattern.name === undefined) return pattern
  return fieldOf(resolveValue(pattern.object), pattern.name)?.value ?? pattern
}

/** `name.length > 20 || !/x/.test(name)`: what the same condition asks first. */
function isShortBefore(text: Value, { start, function: within }: CallValue, { checks: { parts }, step }: FlowDraft): boolean {
  const key = keyOf(text)
  const guards = parts.guardsIn(within)
  step(guards.length + within.returns.length)
  const around = [...guards.map(({ test }) => test), ...within.returns].find((one) => isAround(one, start))
  if (key === undefined || around === undefined) return false
  return constraintsBefore(around, start, parts.conditions, step).some(({ kind, of }) => kind === 'short' && of === key)
}
