import {
  accessesOf,
  constantOf,
  fieldOf,
  resolveValue,
  type CallValue,
  type ObjectValue,
  type ScriptFacts,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { classifyHost } from '../../../secrets/index.ts'
import type { GradeFacts, Span } from '../../../types.ts'

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
export function* findUncheckedHosts(facts: ScriptFacts): Generator<UncheckedHost> {
  const isSetLater = facts.assignments.some(({ target }) => target.name === VERIFIER)
  if (isSetLater) return
  for (const call of facts.calls) {
    const [given] = call.args
    if (given === undefined || !isConnection(call)) continue
    const options = resolveValue(given)
    if (options.kind !== 'object' || options.fields.some(({ key }) => key === undefined)) continue
    const verifier = fieldOf(options, VERIFIER)
    if (verifier !== undefined && !acceptsAny(verifier.value)) continue
    const grade = gradeOf(options)
    const { callee } = call
    const { start, end } = verifier === undefined ? callee : { start: verifier.start, end: verifier.value.end }
    if (grade !== undefined) yield { start, end, callee, host: fieldOf(options, 'host')?.value, ...grade }
  }
}

function isConnection({ callee }: CallValue): boolean {
  return accessesOf(callee).some(({ root, steps }) => CONNECT.test([root, ...steps].join(' ')))
}

/** `hostVerifier: () => true` */
function acceptsAny(value: ObjectValue['fields'][number]['value']): boolean {
  const check = functionOf(resolveValue(value))
  return check !== undefined && check.returns.length > 0 && check.returns.every((given) => constantOf(given) === true)
}

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
