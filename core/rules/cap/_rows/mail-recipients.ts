import { accessesOf, directParts, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { isContextRoot } from '../../../model/script/index.ts'

/** Who gets a mail, by the names of parameters and fields. */
export const RECIPIENT: RegExp = /^(?:to|cc|bcc)$|(?:e?mail|recipient|receiver|addressee)(?:_?(?:to|id|addr|address|es|s)){0,2}$/i

/** Fields of objects that hold a mail, or answers to it go to. */
const ANSWERS = /reply|from|sender/i
const DEEPEST = 5

/**
 * The names of what callers send, or hand over, as the recipients of a mail: `email` of `sendMail({ to: req.data.email })`; undefined: the call doesn't say who gets it.
 * A name that the function compares with a list or a domain is left out.
 */
export function recipientsOf(
  call: CallValue,
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): readonly string[] | undefined {
  const told = call.args.map((given) => valuesIn(given, 0))
  const values = told.flatMap((one) => one ?? [])
  if (values.length === 0 || told.includes(undefined)) return undefined
  step(1 + (facts.guards.length >> 3))
  const compared = facts.guards
    .filter((guard) => guard.exits && guard.function === call.function && guard.inside.end <= call.start)
    .map(({ test }) => text.slice(test.start, test.end))
  return [...new Set(values.flatMap((value) => namesIn(value, 0)))].filter(
    (name) => !compared.some((test) => isLimited(test, name)),
  )
}

/** What stands for recipients in an object; undefined: more of it may stand elsewhere. */
function valuesIn(given: Value, depth: number): readonly Value[] | undefined {
  const value = resolveValue(given)
  const inner = value.kind === 'array' ? value.items : []
  const fields = value.kind === 'object' ? value.fields : []
  if (depth > DEEPEST) return []
  if (fields.some(({ key }) => key === undefined)) return undefined
  const own = fields.flatMap(({ key = '', value: held }) => (RECIPIENT.test(key) && !ANSWERS.test(key) ? [held] : []))
  if (own.length > 0) return own
  const below = [...inner, ...fields.map(({ value: held }) => held)].map((one) => valuesIn(one, depth + 1))
  return below.includes(undefined) ? undefined : below.flatMap((one) => one ?? [])
}

/** `email` of `req.data.email`, `[email]` and `email.trim()`; rows that are read by it hold what they hold. */
function namesIn(given: Value, depth: number): readonly string[] {
  const value = resolveValue(given)
  if (depth > DEEPEST) return []
  if (value.kind === 'call') return value.callee.kind === 'member' ? namesIn(value.callee.object, depth + 1) : []
  const names = accessesOf(value).flatMap(({ root, steps, binding }) => {
    if (binding?.kind !== 'parameter') return []
    return isContextRoot(root) && steps[0] !== 'data' ? [] : (steps.findLast((step) => /^\w+$/.test(step)) ?? binding.name)
  })
  return value.kind === 'member' ? names : [...names, ...directParts(value).flatMap((part) => namesIn(part, depth + 1))]
}

/** `email.endsWith('@harbour.example')`, `ALLOWED.includes(email)` */
function isLimited(test: string, name: string): boolean {
  if (!test.includes(name)) return false
  return /endsWith\s{0,4}\(/.test(test) || LISTED.exec(test)?.[1]?.includes(name) === true
}

const LISTED = /\b(?:includes|has)\s{0,4}\(([^()]{1,80})\)/
