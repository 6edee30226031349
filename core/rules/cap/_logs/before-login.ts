import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { accessesOf, constantOf, resolveValue, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { FlowHit } from '../../../flow/index.ts'
import type { Project } from '../../subjects.ts'
import type { Span } from '../../../types.ts'

/** What makes a user of a request besides CAP, whatever its package. */
const SETS_USER = /passport|xssec|cds\.middlewares|authenticate|\.(?:user|authInfo|tokenInfo)\s{0,9}=(?![=>])|jwt|session/

function setsUser(text: string): boolean {
  return SETS_USER.test(text)
}

/**
 * Functions that answer requests before anybody has looked at who calls: registered by themselves in `bootstrap`, in a script that makes no user of a request.
 * Fact: @sap/cds 9.9.3, server.js: `bootstrap` is emitted before the middlewares of CAP are added, which set the user; `req.authInfo` is undefined until then.
 */
export const functionsBeforeLogin: Extract<Span> = defineExtract({
  name: 'cap-functions-before-login',
  keywords: ['bootstrap'],
  prefilter: (text) => !setsUser(text),
  isFor: (path) => !isOfUi5App(path),
  collect: ({ facts, step }) => {
    step(facts.calls.length)
    return functionsIn(facts)
  },
})

const MAX_STARTS = 10
const REGISTERS = /^(?:use|all|get|post|put|patch|delete)$/

function functionsIn({ calls }: ScriptFacts): readonly Span[] {
  const starts = calls.flatMap(({ callee, args: [event, handler] }) => {
    const fact =
      event !== undefined && constantOf(event) === 'bootstrap' && lastNameOf(callee) === 'on' ? functionOf(handler) : undefined
    return fact === undefined ? [] : [fact]
  })
  // one script has one or two
  return starts.slice(0, MAX_STARTS).flatMap((start) => {
    const inside = calls.filter((call) => call.function === start)
    // what gets the app may add a login, and so may a middleware of another file
    const isOther = inside.some(
      ({ callee, args }) =>
        args.some((given) => isAppOf(given, start)) ||
        (callee.kind === 'member' && isAppOf(callee.object, start) && callee.name === 'use' && !args.every(isPlain)),
    )
    if (isOther) return []
    return inside.flatMap(({ callee, args }) =>
      callee.kind === 'member' && REGISTERS.test(callee.name ?? '') && isAppOf(callee.object, start)
        ? args.flatMap((given) => {
            const fact = functionOf(given)
            return fact !== undefined && isWithin(fact, start) ? [{ start: fact.start, end: fact.end }] : []
          })
        : [],
    )
  })
}

/** A path, a function that stands there, or a middleware that a package makes. */
function isPlain(given: Value): boolean {
  if (constantOf(given) !== undefined || functionOf(given) !== undefined) return true
  const made = resolveValue(given)
  return 'callee' in made && accessesOf(made.callee).every(({ root }) => /^module:(?!\.)/.test(root))
}

function isAppOf(value: Value, { parameters: [app] }: FunctionFact): boolean {
  const known = resolveValue(value)
  return app !== undefined && known.kind === 'reference' && known.binding === app
}

/** What CAP sets: `req.authInfo`, `req.user.tokenInfo`. */
const SET_BY_LOGIN = /^(?:req|request|oReq|oRequest)\??\.(?:authInfo|tokenInfo|user)\b/

/** Whether a part of a request is nothing where it is read: nobody has set it yet. Needs the extract `functionsBeforeLogin`. */
export function isUnsetUser({ part, steps, at }: FlowHit, { scripts }: Pick<Project, 'scripts'>): boolean {
  const { file, span } = steps[0]?.at ?? at
  if (span === undefined || !SET_BY_LOGIN.test(part)) return false
  return scripts.of(file, functionsBeforeLogin).some((one) => isWithin(span, one))
}

/** The same of what one script reads. */
export function createUnsetReader(facts: ScriptFacts, text: string): (read: Span) => boolean {
  let known: readonly Span[] | undefined
  return (read) => {
    if (!SET_BY_LOGIN.test(text.slice(read.start, read.end))) return false
    known ??= setsUser(text) ? [] : functionsIn(facts)
    return known.some((one) => isWithin(read, one))
  }
}
