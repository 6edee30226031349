import { personalKind, type PersonalKind } from '../../../model/cap/index.ts'
import type { Extract } from '../../../extracts/extract.ts'
import type { Match } from '../../../types.ts'
import type { Project } from '../../subjects.ts'
import { bareLogins } from '../_callers/bare-logins.ts'
import { clientChanges, tableFields } from './client-changes.ts'

/** What the file needs of the scripts. */
export const unknownCallerExtracts: readonly Extract[] = [bareLogins, clientChanges, tableFields]

/**
 * Rows that routes change by what the client names, or give away, in a project whose only login lets each valid token pass and keeps nothing of it: no route can know who
 * calls. Where people make accounts for themselves, everybody is such a caller; otherwise all users may be meant to change everything.
 */
export function* unknownCallers({ scripts, capRoots, step }: Project): Generator<Match> {
  const logins = scripts.get(bareLogins)
  const login = logins.find(({ value }) => value.kind === 'bare')
  if (login === undefined || logins.some(({ value }) => value.kind === 'keeps') || capRoots.some(({ test }) => !test)) return
  const isOpen = logins.some(({ value }) => value.kind === 'signup')
  const personal = new Set(
    scripts.get(tableFields).flatMap(({ value }) => (isPersonal(value.fields) ? [value.table.toLowerCase()] : [])),
  )
  for (const { file, value } of scripts.get(clientChanges)) {
    step()
    const { table, key, start, end } = value
    if (key === undefined && !personal.has(table.toLowerCase())) continue
    yield {
      at: { file, span: { start, end } },
      args: { check: table, key: key ?? '', other: login.file },
      variant: key === undefined ? 'unknownReads' : 'unknownChanges',
      groupKey: `${table} ${key === undefined ? 'read' : 'changed'}`,
      ...(isOpen && { evidence: 'shown' as const }),
      // of routes without any login that says more
      isToldByRoute: true,
    }
  }
}

/** Numbers by which states and banks know somebody, or when somebody was born beside how to call. */
function isPersonal(fields: readonly string[]): boolean {
  const kinds = new Set(fields.map((name) => personalKind({ name })))
  return OF_ONE.some((kind) => kinds.has(kind)) || (kinds.has('birth') && kinds.has('phone'))
}

const OF_ONE: readonly PersonalKind[] = ['identity', 'bank', 'pay', 'belief']
