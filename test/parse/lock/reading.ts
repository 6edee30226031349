import type { Role } from '../../../core/files.ts'
import { readLock, type LockedPackage } from '../../../core/parse/lock/index.ts'
import { ParseFailure } from '../../../core/parse/failure.ts'

/** The packages of a lock file. */
export function read(role: Role, text: string): readonly LockedPackage[] {
  return readLock('lock', { role }, text).packages
}

/** `name@version (scope, direct) chain "what stands at its span"`, so that a test shows all of it. */
export function tell(role: Role, text: string): string[] {
  return read(role, text).map(({ name, version, scope, direct, path, start, end, isPrivate }) => {
    const marks = [scope ?? 'unknown', direct ? 'direct' : 'transitive', ...(isPrivate ? ['private'] : [])]
    return `${name}@${version} (${marks.join(', ')}) ${path ?? '-'} "${text.slice(start, end)}"`
  })
}

/** Why a text is refused; throws what is no ParseFailure. */
export function failureOf(role: Role, text: string): string | undefined {
  try {
    read(role, text)
    return undefined
  } catch (error) {
    if (error instanceof ParseFailure) return error.reason
    throw error
  }
}
