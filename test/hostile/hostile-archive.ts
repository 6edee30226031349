import type { ArchiveReason, RefusalCode } from '../../core/errors.ts'
import { buildZip, type EntrySpec } from './zip-builder.ts'

/** An archive that must be refused, and exactly how. Built in code: nothing binary is committed. */
export interface HostileArchive {
  readonly name: string
  readonly code: RefusalCode
  readonly reason?: ArchiveReason
  readonly build: () => Uint8Array
}

export const GOOD: EntrySpec = { name: 'package.json', data: '{"name":"shop"}' }
export const TEXT: string = 'var answer = 42\n'.repeat(40)

export const invalid = (name: string, reason: ArchiveReason, build: () => Uint8Array): HostileArchive => ({
  name,
  code: 'archive-invalid',
  reason,
  build,
})

/** A good entry, and one more with what is wrong. */
export const withEntry = (name: string, reason: ArchiveReason, entry: EntrySpec): HostileArchive =>
  invalid(name, reason, () => buildZip({ entries: [GOOD, entry] }))

export const tooLarge = (name: string, reason: ArchiveReason, build: () => Uint8Array): HostileArchive => ({
  name,
  code: 'archive-too-large',
  reason,
  build,
})

export const empty = (name: string, build: () => Uint8Array): HostileArchive => ({ name, code: 'project-empty', build })
