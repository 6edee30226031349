import { findCallbacks } from '../../../facts/callbacks.ts'
import {
  accessesOf,
  constantOf,
  stringConstantOf,
  fieldOf,
  resolveValue,
  valuesOf,
  type CallValue,
  type FunctionFact,
  type Guard,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isAround } from '../../../facts/span-index.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { statementOf } from '../../../flow/frameworks/statements.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { clientData, type ClientData } from '../_rows/client-data.ts'

/** A handler that compares a one-time code of the request with the one that is stored, in a file that counts no attempts. */
export interface CheckedCode extends Span {
  /** As the client sends it: `req.body.otp`. */
  readonly client: string
  /** The event of CAP, where the handler has one. */
  readonly event: string
  /** Whoever sends the right code gets a token, a session or a new password, for an account that the request names. */
  readonly givesSession: boolean
  /** The file stores a constant as the code: what it is compared with everybody knows who has read the code once. */
  readonly constant?: Span
}

export const checkedCodes: Extract<CheckedCode> = defineExtract({
  name: 'cap-checked-codes',
  keywords: ['otp', 'passcode', 'onetime', 'one_time', 'verificationcode', 'verification_code', 'logincode'],
  prefilter: (text) =>
    (OTHER_CODE.test(text) || OTP.test(text)) &&
    (CONSTANT.test(text) || (!LIMITS.test(text) && (!STRONG.test(text) || NUMERIC.test(text)))),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    const found = new Map<FunctionFact, readonly [ClientData, Span]>()
    const note = (sent: ClientData | undefined, { start, end }: Span): void => {
      if (sent !== undefined && !found.has(sent.request.function)) found.set(sent.request.function, [sent, { start, end }])
    }
    for (const call of facts.calls) {
      step()
      for (const value of comparedIn(call)) note(clientData(value), value)
    }
    for (const { value } of valuesOf(facts)) {
      if (value.kind !== 'operation' || !/^[!=]==?$/.test(value.operator)) continue
      step()
      const [left, right] = value.operands
      if (left !== undefined && right !== undefined) note(sentCode(left, right) ?? sentCode(right, left), value)
    }
    if (found.size === 0) return
    const callbacks = findCallbacks(facts)
    const constant = firstConstant(facts.calls, step)
    if (constant === undefined && (LIMITS.test(text) || (STRONG.test(text) && !NUMERIC.test(text)))) return
    for (const [handler, [sent, at]] of found) {
      step(facts.guards.length)
      if (facts.guards.some((guard) => isAround(guard.test, at.start) && dropsCode(guard, text))) continue
      const written = text.slice(handler.start, handler.end)
      if (ASKS_CALLER.test(written)) continue
      const first = callbacks.get(handler)?.call.args[0]
      const event = stringConstantOf(first)
      yield {
        ...at,
        client: sent.client,
        event: event ?? '',
        givesSession: GIVES_SESSION.test(withoutSentences(written)) && NAMES_ACCOUNT.test(written),
        ...(constant !== undefined && { constant }),
      }
    }
  },
})

/** `if (account.otp !== otp) { await UPDATE(Accounts).set({ otp: null })…`: one wrong try, and the code is gone. */
function dropsCode({ test, inside }: Guard, text: string): boolean {
  return /!/.test(text.slice(test.start, test.end)) && DROPS.test(text.slice(inside.start, inside.end))
}

const DROPS =
  /(?:otp|code|pin|pass\w{0,10})["']?\s{0,4}[:=]\s{0,4}(?:null|undefined|["'`]["'`])|\bDELETE\b|\bdelete\b|\.(?:destroy|remove|clear)\w{0,20}\s{0,4}\(/i

/** What it answers, as in `'Verified, now log in with your password'`, gives nobody a password; SQL does. */
function withoutSentences(text: string): string {
  return text.replace(SENTENCE, (found) => (STATEMENT.test(found) ? found : "''"))
}

const SENTENCE = /"[^"\n]{0,200} [^"\n]{0,200}"|'[^'\n]{0,200} [^'\n]{0,200}'/g
const STATEMENT = /^.\s{0,20}(?:select|insert|update|delete|with|merge|call)\b/i

/** Columns and elements that hold one: no code of an order or a country, and no `pincode`, which is an address's in India. */
const CODE =
  /^(?:[a-z]{1,10}_?)?(?:otp(?:_?(?:code|hash|value))?|one_?time_?(?:code|pin|pass(?:word|code)?)|passcode)$|^(?:verification|login)_?code$/i
const OTHER_CODE = /passcode|one_?time|verification_?code|login_?code/i
/** As a word of its own: no `rootPath`, no `footprint`. */
const OTP = /(?<![A-Za-z])otp|(?<![A-Z])Otp(?![a-z])|(?<![A-Za-z])OTP|(?<=[a-z])OTP/
/** Attempts are counted, or requests are limited, or a machine can't send them: in this file. */
const LIMITS =
  /attempt|too.?many|rate.?limit|throttl|slow.?down|lock.?out|locked|blocked|brute|captcha|max_?tr(?:y|ies)|\btries\b|fail(?:ed|ure)?_?(?:count|login)|\b429\b/i
/** How codes are made that nobody guesses, and those of a few digits. Facts: Node.js 20, "crypto"; uuid 11, nanoid 5 (README). */
const STRONG = /randomBytes|randomUUID|\buuid|nanoid/i
const NUMERIC = /randomInt\s{0,4}\(|Math\.random\(\)|otp-?generator|digits\s{0,4}:/i
const ASKS_CALLER =
  /\b(?:req|request|oReq|oRequest|ctx|context)\s{0,4}\??\.\s{0,4}(?:user|authInfo|currentUser|securityContext)\b/
const GIVES_SESSION = /\bsign\s{0,4}\(|token|session|cookie\s{0,4}\(|passw/i
const NAMES_ACCOUNT = /e?mail|phone|mobile|user|login|account|customer/i

/** `user_otp: 123456`, `loginCode: '0000'` */
const CONSTANT = /(?:otp|code|pin|pass)\w{0,10}["']?\s{0,4}:\s{0,4}["'`]?\d{4,8}\b/i
const DIGITS = /^\d{4,8}$/
/** What stores a row. Facts: capire, "Querying in JavaScript"; Mongoose 8, Sequelize 6 (README of each). */
const STORES_ROW = /^(?:set|data|with|entries|create|save|upsert|insert\w{0,5}|update\w{0,5}|find\w{2,6}AndUpdate)$/

