import {
  accessesOf,
  constantOf,
  fieldOf,
  isNullish,
  resolveValue,
  valuesOf,
  type Binding,
  type CallValue,
  type FunctionFact,
  type MemberValue,
  type ObjectValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { bindingOf } from '../../../facts/asked-values.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { classifyHost } from '../../../secrets/index.ts'
import type { GradeFacts, Span } from '../../../types.ts'
import { namesCompletedLater, type Completing } from './later-fields.ts'

/** A connection by SSH to a host whose key nothing compares with a known one. */
export interface UncheckedHost extends Span, GradeFacts {
  /** Where the call is, which is marked where the setting is missing. */
  readonly callee: Span
  /** The same for connections to one host. */
  readonly host: Span | undefined
}

/**
 * Clients of SSH that accept any key of the host unless `hostVerifier` refuses it, and hand their options on to ssh2 as they are.
 * Facts: README and lib/protocol/kex.js of ssh2 1.17 ("Host accepted by default"); ssh2-sftp-client 12.1, src/index.js; node-ssh 13.2, `connect`.
 */
const CONNECT =
  /^module:(?:ssh2 (?:default )?(?:Client )?new connect|ssh2-sftp-client (?:default )?new connect|node-ssh (?:default )?(?:NodeSSH )?new connect)$/

const VERIFIER = 'hostVerifier'

/** Connections whose options are all written in the file; those of others may hold a verifier. */
export function* findUncheckedHosts(facts: ScriptFacts, step: (count?: number) => void): Generator<UncheckedHost> {
  let completed: ReadonlySet<Binding> | undefined
  for (const call of facts.calls) {
    const [given] = call.args
    if (given === undefined || !isConnection(call, facts)) continue
    const options = resolveValue(given)
    if (options.kind !== 'object' || options.fields.some(({ key }) => key === undefined)) continue
    const named = bindingOf(given)
    completed ??= namesCompletedLater(facts, VERIFIERS, step)
    if (named !== undefined && completed.has(named)) continue
    const verifier = fieldOf(options, VERIFIER)
    if (verifier !== undefined && !acceptsAny(verifier.value, facts)) continue
    const grade = gradeOf(options)
    const { callee } = call
    const { start, end } = verifier === undefined ? callee : { start: verifier.start, end: verifier.value.end }
    if (grade !== undefined) yield { start, end, callee, host: fieldOf(options, 'host')?.value, ...grade }
  }
}

function isConnection({ callee }: CallValue, facts: ScriptFacts): boolean {
  return (
    accessesOf(callee).some(({ root, steps }) => CONNECT.test([root, ...steps].join(' '))) ||
    (callee.kind === 'member' && callee.object.kind === 'member' && isHeldClient(callee.object, callee.name ?? '', facts))
  )
}

/** `this.sftp = new Client()`: a field of the file that is given nothing but such a client. */
function isHeldClient({ object, name }: MemberValue, method: string, { assignments }: ScriptFacts): boolean {
  if (object.kind !== 'this' || name === undefined) return false
  const given = assignments.filter(({ target }) => target.name === name && target.object.kind === 'this')
  return (
    given.length > 0 &&
    given.every(({ value }) => accessesOf(value).some(({ root, steps }) => CONNECT.test([root, ...steps, method].join(' '))))
  )
}

/** Options with a name get a verifier by it, or by what is handed the object: `options.hostVerifier = check`, `Object.assign(options, more)`. */
const VERIFIERS: Completing = {
  isField: (name) => name === VERIFIER,
  adds: ({ callee }) => lastNameOf(callee) === 'assign',
}

/** `hostVerifier: () => true`, `hostVerifier: (key, verify) => verify(true)`, `hostVerifier: undefined` */
function acceptsAny(value: ObjectValue['fields'][number]['value'], facts: ScriptFacts): boolean {
  const given = resolveValue(value)
  if (isNullish(given)) return true
  const check = functionOf(given)
  if (check === undefined || looksAtKey(check, facts)) return false
  const verify = check.parameters[1]
  if (verify === undefined) return check.returns.length > 0 && check.returns.every((one) => constantOf(one) === true)
  const answers = facts.calls.filter(({ callee }) => bindingOf(callee) === verify)
  return answers.length > 0 && answers.every(({ args: [answer] }) => answer !== undefined && constantOf(answer) === true)
}

/** Whether a function asks or leaves before its end, or does more with the key than to log it. */
function looksAtKey(check: FunctionFact, facts: ScriptFacts): boolean {
  if (facts.guards.some((guard) => guard.function === check) || (check.thrown ?? []).length > 0) return true
  const [key] = check.parameters
  const isKey = (part: Value): boolean => key !== undefined && bindingOf(part) === key
  return valuesOf(facts).some(
    ({ value, parent }) => isKey(value) && !(parent?.kind === 'call' && LOGS.test(lastNameOf(parent.callee) ?? '')),
  )
}

const LOGS = /^(?:log|info|debug|warn|trace)$/

/** Nothing for one's own machine; a password goes to whoever answers, and files where a key logs on. Where the host is not in the file, the network is not known. */
function gradeOf(options: ObjectValue): GradeFacts | undefined {
  const host = fieldOf(options, 'host')?.value
  const written = host && constantOf(resolveValue(host))
  const impact = fieldOf(options, 'password') === undefined ? ('data' as const) : ('takeover' as const)
  if (typeof written !== 'string') return { impact, evidence: 'assumed' }
  const place = classifyHost(written)
  if (place === 'local' || place === 'documentation') return undefined
  return { impact, ...(place === 'private' && { reach: 'privileged' as const }) }
}
