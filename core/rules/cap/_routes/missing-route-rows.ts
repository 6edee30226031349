import { findPart, resolveValue, type Binding, type CallValue, type FunctionFact, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { askedIn, isMetBefore, type PartScript } from './part-guards.ts'
import { modelQueryIn } from './rejected-calls.ts'
import { isSentText, type SentPart } from './sent-parts.ts'

/** A row that a route has found by what it was sent, or not, and of which a member is read. */
export interface RowRead {
  readonly row: Binding
  readonly part: SentPart
}

/**
 * `order.state` of `const order = await Order.findOne({ number: req.params.number })`.
 * Facts: Mongoose 8, "Queries"; Sequelize 6, "Finders"; TypeORM 0.3, "Repository"; Prisma 6, "CRUD": each gives null where there is no row, unless told to reject.
 */
export function rowReadIn(value: Value, { partOf }: PartScript): RowRead | undefined {
  if (value.kind !== 'member' || value.isOptional || value.object.kind !== 'reference') return undefined
  const row = value.object.binding
  const [definition, another] = row?.definitions ?? []
  const found =
    definition?.kind === 'init' && another === undefined && definition.path.length === 0 ? definition.value : undefined
  if (row === undefined || found?.kind !== 'await') return undefined
  const query = modelQueryIn(resolveValue(found.value))
  if (query === undefined || !FINDS_ONE.test(lastNameOf(query.callee) ?? '') || query.args.length > MAX_ARGS) return undefined
  const [filter, options] = query.args
  // { rejectOnEmpty: true }, { upsert: true }
  if (filter === undefined || (options !== undefined && !isPlain(options))) return undefined
  const sent = findPart(resolveValue(filter), (one) => isSentText(partOf(one) ?? []))
  const part = sent && partOf(sent)
  return part && { row, part }
}

const FINDS_ONE = /^(?:findOne|findById|findByPk|findUnique|findFirst|findOneBy)$/
const MAX_ARGS = 2

/** Columns, or options that say nothing of a missing row. */
function isPlain(options: Value): boolean {
  const made = resolveValue(options)
  if (made.kind === 'literal') return true
  return (
    made.kind === 'object' && made.fields.every(({ key }) => key !== undefined && !/^(?:rejectOnEmpty|upsert|orFail)$/.test(key))
  )
}

/** A condition in front of a place asks for the row, or a function gets it that may do so. */
export function isRowAsked(row: Binding, at: Value, fact: FunctionFact, script: PartScript): boolean {
  const isRow = (value: Value): boolean => value.kind === 'reference' && value.binding === row
  const isMet = (test: Value): boolean => askedIn(test, script).some(isRow)
  return isMetBefore(isMet, at, fact, script) || script.valuesIn(fact).some((value) => isHandedOver(value, at, isRow))
}

function isHandedOver(value: Value, at: Value, isRow: (value: Value) => boolean): boolean {
  if (!('args' in value) || value.end > at.start || isHarmless(value)) return false
  return value.args.some((given) => isRow(given))
}

function isHarmless({ callee }: Pick<CallValue, 'callee'>): boolean {
  return /^(?:log|info|debug|warn|error|json|send)$/.test(lastNameOf(callee) ?? '')
}
