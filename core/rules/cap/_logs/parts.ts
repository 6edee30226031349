import { fieldOf, resolveValue, type Binding, type ObjectValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { findCallbacks, functionOf, methodOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { writtenParts } from '../../../facts/written-parts.ts'

/** Functions that give one: `getToken()`, `credentialsOf(req)`. */
const GIVES_SECRET = /^(?:get|read|fetch|extract)?(?:access|bearer|auth)?(?:token|jwt|credentials|password|secret)(?:of|from)?$/i

interface LoggedPart {
  readonly value: Value
  /** Where it stands in the call that logs. */
  readonly at: Value
  /** The field of an object `auth` says that it is one, whatever the value is called. */
  readonly isPassword?: true
}

/** Of calls those that give a secret, or that the file says what they give. */
function partsLogged(value: Value): readonly Value[] {
  return writtenParts(value).filter(
    (part) => part.kind !== 'call' || GIVES_SECRET.test(lastNameOf(part.callee) ?? '') || isOwnCall(part),
  )
}

/** The parts of what is logged; of a name also those of the object that it was given, written there or by a function of the file. */
export function loggedParts(argument: Value, facts: ScriptFacts, step: (count: number) => void): readonly LoggedPart[] {
  const own = passwordsIn(argument)
  return partsLogged(argument).flatMap((part): readonly LoggedPart[] => {
    if (part.kind !== 'reference' && !isOwnCall(part)) return [{ value: part, at: part, ...markOf(part, own) }]
    const given = resolveValue(part)
    // const pair = clientID + ':' + clientSecret
    if (part.kind === 'reference' && (given.kind === 'concat' || given.kind === 'template'))
      return [part, ...partsLogged(given).filter((one) => !isOwnCall(one))].map((value) => ({ value, at: part }))
    const made = madeBy(given)
    step(made.length * facts.assignments.length)
    const inner = made.flatMap((object) =>
      object.fields
        .filter(({ key }) => key === undefined || !isReplaced(part, key, facts))
        .flatMap(({ value }) => partsLogged(value)),
    )
    const passwords = made.flatMap((object) => (isReplaced(part, 'auth', facts) ? [] : passwordsIn(object)))
    return [{ value: part, at: part }, ...inner.map((value) => ({ value, at: part, ...markOf(value, passwords) }))].filter(
      ({ value }) => !isOwnCall(value),
    )
  })
}

function markOf(value: Value, passwords: readonly Value[]): Pick<LoggedPart, 'isPassword'> {
  return passwords.includes(value) ? { isPassword: true } : {}
}

/** `auth: { user, pass: settings.word }` of an object, which is logged with it. Fact: Nodemailer, "SMTP transport", Authentication. */
function passwordsIn(object: Value): readonly Value[] {
  const auth = fieldOf(object, 'auth')
  const made = auth && resolveValue(auth.value)
  return ['pass', 'pwd', 'password'].flatMap((key) => fieldOf(made, key)?.value ?? [])
}

/** `describe(req)`. */
function isOwnCall(value: Value): boolean {
  return value.kind === 'call' && functionOf(value.callee) !== undefined && !GIVES_SECRET.test(lastNameOf(value.callee) ?? '')
}

/** The object itself, or those that a function of the file gives. */
function madeBy(value: Value): readonly ObjectValue[] {
  if (value.kind === 'object') return [value]
  const called = value.kind === 'call' ? functionOf(value.callee) : undefined
  return (called?.returns ?? []).flatMap((given) => {
    const made = resolveValue(given)
    return made.kind === 'object' ? made : []
  })
}

/** `delete entry.password`, `entry.password = '***'`. */
function isReplaced(part: Value, key: string, { assignments, deletions }: ScriptFacts): boolean {
  const binding = part.kind === 'reference' ? part.binding : undefined
  return [...deletions, ...assignments.map(({ target }) => target)].some(
    ({ object, name }) =>
      name === key && object.kind === 'reference' && object.binding !== undefined && object.binding === binding,
  )
}

/**
 * Calls whose callback gets a token as its second parameter. Facts: @sap/xssec 3 and 4, v3 (README, "requests.requestUserToken" and
 * "requests.requestClientCredentialsToken": `callback(error, token)`).
 */
const TOKEN_CALLS: ReadonlySet<string> = new Set(['requestUserToken', 'requestClientCredentialsToken'])

/** The names under which callbacks get tokens: `(error, exchanged) => …`. */
export function tokensOfCallbacks(facts: ScriptFacts): ReadonlySet<Binding> {
  if (!facts.calls.some(({ callee }) => TOKEN_CALLS.has(lastNameOf(callee) ?? ''))) return new Set()
  const found = [...findCallbacks(facts)].flatMap(([{ parameters }, callback]) =>
    TOKEN_CALLS.has(methodOf(callback) ?? '') ? (parameters[1] ?? []) : [],
  )
  return new Set(found)
}
