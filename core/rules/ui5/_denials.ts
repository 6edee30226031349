import { constantOf, findPart, resolveValue, type Guard, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'

const SHOWS_MESSAGE: ReadonlySet<string> = new Set(['show', 'error', 'warning', 'information', 'confirm', 'alert'])
/** Tells a user that he may not: `You are not authorized`, and keys of texts that do. */
export const DENIES: RegExp =
  /\b(?:not|n.t) (?:be )?(?:authori[sz]ed|permitted|entitled)|\bno (?:authori[sz]ation|permission)|permission denied|n[o.]t have (?:the |any |enough |sufficient )?(?:permission|authori[sz]ation)|not allowed to (?:approve|reject|delete|change|edit|update|release|create|post)|\b(?:are|.re) not (?:the right|the responsible|an? (?:approver|signatory|owner))\b|nicht berechtigt|keine berechtigung|sin (?:permiso|autorizaci)|no (?:tiene|cuenta con) (?:permiso|autorizaci)|sem (?:permiss|autoriza)|n[aã]o (?:tem|possui) (?:permiss|autoriza)|pas autoris|^(?:msg_?)?(?:not_?authori[sz]ed|no_?(?:auth(?:ori[sz]ation)?|permission)|permission_?denied)$/i

/** The message behind a condition that says the user lacks a right. */
export function denialIn({ test, inside }: Guard, { calls }: ScriptFacts): string | undefined {
  // what a server has refused
  const isAnswer = findPart(test, (part) => /^40[13]$/.test(String(constantOf(part)))) !== undefined
  if (isAnswer) return undefined
  for (const call of calls) {
    if (call.start < inside.start || inside.end < call.end || !SHOWS_MESSAGE.has(lastNameOf(call.callee) ?? '')) continue
    const text = call.args[0] && messageOf(call.args[0])
    if (text !== undefined && DENIES.test(text))
      return text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text
  }
  return undefined
}

const LONGEST_MESSAGE = 60

/** A constant text, or the key of one in the texts of the app. */
function messageOf(value: Value): string | undefined {
  const given = resolveValue(value)
  const text = constantOf(
    given.kind === 'call' && lastNameOf(given.callee) === 'getText' && given.args[0] !== undefined ? given.args[0] : given,
  )
  return typeof text === 'string' ? text.trim() : undefined
}

/** A mark of the row that an event is about, which the service computes for it: `item.ApproveFlag` of `source.getBindingContext().getObject()`. */
export function asksRow({ test }: Guard): boolean {
  return (
    findPart(test, (part) => {
      if (part.kind !== 'member' || !MARK.test(part.name ?? '')) return false
      const row = resolveValue(part.object)
      return row.kind === 'call' && lastNameOf(row.callee) === 'getObject'
    }) !== undefined
  )
}

const MARK = /(?:flag|allowed|enabled|permitted|editable)$|^(?:can|may)[A-Z_]|_ac$/i
