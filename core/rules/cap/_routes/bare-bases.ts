import {
  constantOf,
  fieldOf,
  resolveValue,
  valuesOf,
  type ObjectValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isLoopback, readUrl } from '../../../model/deployment/index.ts'
import { leadingTextOf } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** An address without TLS in the settings of a client that sends credentials to it. */
interface BareBase {
  readonly at: Span
  readonly key: string
  readonly host: string
  /** A variable of the environment may say another one. */
  readonly isDefault: boolean
}

const ADDRESS = /^(?:base_?)?(?:url|uri)$|^endpoint$/i
const PASSWORD = /^(?:sap_?)?(?:password|passwd|pass|pwd)$/i
const USER = /^(?:sap_?)?(?:user_?(?:name|id)?|login)$/i

/**
 * `axios.create({ baseURL: process.env.BASE || "http://host:8000", auth: { username, password } })`, settings that a module exports with a user and a
 * password, and clients that are given credentials later. Facts: axios 1, "Request Config" and `defaults`.
 */
export function* bareBases(facts: ScriptFacts, step: (count?: number) => void): Generator<BareBase> {
  const isGivenLater = facts.assignments.some(({ target }) => target.name === 'auth' && lastNameOf(target.object) === 'defaults')
  for (const { value, parent } of valuesOf(facts)) {
    step()
    if (value.kind !== 'object') continue
    const address = value.fields.find(({ key }) => key !== undefined && ADDRESS.test(key))
    if (address?.key === undefined) continue
    const isCreated = parent?.kind === 'call' && lastNameOf(parent.callee) === 'create'
    if (!sendsCredentials(value) && !(isGivenLater && isCreated)) continue
    const found = addressIn(address.value)
    const url = found && readUrl(leadingTextOf(found).text)
    if (found === undefined || url === undefined || isLoopback(url.host)) continue
    const isDefault = resolveValue(address.value) !== found && resolveValue(address.value).kind === 'choice'
    yield { at: { start: found.start, end: found.end }, key: address.key, host: url.host, isDefault }
  }
}

function addressIn(given: Value): Value | undefined {
  const value = resolveValue(given)
  const options = value.kind === 'choice' ? value.options.map(resolveValue) : [value]
  return options.find((option) => /^http:\/\/[\w.-]{1,200}[:/]?/.test(leadingTextOf(option).text))
}

function sendsCredentials(settings: ObjectValue): boolean {
  const auth = fieldOf(settings, 'auth')?.value
  if (auth !== undefined && constantOf(auth) === undefined && lastNameOf(auth) !== 'undefined') return true
  const headers = fieldOf(settings, 'headers')?.value
  const sent = headers && resolveValue(headers)
  if (sent?.kind === 'object' && sent.fields.some(({ key }) => /^authorization$/i.test(key ?? ''))) return true
  const names = settings.fields.flatMap(({ key }) => key ?? [])
  return names.some((name) => PASSWORD.test(name)) && names.some((name) => USER.test(name))
}
