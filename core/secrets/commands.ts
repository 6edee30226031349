import type { Budget } from '../budget.ts'
import type { Candidate } from './candidate.ts'
import { COMMANDS, PRECEDED, type Command, type Preceded } from './command-table.ts'
import { gradeAt } from './beside.ts'
import { isCommentedOut } from './comments.ts'
import type { Grade } from './grade.ts'
import { createKeyedTable } from './keyed-table.ts'
import { countLook, permitted, type Layer } from './layers.ts'
import { readItems, readWords, type Word } from './command-words.ts'
import { lineBefore } from '../parse/position.ts'
import { classifyName } from './names.ts'
import { passwordOfVariable } from './shell-variables.ts'
import { isIdOfPair } from './key-ids.ts'
import { isRandomLooking } from './randomness.ts'
import { isSetWithAddress } from './set-together.ts'
import { ROW_BY_NAME } from './table/index.ts'
import { isPlaceholder, isReference, isWeak } from './values.ts'

export const COMMAND_KEYWORDS: readonly string[] = [...COMMANDS, ...PRECEDED].map(({ keyword }) => keyword)

const commandsIn = createKeyedTable(COMMANDS)
const precededIn = createKeyedTable(PRECEDED)

/** Passwords among the arguments of the commands of this field, wherever they are written: scripts, pipelines, documentation, code. */
export function* findCommandPasswords(layer: Layer, isSample: boolean, budget: Budget): Generator<Candidate> {
  for (const command of commandsIn(layer)) yield* findBehind(command, layer, isSample, budget)
  for (const preceded of precededIn(layer)) yield* findBefore(preceded, layer, isSample, budget)
}

function* findBehind(command: Command, layer: Layer, isSample: boolean, budget: Budget): Generator<Candidate> {
  const hits = layer.offsets(command.keyword)
  let index = 0
  for (const hit of permitted(layer, hits)) {
    while ((hits[index] ?? hit) < hit) index++
    budget.step(command.program === undefined ? 4 : 10)
    if (!isCommand(layer.text, hit, command)) continue
    const words = wordsBehind(layer.text, hit + command.keyword.length, nextCommand(layer.text, hits, index), command, budget)
    const found = passwordOf(words, command, (word) => passwordOfVariable(word, layer.text, hit, budget))
    // in a list of strings what stands without quotes is code
    const isCode = isListed(command) && !isInQuotes(layer.text, found)
    if (found !== undefined && !isCode) yield* toCandidates(found, command.row, command.keyword.trim(), layer, isSample, budget)
  }
}

