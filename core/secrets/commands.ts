import type { Budget } from '../budget.ts'
import type { Candidate } from './candidate.ts'
import { lowerGrade } from './grade.ts'
import type { Layer } from './layers.ts'
import { classifyName } from './names.ts'
import { isRandomLooking } from './randomness.ts'
import { ROW_BY_NAME } from './table/index.ts'
import { isPlaceholder, isReference, isWeak } from './values.ts'

/** A command whose arguments hold a password. */
interface Command {
  readonly keyword: string
  readonly row: string
  /** After these stands the password. */
  readonly flags?: readonly string[]
  /** The password follows on it without a space; what stands behind a space is none. */
  readonly attached?: string
  /** The argument at this position, flags not counted. */
  readonly position?: number
  /** The argument before it must be the name of a credential. */
  readonly isNamed?: boolean
  /** `user:password`. */
  readonly isPair?: boolean
}

const COMMANDS: readonly Command[] = [
  { keyword: 'cf login', row: 'cf-login', flags: ['-p'] },
  { keyword: 'cf l ', row: 'cf-login', flags: ['-p'] },
  { keyword: 'cf auth', row: 'cf-login', position: 1 },
  { keyword: 'cf set-env', row: 'cf-set-env', position: 2, isNamed: true },
  { keyword: 'cf se ', row: 'cf-set-env', position: 2, isNamed: true },
  { keyword: 'btp login', row: 'btp-cli-login', flags: ['--password', '-p'] },
  { keyword: 'neo.sh', row: 'neo-deploy', flags: ['--password', '-p'] },
  { keyword: 'neo deploy', row: 'neo-deploy', flags: ['--password', '-p'] },
  { keyword: 'hdbsql', row: 'sap-hana-connect', flags: ['-p'] },
  { keyword: 'hdbuserstore', row: 'sap-hana-connect', position: 4 },
  { keyword: 'curl', row: 'curl-user', flags: ['-u', '--user'], isPair: true },
  { keyword: 'docker login', row: 'command-password', flags: ['-p', '--password'] },
  { keyword: 'podman login', row: 'command-password', flags: ['-p', '--password'] },
  { keyword: 'registry login', row: 'command-password', flags: ['-p', '--password'] },
  { keyword: 'az login', row: 'command-password', flags: ['-p', '--password'] },
  { keyword: 'npm config set', row: 'npmrc-credential', position: 1, isNamed: true },
  { keyword: 'mysql ', row: 'command-password', attached: '-p' },
  { keyword: 'mysqldump ', row: 'command-password', attached: '-p' },
  { keyword: 'mysqladmin ', row: 'command-password', attached: '-p' },
  { keyword: 'sshpass', row: 'command-password', flags: ['-p'] },
]

export const COMMAND_KEYWORDS: readonly string[] = COMMANDS.map(({ keyword }) => keyword)

/** Passwords among the arguments of the commands of this field, wherever they are written: scripts, pipelines, documentation, code. */
export function* findCommandPasswords(layer: Layer, isSample: boolean, budget: Budget): Generator<Candidate> {
  for (const command of COMMANDS) {
    const hits = layer.offsets(command.keyword)
    for (const [index, hit] of hits.entries()) {
      if (/[\w./-]/.test(layer.text[hit - 1] ?? '') && command.keyword !== 'neo.sh') continue
      const words = readWords(layer.text, hit + command.keyword.length, hits[index + 1] ?? layer.text.length, budget)
      const found = passwordOf(words, command)
      const row = ROW_BY_NAME.get(command.row)
      if (found === undefined || row === undefined) continue
      const { value, start, end, name } = found
      if (value.length < 4 || isReference(value) || /^[$%<]/.test(value) || isPlaceholder(value, name)) continue
      const weak = isWeak(value)
      if (weak && isSample) continue
      const grade = weak
        ? ({ severity: 'LOW', confidence: 'medium' } as const)
        : { severity: row.severity, confidence: 'high' as const }
      const isDoubtful = isSample && !isRandomLooking(value)
      yield {
        row: row.name,
        rank: 'command',
        value,
        span: layer.spanOf(start, end),
        name: name ?? command.keyword.trim(),
        ...(isSample ? lowerGrade(isDoubtful ? { severity: 'MEDIUM', confidence: 'low' } : grade) : grade),
        ...(weak && { variant: 'weak' }),
      }
    }
  }
}

interface Word {
  readonly value: string
  readonly start: number
  readonly end: number
}

function passwordOf(words: readonly Word[], command: Command): (Word & { readonly name?: string }) | undefined {
  const { flags = [], position, isNamed, isPair, attached } = command
  if (attached !== undefined) {
    const word = words.find(({ value }) => value.startsWith(attached) && value.length > attached.length + 3)
    return word && { value: word.value.slice(attached.length), start: word.start + attached.length, end: word.end }
  }
  for (const [index, word] of words.entries()) {
    const flag = flags.find(
      (name) =>
        word.value === name || word.value.startsWith(`${name}=`) || (isPair === true && name === '-u' && /^-u./.test(word.value)),
    )
    if (flag === undefined) continue
    const isAttached = word.value.length > flag.length
    const skipped = isAttached ? flag.length + (word.value[flag.length] === '=' ? 1 : 0) : 0
    const value = isAttached ? { value: word.value.slice(skipped), start: word.start + skipped, end: word.end } : words[index + 1]
    if (value === undefined) return undefined
    return isPair === true ? passwordPart(value) : value
  }
  if (position === undefined) return undefined
  const plain = words.filter(({ value }) => !value.startsWith('-'))
  const found = plain[position]
  if (found === undefined || isNamed !== true) return found
  // of a registry: `//npm.corp.cloud/:_authToken`
  const name = plain[position - 1]?.value.split(/[:/]/).at(-1) ?? ''
  return classifyName(name) === undefined ? undefined : { ...found, name }
}

function passwordPart(word: Word): Word | undefined {
  const colon = word.value.indexOf(':')
  const value = word.value.slice(colon + 1)
  if (colon === -1 || value === word.value.slice(0, colon)) return undefined
  return { value, start: word.end - value.length, end: word.end }
}

const LONGEST = 1500

/** The words of a command up to its end, the next one at the latest; a line that ends in a backslash goes on. */
function readWords(text: string, start: number, next: number, budget: Budget): readonly Word[] {
  const words: Word[] = []
  const most = Math.min(next, start + LONGEST)
  let at = start
  while (at < most) {
    const sign = text[at] ?? ''
    if (sign === '\\' && /[\r\n]/.test(text[at + 1] ?? '')) at += text[at + 1] === '\r' ? 3 : 2
    else if (/[\n\r;|&]/.test(sign)) break
    else if (/[\s,[\]]/.test(sign)) at++
    else {
      const word = readWord(text, at, most)
      words.push(word)
      at = Math.max(word.end + (/["'`]/.test(sign) ? 1 : 0), at + 1)
    }
  }
  budget.step(1 + Math.ceil((at - start) / 2))
  return words
}

function readWord(text: string, start: number, most: number): Word {
  const quote = text[start] ?? ''
  if (/["'`]/.test(quote)) {
    let end = start + 1
    while (end < most && text[end] !== quote && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1
    return { value: text.slice(start + 1, end), start: start + 1, end: Math.min(end, most) }
  }
  let end = start
  while (end < most && !/[\s;|&"'`]/.test(text[end] ?? '')) end++
  return { value: text.slice(start, end), start, end }
}
