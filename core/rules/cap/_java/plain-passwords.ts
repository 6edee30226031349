import { append } from '../../../lists.ts'
import { closingOf, isWritten, toJavaTokens, type JavaToken } from '../../../parse/java-tokens.ts'
import { quoteWord } from '../../../quote.ts'
import type { Match, Span } from '../../../types.ts'
import type { Project } from '../../subjects.ts'
import { passwordProcedures, type PasswordProcedure } from '../_sql/password-procedures.ts'
import { javaTexts, javaTokens, type JavaSource } from './sources.ts'

const OF_PASSWORD = /passw(?:or)?d|pwd/i
/** What makes a hash or a cipher of a password, or checks one, anywhere: which passwords it is for, nobody can tell then. */
const HASHES =
  /(?<!URL|Base64|get)encoder|crypt|argon2|pbkdf2|SecretKeyFactory|digest|cipher|\bMac\b|sha_?(?:1|2|256|384|512)|md5|AttributeConverter|ColumnTransformer/i
/** Not `hasHeader`, and no `HashMap`. */
const HASH = /(?:hash|Hash|HASH)(?!Map|Set|[tT]able|Code)/
const PASSWORD = /^(?:(?:user|raw|plain|entered|input|login|current|old)_?)?(?:password|passwd|pwd)$/i
const GETTER = /^get(?:User|Raw|Plain|Entered|Input|Current|Old)?(?:Password|Passwd|Pwd)$/
/** `findByMailAndPassword`. Fact: Spring Data, "Defining Query Methods". */
const DERIVED = /^(?:find|get|read|query|exists|count)\w{0,20}By\w{1,60}And(?:User)?(?:Password|Passwd|Pwd)$/
const LOOKS_UP = /^(?:find|load|select|query|fetch|getBy|getUser|getAccount|getOne|getReference|getSingle|getFirst)/
const ASKED = /\swhere\s[^]{0,400}?(?:^|[\s(.])(password|passwd|pwd)\s{0,5}=\s{0,5}(?:\?|:\w)/i
const QUERIES = /JdbcTemplate|prepareStatement|create(?:Native)?Query|@Query\b/
const MAX_NAMES = 100
const MAX_PLACES = 20

/**
 * Passwords that Java compares or has a procedure keep as they are: in a project whose Java code makes no hash of anything.
 * Facts: Spring Data, "Defining Query Methods"; Jakarta Persistence 3.2, `StoredProcedureQuery`; java.sql, `PreparedStatement`.
 */
export function* plainPasswordsOfJava(project: Project): Generator<Match> {
  const { files, step } = project
  for (const { text } of javaTexts(files.values())) {
    step(1 + text.length / 1000)
    if (mayHash(text) && hashesIn(text)) return
  }
  const sources = [...javaTokens(files.values(), OF_PASSWORD)]
  if (sources.length === 0) return
  yield* ofProcedures(project, sources)
  for (const { file, tokens } of sources) {
    step(tokens.length)
    for (const { start, end, stored, sent } of comparedIn(tokens))
      yield {
        at: { file, span: { start, end } },
        args: { stored: quoteWord(stored), sent: sent === undefined ? '' : quoteWord(sent) },
        variant: sent === undefined ? 'javaQuery' : 'java',
        groupKey: `java ${file}`,
      }
  }
}

function mayHash(text: string): boolean {
  return HASHES.test(text) || HASH.test(text)
}

/** Neither what comments wish for nor what is imported alone makes a hash. */
function hashesIn(text: string): boolean {
  let isImport = false
  for (const token of toJavaTokens(text)) {
    if (token.kind === 'symbol') isImport &&= token.text !== ';'
    else if (token.text === 'import') isImport = true
    else if (!isImport && mayHash(token.text)) return true
  }
  return false
}

/** Of procedures that the code calls by their names, and gives a password. */
function* ofProcedures({ files, step }: Project, sources: readonly JavaSource[]): Generator<Match> {
  const found: { readonly procedure: PasswordProcedure; readonly at: NonNullable<Match['alsoAt']>[number] }[] = []
  const procedures = passwordProcedures(files.values(), step)
  if (procedures.length === 0) return
  const namings = namingsIn(sources, step)
  for (const procedure of procedures)
    for (const { file, tokens, from } of namings.get(procedure.name.toLowerCase()) ?? []) {
      step()
      const span = givenTo(tokens, from)
      if (span === undefined) continue
      found.push({ procedure, at: { file, span } })
      break
    }
  const [first] = found
  if (first === undefined) return
  const { name, parameter, column, places } = first.procedure
  const [at] = places
  const others = found.flatMap(({ procedure, at: given }) => [...procedure.places, given]).filter((one) => one !== at)
  yield {
    at,
    args: { stored: quoteWord(column), sent: quoteWord(parameter), procedure: quoteWord(name) },
    variant: 'procedure',
    alsoAt: others.slice(0, MAX_PLACES),
  }
}

interface Naming extends JavaSource {
  readonly from: number
}

/** Where each source names a procedure first, in lower case: alone, or in `{ call add(?) }`. */
function namingsIn(sources: readonly JavaSource[], step: (count?: number) => void): ReadonlyMap<string, readonly Naming[]> {
  const namings = new Map<string, Naming[]>()
  for (const source of sources) {
    step(source.tokens.length)
    const known = new Set<string>()
    for (const [from, { kind, text }] of source.tokens.entries()) {
      if (kind !== 'string') continue
      const name = (/\bcall\s{1,20}(?:\w{1,100}\.)?(\w{1,100})\(/i.exec(text)?.[1] ?? text).toLowerCase()
      if (known.has(name)) continue
      known.add(name)
      append(namings, name, { ...source, from })
    }
  }
  return namings
}

/** `query.setParameter("p_password", entry.getPassword())` behind the name of the procedure, before that of another one. */
function givenTo(tokens: readonly JavaToken[], from: number): Span | undefined {
  for (let at = from + 1; at < tokens.length; at++) {
    if (/^(?:createStoredProcedureQuery|prepareCall|withProcedureName)$/.test(tokens[at]?.text ?? '')) return undefined
    if (isWritten(tokens, at, '(') && /^(?:set|add|put)/.test(tokens[at - 1]?.text ?? '')) {
      const close = closingOf(tokens, at)
      const given = passwordBefore(tokens, close)
      if (given !== undefined && tokens.slice(at, given.from).some(({ text }) => text === ',')) return given
    }
  }
  return undefined
}

/** `entry.getPassword()` or `password`, which ends where the bracket closes. */
function passwordBefore(
  tokens: readonly JavaToken[],
  close: number,
): (Span & { readonly from: number; readonly text: string }) | undefined {
  const last = tokens[close - 1]
  if (last === undefined) return undefined
  if (last.kind === 'word' && PASSWORD.test(last.text) && /^[(,]$/.test(tokens[close - 2]?.text ?? ''))
    return { start: last.start, end: last.end, from: close - 1, text: last.text }
  const [owner, getter] = [tokens[close - 5], tokens[close - 3]]
  const isCall = isWritten(tokens, close - 2, '(', ')') && isWritten(tokens, close - 4, '.')
  if (!isCall || owner?.kind !== 'word' || getter === undefined || !GETTER.test(getter.text)) return undefined
  return { start: owner.start, end: last.end, from: close - 5, text: `${owner.text}.${getter.text}()` }
}

interface Compared extends Span {
  readonly stored: string
  readonly sent?: string
}

function* comparedIn(tokens: readonly JavaToken[]): Generator<Compared> {
  const rows = rowsIn(tokens)
  const isQuerying = tokens.some(({ kind, text }) => kind === 'word' && QUERIES.test(text))
  for (const [at, { kind, text, start, end }] of tokens.entries()) {
    if (kind === 'string') {
      const stored = isQuerying ? ASKED.exec(text)?.[1] : undefined
      if (stored !== undefined) yield { start: start + 1, end: end - 1, stored }
      continue
    }
    if (!isWritten(tokens, at + 1, '(') || !isWritten(tokens, at - 1, '.')) continue
    const close = closingOf(tokens, at + 1)
    const given = passwordBefore(tokens, close)
    if (given === undefined) continue
    if (DERIVED.test(text)) {
      yield { start: given.start, end: given.end, stored: 'password', sent: given.text }
    } else if (text === 'equals') {
      // member.getPassword().equals(password), entry.getPassword().equals(member.getPassword())
      const asked = passwordBefore(tokens, at - 1) ?? plainBefore(tokens, at - 1)
      if (asked === undefined) continue
      const isStored = rows.has(asked.text.split('.')[0] ?? '')
      if (isStored === rows.has(given.text.split('.')[0] ?? '')) continue
      const [stored, sent] = isStored ? [asked, given] : [given, asked]
      yield { start: asked.start, end: given.end, stored: stored.text, sent: sent.text }
    }
  }
}

/** `password` before the dot of a call. */
function plainBefore(tokens: readonly JavaToken[], dot: number): (Span & { readonly text: string }) | undefined {
  const last = tokens[dot - 1]
  if (last?.kind !== 'word' || !PASSWORD.test(last.text) || isWritten(tokens, dot - 2, '.')) return undefined
  return { start: last.start, end: last.end, text: last.text }
}

/** Names of what was looked up: `Member member = members.findByMail(mail)`. */
function rowsIn(tokens: readonly JavaToken[]): ReadonlySet<string> {
  const rows = new Set<string>()
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== 'word' || !isWritten(tokens, at + 1, '=') || isWritten(tokens, at + 2, '=') || rows.size >= MAX_NAMES) continue
    for (let next = at + 2; next < Math.min(at + 40, tokens.length) && !isWritten(tokens, next, ';'); next++) {
      const isRow = rows.has(tokens[next]?.text ?? '') && isWritten(tokens, next + 1, '.', 'get', '(')
      const isFound =
        LOOKS_UP.test(tokens[next]?.text ?? '') && isWritten(tokens, next + 1, '(') && isWritten(tokens, next - 1, '.')
      if (isRow || isFound) rows.add(text)
    }
  }
  return rows
}