/** `UPDATE(Users).set({ otp: 123456 })`: the first constant that is stored as a code. */
function firstConstant(calls: readonly CallValue[], step: (count: number) => void): Span | undefined {
  for (const { callee, args } of calls) {
    if (!STORES_ROW.test(lastNameOf(callee) ?? '')) continue
    for (const given of args) {
      const row = resolveValue(given)
      if (!('fields' in row)) continue
      step(row.fields.length)
      const found = row.fields.find(({ key = '', value }) => CODE.test(key) && DIGITS.test(String(constantOf(value) ?? '')))
      if (found !== undefined) return { start: found.start, end: found.end }
    }
  }
  return undefined
}

/** What selects rows; what is written is compared with nothing. Facts: Mongoose 8, Sequelize 6, TypeORM 0.3, Prisma 6 (README of each); capire, "Querying in JavaScript". */
const SELECTS = /^(?:find\w{0,20}|count(?:Documents)?|exists|where|and|having|one)$/
const COMPARES_HASHES = /^(?:compare|compareSync|verify)$/

/** What a call compares with a stored code: in SQL, in an object of conditions, or as a hash. */
function comparedIn(call: CallValue): readonly Value[] {
  const name = lastNameOf(call.callee) ?? ''
  const [first, second] = call.args
  if (COMPARES_HASHES.test(name) && first !== undefined && second !== undefined)
    return sentCode(first, second) === undefined ? [] : [first]
  const where = call.args.flatMap((given) => fieldOf(resolveValue(given), 'where')?.value ?? [])
  const conditions = SELECTS.test(name) && where.length === 0 && first !== undefined ? [first] : where
  if (conditions.length > 0) return conditions.flatMap(codesOf)
  return placeholders(call)
}

/** `{ mail, otp: req.body.otp }` */
function codesOf(condition: Value): readonly Value[] {
  const made = resolveValue(condition)
  return 'fields' in made ? made.fields.flatMap(({ key = '', value }) => (CODE.test(key) ? [value] : [])) : []
}

/** `SELECT … WHERE mail = ? AND otp = ?`, `WHEN otp = $1 THEN 1`; what an INSERT or a SET writes is none. */
function placeholders(call: CallValue): readonly Value[] {
  const statement = statementOf(call)
  if (statement === undefined) return []
  const [only] = statement.given
  const list = only && resolveValue(only)
  const given = list !== undefined && 'items' in list ? list.items : statement.given
  const set = /^\s{0,40}update\b/i.test(statement.text) ? statement.text.search(/\bwhere\b/i) : 0
  let count = 0
  return [...statement.text.matchAll(PLACEHOLDER)].flatMap(({ 1: column = '', 2: position, index }) => {
    const value = given[position === undefined ? count++ : Number(position) - 1]
    return value !== undefined && set >= 0 && index >= set && CODE.test(column) ? [value] : []
  })
}

const PLACEHOLDER = /(?:(\w{1,60})["`]?\s{0,4}=\s{0,4})?(?:\?|\$(\d{1,3}))/g

/** `req.body.otp` beside `account.otp`, `codes.get(mail)`. */
function sentCode(sent: Value, stored: Value): ClientData | undefined {
  const client = clientData(sent)
  if (client === undefined || !CODE.test(client.name) || clientData(stored) !== undefined) return undefined
  return isStored(stored) ? client : undefined
}

/** `account.otp`, `String(row.OTP)`, `otpStore.get(mail)`, `req.session.otp`. */
function isStored(value: Value): boolean {
  const made = resolveValue(value)
  if (made.kind === 'await') return isStored(made.value)
  if (made.kind === 'call') {
    const inner = 'object' in made.callee ? made.callee.object : made.args[0]
    if (/^(?:String|Number|toString|trim)$/.test(lastNameOf(made.callee) ?? '') && inner !== undefined) return isStored(inner)
  }
  return accessesOf(value).some(({ root, steps }) => steps.length > 0 && [root.replace(/^\w+:/, ''), ...steps].some(isCodeName))
}

function isCodeName(name: string): boolean {
  return CODE.test(name.replace(/(?:s|_?(?:store|cache|map|storage|by\w{1,12}))$/i, ''))
}
