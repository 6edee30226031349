import { readPhp } from '../../parse/php/index.ts'
import type { ProjectFile } from '../../files.ts'
import { append } from '../../lists.ts'
import { EVALUATOR } from './evaluate.ts'
import { callFunction } from './calls.ts'
import { isOfPackage } from './libraries.ts'
import { fileNameOf } from '../../paths.ts'
import { createServerGuards } from './server-guards.ts'
import {
  createRun,
  MOST_STEPS_OF_ALL,
  type DataUse,
  type FoundFunction,
  type PhpFault,
  type PhpFile,
  type PhpProject,
  type Run,
} from './run.ts'

export { isPhpLibrary } from './libraries.ts'
export type { DataUse, PhpFault, PhpFaultKind } from './run.ts'

/** Of all scripts together: some seconds. */
const MOST_TEXT_OF_ALL = 8_000_000

/** What scripts of PHP do with what they are sent. */
export interface PhpFindings {
  readonly faults: readonly PhpFault[]
  /** Scripts that read or change data, and in which nothing looks at who calls. */
  readonly open: readonly DataUse[]
  /** Scripts that were followed. */
  readonly count: number
  /** Some script keeps who is logged in: a session, or a cookie of its own. */
  readonly keepsLogin: boolean
  /** Not all scripts were followed to their end. */
  readonly isCut: boolean
}

/** What scripts are found in; each look-up counts a step. */
interface PhpSources {
  readonly files: ReadonlyMap<string, ProjectFile>
  readonly step: (count?: number) => void
}

/** Follows each script of a project from its first line on. Asked once for all rules. */
export function phpFindings({ files, step }: PhpSources): PhpFindings {
  const project = readProject(files, step)
  const isGuarded = createServerGuards(files, step)
  const runs: Run[] = []
  const faults = new Map<string, PhpFault>()
  const open: DataUse[] = []
  for (const file of project.files.values()) {
    const run = createRun(project, file)
    if (isGuarded(file.path)) logInAll(run)
    EVALUATOR.runBody(run, file.source.statements)
    runs.push(run)
  }
  const parts = partsOf(runs)
  for (const run of runs) {
    if (parts.has(run.entry.path)) continue
    for (const fault of run.faults) keepEasiest(faults, fault)
    open.push(...openUses(run))
  }
  const called = new Set(runs.flatMap((run) => [...run.called]))
  const asksLogin = runs.some((run) => run.asksLogin)
  for (const found of [...project.functions.values()].flat()) {
    if (called.has(found.function)) continue
    const run = createRun(project, found.file)
    run.isUncalled = true
    run.environment.isLoggedIn = asksLogin
    callFunction(run, found, [], EVALUATOR)
    for (const fault of run.faults) keepEasiest(faults, fault)
  }
  const keepsLogin = [...project.files.values()].some(({ text }) => /_SESSION\b|session_start|setcookie\(/.test(text))
  return { faults: [...faults.values()], open, count: project.files.size, keepsLogin, isCut: project.isCut }
}

/** The web server has asked before the first line runs. */
function logInAll(run: Run): void {
  run.asksLogin = true
  run.environment.isLoggedIn = true
}

/** Files that others include, which are no scripts for themselves. */
function partsOf(runs: readonly Run[]): ReadonlySet<string> {
  const included = new Set(runs.flatMap(({ entry, included: all }) => [...all].filter((path) => path !== entry.path)))
  const scripts = runs.filter(({ entry }) => !included.has(entry.path))
  return new Set(scripts.flatMap(({ entry, included: all }) => [...all].filter((path) => path !== entry.path)))
}

function readProject(files: ReadonlyMap<string, ProjectFile>, step: (count?: number) => void): PhpProject {
  const read = new Map<string, PhpFile>()
  const functions = new Map<string, FoundFunction[]>()
  const byName = new Map<string, PhpFile[]>()
  let left = MOST_TEXT_OF_ALL
  for (const { path, kind, content } of files.values()) {
    if (kind.role !== 'php' || kind.test || content.as !== 'text' || content.text === undefined) continue
    const { text } = content
    if (isOfPackage(path, files)) continue
    step(1 + (text.length >> 4))
    left -= text.length
    if (left < 0) break
    const source = readPhp(text)
    const file: PhpFile = {
      path,
      text,
      source,
      hasHtml: source.statements.some(({ kind: what, start, end }) => what === 'html' && /<[a-z!]/i.test(text.slice(start, end))),
    }
    read.set(path, file)
    append(byName, fileNameOf(path), file)
    for (const one of source.functions) append(functions, one.name, { file, function: one })
  }
  return { files: read, functions, byName, step, left: MOST_STEPS_OF_ALL, isCut: left < 0 }
}

/** Of several ways to one place the one that asks for no login. */
function keepEasiest(faults: Map<string, PhpFault>, fault: PhpFault): void {
  const key = `${fault.kind} ${fault.at.file} ${fault.at.span.start}`
  const known = faults.get(key)
  if (known === undefined || (known.isUncalled && !fault.isUncalled) || (!known.isOpen && fault.isOpen && !fault.isUncalled))
    faults.set(key, fault)
}

/** What logs people in, makes them an account or tells that the server runs, is for everybody. */
const FOR_EVERYBODY =
  /log_?in|log_?out|sign_?(?:in|up|out)|auth(?!or)|regist|forgot|reset|verif|activat|subscri|newsletter|install|setup|migrat|config|conn|^health|^ping|^status|captcha|^contact(?:_?us|_?form)?\.|feedback/i

/** Says something to whoever calls. */
const ANSWERS = /<\?=|\b(?:echo|print|print_r|printf|exit|die|response)\b/i

function firstUse(uses: readonly DataUse[]): DataUse | undefined {
  const use = uses.find(({ isChange }) => isChange) ?? uses[0]
  return use && { ...use, givesPasswords: false }
}

/** What makes the first accounts, and is gone afterwards. */
const SETS_UP = /install|setup|migrat|seed/i

/** The uses of data that tell most of a script in which nothing looks at who calls. */
function openUses(run: Run): DataUse[] {
  const { entry, uses, asksLogin, asksCode } = run
  const name = fileNameOf(entry.path)
  // who includes it calls what it returns
  const isPart = entry.source.statements.some((one) => one.kind === 'leave' && one.value?.kind === 'function')
  if (asksLogin || isPart || (asksCode && uses.some(({ changesPasswords }) => changesPasswords))) return []
  const changed = SETS_UP.test(name) ? undefined : uses.find(({ changesPasswords }) => changesPasswords)
  const others = uses.filter(({ at }) => at.file !== changed?.at.file || at.span.start !== changed.at.span.start)
  const told = ANSWERS.test(entry.text) ? others.find(({ givesPasswords }) => givesPasswords) : undefined
  const first = FOR_EVERYBODY.test(name) ? undefined : (told ?? firstUse(others))
  const open = others.find(({ isOfAnyTable }) => isOfAnyTable)
  const columns = first && run.passwordColumns
  const listed = open && columns && { ...open, at: columns.at, passwordColumn: columns.column }
  return [changed, first, listed].filter((use) => use !== undefined)
}
