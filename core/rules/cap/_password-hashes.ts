import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { pathOf } from '../../facts/index.ts'
import { isOfUi5App } from '../../model/script/index.ts'

/** Functions that make the hash of a password which nobody reads back, and those that compare a password with one. Facts: bcrypt 6, bcryptjs 3, argon2 0.4x (README of each). */
export const passwordHashes: Extract<'made' | 'compared'> = defineExtract({
  name: 'cap-password-hashes',
  keywords: ['bcrypt', 'argon2'],
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts: { calls } }) {
    const names = new Set(calls.flatMap(({ callee }) => HASHES.exec(pathOf(callee)?.join(' ') ?? '')?.[1] ?? []))
    if (names.has('hash')) yield 'made'
    if (names.has('compare') || names.has('verify')) yield 'compared'
  },
})

const HASHES = /^module:(?:bcrypt|bcryptjs|@node-rs\/bcrypt|argon2) (?:default )?(hash|compare|verify)(?:Sync)?$/
