import {
  constantOf,
  stringConstantOf,
  findPart,
  resolveValue,
  type CallValue,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Span } from '../../types.ts'

const SHOWS_MESSAGE: ReadonlySet<string> = new Set(['show', 'error', 'warning', 'information', 'confirm', 'alert'])
/** Tells a user that he may not: `You are not authorized`, and keys of texts that do. */
export const DENIES: RegExp =
  /\b(?:not|n.t) (?:be )?(?:authori[sz]ed|permitted|entitled)|\bno (?:authori[sz]ation|permission)|permission denied|n[o.]t have (?:the |any |enough |sufficient )?(?:permission|authori[sz]ation)|not allowed to (?:approve|reject|delete|change|edit|update|release|create|post)|\b(?:are|.re) not (?:the right|the responsible|an? (?:approver|signatory|owner))\b|nicht berechtigt|keine berechtigung|sin (?:permiso|autorizaci)|no (?:tiene|cuenta con) (?:permiso|autorizaci)|sem (?:permiss|autoriza)|n[aã]o (?:tem|possui) (?:permiss|autoriza)|pas autoris|^(?:msg_?)?(?:not_?authori[sz]ed|no_?(?:auth(?:ori[sz]ation)?|permission)|permission_?denied)$/i

/** Tells the message behind a condition that says the user lacks a right. Most scripts have none, so that no condition is asked. */
export function createDenialReader({ calls }: ScriptFacts): (guard: Guard) => string | undefined {
  let denials: readonly Denial[] | undefined
  return ({ test, inside }) => {
    denials ??= calls.flatMap(toDenial)
    const found = denials.find(({ start, end }) => inside.start <= start && end <= inside.end)
    // what a server has refused
    const isAnswer = found !== undefined && findPart(test, (part) => /^40[13]$/.test(String(constantOf(part)))) !== undefined
    return isAnswer ? undefined : found?.text
  }
}

interface Denial extends Span {
  readonly text: string
}

function toDenial({ callee, args: [message], start, end }: CallValue): readonly Denial[] {
  const text = message !== undefined && SHOWS_MESSAGE.has(lastNameOf(callee) ?? '') ? messageOf(message) : undefined
  if (text === undefined || !DENIES.test(text)) return []
  return [{ start, end, text: text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text }]
}

const LONGEST_MESSAGE = 60

/** A constant text, or the key of one in the texts of the app. */
function messageOf(value: Value): string | undefined {
  const given = resolveValue(value)
  const text = stringConstantOf(
    given.kind === 'call' && lastNameOf(given.callee) === 'getText' && given.args[0] !== undefined ? given.args[0] : given,
  )
  return text?.trim()
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
