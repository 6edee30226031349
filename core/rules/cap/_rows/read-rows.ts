import { functionOf } from '../../../facts/callbacks.ts'
import { awaited } from '../../../facts/conditions.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { findPart, resolveValue, type CallValue, type Value } from '../../../facts/index.ts'
import { baseOf, entityOf, serviceRead } from '../_handlers/query-chains.ts'
import { lookUpBehind } from './own-profiles.ts'

/** The last part of the name of the entity that the row of a number was read from. */
export function readFrom(number: Value, step: (count?: number) => void): string | undefined {
  const here = bareNumber(number)
  return entityOfRow(here.kind === 'member' ? rowOfList(here.object) : here, step)
}

/** The last part of the name of the entity that a row was read from, which has a name. */
export function entityOfRow(row: Value, step: (count?: number) => void): string | undefined {
  if (row.kind !== 'reference') return undefined
  for (const { kind, value } of row.binding?.definitions ?? []) {
    const read = value !== undefined && (kind === 'init' || kind === 'assign') ? queryOf(value) : undefined
    if (read === undefined) continue
    const byService = read.kind === 'call' ? serviceRead(read) : undefined
    if (byService !== undefined) return entityOf(byService.args[0])
    const base = lookUpBehind(read, step) ?? listBehind(read)
    if (base !== undefined) return entityOf(base.args[0])
  }
  return undefined
}

/** `rows` of `rows[0]`. */
export function rowOfList(row: Value): Value {
  return row.kind === 'member' && (row.name === undefined || /^\d{1,4}$/.test(row.name)) ? row.object : row
}

/** The query for the rows of which one is taken: `parts.find((part) => part.ID === id)`, `byId.get(id)`. */
function listBehind(read: Value): CallValue | undefined {
  if (read.kind !== 'call' || read.callee.kind !== 'member' || !/^(?:find|get|at)$/.test(read.callee.name ?? '')) return undefined
  const found = findPart(read.callee.object, (part) => part.kind === 'call' && baseOf(part)?.kind === 'read')
  return found?.kind === 'call' ? baseOf(found)?.call : undefined
}

/** The query of `await tx.run(SELECT.one.from(Books))`. */
function queryOf(value: Value): Value {
  const here = awaited(value)
  const [query] = here.kind === 'call' && lastNameOf(here.callee) === 'run' ? here.args : []
  return query ?? here
}

/** `quantity` of `Number(quantity)`, `parseInt(quantity, 10)`, `quantity || 1`, and of a function of the script that gives one of these of what it gets. */
export function bareNumber(value: Value): Value {
  let here = value
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const made = resolveValue(here)
    const inner = convertedBy(made)
    if (inner === undefined) return made
    here = inner
  }
  return here
}

function convertedBy(made: Value): Value | undefined {
  if (made.kind === 'choice') return made.isAnd === true ? undefined : made.options[0]
  if (made.kind !== 'call') return undefined
  if (CONVERTS.test(lastNameOf(made.callee) ?? '')) return made.args[0]
  const fact = functionOf(made.callee)
  const [returned, other] = fact?.returns ?? []
  const given = returned?.kind === 'call' && CONVERTS.test(lastNameOf(returned.callee) ?? '') ? returned.args[0] : undefined
  if (other !== undefined || given?.kind !== 'reference' || given.binding === undefined) return undefined
  const position = fact?.parameters.indexOf(given.binding) ?? -1
  return position < 0 ? undefined : made.args[position]
}

const CONVERTS = /^(?:Number|parseInt|parseFloat|BigInt)$/
const MAX_DEPTH = 4
