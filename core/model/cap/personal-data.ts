import type { CapMember } from './types.ts'
import { lastName } from '../../paths.ts'

/** `dateOfBirth`, `DATE_OF_BIRTH` and `address.Date-of-birth` alike: `date of birth`, of the last step of a path. */
export function toWords(name: string): string {
  return lastName(name)
    .slice(0, 200)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replaceAll(/[_\-\s]+/g, ' ')
    .trim()
    .toLowerCase()
}

/** A qualified name's last part in words. */
export function entityWords(name: string): string {
  return toWords(lastName(name))
}

/** What tells something about a person. `name` and `birth` say whom; the others how to reach, pay or judge somebody. */
export type PersonalKind = 'name' | 'mail' | 'phone' | 'birth' | 'bank' | 'identity' | 'pay' | 'belief'

const KINDS: readonly (readonly [PersonalKind, RegExp])[] = [
  [
    'name',
    /(?:^| )(?:first ?name|last ?name|given ?name|family ?name|sur ?name|middle ?name|maiden ?name|full ?name|vorname|nachname)$/,
  ],
  ['mail', /(?:^| )(?:e ?mail|mail)(?: ?address| ?id)?$/],
  ['phone', /(?:^| )(?:phone|telephone|mobile|cell ?phone|mobile ?phone|phone ?mobile)(?: ?number| ?no| ?nr)?$/],
  ['birth', /(?:^| )(?:birth ?date|birth ?day|date ?of ?birth|date birth|dob|born on)$/],
  [
    'bank',
    /(?:^| )(?:iban|iban number|(?:credit|debit) ?card(?: ?number| ?no| ?nr)?|bank ?account(?: ?number| ?no| ?nr)|account ?holder(?: ?name)?)$/,
  ],
  [
    'identity',
    /(?:^| )(?:ssn|social ?security(?: ?number| ?no| ?nr)?|passport(?: ?number| ?no| ?nr)?|pan ?(?:number|no)|aadhaa?r(?: ?number| ?no)?|national ?id(?: ?number)?|national identifier|driving licen[cs]e(?: ?number| ?no)?|driver licen[cs]e(?: ?number| ?no)?|id card(?: ?number| ?no)?|cpf|curp|pesel|personnummer|codice fiscale)$/,
  ],
  ['pay', /(?:^| )(?:salary|salary amount|gehalt|gross pay|net pay|annual income|hourly wage)$/],
  [
    'belief',
    /^(?:religion|religious (?:belief|affiliation)|ethnicity|ethnic origin|blood ?type|blood ?group|disability|medical history|sexual orientation)$/,
  ],
]

/** Types in which such a value is stored; those that the project does not define may be anything. */
const NO_VALUE: ReadonlySet<string> = new Set([
  'Boolean',
  'Association',
  'Composition',
  'LargeBinary',
  'Binary',
  'struct',
  'many',
  'Vector',
  'Map',
])

export function personalKind({ name, type }: Pick<CapMember, 'name' | 'type'>): PersonalKind | undefined {
  if (type !== undefined && NO_VALUE.has(type)) return undefined
  const words = toWords(name)
  return KINDS.find(([, pattern]) => pattern.test(words))?.[0]
}

/** Values that let somebody in, or that are shown to nobody. */
const CREDENTIAL =
  /(?:^| )(?:password|passwd|pwd|passwort|kennwort|senha|contrasena|contrasenia|mot de passe|motdepasse|wachtwoord|passphrase|(?:password|passwd|pwd|pass|pin|passcode|otp|token|api ?key|secret) (?:hash|digest)|hashed (?:password|passwd|pwd|pin|passcode|otp)|password salt|passcode|one time (?:password|pin)|secret|client secret|api ?key|access token|refresh token|auth token|bearer token|private key|secret key|security code|cvv|cvc|pin code|otp|otp code|(?:session|login|reset|verification|activation|invitation|gen \w{1,20}|generated) token|(?:reset|verification|activation) code)$/

export function isCredential({ name, type }: CapMember): boolean {
  return (
    !(type !== undefined && type !== 'LargeBinary' && type !== 'Binary' && NO_VALUE.has(type)) && CREDENTIAL.test(toWords(name))
  )
}

/** `clave`, which is any key in Spanish, is a password beside the name of a user: `usuario`. */
export function isKeyOfUser(name: string, beside: readonly string[]): boolean {
  return /^(?:clave|claveusuario|clave_usuario)$/i.test(name) && beside.some((one) => OF_USER.test(one))
}

const OF_USER = /^(?:usuario|user|user_?name|login|correo|e_?mail|cuenta|nombre_?usuario)$/i

/** Entities whose rows are people. */
export function isPeople(words: string): boolean {
  return /(?:^| )(?:persons?|people|users?|customers?|employees?|workers?|passengers?|patients?|students?|teachers?|pupils?|members?|applicants?|candidates?|guests?|drivers?|attendees?|participants?|subscribers?|citizens?|residents?|contacts?|contact persons?|travell?ers?|authors?|profiles?)$/.test(
    words,
  )
}

/** Entities whose rows are organisations: their addresses and accounts are nobody's own. */
export function isOrganisation(words: string): boolean {
  return /(?:^| )(?:compan(?:y|ies)|suppliers?|vendors?|banks?|agenc(?:y|ies)|organi[sz]ations?|airlines?|carriers?|shops?|stores?|warehouses?|plants?|branch(?:es)?|hotels?|airports?|publishers?|manufacturers?|company codes?|house banks?)$/.test(
    words,
  )
}
