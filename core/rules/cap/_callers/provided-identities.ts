import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  constantOf,
  fieldOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { blankComments } from '../../../model/reach/index.ts'
import { isDeployedCode, isPasswordName } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** A call by which a server makes somebody a user of an identity provider, with a password of their own and an address that nobody has proved. */
export interface ProvidedIdentity extends Span {
  /** Of the function that makes it. */
  readonly by: string
  /** The field by which the address counts as proved. */
  readonly field: string
}

/** An operation by which people register, which hands on the password that they send. */
export interface Registration extends Span {
  /** The function that gets it. */
  readonly called: string
}

/**
 * Facts: Microsoft Graph 1.0, "Create user" (`identities` with the sign-in type `emailAddress` and `passwordProfile`: a local account that can log in at once); Firebase Admin 13, `createUser`
 * (`emailVerified`); Auth0 Management API, "Create a User" (`email_verified`); Keycloak 26 Admin API, UserRepresentation (`emailVerified`, `credentials`).
 */
export const providedIdentities: Extract<ProvidedIdentity> = defineExtract({
  name: 'cap-provided-identities',
  keywords: ['passwordProfile', 'emailVerified', 'email_verified'],
  isFor: isDeployedCode,
  *collect({ facts, step }) {
    for (const call of facts.calls) {
      step()
      const field = call.args.flatMap((given) => trustedField(given) ?? [])[0]
      if (field === undefined) continue
      yield { start: call.start, end: call.end, by: nameAround(call.function), field }
    }
  },
})

/** Whether an object makes a user with a password who may use an address at once: the field that says so. */
function trustedField(given: Value): string | undefined {
  const user = bodyOf(given)
  if (OFF.some(([name, value]) => isConstant(fieldOf(user, name)?.value, value))) return undefined
  const profile = fieldOf(user, 'passwordProfile')?.value
  if (profile !== undefined && fieldOf(user, 'accountEnabled') !== undefined)
    return isGiven(fieldOf(resolveValue(profile), 'password')?.value) && isByAddress(fieldOf(user, 'identities')?.value)
      ? 'identities'
      : undefined
  const trusted = ['emailVerified', 'email_verified'].find((name) => isConstant(fieldOf(user, name)?.value, true))
  const hasPassword = isGiven(fieldOf(user, 'password')?.value) || hasCredential(fieldOf(user, 'credentials')?.value)
  return trusted !== undefined && hasPassword && isGiven(fieldOf(user, 'email')?.value) ? trusted : undefined
}

/** Somebody else lets the account in later. */
const OFF = [
  ['accountEnabled', false],
  ['enabled', false],
  ['disabled', true],
  ['blocked', true],
] as const

/** `JSON.stringify({ … })` */
function bodyOf(given: Value): Value {
  const made = resolveValue(given)
  const [inner] = 'callee' in made && lastNameOf(made.callee) === 'stringify' ? made.args : []
  return inner === undefined ? made : resolveValue(inner)
}

function isGiven(value: Value | undefined): boolean {
  return value !== undefined && constantOf(value) === undefined
}

/** `[{ type: 'password', value }]` */
function hasCredential(value: Value | undefined): boolean {
  const list = value && resolveValue(value)
  return list !== undefined && 'items' in list && list.items.some((item) => isGiven(fieldOf(resolveValue(item), 'value')?.value))
}

function isConstant(value: Value | undefined, wanted: boolean): boolean {
  return value !== undefined && constantOf(value) === wanted
}

/** `[{ signInType: 'emailAddress', issuerAssignedId: email }]` */
function isByAddress(value: Value | undefined): boolean {
  const list = value && resolveValue(value)
  if (list === undefined || !('items' in list)) return false
  return list.items.some((item) => {
    const one = resolveValue(item)
    const type = fieldOf(one, 'signInType')?.value
    return type !== undefined && constantOf(type) === 'emailAddress' && isGiven(fieldOf(one, 'issuerAssignedId')?.value)
  })
}

/** The name of the function, or of the one around it that has one. */
function nameAround(from: FunctionFact): string {
  let here: FunctionFact | undefined = from
  while (here !== undefined && here.name === '') here = here.parent
  const name = here?.name ?? ''
  return name.slice(name.lastIndexOf('.') + 1)
}

/** What people call who want an account, and what their files are called. */
const SIGN_UP = /sign_?-?up|regist(?:er|ration)(?!r)|create_?-?account/i
/** Who calls these has users of the own project. */
const OF_TOOLS = /test|seed|demo|import|migrat|bulk/i
/** Something is sent that has to come back. The token of a login, and a password that is typed twice, prove no address. */
const PROVES =
  /verif(?!ied|y(?:id|access|bearer)token\b)|(?<!re)confirm(?!\w{0,9}pass|ed\w{0,9}pass)(?<!pass\w{0,9}confirm)|activat|invit|one.?time|\botp\b|magic.?link|(?:check|match|compare|redeem|consume|valid\w{0,6})\w{0,12}(?:code|pin)\b|\b(?:body|data|input|query)\??\.(?:code|pin)\b/i

/** Operations of people who register, that hand a password and an address on, in files that prove no address. */
export const registrations: Extract<Registration> = defineExtract({
  name: 'cap-registrations',
  keywords: ['password', 'passwort', 'passwd'],
  isFor: isDeployedCode,
  *collect({ facts, text, path, step }) {
    if (PROVES.test(blankComments(text))) return
    for (const call of facts.calls) {
      step()
      const called = lastNameOf(call.callee)
      if (called === undefined || !handsPassword(call)) continue
      const names = `${namesAround(call.function)} ${called}`
      if ((SIGN_UP.test(path) || SIGN_UP.test(names)) && !OF_TOOLS.test(names)) yield { start: call.start, end: call.end, called }
    }
  },
})

/** `createUser({ email: input.email, password: input.password })`, `createUser(email, password)` */
function handsPassword({ args }: CallValue): boolean {
  const isPassword = (name: string | undefined, value: Value): boolean =>
    name !== undefined && isPasswordName(name) && isHandedOn(value)
  const fields = args.flatMap((given) => {
    const made = resolveValue(given)
    return 'fields' in made ? made.fields : []
  })
  const given = args.map((value) => ({ key: lastNameOf(value) ?? ('name' in value ? value.name : undefined), value }))
  const all = [...fields, ...given]
  return (
    all.some(({ key, value }) => isPassword(key, value)) &&
    all.some(({ key, value }) => /mail/i.test(key ?? '') && isHandedOn(value))
  )
}

/** A part of what a function is given, and nothing that a call makes. */
function isHandedOn(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => root.startsWith('parameter:') && !steps.includes('()'))
}

function namesAround(from: FunctionFact): string {
  const names: string[] = []
  for (let here: FunctionFact | undefined = from; here !== undefined && names.length < 8; here = here.parent)
    names.push(here.name)
  return names.join(' ')
}
