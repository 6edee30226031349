import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  directParts,
  excerptOf,
  functionAround,
  pathOf,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { awaited } from '../../../facts/conditions.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex, isWithin } from '../../../facts/span-index.ts'
import { append } from '../../../lists.ts'
import { isOfUi5App, isToolFile } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { entityRead } from '../_handlers/query-chains.ts'

/** A token that a function signs for the row of an account. Its span is what is called. */
export interface IssuedToken extends Span {
  /** The entity of the row, by the last part of its name. */
  readonly entity: string
  /** What it is signed with, as written. */
  readonly secret: string
  /** Names of its fields. */
  readonly fields: readonly string[]
  /** The element by which the function refuses some accounts before. */
  readonly state: string | undefined
  /** Elements of such names that the function mentions, or may look at in another function. */
  readonly mentions: readonly string[] | 'unknown'
  /** Elements of such names that the rest of the script mentions. */
  readonly elsewhere: readonly string[]
}

const STATE =
  /\b(?:status|state|is_?active|active|is_?inactive|inactive|is_?enabled|enabled|is_?disabled|disabled|is_?locked|locked|is_?blocked|blocked|is_?suspended|suspended|is_?banned|banned|is_?deactivated|deactivated)\b/gi
/** Tokens for something else than a session, and rows that were just made. */
const OTHER_PURPOSE = /forgot|reset|invit|confirm|activation|verification|signup|sign_up|register/i
/** Functions that may look at the state by themselves. */
const LOOKS = /active|enabled|disabled|locked|blocked|banned|suspend|ensure|assert|allowed|validate|check/i
const REFUSES = /reject|throw|\b4(?:0[0134]|23)\b|\berror\(/
/** What a branch does that lets an account have another token. */
const SIGNS = /\bsign(?:Sync|Async)?\s{0,20}\(/

/** Tokens of `jsonwebtoken` for accounts. */
export const issuedTokens: Extract<IssuedToken> = defineExtract({
  name: 'cap-issued-tokens',
  keywords: ['jsonwebtoken'],
  prefilter: (text) => text.includes('sign'),
  isFor: (path) => !isOfUi5App(path) && !isToolFile(path),
  collect: ({ facts, text, step }) => [...findIssued(facts, text, step)],
})

/** States that a script names which verifies each token, or ends sessions. */
export interface StateOfSessions {
  readonly names: readonly string[]
}

/** Scripts that may look at the state at each request, whatever token comes with it, or that delete sessions of accounts that are closed. */
export const statesOfSessions: Extract<StateOfSessions> = defineExtract({
  name: 'cap-states-of-sessions',
  keywords: ['jsonwebtoken', 'passport', 'cds.User', 'session', 'token'],
  prefilter: (text) => VERIFIES.test(text) || (ENDS.test(text) && /session|token/i.test(text)),
  isFor: (path) => !isOfUi5App(path) && !isToolFile(path),
  collectText: (text) => {
    // that of an answer is none of an account: `res.status(401)`
    const found = namesOf(text).filter(({ name, at }) => name !== 'status' || text[at + name.length] !== '(')
    const names = new Set(found.map(({ name }) => name))
    return names.size === 0 ? [] : [{ names: [...names] }]
  },
})

const VERIFIES = /\bverify\s{0,20}\(|\bcds\.User\b|\bpassport\b/
const ENDS = /\bDELETE\b|\b(?:deleteMany|deleteOne|findOneAndDelete|destroy)\s{0,20}\(/

interface Signed {
  readonly call: CallValue
  readonly around: FunctionFact
  readonly row: Binding
  readonly query: CallValue
  readonly entity: string
  readonly fields: readonly string[]
}

function* findIssued(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<IssuedToken> {
  const signed = facts.calls.flatMap((call) => signedFor(call, facts) ?? [])
  if (signed.length === 0) return
  const callsIn = createInnerIndex(facts.calls)
  const functions = new Set(signed.map(({ around }) => around))
  const elsewhere = [...new Set(outsideOf(functions, namesOf(text)).map(({ name }) => name))]
  // each function is read once, however many tokens it signs
  const read = new Map([...functions].map((around) => [around, readFunction(around, callsIn(around), text, step)]))
  const refusals = refusalsIn(facts, functions, text, step)
  const asked = new Map(signed.map(({ row, query }) => [row, namesOf(text.slice(query.start, query.end))[0]?.name]))
  for (const { call, around, row, entity, fields } of signed) {
    const inside = read.get(around)
    const { start, end } = call.callee
    yield {
      start,
      end,
      entity,
      secret: call.args[1] === undefined ? '' : excerptOf(text, call.args[1]),
      fields,
      state: stateAsked(refusals.get(row) ?? [], call, step) ?? asked.get(row),
      mentions: inside === undefined || inside.isUnknown || inside.handed.has(row) ? 'unknown' : inside.mentions,
      elsewhere,
    }
  }
}

interface Spoken {
  readonly name: string
  readonly at: number
}

function namesOf(text: string): readonly Spoken[] {
  return [...text.matchAll(STATE)].map(({ 0: name, index: at }) => ({ name, at }))
}

/** Those of names, in the order of the text, that stand in none of the functions. */
function outsideOf(functions: Iterable<Span>, names: readonly Spoken[]): readonly Spoken[] {
  const sorted = [...functions].toSorted((a, b) => a.start - b.start)
  let next = 0
  let until = 0
  return names.filter(({ at }) => {
    for (let one = sorted[next]; one !== undefined && one.start <= at; one = sorted[next]) {
      until = Math.max(until, one.end)
      next++
    }
    return at >= until
  })
}

interface ReadFunction {
  readonly mentions: readonly string[]
  /** It makes tokens for something else, or calls what may look at the state. */
  readonly isUnknown: boolean
  /** Rows that it hands to other functions. */
  readonly handed: ReadonlySet<Binding>
}

function readFunction(around: Span, calls: readonly CallValue[], text: string, step: (count?: number) => void): ReadFunction {
  const code = text.slice(around.start, around.end)
  // functions may lie in each other
  step(calls.length + (code.length >> 6))
  const given = calls.flatMap(({ args }) => args)
  return {
    mentions: [...new Set(namesOf(code).map(({ name }) => name))],
    isUnknown:
      OTHER_PURPOSE.test(code) ||
      given.some(({ kind }) => kind === 'spread') ||
      calls.some(({ callee }) => LOOKS.test(lastNameOf(callee) ?? '')),
    handed: new Set(given.flatMap((one) => (one.kind === 'reference' ? (one.binding ?? []) : []))),
  }
}

/** `if (user.status !== 'active') return req.reject(403)`: by what a function refuses a row. */
interface Refusal {
  readonly start: number
  readonly inside: Span
  readonly name: string
}

function refusalsIn(
  { guards }: ScriptFacts,
  functions: ReadonlySet<FunctionFact>,
  text: string,
  step: (count?: number) => void,
): ReadonlyMap<Binding, readonly Refusal[]> {
  const found = new Map<Binding, Refusal[]>()
  for (const { function: owner, test, inside, start } of guards) {
    step()
    if (owner === undefined || !functions.has(owner)) continue
    const states = membersOf(test).filter(({ row, name }) => row.function === owner && namesOf(name)[0]?.name === name)
    if (states.length === 0) continue
    step((inside.end - inside.start) >> 6)
    const branch = text.slice(inside.start, inside.end)
    if (!REFUSES.test(branch) || SIGNS.test(branch)) continue
    for (const { row, name } of states) append(found, row, { start, inside, name })
  }
  return found
}

/** The state by which a row is refused before the token is signed. */
function stateAsked(refusals: readonly Refusal[], call: Span, step: (count?: number) => void): string | undefined {
  for (const { start, inside, name } of refusals) {
    step()
    if (start <= call.start && !isWithin(call, inside)) return name
  }
  return undefined
}

interface MemberOfRow {
  readonly row: Binding
  readonly name: string
}

/** Names that a value reads of rows. */
function membersOf(value: Value): readonly MemberOfRow[] {
  const found: MemberOfRow[] = []
  const open: Value[] = [value]
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    if (here.kind === 'member' && here.name !== undefined && here.object.kind === 'reference' && here.object.binding)
      found.push({ row: here.object.binding, name: here.name })
    open.push(...directParts(here))
  }
  return found
}

/** `jwt.sign(…)` */
export function isSigned({ callee }: CallValue): boolean {
  return /^module:jsonwebtoken (?:default )?sign$/.test(pathOf(callee)?.join(' ') ?? '')
}

/** `jwt.sign({ id: user.ID }, secret)`, where `user` is a row that the same function asks for. */
function signedFor(call: CallValue, facts: ScriptFacts): Signed | undefined {
  if (!isSigned(call)) return undefined
  const around = functionAround(facts, call.start)
  const payload = call.args[0] && resolveValue(call.args[0])
  if (around === undefined || payload?.kind !== 'object') return undefined
  for (const { value } of payload.fields) {
    const row = value.kind === 'member' && value.object.kind === 'reference' ? value.object.binding : undefined
    const [definition, ...others] = row?.definitions ?? []
    if (row?.function !== around || definition?.value === undefined || others.length > 0) continue
    const query = queryOf(definition.value)
    if (query !== undefined) return { call, around, row, fields: payload.fields.flatMap(({ key }) => key ?? []), ...query }
  }
  return undefined
}

/** `await SELECT.one.from(Users).where(…)`, `await cds.run(SELECT…)`, `await User.findOne(…)`: the query, and what it asks. */
function queryOf(value: Value): Pick<Signed, 'query' | 'entity'> | undefined {
  const asked = awaited(resolveValue(value))
  const isRun = asked.kind === 'call' && lastNameOf(asked.callee) === 'run'
  const query = isRun ? asked.args[0] && resolveValue(asked.args[0]) : asked
  if (query?.kind !== 'call') return undefined
  const entity = entityRead(query)
  return entity === undefined ? undefined : { query, entity }
}
