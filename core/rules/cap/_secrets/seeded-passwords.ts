import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import type { CapRoot } from '../../../model/cap/index.ts'
import { fileNameOf, lastName } from '../../../paths.ts'
import { quoteWord } from '../../../quote.ts'
import type { Match } from '../../../types.ts'
import { comparedPasswords } from './plain-comparisons.ts'
import { storedAccounts } from './table-passwords.ts'

/** Scripts that make or compare hashes: which login reads the rows, nobody can tell then. */
export const hashingScripts: Extract<true> = defineExtract({
  name: 'cap-hashing-scripts',
  keywords: ['bcrypt', 'argon2', 'scrypt', 'pbkdf2', 'createHash', 'createHmac'],
  *collectText() {
    yield true
  },
})

/**
 * Elements of which the initial data shows that they hold passwords as they are: a login that accepts these rows compares the text. What code compares is told there.
 * Fact: capire, "Providing Initial Data" (the name of a table is that of its entity, with `-` or `.`). Needs the extracts `storedAccounts`, `comparedPasswords` and `hashingScripts`.
 */
export function* seededPasswords(root: CapRoot): Generator<Match> {
  if (root.test) return
  const accounts = root.scripts.get(storedAccounts)
  if (accounts.length === 0 || root.scripts.get(comparedPasswords).length > 0 || root.scripts.get(hashingScripts).length > 0)
    return
  root.step(root.entities.length)
  const entities = new Map(root.entities.map((name) => [name.toLowerCase(), name]))
  for (const { file, value } of accounts) {
    const name = entities.get(
      fileNameOf(file)
        .replace(/\.csv$/i, '')
        .replaceAll('-', '.')
        .toLowerCase(),
    )
    if (name === undefined) continue
    const column = value.column.toLowerCase()
    const members = root.membersOf(name)
    root.step(members.size)
    const member = [...members.values()].find((one) => one.name.toLowerCase() === column && one.type === 'String')
    if (member === undefined) continue
    const args = { stored: quoteWord(`${lastName(name)}.${member.name}`), sent: quoteWord(fileNameOf(file)) }
    yield { at: member.place, variant: 'seeded', args }
  }
}
