import { findPart, resolveValue, type Binding, type CallValue, type FunctionFact, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { askedIn, isMetBefore, type PartScript } from './part-guards.ts'
import { modelQueryIn } from './rejected-calls.ts'
import { isSentText, type SentPart } from './sent-parts.ts'

/** A query for one row that a route makes by what it was sent. */
interface RowQuery {
  readonly query: CallValue
  readonly part: SentPart
}

/** A row that was found by what was sent, or not, and of which a member is read. */
export interface RowRead extends RowQuery {
  readonly row: Binding
}

/**
 * `order.state` of `const order = await Order.findOne({ number: req.params.number })`.
 * Facts: Mongoose 8, "Queries"; Sequelize 6, "Finders"; TypeORM 0.3, "Repository"; Prisma 6, "CRUD": each gives null where there is no row, unless told to reject.
 */
export function rowReadIn(value: Value, script: PartScript): RowRead | undefined {
  if (value.kind !== 'member' || value.isOptional || value.object.kind !== 'reference') return undefined
  const row = value.object.binding
  const [definition, another] = row?.definitions ?? []
  const found =
    definition?.kind === 'init' && another === undefined && definition.path.length === 0 ? definition.value : undefined
  if (row === undefined || found?.kind !== 'await' || isOrFail(resolveValue(found.value))) return undefined
  const asked = rowQueryIn(resolveValue(found.value), script)
  return asked && { row, ...asked }
}

/** `await Order.findOne({ number: req.params.number }).orFail()`: it rejects where there is no row. Fact: Mongoose 8, "Query.prototype.orFail". */
export function failingRowIn(value: Value, script: PartScript): RowQuery | undefined {
  if (!('value' in value) || typeof value.value !== 'object' || value.value === null) return undefined
  const query = resolveValue(value.value)
  return isOrFail(query) ? rowQueryIn(query, script) : undefined
}

const MAX_CHAIN = 8

function isOrFail(query: Value): boolean {
  let here = query
  for (let depth = 0; depth < MAX_CHAIN && 'callee' in here && 'object' in here.callee; depth++) {
    if (here.callee.name === 'orFail') return true
    here = here.callee.object
  }
  return false
}

function rowQueryIn(value: Value, { partOf }: PartScript): RowQuery | undefined {
  const query = modelQueryIn(value)
  if (query === undefined || !FINDS_ONE.test(lastNameOf(query.callee) ?? '') || query.args.length > MAX_ARGS) return undefined
  const [filter, options] = query.args
  // { rejectOnEmpty: true }, { upsert: true }
  if (filter === undefined || (options !== undefined && !isPlain(options))) return undefined
  const sent = findPart(resolveValue(filter), (one) => isSentText(partOf(one) ?? []))
  const part = sent && partOf(sent)
  return part && { query, part }
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
export function isRowAsked({ row, ...asked }: RowRead, at: Value, fact: FunctionFact, script: PartScript): boolean {
  const isRow = (value: Value): boolean => value.kind === 'reference' && value.binding === row
  const isMet = (test: Value): boolean => askedIn(test, script).some(isRow)
  return (
    isFoundBefore(asked, at, fact, script) ||
    isMetBefore(isMet, at, fact, script) ||
    script.valuesIn(fact).some((value) => isHandedOver(value, at, isRow))
  )
}

/** `if (!(await Order.exists({ number }))) return …`: a condition in front of a place asks the same model for a row by the same part. */
export function isFoundBefore({ query, part }: RowQuery, at: Value, fact: FunctionFact, script: PartScript): boolean {
  const { text, partOf, valuesIn } = script
  const modelOf = ({ callee }: CallValue): string =>
    'object' in callee ? text.slice(callee.object.start, callee.object.end) : ''
  const isSame = (value: Value): boolean => {
    const resolved = resolveValue(value)
    const other = modelQueryIn(
      'value' in resolved && typeof resolved.value === 'object' && resolved.value !== null
        ? resolveValue(resolved.value)
        : resolved,
    )
    if (other === undefined || other === query || modelOf(other) !== modelOf(query)) return false
    return other.args
      .slice(0, 1)
      .some((filter) => findPart(resolveValue(filter), (one) => partOf(one)?.join(' ') === part.join(' ')))
  }
  return isMetBefore((test) => valuesIn(test).some(isSame), at, fact, script)
}

function isHandedOver(value: Value, at: Value, isRow: (value: Value) => boolean): boolean {
  if (!('args' in value) || value.end > at.start || isHarmless(value)) return false
  return value.args.some((given) => isRow(given))
}

function isHarmless({ callee }: Pick<CallValue, 'callee'>): boolean {
  return /^(?:log|info|debug|warn|error|json|send)$/.test(lastNameOf(callee) ?? '')
}
