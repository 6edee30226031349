import type { Extract } from '../extracts/extract.ts'
import { highestLevel } from '../grade/index.ts'
import type { WordPlaces } from '../keywords/index.ts'
import type { Area, Attacker, Confidence, GradeFacts, Impact, Locale, Match, RuleMessages, Severity, Shift } from '../types.ts'
import type { ContextOf, Subjects, SubjectName } from './subjects.ts'

/** Looks at one subject, and yields what it finds. */
export type Checker<Name extends SubjectName> = (subject: Subjects[Name], context: ContextOf<Name>) => Iterable<Match>

/** The checkers of a rule, by what they look at. */
export type Checkers = { readonly [Name in SubjectName]?: Checker<Name> }

interface RuleFacts extends GradeFacts {
  /** `<area>/<kebab-case name of the vulnerability>`, unique, never reused. */
  readonly id: `${Area}/${string}`
  /** Ids that it had before: suppressions that name one of them still hold. */
  readonly formerIds?: readonly string[]
  /** What an attack gives; a variant or a match may say another one. */
  readonly impact: Impact
  /** What variants say of their grade where it differs from the rule's. */
  readonly grades?: Readonly<Record<string, GradeFacts>>
  /** Where the attacker is no caller of the project. */
  readonly attacker?: Attacker
  /** One level against the table; the doc comment says why. */
  readonly shift?: Shift
  readonly confidence: Confidence
  readonly cwe: readonly number[]
  /** Version of Parapet that had it first. */
  readonly since: string
  /** The public document that the rule rests on. */
  readonly docs: string
  /** Of variants that rest on another document. */
  readonly docsByVariant?: Readonly<Record<string, string>>
  /** A file is handed to a checker only where one of these stands in it (ASCII, case folded). Without: always. Models are handed over whatever their files hold. */
  readonly keywords?: readonly string[]
  /** Words that the prefilter asks the hits for beside keywords; where they stand alone, it is not asked. */
  readonly words?: readonly string[]
  /** And only where the text also looks like it: asked where a keyword stands, so that a common word costs little. Linear. `hits`: words that were found already. */
  prefilter?(text: string, hits: WordPlaces): boolean
  /** Files of tests are looked at as well. */
  readonly inTests?: true
  /** What a rule on models asks of scripts. */
  readonly extracts?: readonly Extract[]
  /** Rules that say more of the same place: a finding of this one is left out where one of theirs is. Of one that tells credentials by their looks: where this one's is not more severe. */
  readonly yieldsTo?: readonly string[]
  /** Made when a finding is told: half of the code of all rules are their texts, and a scan needs few of them. */
  readonly text: () => Readonly<Record<Locale, RuleMessages>>
}

/** A rule is a value: metadata, one checker for each subject, words in both languages. */
export interface Rule extends RuleFacts {
  readonly checks: Checkers
  /** The highest that the table of grades gives it: for lists of rules. */
  readonly severity: Severity
}

type SeveralSubjects = RuleFacts & Pick<Rule, 'checks'>

type OneSubject<Name extends SubjectName> = RuleFacts & {
  /** What it looks at. */
  readonly on: Name
  /** Called once for each such subject. */
  check(subject: Subjects[Name], context: ContextOf<Name>): Iterable<Match>
}

/** The variant of several cases, `{ variant: 'scope-caseless' }`, of those that hold; none where no case does. */
export function variantOfCases(...cases: readonly (string | false | undefined)[]): Pick<Match, 'variant'> {
  const variant = cases.filter((one) => one !== false && one !== undefined).join('-')
  return variant === '' ? {} : { variant }
}

/** Declares a rule: with `on` and `check` for one subject, with `checks` for several. */
export function defineRule<const Name extends SubjectName>(rule: OneSubject<Name> | SeveralSubjects): Rule {
  if ('checks' in rule) return withLevel(rule)
  const { on, check, ...facts } = rule
  return withLevel({ ...facts, checks: { [on]: check } })
}

/** Its level is looked up by who asks, and its texts are made once: a scan starts with hundreds of rules and lists none. */
function withLevel(rule: SeveralSubjects): Rule {
  let known: Severity | undefined
  let text: ReturnType<Rule['text']> | undefined
  return {
    ...rule,
    text: () => (text ??= rule.text()),
    get severity() {
      return (known ??= highestLevel(rule))
    },
  }
}
