import { resolveValue, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import type { Span } from '../../../types.ts'
import { sentElement } from '../_rows/client-data.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'
import { isSentData } from '../../../model/script/index.ts'

/** A column that gives rights, which an operation by which people register keeps as the client sends it. */
export interface SignedUpPrivilege extends Span {
  readonly name: string
  /** What is written into it, or all that the client sent. */
  readonly value: Value
  readonly call: CallValue
  readonly around: FunctionFact
}

/** Operations that whoever wants an account calls. */
const SIGN_UP = /^(?:(?:user_?)?sign_?up(?:_?user)?|self_?regist\w{0,20}|regist(?:er|ration)(?:_?(?:user|account|me))?)$/i

/** Rows that handlers of CAP add for people who register. `privileges`: names of columns that give rights. */
export function* signedUpPrivileges(
  facts: ScriptFacts,
  text: string,
  privileges: RegExp,
  step: (count?: number) => void,
): Generator<SignedUpPrivilege> {
  let handled: ReturnType<typeof findHandledFunctions> | undefined
  for (const call of facts.calls) {
    step()
    if (call.callee.kind !== 'member' || call.callee.name !== 'entries') continue
    handled ??= findHandledFunctions(facts)
    const { events = [], fact } = handled.handlerOf(call) ?? {}
    if (fact === undefined || events.length === 0 || !events.every((name) => name !== undefined && SIGN_UP.test(name))) continue
    const asked = askedFor(text.slice(fact.start, fact.end), privileges)
    for (const given of call.args) {
      const found = privilegeIn(given, privileges, asked)
      if (found !== undefined) yield { ...found, call, around: fact }
    }
  }
}

/** `{ …, role: req.data.role }`, `{ ...req.data }`, `req.data`. */
function privilegeIn(
  given: Value,
  privileges: RegExp,
  asked: string | undefined,
): Pick<SignedUpPrivilege, 'name' | 'value' | 'start' | 'end'> | undefined {
  const { start, end } = given
  const row = resolveValue(given)
  if (isSentData(given)) return asked === undefined ? undefined : { name: asked, value: given, start, end }
  if (row.kind !== 'object') return undefined
  const named = row.fields.find(({ key }) => key !== undefined && privileges.test(key))
  if (named?.key !== undefined)
    return sentElement(named.value) === undefined
      ? undefined
      : { name: named.key, value: named.value, start: named.start, end: named.end }
  const spread = row.fields.flatMap(({ value }) => (value.kind === 'spread' && isSentData(value.value) ? value.value : []))[0]
  return spread === undefined || asked === undefined
    ? undefined
    : { name: asked, value: spread, start: spread.start, end: spread.end }
}

/** What a handler takes out of the data of a request is a parameter of its operation: CAP drops all others. */
function askedFor(text: string, privileges: RegExp): string | undefined {
  const taken = TAKEN.exec(text)?.[1]?.split(',') ?? []
  const names = [
    ...taken.map((one) => one.split(/[:=]/)[0]?.trim() ?? ''),
    ...[...text.matchAll(READ)].map(([, name = '']) => name),
  ]
  return names.find((name) => privileges.test(name))
}

const TAKEN = /\{([^{}]{1,400})\}\s{0,4}=\s{0,4}\w{1,20}\.data\b/
const READ = /\b(?:req|request|oReq|oRequest|ctx|context)\.data\.(\w{1,40})/g
