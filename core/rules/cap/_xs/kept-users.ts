import {
  constantOf,
  pathOf,
  type Binding,
  type CallValue,
  type ReferenceValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isNothing } from '../../../facts/values.ts'
import { append } from '../../../lists.ts'
import { preparedTexts, writtenText } from './statements.ts'

/**
 * Whether a script asks who calls only to write the name into a row: `statement.setString(3, $.session.getUsername())`, where that is no part of a condition. What it
 * compares the name with nothing for, or logs it, decides nothing either.
 * Facts: SAP HANA XS JavaScript API Reference, $.session (getUsername), $.db.PreparedStatement (setString: by the position of the parameter), $.hdb.Connection (executeUpdate).
 */
export function onlyKeepsUser(facts: ScriptFacts, step: (count?: number) => void): boolean {
  const asked = facts.calls.filter(({ callee }) => pathOf(callee)?.join('.') === 'global:$.session.getUsername')
  if (asked.length === 0) return false
  step(facts.values.length)
  const parents = new Map<Value, Value | undefined>()
  const references = new Map<Binding, ReferenceValue[]>()
  for (const { value, parent } of facts.values) {
    parents.set(value, parent)
    if ('binding' in value && value.binding !== undefined) append(references, value.binding, value)
  }
  const names = new Map<Value, Binding>()
  for (const binding of facts.bindings)
    for (const { value, path } of binding.definitions) if (value !== undefined && path.length === 0) names.set(value, binding)
  const seen = new Set<Value>()
  const open: Value[] = [...asked]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    step()
    if (seen.has(value)) continue
    seen.add(value)
    const parent = parents.get(value)
    const name = names.get(value)
    if (name !== undefined) for (const one of references.get(name) ?? []) open.push(one)
    else if (parent === undefined) return false
    else if (isSameText(parent)) open.push(parent)
    else if (!isKept(value, parent, step)) return false
  }
  return true
}

/** `user.toString()`, `user || ''`, `"… VALUES ('" + user + "')"`. */
function isSameText(parent: Value): boolean {
  if ('options' in parent || 'parts' in parent) return true
  if ('callee' in parent) return SAME_TEXT.test(lastNameOf(parent.callee) ?? '') && 'object' in parent.callee
  return 'object' in parent && SAME_TEXT.test(parent.name ?? '')
}

const SAME_TEXT = /^(?:trim|toString|toUpperCase|toLowerCase)$/

function isKept(value: Value, parent: Value, step: (count?: number) => void): boolean {
  if ('operands' in parent) return /^[!=]==?$/.test(parent.operator) && parent.operands.some(isNothing)
  if (!('callee' in parent)) return false
  if (pathOf(parent.callee)?.[1] === 'trace') return true
  const texts = textsWith(value, parent, step)
  return texts.length > 0 && texts.every(({ text, position }) => isStored(text, position))
}

/** The statements that a value becomes a part of, and the number of its parameter in them. */
function textsWith(
  value: Value,
  { callee, args }: CallValue,
  step: (count?: number) => void,
): readonly { readonly text: string; readonly position: number }[] {
  const name = lastNameOf(callee) ?? ''
  const [first] = args
  const at = args.indexOf(value)
  if (first === undefined || !('object' in callee)) return []
  if (at === 1 && /^setN?String$/.test(name))
    return preparedTexts(callee.object, step).map((text) => ({ text, position: Number(constantOf(first)) }))
  const text = /^(?:prepareStatement|executeUpdate)$/.test(name) ? writtenText(first) : undefined
  if (text === undefined) return []
  // what stands in the text itself is one of several unknown parts: the last of them counts
  return [{ text, position: at === 0 ? text.split('?').length - 1 : at }]
}

/** Whether a parameter of a statement is what a row gets. */
function isStored(text: string, position: number): boolean {
  if (/^[\s(]{0,200}(?:insert|upsert|replace)\s/i.test(text))
    return !/\b(?:where|select)\b/i.test(text) && !isOwnRow(text, position)
  if (!/^\s{0,200}update\s/i.test(text)) return false
  const [set = ''] = text.split(/\bwhere\b/i, 1)
  return position > 0 && position < set.split('?').length
}

/** A row of the user who calls: `INSERT INTO "Favourite" ("USERNAME", "ITEM") VALUES (?, ?)`, or one whose key begins with the name. `CREATED_BY` says only who did it. */
function isOwnRow(text: string, position: number): boolean {
  const [, columns, values = ''] = ROW.exec(text) ?? []
  if (columns === undefined) return position === 1 && /\bprimary\s{1,20}key\b/i.test(text)
  let parameters = 0
  const at = values.split(',').findIndex((value) => value.includes('?') && ++parameters === position)
  const column = columns.split(',')[at] ?? ''
  return /user|owner|employee|account/i.test(column) && !/creat|chang|updat|modif|edit|insert|writ|sav|log|by\b/i.test(column)
}

const ROW = /\(([^()]{1,2000})\)\s{0,200}values\s{0,200}\(([^()]{1,2000})\)/i
