import { constantOf, directParts, isConstant, keyOf, type Value } from '../../facts/index.ts'
import { isNothing } from '../../facts/values.ts'
import { methodOf, type Asked } from '../asked.ts'
import { type Constraint, toConstraints } from '../constraint.ts'
import { namesGiven } from './predicates.ts'

/** What was asked about values without proving much, whichever way it went: `typeof name === 'string'`, `name.length < 80`; and what nobody can tell: `fits(name)`, `name === other`. */
export function examined({ test, holds }: Asked): readonly Constraint[] {
  switch (test.kind) {
    case 'reference':
    case 'member':
      return toConstraints('there', [keyOf(test)])
    case 'operation':
      return ofComparison(test.operands)
    case 'call': {
      const method = methodOf(test)
      const receiver = method === undefined ? [] : [method.object]
      if (method !== undefined && /^(?:test|exec|match|search)$/.test(method.name)) return []
      const [first] = test.args
      // `text.includes('x')` that holds, `text.startsWith('x')`, `REFUSED.includes(name)` that does not
      if (
        (/^(?:startsWith|endsWith)$/.test(method?.name ?? '') || (method?.name === 'includes' && holds)) &&
        first !== undefined &&
        typeof constantOf(first) === 'string'
      )
        return toConstraints('asked', receiver.map(keyOf))
      if (/^(?:includes|has)$/.test(method?.name ?? '') && !holds && test.args.length === 1 && isConstant(receiver[0] ?? test))
        return toConstraints('asked', test.args.map(keyOf))
      return [...toConstraints('open', namesGiven(test.args)), ...toConstraints('open', receiver.map(keyOf))]
    }
    default:
      return []
  }
}

function ofComparison(operands: readonly Value[]): readonly Constraint[] {
  const isPlain = operands.every(isPlainOperand) && operands.filter((operand) => !isConstant(operand)).length < 2
  const isPresence = operands.length === 2 && operands.some(isNothing)
  return operands.flatMap((operand): readonly Constraint[] => {
    const parts = toConstraints(isPresence ? 'there' : 'asked', [operand, ...directParts(operand)].map(keyOf))
    return isPlain ? parts : [...parts, ...parts.map((one): Constraint => ({ ...one, kind: 'open' })), ...ofCall(operand)]
  })
}

/** `count(name) > 3` */
function ofCall(operand: Value): readonly Constraint[] {
  return operand.kind === 'call' ? toConstraints('open', namesGiven(operand.args)) : []
}

/** A value, its type, its length, and what is written in the code. */
function isPlainOperand(operand: Value): boolean {
  if (operand.kind === 'operation') return operand.operator === 'typeof'
  return operand.kind === 'reference' || operand.kind === 'member' || isConstant(operand)
}
