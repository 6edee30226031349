import type { Budget } from '../budget.ts'
import type { Engine } from '../engine.ts'
import type { FileKind, MaskedValue } from '../files.ts'
import type { KeywordHits } from '../keywords/index.ts'
import { isDeveloperFile, realmByPath } from '../model/script/index.ts'
import type { MatchCollector } from '../report/collect-matches.ts'
import type { Rule } from '../rules/rule.ts'
import type { FileSubjects, Subjects } from '../rules/subjects.ts'
import { runRules, type RuleSink } from '../run-rules.ts'
import { isRowRule, type CredentialFile } from '../secrets/index.ts'
import type { Notice } from '../types.ts'

/** A file whose rules run: what they need, and where their matches go. */
export interface RuledFile {
  readonly path: string
  readonly budget: Budget
  readonly matches: MatchCollector
  readonly notices: Notice[]
  /** The rules on a subject that may have anything to say about it. */
  readonly rulesOn: (name: keyof FileSubjects) => readonly Rule[]
  readonly context: { readonly engine: Engine; readonly date: string; readonly onFault: RuleSink['fault'] }
  masked: readonly MaskedValue[]
}

/** Finds the rules on a subject that may have anything to say about a file: one of their words stands there, and their prefilter lets it through. */
export function createRuleReader(
  engine: Engine,
  kind: FileKind,
  text: string,
  hitsOf: (name: keyof FileSubjects) => KeywordHits,
): RuledFile['rulesOn'] {
  const known = new Map<keyof FileSubjects, readonly Rule[]>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const hits = hitsOf(name)
    const rules = engine.concerned(name, hits).filter((rule) => isMeantFor(kind, rule) && (rule.prefilter?.(text, hits) ?? true))
    known.set(name, rules)
    return rules
  }
}

const SCRIPT_SUBJECTS = ['script', 'server-script', 'browser-script'] as const

/** Whether rules on a subject ask for the facts of a script. */
export function isOfScript(name: keyof FileSubjects): boolean {
  return SCRIPT_SUBJECTS.some((one) => one === name)
}

/** The subjects that a script may be: facts cost half of what parsing does, and none are made for rules that will not run. */
export function scriptSubjectsAt(path: string): readonly (keyof FileSubjects)[] {
  const realm = realmByPath(path)
  return SCRIPT_SUBJECTS.filter((subject) => {
    if (subject === 'server-script') return realm !== 'browser' && !isDeveloperFile(path)
    return subject !== 'browser-script' || realm !== 'server'
  })
}

function isMeantFor({ test }: FileKind, rule: Rule): boolean {
  return !test || rule.inTests === true
}

/** Runs the rules on one subject of a file; it is made only where there are any. */
export function runOn<Name extends keyof FileSubjects>(file: RuledFile, name: Name, open: () => Subjects[Name]): void {
  const rules = file.rulesOn(name)
  if (rules.length > 0) runSelected(file, rules, name, open())
}

function runSelected<Name extends keyof FileSubjects>(
  file: RuledFile,
  rules: readonly Rule[],
  name: Name,
  subject: Subjects[Name],
): void {
  const { path, budget, matches, notices, context } = file
  const sink: RuleSink = {
    match: matches.add,
    notice: (notice) => void notices.push(notice),
    fault: context.onFault,
  }
  // who asks for the day depends on it
  const day = {
    get date() {
      return context.date
    },
  }
  runRules(rules, name, subject, day, { budget, sink, file: path })
}

/** Rules on credentials that are rows of a table run where their row was found, the others where one of their keywords stands. */
export function checkCredentials(file: RuledFile, credentials: CredentialFile): void {
  const { path, budget, context, notices } = file
  budget.nextPiece()
  const { masked, isCut, isDecodingCut } = credentials.found()
  file.masked = masked
  if (isDecodingCut) notices.push({ code: 'time-limit', reason: 'decoding', file: path, partial: true })
  if (isCut) notices.push({ code: 'time-limit', reason: 'file', file: path, partial: true })
  const worded = file.rulesOn('credentials').filter(({ id }) => !isRowRule(id))
  const rows = credentials.rowRules().flatMap((id) => context.engine.rules.get(id) ?? [])
  const rules = rows.length === 0 ? worded : [...worded, ...rows].sort((a, b) => (a.id < b.id ? -1 : 1))
  runSelected(file, rules, 'credentials', credentials)
}
