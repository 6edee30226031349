import { resolveValue, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { awaited } from '../../../facts/conditions.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { isContext, isLogCall } from '../../../model/script/index.ts'
import { groupBy } from '../../../lists.ts'
import { scriptQueries, type ScriptQuery } from '../_handlers/script-queries.ts'
import { asksForLogin, mentionsUser } from './asked-users.ts'
import { isOfCaller, queryOf } from './role-rows.ts'

/**
 * Tells functions that only refuse callers who have no account, or a closed one: `if (!me || me.isActive === false) return req.reject(403)`, where `me` is the row found for the
 * caller. All who are left have that in common, as they have a login.
 */
export function createAccountReader(
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): (fact: FunctionFact) => boolean {
  const callsIn = createInnerIndex(facts.calls)
  const known = new Map<FunctionFact, boolean>()
  let guards: ReadonlyMap<FunctionFact, ScriptFacts['guards']> | undefined
  let asked: ReadonlyMap<CallValue, ScriptQuery> | undefined
  const isRowOfCaller = (value: Value): boolean => {
    asked ??= new Map(scriptQueries(facts, step).map((query) => [query.last, query]))
    const query = queryOf(value, asked)
    return query?.kind === 'read' && isOfCaller(query, text)
  }
  const isAccount = (test: Value): boolean => {
    if (test.kind === 'choice' && test.test === undefined) return test.options.every(isAccount)
    if (asksForLogin(test) || (test.kind === 'operation' && test.operator === '!' && test.operands.every(isOfToken))) return true
    const [first] = test.kind === 'operation' && /^(?:!|[!=]==?)$/.test(test.operator) ? test.operands : [test]
    const side = first === undefined ? undefined : awaited(resolveValue(first))
    if (side?.kind === 'member') return ACTIVE.test(side.name ?? '') && isRowOfCaller(side.object)
    return first !== undefined && isRowOfCaller(first)
  }
  const judge = (fact: FunctionFact): boolean => {
    const code = text.slice(fact.start, fact.end)
    if (!ENDS.test(code) || OTHER.test(code)) return false
    guards ??= groupBy(facts.guards, (guard) => guard.function)
    const own = (guards.get(fact) ?? []).filter(({ inside }) => ENDS.test(text.slice(inside.start, inside.end)))
    const calls = callsIn(fact)
    step(own.length + calls.length)
    const isEnded = (at: number): boolean => own.some(({ inside }) => inside.start <= at && at < inside.end)
    return (
      [...code.matchAll(ALL_ENDS)].every(({ index }) => isEnded(fact.start + index)) &&
      own.some(({ test }) => !asksForLogin(test)) &&
      own.every(({ test }) => isAccount(test)) &&
      // what gets the request may refuse it for other reasons
      calls.every((call) => isLogCall(call) || !call.args.some(isContext))
    )
  }
  return (fact) => {
    const found = known.get(fact) ?? judge(fact)
    known.set(fact, found)
    return found
  }
}

/** What tells whether an account may be used. */
const ACTIVE = /^(?:is_?)?(?:active|enabled|disabled|blocked|locked|deleted|inactive|suspended)$/i
const ENDS = /\b(?:reject|throw)\b|\.\s{0,4}error\s{0,4}\(/
const ALL_ENDS = /\b(?:reject|throw)\b|\.\s{0,4}error\s{0,4}\(/g
/** It asks for more, or narrows what is asked for. */
const OTHER =
  /\.\s{0,4}(?:query|data|params|subject|target)\b|\buser\s{0,4}\??\.\s{0,4}(?:is|roles?)\b|\b(?:has_?)?(?:scope|permission|privilege)/i

/** `email` of `!email`, where that is what the token says; a list that holds it or not says more. */
function isOfToken(value: Value): boolean {
  const made = awaited(resolveValue(value))
  const isText = made.kind !== 'call' || TEXT.test(lastNameOf(made.callee) ?? '')
  return isText && mentionsUser(made)
}

const TEXT = /^(?:trim|toLowerCase|toUpperCase|toString|String)$/
