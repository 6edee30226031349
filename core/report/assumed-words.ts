import { SEVERITIES } from '../scales.ts'
import type { Locale, Localized } from '../types.ts'
import { listFindings } from './list-findings.ts'
import { pluralForm } from './plural-form.ts'
import type { Report } from './types.ts'
import { SEVERITY_WORDS } from './words.ts'

const WORDS: Localized<string> = {
  en: 'The risk counts {n} advisory up to severity {severity} that may apply: no lock file says which versions are installed.|The risk counts {n} advisories up to severity {severity} that may apply: no lock file says which versions are installed.',
  fr: 'Le risque compte {n} avis de sécurité de gravité {severity} au plus, qui peut s’appliquer : aucun fichier de verrouillage n’indique les versions installées.|Le risque compte {n} avis de sécurité de gravité {severity} au plus, qui peuvent s’appliquer : aucun fichier de verrouillage n’indique les versions installées.',
}

/** What the score counts beside the findings, where lock files are missing: without it a risk could be high beside findings that are all low. Else empty. */
export function wordAssumed(report: Pick<Report, 'results'>, locale: Locale): string {
  const assumed = listFindings(report).flatMap(({ assumes }) => assumes ?? [])
  const worst = SEVERITIES.find((severity) => assumed.some((one) => one.severity === severity))
  if (worst === undefined) return ''
  const count = assumed.reduce((sum, one) => sum + one.count, 0)
  return pluralForm(WORDS[locale], count, locale).replace('{n}', `${count}`).replace('{severity}', SEVERITY_WORDS[locale][worst])
}
