import { constantOf, findPart, resolveValue, type CallValue, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'

/** `UPDATE(Berths).set({ isFree: true }).where(…)`: constants alone, neither passwords nor rights. */
export function setsLittle({ callee }: CallValue): boolean {
  const made = callee.kind === 'member' ? resolveValue(callee.object) : undefined
  if (made?.kind !== 'call' || !/^(?:set|with|data)$/.test(lastNameOf(made.callee) ?? '')) return false
  const [change] = made.args
  return change !== undefined && isFixed(change) && !setsRights(change)
}

const MAX_FIXED_DEPTH = 4

/** Constants and times: `{ active: true }`, `{ $set: { state: 'closed' } }`. */
export function isFixed(value: Value, depth = 0): boolean {
  const made = resolveValue(value)
  if ('fields' in made) return depth < MAX_FIXED_DEPTH && made.fields.every((field) => isFixed(field.value, depth + 1))
  return constantOf(made) !== undefined || isTime(made)
}

/** `new Date()`, `new Date().toISOString()`, `Date.now()`. */
function isTime(value: Value): boolean {
  if (value.kind === 'new') return value.args.length === 0 && lastNameOf(value.callee) === 'Date'
  if (value.kind !== 'call' || value.args.length > 0 || value.callee.kind !== 'member') return false
  return value.callee.name === 'now' || isTime(resolveValue(value.callee.object))
}

/** `{ role: 'admin' }`, `{ $set: { password: 'welcome' } }`: a constant that opens the account of another user, or gives it more rights. */
export function setsRights(value: Value, depth = 0): boolean {
  const made = resolveValue(value)
  if (!('fields' in made) || depth >= MAX_FIXED_DEPTH) return false
  return made.fields.some(({ key = '', value: field }) => OF_RIGHTS.test(key) || setsRights(field, depth + 1))
}

const OF_RIGHTS =
  /^(?:pass(?:word|wd)?|pwd|\w{0,20}[pP]assword(?:_?[hH]ash)?|(?:user_?)?roles?|is_?admin|admin|permissions?|scopes?|privileges?)$/i

/** `updateOne(filter, { resetToken: randomUUID() })`: constants, times and codes that only the server knows, neither passwords nor rights. */
export function writesLittle({ args: [, change] }: CallValue): boolean {
  return change !== undefined && isFixedOrDrawn(change) && !setsRights(change)
}

function isFixedOrDrawn(value: Value, depth = 0): boolean {
  const made = resolveValue(value)
  if ('fields' in made) return depth < MAX_FIXED_DEPTH && made.fields.every((field) => isFixedOrDrawn(field.value, depth + 1))
  return isFixed(made) || isDrawn(made)
}

/** `Math.random().toString(16)`, `crypto.randomBytes(20).toString('hex')`, `randomUUID()`, joined to a text. */
function isDrawn(value: Value): boolean {
  const made = resolveValue(value)
  if (made.kind === 'concat' || made.kind === 'template') return made.parts.every((part) => isFixed(part) || isDrawn(part))
  if (made.kind === 'await') return isDrawn(made.value)
  if (made.kind !== 'call' || !made.args.every((given) => isFixed(given))) return false
  if (DRAWS.test(lastNameOf(made.callee) ?? '')) return true
  return made.callee.kind === 'member' && isDrawn(made.callee.object)
}

const DRAWS = /^(?:random|randomBytes|randomUUID|randomInt|nanoid|uuid|uuidv4|v4|getRandomValues)$/

/** A value that an update writes and a call is given, too: `res.json({ code })`. */
export function isWrittenBy({ args: [, change] }: CallValue, { args }: CallValue): boolean {
  const written = (change === undefined ? [] : fieldsOf(change)).flatMap((one) =>
    one.kind === 'reference' && one.binding !== undefined ? [one.binding] : [],
  )
  const isOf = (part: Value): boolean => part.kind === 'reference' && written.some((binding) => binding === part.binding)
  return args.some((given) => findPart(given, isOf) !== undefined)
}

function fieldsOf(value: Value, depth = 0): readonly Value[] {
  const made = resolveValue(value)
  if (!('fields' in made) || depth >= MAX_FIXED_DEPTH) return [value]
  return made.fields.flatMap((field) => fieldsOf(field.value, depth + 1))
}
