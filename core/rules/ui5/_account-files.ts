import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { ProjectFile } from '../../files.ts'
import { isPasswordName } from '../../model/script/index.ts'
import { itemsOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import { parseCsv } from '../../parse/csv.ts'
import { lineBefore } from '../../parse/position.ts'
import { fileNameOf } from '../../paths.ts'
import type { Span } from '../../types.ts'

const STEMS = ['user', 'users', 'account', 'accounts', 'login', 'logins', 'credential', 'credentials', 'employee', 'employees']
const NAMES: readonly string[] = STEMS.flatMap((stem) => [`${stem}.csv`, `${stem}.json`])
const MENTION = /["'`/]((?:user|account|login|credential|employee)s?\.(?:csv|json))(?=["'`?])/gi
const LONGEST_LINE = 300

/** Files of accounts that a script names: `fetch('data/users.csv')`. Asked of the text, so that no script is parsed for it. */
export const namedAccountFiles: Extract<string> = defineExtract({
  name: 'ui5-account-files',
  keywords: NAMES,
  *collectText(text) {
    for (const { 1: name = '', index } of text.matchAll(MENTION))
      if (!/^\s{0,80}(?:\/\/|\/?\*)/.test(lineBefore(text, index, LONGEST_LINE))) yield name.toLowerCase()
  },
})

/** Compares a password with something that is not written beside it: `user.password === entered`. */
const COMPARED = /passw(?:or)?d["'\]]{0,2}\s{0,3}[=!]==?\s{0,3}(?!["'`]|null\b|undefined\b|\d)[a-z]/i

/** Scripts that compare passwords. */
export const comparedPasswords: Extract<true> = defineExtract({
  name: 'ui5-compared-passwords',
  keywords: ['password', 'passwd'],
  *collectText(text) {
    if (COMPARED.test(text)) yield true
  },
})

export interface KeptPassword {
  readonly at: Span
  readonly column: string
}

const WHO = /^(?:\w{0,20}_?)?(?:id|user|user_?name|name|login|e?-?mail|account|number|no)$/i
/** Digests, and what a build fills in. */
const DIGEST = /^(?:\$[\w-]{1,20}\$|\{[\w-]{1,20}\}|pbkdf2|[a-f\d]{32}|<|\$\{)/i
/** What stands where nothing is. */
const NOTHING = /^(?:\*{1,99}|x{1,99}|null|true|false)$/i
const SHORTEST = 4

/** The readable password of the first account in a file of the page, and the name of the file; undefined: it has none. */
export function accountFileOf({
  path,
  kind,
  content,
}: Pick<ProjectFile, 'path' | 'kind' | 'content'>): ({ readonly name: string } & KeptPassword) | undefined {
  if (kind.test || kind.role !== 'account-table') return undefined
  const found =
    content.as === 'text' && content.text !== undefined
      ? inTable(content.text)
      : content.as === 'data'
        ? content.roots.flatMap((root) => inTree(root) ?? [])[0]
        : undefined
  return found && { name: fileNameOf(path), ...found }
}

function inTable(text: string): KeptPassword | undefined {
  const { header, rows } = parseCsv(text)
  if (!header.some(({ text: column }) => WHO.test(column.trim()))) return undefined
  for (const [index, { text: column }] of header.entries()) {
    if (!isPasswordName(column.trim())) continue
    const cell = rows.map((row) => row[index]).find((one) => one !== undefined && isReadable(one.text))
    if (cell !== undefined) return { at: { start: cell.start, end: cell.end }, column: column.trim() }
  }
  return undefined
}

/** A list of accounts: the root itself, or a member of it. */
function inTree(root: DataNode): KeptPassword | undefined {
  for (const list of [root, ...membersOf(root).map(({ value }) => value)])
    for (const account of itemsOf(list)) {
      const members = membersOf(account)
      if (!members.some(({ key }) => WHO.test(key))) continue
      const kept = members.find(({ key, value }) => isPasswordName(key) && isReadable(stringOf(value) ?? ''))
      if (kept !== undefined) return { at: { start: kept.value.start, end: kept.value.end }, column: kept.key }
    }
  return undefined
}

function isReadable(value: string): boolean {
  const text = value.trim()
  return text.length >= SHORTEST && !DIGEST.test(text) && !NOTHING.test(text)
}
