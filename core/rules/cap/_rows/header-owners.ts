import { accessesOf, constantOf, createCodeReader, findPart, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { headerOf, PROVES, type ChosenUser } from '../_callers/chosen-users.ts'
import { fieldPairs, sqlPairs } from './column-pairs.ts'
import { isAround } from '../../../facts/span-index.ts'
import { isContextRoot } from '../../../model/script/index.ts'

/** Columns that say whose row it is, or who acted. */
const OWNER =
  /^(?:owner|user|employee|requester|requestor|author|assignee|(?:created|modified|submitted|approved|rejected|decided|reviewed|confirmed|changed|updated)_?by)(?:_?(?:id|name|mail|email))?$/i
/** Columns that say which customer's row it is, and headers that do. */
const TENANT = /^tenant(?:_?id)?$/i
const TENANT_HEADER = /^(?:x-)?(?:\w{1,20}-){0,2}tenant(?:-?id)?$/i
const QUERIES =
  /^(?:where|and|find\w{0,20}|count|filter|delete\w{0,10}|set|with|entries|update\w{0,10}|insert\w{0,10}|create\w{0,10})$/

/**
 * A header that names the user, where it decides: the owner of rows that are read or written, `where({ owner: req.headers['x-user'] })`, or a comparison,
 * `if (row.owner !== req.get('x-user'))`.
 */
export function* findHeaderOwners(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<ChosenUser> {
  const proves = createCodeReader(text, (code) => PROVES.test(code))
  const isProven = (at: number): boolean => {
    const around = facts.functions.findLast((span) => isAround(span, at))
    return around !== undefined && proves(around)
  }
  for (const { header, value } of uses(facts, step))
    if (!isProven(value.start)) yield { start: value.start, end: value.end, header, isUsed: true }
}

function* uses(
  facts: ScriptFacts,
  step: (count?: number) => void,
): Generator<{ readonly header: string; readonly value: Value }> {
  const told = function* (value: Value | undefined): Generator<{ readonly header: string; readonly value: Value }> {
    const header = value && headerOf(value)
    if (value !== undefined && header !== undefined) yield { header, value }
  }
  for (const call of facts.calls) {
    step()
    const name = lastNameOf(call.callee) ?? ''
    const pairs = QUERIES.test(name) ? call.args.flatMap((given) => fieldPairs(given, step)) : sqlPairs(call, name)
    for (const { column, value } of pairs) {
      if (OWNER.test(column)) yield* told(value)
      const header = TENANT.test(column) ? headerOf(value, (name) => TENANT_HEADER.test(name)) : undefined
      if (header !== undefined) yield { header, value }
    }
  }
  for (const { target, value } of facts.assignments) {
    if (!OWNER.test(target.name ?? '')) continue
    const isRow = accessesOf(target).some(({ root, steps }) => isContextRoot(root) && steps.length === 2 && steps[0] === 'data')
    if (isRow) yield* told(value)
  }
  for (const { test } of facts.guards) {
    step()
    const compared = findPart(test, (part) => comparedHeader(part) !== undefined)
    if (compared !== undefined) yield* told(comparedHeader(compared))
  }
}

/** A header beside a name or a value, and not whether it is there. */
function comparedHeader(part: Value): Value | undefined {
  if (!('operands' in part) || !/^[!=]==?$/.test(part.operator)) return undefined
  const header = part.operands.find((operand) => headerOf(operand) !== undefined)
  const other = part.operands.find((operand) => operand !== header)
  const isAsked =
    other === undefined || constantOf(other) === '' || constantOf(other) === null || lastNameOf(other) === 'undefined'
  return isAsked ? undefined : header
}
