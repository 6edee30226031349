import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { receiverOf } from '../../../facts/asked-values.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { accessesOf, findPart, resolveValue, valuesOf, type Value } from '../../../facts/index.ts'
import type { Scripts } from '../../../extracts/scripts.ts'
import {
  ACCOUNT_PASSWORD_KEYWORDS,
  isAccountPassword,
  isContextRoot,
  isDeveloperFile,
  isOfUi5App,
} from '../../../model/script/index.ts'
import { foldedName, tableOf, withoutComments, type CapRoot } from '../../../model/cap/index.ts'
import { lastName } from '../../../paths.ts'
import { entityOf } from '../_handlers/query-chains.ts'
import { createKeepingReader } from './kept-logins.ts'
import { storedAccounts, type StoredAccount } from './table-passwords.ts'

/** A login that compares a column with the password which the client sends, as it is. */
interface PlainLogin {
  /** The last part of the name of its entity. */
  readonly entity: string
  readonly column: string
  /** Requests that follow may be those of the account. */
  readonly isKept: boolean
}

/** `SELECT.one.from(Members).where({ name, password })`, `member.password === req.data.password` of a row of SELECT: the column holds passwords as they are. */
export const plainLogins: Extract<PlainLogin> = defineExtract({
  name: 'cap-plain-logins',
  keywords: ACCOUNT_PASSWORD_KEYWORDS,
  prefilter: (text) => text.includes('SELECT') && CONDITION.test(text),
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collect({ facts, text, step }) {
    const isKept = createKeepingReader(facts, text, step)
    for (const call of facts.calls) {
      if (lastNameOf(call.callee) !== 'where') continue
      step()
      const [condition] = call.args.map((argument) => resolveValue(argument))
      if (condition?.kind !== 'object') continue
      step(condition.fields.length)
      const sent = condition.fields.find(({ key, value }) => isAccountPassword(key ?? '') && isSentPassword(value))
      const entity = sent === undefined ? undefined : selectedEntity(receiverOf(call))
      if (sent !== undefined && entity !== undefined) yield { entity, column: sent.key ?? '', isKept: isKept(sent.value) }
    }
    for (const { value } of valuesOf(facts)) {
      if (value.kind !== 'operation' || !/^[!=]==?$/.test(value.operator)) continue
      step()
      for (const [index, own] of value.operands.entries()) {
        const sent = value.operands[1 - index]
        if (own.kind !== 'member' || !isAccountPassword(own.name ?? '') || sent === undefined || !isSentPassword(sent)) continue
        const entity = selectedEntity(own.object)
        if (entity !== undefined) yield { entity, column: own.name ?? '', isKept: isKept(sent) }
      }
    }
  },
})

/** What a caller may be known by. */
const KNOWS =
  /\buser\s{0,4}[,}]|\.\s{0,4}user\b|cds\s{0,4}\.\s{0,4}User\b|headers?\b|authInfo|authorization|token|jwt|session|cookie|passport/i

/** Scripts of a server that may ask who calls: without any, a login opens pages alone. */
export const askingScripts: Extract<true> = defineExtract({
  name: 'cap-asking-scripts',
  keywords: ['require', 'import', 'export'],
  prefilter: (text) => KNOWS.test(text),
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collect({ text }) {
    if (/\b(?:require\s{0,4}\(|import\b|exports?\b)/.test(text) && KNOWS.test(withoutComments(text))) yield true
  },
})

const CONDITION =
  /\bwhere\s{0,4}\(\s{0,10}\{[^}]{0,300}(?:passw|pwd|pswd|pword|kennwort|senha|contrase|motdepasse|wachtwoord|heslo|haslo)|(?:passw|pwd|pswd|pword|kennwort|senha|contrase|motdepasse|wachtwoord|heslo|haslo)\w{0,20}\s{0,4}[!=]==?|[!=]==?\s{0,4}[\w.?]{0,60}(?:passw|pwd|kennwort|senha)/i

/** `req.data.password`, `const { password } = req.data`. */
function isSentPassword(value: Value): boolean {
  return accessesOf(value).some(
    ({ root, steps }) =>
      isContextRoot(root) && steps.length === 2 && /^(?:data|body)$/.test(steps[0] ?? '') && isAccountPassword(steps[1] ?? ''),
  )
}

/** `Members` of `SELECT.one.from(Members)`, `'my.shop.Members'`, `SELECT.from(this.entities.Members)`. */
function selectedEntity(value: Value | undefined): string | undefined {
  const from =
    value &&
    findPart(value, (part) => 'callee' in part && /^(?:from|one)$/.test(lastNameOf(part.callee) ?? '') && part.args.length > 0)
  const [given] = from !== undefined && 'callee' in from ? from.args : []
  return entityOf(given)
}

/** Accounts of initial data that a login of the project accepts by their passwords. */
export function* knownAccounts(
  scripts: Scripts,
  roots: readonly CapRoot[],
): Generator<{ readonly file: string; readonly account: StoredAccount; readonly login: string; readonly isKept: boolean }> {
  const accounts = scripts.get(storedAccounts)
  if (accounts.length === 0) return
  const isAsked = scripts.get(askingScripts).length > 0
  // the gravest login by the table and the column
  const logins = new Map<string, { readonly login: string; readonly isKept: boolean }>()
  const asked = new Set<string>()
  for (const { file, value } of scripts.get(plainLogins)) {
    const column = value.column.toLowerCase()
    const id = `${value.entity} ${column} ${value.isKept}`
    if (asked.has(id)) continue
    asked.add(id)
    for (const table of tablesOf(value.entity, roots)) {
      const key = `${table} ${column}`
      if (logins.get(key)?.isKept !== true && (value.isKept || !logins.has(key)))
        logins.set(key, { login: file, isKept: value.isKept })
    }
  }
  for (const { file, value: account } of accounts) {
    const login = logins.get(`${tableOf(file)} ${account.column.toLowerCase()}`)
    if (login !== undefined) yield { file, account, login: login.login, isKept: login.isKept && isAsked }
  }
}

/** Names of the entity and of what it projects on, as files of initial data are called. */
function tablesOf(entity: string, roots: readonly CapRoot[]): ReadonlySet<string> {
  const names = roots.flatMap((root) =>
    root.entities.flatMap((name) => {
      root.step()
      return lastName(name) === entity ? [name, ...root.projected(name)] : []
    }),
  )
  return new Set(names.map(foldedName))
}
