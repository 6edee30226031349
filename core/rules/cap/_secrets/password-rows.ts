import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  directParts,
  pathOf,
  resolveValue,
  type Binding,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { nameWithOwner } from '../../../facts/asked-values.ts'
import { awaited } from '../../../facts/conditions.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isOfUi5App, isRequestName } from '../../../model/script/index.ts'
import { HASHES, KEEPS } from '../_callers/known-administrators.ts'

/** Functions that make the hash of a password which nobody reads back, and those that compare a password with one. Facts: bcrypt 6, bcryptjs 3, argon2 0.4x (README of each). */
export const passwordHashes: Extract<'made' | 'compared'> = defineExtract({
  name: 'cap-password-hashes',
  keywords: ['bcrypt', 'argon2'],
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts: { calls } }) {
    const names = new Set(calls.flatMap(({ callee }) => HASHING.exec(pathOf(callee)?.join(' ') ?? '')?.[1] ?? []))
    if (names.has('hash')) yield 'made'
    if (names.has('compare') || names.has('verify')) yield 'compared'
  },
})

const HASHING = /^module:(?:bcrypt|bcryptjs|@node-rs\/bcrypt|argon2) (?:default )?(hash|compare|verify)(?:Sync)?$/

/** Tells the objects of a script that become rows: what a client sends, and names that are given to what keeps a row, `entries(user)`. */
export function createRowReader({ calls }: ScriptFacts): (object: Value) => boolean {
  const kept = new Set<Binding>()
  for (const { callee, args } of calls)
    if (KEEPS.test(lastNameOf(callee) ?? ''))
      for (const given of args) if ('binding' in given && given.binding !== undefined) kept.add(given.binding)
  return (object) => isSent(object) || ('binding' in object && object.binding !== undefined && kept.has(object.binding))
}

/** `req.data`, `const data = { ...req.data }`: what a client sends becomes the row. */
export function isSent(object: Value): boolean {
  const made = resolveValue(object)
  const copied =
    'fields' in made ? made.fields.flatMap(({ key, value }) => (key === undefined ? directParts(value) : [])) : [made]
  return copied.some((value) =>
    accessesOf(value).some(({ steps: [first], binding }) => isRequestName(binding?.name) && /^(?:data|body)$/.test(first ?? '')),
  )
}

/** The call that hashes a value, `await bcrypt.hash(word, 12)`; undefined: it is stored as it is. */
export function hashingOf(value: Value): CallValue | undefined {
  const made = resolveValue(awaited(resolveValue(value)))
  return 'callee' in made && HASHES.test(nameWithOwner(made.callee)) ? made : undefined
}
