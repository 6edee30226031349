import type { KeepsFacts } from '../files.ts'
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
  /** Its subjects are handed to `check` only where one of these stands in the file (ASCII, case folded). Without: always. */
  readonly keywords?: readonly string[]
  /** And only where the text also looks like it: asked where a keyword stands, so that a common word costs little. Linear. */
  looks?(text: string): boolean
  /** On rules on models: whether such a script's facts are worth keeping until then; several where the model asks for different scripts. Without: all of them. */
  readonly keeps?: KeepsFacts | readonly KeepsFacts[]
  /** Dropped where another rule with one of the same CWEs matches the same place. */
  readonly generic?: true
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
