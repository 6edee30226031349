import {
  accessesOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { awaited } from '../../../facts/conditions.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { entityWords } from '../../../model/cap/index.ts'
import { isContext, isLogCall } from '../../../model/script/index.ts'
import { groupBy } from '../../../lists.ts'
import { scriptQueries, type ScriptQuery } from '../_handlers/script-queries.ts'
import { asksForLogin } from './asked-users.ts'
import { isOfCaller, queryOf } from './role-rows.ts'

/** Tells conditions that only ask whether the caller has an account that is open: `!me || me.isActive === false`, where `me` is the row of people found by the caller alone. */
export function createAccountTest(facts: ScriptFacts, text: string, step: (count?: number) => void): (test: Value) => boolean {
  let asked: ReadonlyMap<CallValue, ScriptQuery> | undefined
  const isAccount = (value: Value): boolean => {
    asked ??= new Map(scriptQueries(facts, step).map((query) => [query.last, query]))
    const query = queryOf(value, asked)
    if (query?.kind !== 'read' || !isOfPeople(query.entity)) return false
    step(query.terms.length)
    if (MORE.test(text.slice(query.base.start, query.last.end))) return false
    return query.terms.length > 0 && query.terms.every((term) => isOfCaller({ ...query, terms: [term] }, text))
  }
  const isAsked = (test: Value): boolean => {
    if (test.kind === 'choice' && test.test === undefined) return test.options.every(isAsked)
    if (asksForLogin(test)) return true
    if (test.kind === 'operation' && test.operator === '!' && test.operands.every(isOfToken)) return true
    const [first] = test.kind === 'operation' && /^(?:!|[!=]==?)$/.test(test.operator) ? test.operands : [test]
    const side = first === undefined ? undefined : awaited(resolveValue(first))
    if (side?.kind === 'member') return ACTIVE.test(side.name ?? '') && isAccount(side.object)
    return first !== undefined && isAccount(first)
  }
  return isAsked
}

/**
 * Tells functions that only refuse callers who have no account, or a closed one: `if (!me || me.isActive === false) return req.reject(403)`. All who are left have that in
 * common, as they have a login.
 */
export function createAccountReader(
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): (fact: FunctionFact) => boolean {
  const callsIn = createInnerIndex(facts.calls)
  const known = new Map<FunctionFact, boolean>()
  const isAccount = createAccountTest(facts, text, step)
  let guards: ReadonlyMap<FunctionFact, ScriptFacts['guards']> | undefined
  const judge = (fact: FunctionFact): boolean => {
    const code = text.slice(fact.start, fact.end)
    if (!ENDS.test(code) || OTHER.test(code)) return false
    guards ??= groupBy(facts.guards, (guard) => guard.function)
    const own = (guards.get(fact) ?? []).filter(({ inside }) => ENDS.test(text.slice(inside.start, inside.end)))
    const calls = callsIn(fact)
    const ends = [...code.matchAll(ALL_ENDS)]
    step(own.length * (1 + ends.length) + calls.length)
    const isEnded = (at: number): boolean => own.some(({ inside }) => inside.start <= at && at < inside.end)
    return (
      ends.every(({ index }) => isEnded(fact.start + index)) &&
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

/** Entities with a row for each user of an app; who has one of the staff, of approvers or of `HRUsers` has a right by that. */
function isOfPeople(entity: string): boolean {
  return PEOPLE.test(entityWords(entity))
}

const PEOPLE =
  /^(?:(?:app|application|portal|system) )?(?:users?|(?:user )?(?:accounts?|profiles?)|employees?|workers?|persons?|people|students?|customers?)(?: (?:master|data|info|details?))?$/

/** It asks for more than what it compares with the caller: `` where`mail = ${user.id} and admin = true` ``, `{ mail, ...admins }`. */
const MORE = /\b(?:and|or|having|search)\b|\.{3}/i

/** What tells whether an account may be used. */
const ACTIVE = /^(?:is_?)?(?:active|enabled|disabled|blocked|locked|deleted|inactive|suspended)$/i
const ENDS = /\b(?:reject|throw)\b|\.\s{0,4}error\s{0,4}\(/
const ALL_ENDS = /\b(?:reject|throw)\b|\.\s{0,4}error\s{0,4}\(/g
/** It asks for more, narrows what is asked for, or hands the row on to a handler that may: `req.me = me`. */
const OTHER =
  /\b(?:req|request|oReq|oRequest|context)\s{0,4}\.\s{0,4}\w{1,60}\s{0,4}=(?!=)|\.\s{0,4}(?:query|data|params|subject|target)\b|\buser\s{0,4}\??\.\s{0,4}(?:is|roles?)\b|\b(?:has_?)?(?:scope|permission|privilege)/i

/** `email` of `!email`, where that is what the token says; whatever is looked up for it says more. */
function isOfToken(value: Value): boolean {
  const accesses = accessesOf(value)
  return accesses.length > 0 && accesses.every(({ root, steps }) => OF_TOKEN.test([root, ...steps].join(' ')))
}

/** Fact: @sap/cds 9.9.3, lib/req/user.js: the id of a user, and the attributes of the token. */
const OF_TOKEN = /(?:^|[ :])user (?:id|attr \w{1,60})$/
