import type { Extract } from '../extracts/extract.ts'
import type { Area, Confidence, Locale, Match, RuleWords, Severity } from '../types.ts'
import type { ContextOf, Subjects, SubjectName } from './subjects.ts'

/** A rule is a value: metadata, words in both languages, and one `check` that yields matches. */
export interface Rule<On extends SubjectName = SubjectName> {
  /** `<area>/<kebab-case name of the fault>`, unique, never reused. */
  readonly id: `${Area}/${string}`
  /** Of a plain match; a match may name another one. */
  readonly severity: Severity
  readonly confidence: Confidence
  readonly cwe: readonly number[]
  /** Version of Parapet that had it first. */
  readonly since: string
  /** The public document that the rule rests on. */
  readonly docs: string
  /** A file is handed to `check` only where one of these stands in it (ASCII, case folded). Without: always. Models are handed over whatever their files hold. */
  readonly keywords?: readonly string[]
  /** And only where the text also looks like it: asked where a keyword stands, so that a common word costs little. Linear. */
  prefilter?(text: string): boolean
  /** What a rule on models asks of scripts. */
  readonly extracts?: readonly Extract[]
  readonly text: Readonly<Record<Locale, RuleWords>>
  /** What it looks at; `check` is called once for each such subject. */
  readonly on: readonly On[]
  // method syntax, so that a mixed list of rules stays typed
  check(subject: Subjects[On], context: ContextOf<On>): Iterable<Match>
}

/** Declares a rule; the subject's type follows from `on`. */
export function defineRule<const On extends SubjectName>(rule: Rule<On>): Rule {
  return rule
}
