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
import { isOfUi5App, isToolFile } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { baseOf, entityOf } from '../_handlers/query-chains.ts'

/** A token that a function signs for the row of an account. Its span is what is called. */
export interface IssuedToken extends Span {
  /** The entity of the row, by the last part of its name. */
  readonly entity: string
  /** What it is signed with, as written. */
  readonly secret: string
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
const FINDS = /^find(?:One|ByPk|ById|Unique|First)(?:OrThrow)?$/
const REFUSES = /reject|throw|\b40[13]\b|\berror\(|\breturn\b/

/** Tokens of `jsonwebtoken` for accounts. */
export const issuedTokens: Extract<IssuedToken> = defineExtract({
  name: 'cap-issued-tokens',
  keywords: ['jsonwebtoken'],
  prefilter: (text) => text.includes('sign'),
  isFor: (path) => !isOfUi5App(path) && !isToolFile(path),
  collect: ({ facts, text, step }) => [...findIssued(facts, text, step)],
})

interface Signed {
  readonly call: CallValue
  readonly around: FunctionFact
  readonly row: Binding
  readonly query: CallValue
  readonly entity: string
}

function* findIssued(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<IssuedToken> {
  const signed = facts.calls.flatMap((call) => signedFor(call, facts) ?? [])
  const callsIn = createInnerIndex(facts.calls)
  const functions = new Set(signed.map(({ around }) => around))
  const spoken = signed.length === 0 ? [] : namesOf(text)
  step(spoken.length * functions.size)
  const rest = spoken.filter(({ at }) => ![...functions].some((one) => one.start <= at && at < one.end))
  const elsewhere = [...new Set(rest.map(({ name }) => name))]
  for (const { call, around, row, query, entity } of signed) {
    const code = text.slice(around.start, around.end)
    const calls = callsIn(around)
    step(calls.length + facts.guards.length)
    const isHanded = calls.some(
      ({ callee, args }) => LOOKS.test(lastNameOf(callee) ?? '') || args.some((one) => isRow(one, row) || one.kind === 'spread'),
    )
    const { start, end } = call.callee
    yield {
      start,
      end,
      entity,
      secret: call.args[1] === undefined ? '' : excerptOf(text, call.args[1]),
      state: stateAsked(facts, call, around, row, text) ?? namesOf(text.slice(query.start, query.end))[0]?.name,
      mentions: isHanded || OTHER_PURPOSE.test(code) ? 'unknown' : namesOf(code).map(({ name }) => name),
      elsewhere,
    }
  }
}

function namesOf(text: string): readonly { readonly name: string; readonly at: number }[] {
  return [...text.matchAll(STATE)].map(({ 0: name, index: at }) => ({ name, at }))
}

/** `if (user.status !== 'active') return req.reject(403)` before the token is signed. */
function stateAsked(
  { guards }: ScriptFacts,
  call: CallValue,
  around: FunctionFact,
  row: Binding,
  text: string,
): string | undefined {
  for (const { function: owner, test, inside, start, exits } of guards) {
    if (owner !== around || start > call.start || isWithin(call, inside)) continue
    if (!exits && !REFUSES.test(text.slice(inside.start, inside.end))) continue
    const name = membersOf(test, row).find((one) => namesOf(one)[0]?.name === one)
    if (name !== undefined) return name
  }
  return undefined
}

/** Names that a value reads of a row. */
function membersOf(value: Value, row: Binding): readonly string[] {
  const found: string[] = []
  const open: Value[] = [value]
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    if (here.kind === 'member' && here.name !== undefined && isRow(here.object, row)) found.push(here.name)
    open.push(...directParts(here))
  }
  return found
}

function isRow(value: Value, row: Binding): boolean {
  return value.kind === 'reference' && value.binding === row
}

/** `jwt.sign({ id: user.ID }, secret)`, where `user` is a row that the same function asks for. */
function signedFor(call: CallValue, facts: ScriptFacts): Signed | undefined {
  if (!/^module:jsonwebtoken (?:default )?sign$/.test(pathOf(call.callee)?.join(' ') ?? '')) return undefined
  const around = functionAround(facts, call.start)
  const payload = call.args[0] && resolveValue(call.args[0])
  if (around === undefined || payload?.kind !== 'object') return undefined
  for (const { value } of payload.fields) {
    const row = value.kind === 'member' && value.object.kind === 'reference' ? value.object.binding : undefined
    const [definition, ...others] = row?.definitions ?? []
    if (row?.function !== around || definition?.value === undefined || others.length > 0) continue
    const query = queryOf(definition.value)
    if (query !== undefined) return { call, around, row, ...query }
  }
  return undefined
}

/** `await SELECT.one.from(Users).where(…)`, `await cds.run(SELECT…)`, `await User.findOne(…)`: the query, and what it asks. */
function queryOf(value: Value): Pick<Signed, 'query' | 'entity'> | undefined {
  const asked = awaited(resolveValue(value))
  const isRun = asked.kind === 'call' && lastNameOf(asked.callee) === 'run'
  const query = isRun ? asked.args[0] && resolveValue(asked.args[0]) : asked
  if (query?.kind !== 'call') return undefined
  const base = baseOf(query)
  const isFound = query.callee.kind === 'member' && FINDS.test(query.callee.name ?? '')
  const named =
    base?.kind === 'read' ? base.call.args[0] : isFound && query.callee.kind === 'member' ? query.callee.object : undefined
  const entity = entityOf(named)
  return entity === undefined ? undefined : { query, entity }
}
