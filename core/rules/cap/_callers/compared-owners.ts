import { findPart, type Binding, type ScriptFacts, type Value } from '../../../facts/index.ts'
import type { Span } from '../../../types.ts'
import { PERSON } from '../_rows/booked-rows.ts'
import { clientData } from '../_rows/client-data.ts'
import { looksAtCaller } from './looks-at-callers.ts'

/** Columns that say whose row it is. */
export const OWNER: RegExp =
  /^(?:owner|user|(?:[a-z]{2,16}_?)?employee|requester|requestor|created_?by|submitted_?by|assignee|author|member|account_?owner)(?:_?(?:id|name|mail|email))?$/i
/** Fields of a row that say who may go on with it. */
const IN_CHARGE =
  /^(?:processor|approver|manager|reviewer|responsible|agent|assigned_?to|current_?user)(?:_?(?:id|name|mail|email))?$/i

/** A field of a row that a check compares with what the client sends. */
interface ComparedOwner extends Span {
  readonly column: string
  readonly client: string
  readonly variant: 'compared'
}

/** `if (row.owner !== req.data.userId) return req.reject(403)`: a check that its own caller answers. */
export function* comparedOwners(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<ComparedOwner> {
  for (const { test, inside } of facts.guards) {
    step()
    if (!REFUSES.test(text.slice(inside.start, inside.end))) continue
    const isCheck = (value: Value): boolean => comparedField(value) !== undefined
    const compared = findPart(test, isCheck)
    const found = compared && comparedField(compared)
    if (compared === undefined || found === undefined || looksAtCaller(found.request, text)) continue
    yield { start: compared.start, end: compared.end, column: found.column, client: found.client, variant: 'compared' }
  }
}

export const REFUSES: RegExp = /reject|error|throw|forbidden|unauthori[sz]ed|40[13]/i

function comparedField(
  value: Value,
): { readonly column: string; readonly client: string; readonly request: Binding } | undefined {
  if (value.kind !== 'operation' || !/^!==?$/.test(value.operator) || value.operands.length !== 2) return undefined
  for (const [row, other] of [value.operands, value.operands.toReversed()]) {
    const column = row?.kind === 'member' ? row.name : undefined
    if (row === undefined || other === undefined || column === undefined || clientData(row) !== undefined) continue
    if (!OWNER.test(column) && !IN_CHARGE.test(column)) continue
    const found = clientData(other)
    if (found !== undefined && PERSON.test(found.name)) return { column, client: found.client, request: found.request }
  }
  return undefined
}
