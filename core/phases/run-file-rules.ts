import type { Budget } from '../budget.ts'
import { isApplicable, type Engine } from '../engine.ts'
import type { FileKind, MaskedValue } from '../files.ts'
import type { KeywordHits } from '../keywords/index.ts'
import type { MatchCollector } from '../report/collect-matches.ts'
import type { Rule } from '../rules/rule.ts'
import type { FileSubjects, Subjects } from '../rules/subjects.ts'
import { runRules, type RuleSink } from '../run-rules.ts'
import type { CredentialFile } from '../secrets/index.ts'
import type { Notice } from '../types.ts'

/** A file whose rules run: what they need, and where their matches go. */
export interface RuledFile {
  readonly path: string
  readonly text: string
  readonly kind: FileKind
  readonly hits: KeywordHits
  readonly budget: Budget
  readonly matches: MatchCollector
  readonly notices: Notice[]
  readonly context: { readonly engine: Engine; readonly date: string; readonly onFault: RuleSink['fault'] }
  masked: readonly MaskedValue[]
}

/** The rules on a subject that may have anything to say about a file. */
export function applicable(
  engine: Engine,
  name: keyof FileSubjects,
  kind: FileKind,
  hits: KeywordHits,
  text: string,
): readonly Rule[] {
  return engine.on(name).filter((rule) => isMeantFor(kind, rule) && isApplicable(rule, hits, text))
}

function isMeantFor({ test }: FileKind, rule: Rule): boolean {
  return !test || rule.inTests === true
}

/** Runs the rules on one subject of a file; it is made only where there are any. */
export function runOn<Name extends keyof FileSubjects>(file: RuledFile, name: Name, open: () => Subjects[Name]): void {
  const { kind, hits, text, context } = file
  const rules = applicable(context.engine, name, kind, hits, text)
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
  runRules(rules, name, subject, { date: context.date }, { budget, sink, file: path })
}

/** Rules on credentials that are rows of a table run where their row was found, the others where one of their keywords stands. */
export function checkCredentials(file: RuledFile, credentials: CredentialFile): void {
  const { path, kind, hits, text, budget, context, notices } = file
  budget.nextPiece()
  const { masked, isCut, isDecodingCut } = credentials.found()
  file.masked = masked
  if (isDecodingCut) notices.push({ code: 'time-limit', reason: 'decoding', file: path, partial: true })
  if (isCut) notices.push({ code: 'time-limit', reason: 'file', file: path, partial: true })
  const rules = context.engine
    .on('credentials')
    .filter((rule) => credentials.concerns(rule.id) ?? (isMeantFor(kind, rule) && isApplicable(rule, hits, text)))
  runSelected(file, rules, 'credentials', credentials)
}
