import {
  constantOf,
  findPart,
  valuesOf,
  type CallValue,
  type ObjectValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import type { Span } from '../../../types.ts'

/** Options of requests that carry nothing secret. Facts: Node.js 24, "https" (https.request, https.Agent); axios 1, "Request Config"; README of got and request. */
const BARE =
  /^(?:httpsAgent|agent|https|rejectUnauthorized|strictSSL|timeout|host|hostname|port|path|url|uri|method|headers|family|encoding|responseType|maxRedirects|followRedirect|json)$/
const BARE_HEADERS = /^(?:accept(?:-language|-encoding)?|user-agent|content-type|cache-control)$/i
const READS = /^(?:get|head|request|fetch|axios|got)$/
/** An address with a credential in it. */
const CREDENTIAL = /key|token|secret|passw|appid|auth|sig(?:nature)?\b|credential/i

/** The connections of options or of an agent: all of them are requests of the file that only read, and send no credential. */
export function carriesNothing({ start }: Span, facts: ScriptFacts, step: (count: number) => void): boolean {
  const parents = new Map<Value, Value | undefined>()
  for (const { value, parent } of valuesOf(facts)) {
    step(1)
    parents.set(value, parent)
  }
  const options = [...parents.keys()].find(
    (value) => value.kind === 'object' && value.fields.some((field) => field.start === start),
  )
  const holder = options && parents.get(options)
  if (options?.kind !== 'object' || (holder?.kind !== 'call' && holder?.kind !== 'new')) return false
  if (holder.kind === 'call') return isBareRequest(holder, options)
  const uses = lastNameOf(holder.callee) === 'Agent' ? usesOf(holder, facts, parents) : undefined
  return uses !== undefined && uses.length > 0 && uses.every((use) => isBareIn(use, parents))
}

/** Options or an agent that the file keeps under a name that nothing reads, since the request stands in a comment: no connection is made with them. */
export function reachesNoRequest({ start }: Span, facts: ScriptFacts, step: (count: number) => void): boolean {
  const holding = facts.bindings.find(
    ({ definitions: [one, further] }) =>
      further === undefined &&
      one?.kind === 'init' &&
      one.path.length === 0 &&
      one.value !== undefined &&
      holds(one.value, start),
  )
  if (holding === undefined) return false
  const isRead = (value: Value | undefined): boolean => value?.kind === 'reference' && value.binding === holding
  const made = holding.definitions[0]?.value
  if (facts.exports.some(({ value }) => value === made || isRead(value))) return false
  for (const { value } of valuesOf(facts)) {
    step(1)
    if (isRead(value)) return false
  }
  return true
}

/** `{ httpsAgent: new Agent({ rejectUnauthorized: false }) }`: nothing but objects and agents around a place. */
function holds(value: Value, start: number): boolean {
  if (start < value.start || start >= value.end) return false
  if (value.kind === 'object')
    return value.fields.some((field) => field.start === start || ('value' in field && holds(field.value, start)))
  return value.kind === 'new' && lastNameOf(value.callee) === 'Agent' && value.args.some((given) => holds(given, start))
}

/** Where an agent is written: in options, or by the constant that holds it; undefined where others may get it. */
function usesOf(
  agent: CallValue,
  { bindings }: ScriptFacts,
  parents: ReadonlyMap<Value, Value | undefined>,
): readonly Value[] | undefined {
  if (parents.get(agent) !== undefined) return [agent]
  const binding = bindings.find(({ definitions }) => definitions.some(({ value, path }) => value === agent && path.length === 0))
  if (binding?.kind !== 'const') return undefined
  return [...parents.keys()].filter((value) => value.kind === 'reference' && value.binding === binding)
}

function isBareIn(agent: Value, parents: ReadonlyMap<Value, Value | undefined>): boolean {
  const options = parents.get(agent)
  const call = options && parents.get(options)
  return options?.kind === 'object' && call?.kind === 'call' && isBareRequest(call, options)
}

function isBareRequest({ callee, args }: CallValue, options: ObjectValue): boolean {
  if (!READS.test(lastNameOf(callee) ?? '') || !options.fields.every(isBareField)) return false
  return args.every((given) => given === options || given.kind === 'function' || isCallback(given) || isBareAddress(given))
}

/** `https.get(options, resolve)` */
function isCallback(given: Value): boolean {
  return given.kind === 'reference' && given.binding?.kind === 'parameter'
}

function isBareField({ key = '', value }: ObjectValue['fields'][number]): boolean {
  if (!BARE.test(key)) return false
  if (key === 'method') return /^(?:get|head)$/i.test(String(constantOf(value)))
  if (key === 'headers') return value.kind === 'object' && value.fields.every((header) => BARE_HEADERS.test(header.key ?? '-'))
  return !/^(?:host|hostname|path|url|uri)$/.test(key) || isBareAddress(value)
}

/** A text, or what a name says that promises an address. */
function isBareAddress(value: Value): boolean {
  if (value.kind === 'object' || value.kind === 'array') return false
  return (
    findPart(value, (part) => {
      if (part.kind === 'literal') return CREDENTIAL.test(String(part.value))
      if (part.kind === 'template') return part.texts.some((text) => CREDENTIAL.test(text))
      return CREDENTIAL.test(lastNameOf(part) ?? '')
    }) === undefined
  )
}
