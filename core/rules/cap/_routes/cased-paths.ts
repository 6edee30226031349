import {
  accessesOf,
  stringConstantOf,
  resolveValue,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import type { Span } from '../../../types.ts'

/** A middleware that asks who calls only where the path has these letters. */
export interface CasedPath extends Span {
  /** As it is written: `req.path`. */
  readonly path: Value
}

const REFUSES = /\b40[13]\b|nauthori[sz]ed|orbidden/
const PASSES = /^\{?\s{0,40}(?:return\s{1,5})?next\(\s{0,5}\)\s{0,5};?(?:\s{0,5}return;?)?\s{0,40}\}?$/
/**
 * The application sets it, and then its routes have letters of one case, too; so have those of an approuter.
 * Facts: Express 5, "case sensitive routing" is off by default, also for routers (`caseSensitive`); @sap/approuter 20 (README, "routes": `matchCase` is true by default).
 */
const IS_CASED = /case sensitive routing|caseSensitive|@sap\/approuter|insertMiddleware/

/**
 * `if (!req.path.startsWith('/admin')) return next()` in front of a check, `if (req.path.startsWith('/admin') && !isAdmin(req)) return res.sendStatus(403)`: routes of Express
 * answer `/ADMIN` as well. What lets listed paths pass refuses other letters, which is no fault.
 */
export function* findCasedPaths(facts: ScriptFacts, text: string, step: (count: number) => void): Generator<CasedPath> {
  if (IS_CASED.test(text)) return
  for (const guard of facts.guards) {
    const { function: fact, test, inside } = guard
    if (fact.parameters.length < 3 || fact.parameters[2]?.name.endsWith('next') !== true) continue
    step(1 + ((fact.end - inside.start) >> 7))
    const does = text.slice(inside.start, inside.end)
    const path = leavesOut(guard, does, text)
      ? pathIn(negated(test), fact)
      : REFUSES.test(does)
        ? pathOfAll(test, fact)
        : undefined
    if (path !== undefined) yield { start: test.start, end: test.end, path }
  }
}

/** It passes on all but some paths, and what comes behind refuses. */
function leavesOut({ exits, inside, function: fact }: Guard, does: string, text: string): boolean {
  return exits && PASSES.test(does.trim()) && REFUSES.test(text.slice(inside.end, fact.end))
}

function negated(test: Value): Value | undefined {
  return test.kind === 'operation' && test.operator === '!' ? test.operands[0] : undefined
}

/** Of `a && b`, one of which is about the path. */
function pathOfAll(test: Value, fact: FunctionFact): Value | undefined {
  const parts = test.kind === 'choice' && test.isAnd === true ? test.options : [test]
  for (const part of parts) {
    const path = pathIn(part, fact)
    if (path !== undefined) return path
  }
  return undefined
}

/** The path of the request that a test compares with texts as they are. */
function pathIn(test: Value | undefined, fact: FunctionFact): Value | undefined {
  const made = test && resolveValue(test)
  if (made === undefined || !('callee' in made) || made.callee.kind !== 'member') return undefined
  const { object, name = '' } = made.callee
  const [given] = made.args
  if (given === undefined) return undefined
  if (name === 'startsWith' && hasLetters(given)) return isPath(object, fact) ? object : undefined
  const list = resolveValue(object)
  if (name === 'test')
    return list.kind === 'regex' &&
      !list.flags.includes('i') &&
      /\/[a-z]/.test(list.pattern) &&
      !list.pattern.includes('\\.') &&
      isPath(given, fact)
      ? given
      : undefined
  if (list.kind !== 'array' || !list.items.some(hasLetters)) return undefined
  if (name === 'includes') return isPath(given, fact) ? given : undefined
  return name === 'some' ? comparedIn(functionOf(given), fact) : undefined
}

/** `(one) => req.path.startsWith(one)` */
function comparedIn(callback: FunctionFact | undefined, fact: FunctionFact): Value | undefined {
  for (const given of callback?.returns ?? [])
    if (
      'callee' in given &&
      given.callee.kind === 'member' &&
      lastNameOf(given.callee) === 'startsWith' &&
      isPath(given.callee.object, fact)
    )
      return given.callee.object
  return undefined
}

/** The path of a route: names of files are as they are. */
function hasLetters(value: Value): boolean {
  const text = stringConstantOf(value)
  return text !== undefined && /^\/.{0,100}[a-z]/.test(text) && !/\/\.|\.\w{1,8}$/.test(text)
}

function isPath(value: Value, { parameters: [request] }: FunctionFact): boolean {
  return accessesOf(value).some(
    ({ binding, steps }) => binding !== undefined && binding === request && /^(?:path|originalUrl|url)$/.test(steps.join(' ')),
  )
}