/** `["program", "-p…"]`, `spawn('program', ['-p…'])`, `command: ["program"], args: ["-p…"]` */
const LIST =
  /\s{0,8},\s{0,40}(?:\[\s{0,40})?(?=["'`])|\s{0,8}\]\s{0,4},?\s{0,40}["']?args["']?\s{0,4}:\s{0,4}\[\s{0,40}(?=["'`])/y

function wordsBehind(text: string, start: number, end: number, command: Command, budget: Budget): readonly Word[] {
  if (command.list === 'items') return readItems(text, start, budget)
  if (command.list === undefined) return readWords(text, start, end, command.program !== undefined, budget)
  LIST.lastIndex = start
  return LIST.test(text) ? readWords(text, LIST.lastIndex, end, true, budget) : []
}

function isListed({ program, list }: Command): boolean {
  return program !== undefined || list === 'strings'
}

/** Whether a word of a list, or the flag that it is attached to, begins with a quote. */
function isInQuotes(text: string, found: Found | undefined): boolean {
  const before = text.slice(Math.max(0, (found?.start ?? 0) - 24), found?.start)
  return /["'`](?:-{1,2}[\w-]{1,20}=?|[^\s"'`]{1,20}[:/%])?$/.test(before)
}

function* findBefore({ keyword, pattern }: Preceded, layer: Layer, isSample: boolean, budget: Budget): Generator<Candidate> {
  for (const hit of permitted(layer, layer.offsets(keyword))) {
    countLook(budget, LONGEST_BEFORE)
    const before = lineBefore(layer.text, hit, LONGEST_BEFORE)
    const found = pattern.exec(before)
    const value = found?.[1]
    if (found === null || value === undefined) continue
    const start = hit - before.length + before.indexOf(value, found.index)
    const end = start + value.length
    yield* toCandidates({ value, start, end }, 'command-password', 'password', layer, isSample, budget)
  }
}

const LONGEST_BEFORE = 500
const LONGEST_LIST = 120

/** Where the next command of the sort begins; a name that only ends like one is an argument: `htpasswd -b .htpasswd`. */
function nextCommand(text: string, hits: readonly number[], index: number): number {
  let next = index + 1
  while (next < hits.length && isPartOfWord(text, hits[next] ?? 0)) next++
  return hits[next] ?? text.length
}

function isPartOfWord(text: string, hit: number): boolean {
  return /[\w./-]/.test(text[hit - 1] ?? '')
}

function isCommand(text: string, hit: number, { keyword, program, list }: Command): boolean {
  // the name of a program, with its path or without
  if (list === 'strings') return /["'`/]/.test(text[hit - 1] ?? '')
  if (list === 'items') return /[\n ]/.test(text[hit - 1] ?? '\n') && /\s/.test(text[hit + keyword.length] ?? '')
  if (/["'`]/.test(text[hit + keyword.length] ?? '')) return false
  if (program !== undefined) return program.test(text.slice(Math.max(0, hit - LONGEST_LIST), hit))
  return keyword === 'neo.sh' || !isPartOfWord(text, hit)
}

function* toCandidates(
  found: Found,
  rowName: string,
  command: string,
  layer: Layer,
  isSample: boolean,
  budget: Budget,
): Generator<Candidate> {
  const { value, start, end, name } = found
  const row = ROW_BY_NAME.get(rowName)
  if (row === undefined || value.length < 4 || isReference(value) || /^[$%<]/.test(value) || isPlaceholder(value, name)) return
  if (name !== undefined && isIdOfPair(name, layer.text, start, budget)) return
  const weak = isWeak(value)
  // `# cf login -u me -p Password1` shows how the command is used
  if (weak && (isSample || isCommentedOut(layer.text, start, layer.path, budget))) return
  const isDoubtful = weak || (isSample && !isRandomLooking(value))
  const evidence = isDoubtful ? 'guessed' : (row.evidence ?? 'shown')
  const grade: Grade = { impact: row.impact, evidence, confidence: isDoubtful ? 'medium' : 'high' }
  const isWhole = row.name === SET_ENV && !isDoubtful && isSetWithAddress(name ?? '', layer.text, start, budget)
  yield {
    row: row.name,
    rank: 'command',
    value,
    span: layer.spanOf(start, end),
    name: name ?? command,
    ...gradeAt(grade, isWhole ? undefined : row.needs, { text: layer.text, path: layer.path, start, end, isSample }, budget),
    ...(weak && { variant: 'weak' }),
  }
}

const SET_ENV = 'cf-set-env'

interface Found extends Word {
  readonly name?: string
}

function passwordOf(words: readonly Word[], command: Command, ofVariable: (word: Word) => Word | undefined): Found | undefined {
  const { flags = [], position, isNamed, pair, attached, option } = command
  if (option !== undefined && !words.some(({ value }) => option.test(value))) return undefined
  if (attached !== undefined) {
    // `-p'value'`
    const quoted = words.find(
      ({ start, isQuoted }, at) => isQuoted === true && words[at - 1]?.value === attached && words[at - 1]?.end === start - 1,
    )
    if (quoted !== undefined) return quoted
    const word = words.find(({ value }) => value.startsWith(attached) && value.length > attached.length + 3)
    return word && { value: word.value.slice(attached.length), start: word.start + attached.length, end: word.end }
  }
  for (const [index, word] of words.entries()) {
    const flag = flags.find(
      (name) =>
        word.value === name || word.value.startsWith(`${name}=`) || (pair === ':' && name === '-u' && /^-u./.test(word.value)),
    )
    if (flag === undefined) continue
    const isAttached = word.value.length > flag.length
    const skipped = isAttached ? flag.length + (word.value[flag.length] === '=' ? 1 : 0) : 0
    const value = isAttached ? { value: word.value.slice(skipped), start: word.start + skipped, end: word.end } : words[index + 1]
    if (value === undefined) return undefined
    return pair === undefined
      ? value
      : pair === ':'
        ? (passwordPart(value, pair) ?? ofVariable(value))
        : passwordPart(value, pair)
  }
  if (position === undefined) return undefined
  const plain = words.filter(({ value }, at) => !value.startsWith('-') && !VALUED.has(words[at - 1]?.value ?? ''))
  const found = plain[position]
  if (found !== undefined && pair !== undefined) return passwordPart(found, pair)
  if (found === undefined || isNamed !== true) return found
  // of a registry: `//npm.corp.cloud/:_authToken`
  const name = plain[position - 1]?.value.split(/[:/]/).at(-1) ?? ''
  return classifyName(name) === undefined ? undefined : { ...found, name }
}

/** A key that stands in the place of a user: no name of one is drawn. */
function keyAsUser({ value, start }: Word): Word | undefined {
  const user = value.slice(0, -1)
  return isRandomLooking(user) ? { value: user, start, end: start + user.length } : undefined
}

/** Flags with a value of their own, which is no argument. */
const VALUED: ReadonlySet<string> = new Set(['--origin', '--profile', '--region', '--location', '-C'])

function passwordPart(word: Word, separator: string): Word | undefined {
  const at = word.value.indexOf(separator)
  // `-u :token`, `-u token:`
  if (at < 1 && separator !== ':') return undefined
  if (at === -1) return undefined
  const password = word.value.slice(at + 1)
  if (password === '' && separator === ':') return keyAsUser(word)
  // `user/password@database` of Oracle
  const value = separator === '/' ? (password.split('@')[0] ?? '') : password
  const start = word.end - password.length
  return value === word.value.slice(0, at) ? undefined : { value, start, end: start + value.length }
}
