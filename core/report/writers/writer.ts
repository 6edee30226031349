import type { Rule } from '../../rules/rule.ts'
import type { Locale } from '../../types.ts'
import type { Report, ReportFinding } from '../types.ts'

/** What the exports tell of a rule. */
export interface RuleFacts extends Pick<Rule, 'severity' | 'confidence' | 'cwe' | 'docs' | 'text'> {
  readonly id: string
}

/** Of a report with only some findings of its project: what is said of that, in the language of the report. */
export interface SelectionWords {
  readonly remark: string
  /** In place of "No findings." */
  readonly none: string
  /** Of a comparison: what an earlier report has alone. */
  readonly fixed?: { readonly head: string; readonly findings: readonly ReportFinding[] }
}

export interface WriterOptions {
  /** The language that the report is in. */
  readonly locale: Locale
  readonly rules: readonly RuleFacts[]
  /** Of Parapet. */
  readonly version: string
  /** Where the rule reference is published: a rule's page is `<rulesUrl>/<area>/<name>`. Without it a link leads to the document that the rule rests on. */
  readonly rulesUrl?: string
  /** Where the source is shown, as `toSourceLink` fills it; without it what the report says, and where that is nothing a place is text. */
  readonly sourceUrl?: string
  /** SARIF tells suppressed findings too. Not by default: code scanning would open an alert for each. */
  readonly includeSuppressed?: boolean
  /** Where findings are left out of the report. */
  readonly selection?: SelectionWords
}

/** Renders a report in another format, in pieces, so that the whole text is never held beside the report. */
export type Writer = (report: Report, options: WriterOptions) => Iterable<string>

/** The address of a rule's page. */
export function ruleUrl(ruleId: string, docs: string, { rulesUrl }: Pick<WriterOptions, 'rulesUrl'>): string {
  return rulesUrl === undefined ? docs : `${rulesUrl.replace(/\/{1,9}$/, '')}/${ruleId}`
}
