import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import type { Scripts } from '../../../extracts/scripts.ts'
import { constantOf, resolveValue, valuesOf, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { secretNounOf, isDeployedCode } from '../../../model/script/index.ts'
import { KEEPS } from '../_callers/known-administrators.ts'
import { hashingOf, isSent } from './password-rows.ts'

/** What a script does with an element that has the name of a secret. */
interface CredentialUse {
  readonly name: string
  readonly kind: 'stored' | 'checked'
}

/** Elements with names of secrets that scripts of servers store as they are, and those that they compare or verify. */
export const credentialUses: Extract<CredentialUse> = defineExtract({
  name: 'cap-credential-uses',
  isFor: isDeployedCode,
  withFlow: true,
  collect({ facts, text }) {
    return MAY_USE.test(text) ? [...storedIn(facts), ...checkedIn(facts)] : []
  },
})

const MAY_USE = /\b(?:UPDATE|INSERT|UPSERT)\b|verify|compare|[!=]==?/

/** Elements that the project both stores in plain text and compares or verifies. Needs the extract `credentialUses`. */
export function usedCredentials(scripts: Scripts): ReadonlySet<string> {
  const uses = scripts.get(credentialUses)
  const checked = new Set(uses.flatMap(({ value: { name, kind } }) => (kind === 'checked' ? [name] : [])))
  return new Set(uses.flatMap(({ value: { name, kind } }) => (kind === 'stored' && checked.has(name) ? [name] : [])))
}

/** Facts: capire, "UPDATE" (`set`, `with`, `data`) and "INSERT" (`entries`). */
const SETS = /^(?:set|with|data)$/

function* storedIn({ calls }: ScriptFacts): Generator<CredentialUse> {
  for (const { callee, args } of calls) {
    const name = lastNameOf(callee) ?? ''
    if (SETS.test(name) || KEEPS.test(name)) for (const given of args) yield* fieldsIn(given, 3)
  }
}

/** `{ sensors: [{ privateKey: made.key }] }`: rows and those below them. */
function* fieldsIn(given: Value, depth: number): Generator<CredentialUse> {
  const made = resolveValue(given)
  if (depth === 0) return
  if (made.kind === 'array') for (const item of made.items) yield* fieldsIn(item, depth - 1)
  if (made.kind !== 'object') return
  for (const { key, value } of made.fields) {
    if (key === undefined) continue
    if (secretNounOf(key) === undefined) yield* fieldsIn(value, depth - 1)
    else if (isPlain(value)) yield { name: key, kind: 'stored' }
  }
}

/** Neither a constant, such as `null`, nor what is hashed or encrypted. */
function isPlain(value: Value): boolean {
  const made = resolveValue(value)
  if (made.kind === 'reference' && made.name === 'undefined') return false
  return constantOf(made) === undefined && hashingOf(value) === undefined
}

const CHECKS = /^(?:verify|jwtVerify|compare|timingSafeEqual)(?:Sync)?$/

function* checkedIn(facts: ScriptFacts): Generator<CredentialUse> {
  for (const { callee, args } of facts.calls)
    if (CHECKS.test(lastNameOf(callee) ?? '')) for (const given of args) yield* readIn(given)
  for (const { value } of valuesOf(facts))
    if (value.kind === 'operation' && /^[!=]==?$/.test(value.operator))
      for (const operand of value.operands) yield* readIn(operand)
}

/** `row.refreshToken`, and no `req.data.refreshToken`. */
function* readIn(value: Value): Generator<CredentialUse> {
  const read = resolveValue(value)
  if (read.kind !== 'member' || read.name === undefined || secretNounOf(read.name) === undefined) return
  if (!isSent(read.object)) yield { name: read.name, kind: 'checked' }
}
