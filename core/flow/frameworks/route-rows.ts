import {
  accessesOf,
  fieldOf,
  findPart,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { askedIn, equalIn } from '../../conditions/asked.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { CALLER_STEPS, KEY_NAMES, OF_PERSON, OWN_STEPS, ROW_METHODS, USER_HEADERS } from '../tables/routes.ts'
import type { RouteRow } from '../types.ts'
import { statementOf } from './statements.ts'

/** Rows that a function of a route asks for: those of the user, or one that the client names. */
export function rowsOf(fact: FunctionFact, { calls, guards }: ScriptFacts): readonly RouteRow[] {
  const { start, end } = fact
  return calls.flatMap((call): readonly RouteRow[] => {
    const asked = start <= call.start && call.end <= end ? tableOf(call) : undefined
    if (asked === undefined) return []
    const isOfUser = (given: Value): boolean => findPart(given, isOfCaller) !== undefined
    const isCompared = (guard: Guard): boolean => guard.function === fact && isComparedRow(guard, call)
    if (asked.conditions.some(isOfUser) || guards.some(isCompared)) return [{ ...rowAt(call, asked), isOwn: true }]
    const keys = call.args.flatMap((given) => keyIn(given) ?? [])
    // of what is written and what is asked for the path names the row
    const key = keys.find((one) => one.startsWith('req.params.')) ?? keys[0]
    return key === undefined ? [] : [{ ...rowAt(call, asked), key }]
  })
}

/** `if (claim.owner !== req.user.id) return res.sendStatus(403)`, of a row that the call gave; who may not read rows of their own owns nothing by that. */
function isComparedRow({ test, exits }: Guard, { start, end }: CallValue): boolean {
  const isOfRow = (side: Value): boolean => findPart(side, (part) => part.start === start && part.end === end) !== undefined
  const isComparison = (part: Value): boolean => {
    const asked = askedIn(part, !exits)
    return asked !== undefined && equalIn(asked).some(([row, user]) => isOfRow(row) && findPart(user, isOfCaller) !== undefined)
  }
  return findPart(test, isComparison) !== undefined
}

/** Rows that a call asks for. */
interface Asked {
  readonly table: string
  /** What says which rows: not what is written into them. */
  readonly conditions: readonly Value[]
}

const rowAt = ({ callee: { start, end } }: CallValue, { table }: Asked): RouteRow => ({ table, start, end })

/** `query('SELECT … FROM claims …', …)`, `Claim.findOne({ where })`, `prisma.claim.update({ where })`. */
function tableOf(call: CallValue): Asked | undefined {
  const { callee, args } = call
  const [first] = args
  const statement = statementOf(call)?.text
  if (statement !== undefined) {
    const table = /^\s{0,20}(?:select|update|delete)\b/i.test(statement)
      ? /\b(?:from|update)\s{1,20}["`]?([\w.]{1,80})/i.exec(statement)?.[1]
      : undefined
    return table === undefined ? undefined : { table, conditions: args }
  }
  if (!('object' in callee) || first === undefined || !ROW_METHODS.test(callee.name ?? '')) return undefined
  const owner = callee.object
  const name = lastNameOf(owner) ?? ''
  const isModel = /^[A-Z][a-z]/.test(name) || accessesOf(owner).some(({ root }) => /prisma/i.test(root))
  const made = resolveValue(first)
  // Mongoose takes the condition itself: `Order.find({ owner: req.user.id })`
  const isSelected = fieldOf(made, 'where') !== undefined || 'fields' in made || /By(?:Id|Pk)|One/.test(callee.name ?? '')
  if (!isModel || !isSelected) return undefined
  // Sequelize writes `update(values, { where })`
  const wheres = args.flatMap((given) => fieldOf(resolveValue(given), 'where')?.value ?? [])
  return { table: name, conditions: wheres.length > 0 ? wheres : [first] }
}

/** `req.user.id`, `req.courier.email` that a middleware has set, `req.headers['x-user-id']` that a proxy writes, under whatever name. */
function isOfCaller(part: Value): boolean {
  return (
    'name' in part &&
    accessesOf(part).some(
      ({ root, steps: [first = '', second = ''] }) =>
        REQUEST.test(root) &&
        (CALLER_STEPS.test(first) ||
          (first === 'headers' && USER_HEADERS.test(second)) ||
          (!OWN_STEPS.has(first) && OF_PERSON.test(second))),
    )
  )
}

const REQUEST = /^parameter:_?(?:req|request|ctx)$/

function keyIn(given: Value): string | undefined {
  const part = findPart(given, (one) => keyOf(one) !== undefined)
  return part && keyOf(part)
}

/** `req.params.id`, `const { claimId } = req.body`. */
function keyOf(value: Value): string | undefined {
  if (!('name' in value)) return undefined
  for (const { root, steps } of accessesOf(value)) {
    const [part = '', name = ''] = steps
    if (!REQUEST.test(root) || steps.length !== 2 || !KEY_NAMES.test(name)) continue
    if (/^(?:params|body|query)$/.test(part)) return `req.${part}.${name}`
  }
  return undefined
}
