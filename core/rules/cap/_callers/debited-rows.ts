import { beginningOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { changedNumbers, type Compounds } from '../_rows/changed-numbers.ts'
import { entityOfUpdate } from '../_rows/decided-states.ts'
import { isAmount } from '../_rows/repeatable-effects.ts'

const NO_COMPOUNDS: Compounds = { byAmount: new Map(), byName: new Map() }

/** Tells whether a condition chooses the row that its own statement takes an amount from: `UPDATE(Users).set({ balance: user.balance - price }).where({ userId })`. */
export function createDebitReader({ calls }: ScriptFacts, step: (count?: number) => void): (call: CallValue) => boolean {
  let debited: ReadonlySet<Value> | undefined
  // `UPDATE(Users)` of `UPDATE(Users).set(row).where(condition)`
  const statementOf = (call: CallValue): Value =>
    beginningOf(call, () => {
      step()
      return true
    })
  return (call) => {
    debited ??= new Set(calls.filter(takesAmount).map(statementOf))
    return debited.size > 0 && debited.has(statementOf(call))
  }
}

function takesAmount(call: CallValue): boolean {
  if (entityOfUpdate(call) === undefined) return false
  if (changedNumbers(call, NO_COMPOUNDS).some(({ isTaken }) => isTaken === true)) return true
  return call.args.some((given) => {
    const row = resolveValue(given)
    return 'fields' in row && row.fields.some(({ key, value }) => key !== undefined && isAmount(key) && isLess(key, value))
  })
}

/** `user.balance - price`. */
function isLess(key: string, written: Value): boolean {
  const value = resolveValue(written)
  const [first] = 'operator' in value && value.operator === '-' ? value.operands : []
  return first !== undefined && lastNameOf(first) === key
}
