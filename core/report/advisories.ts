import type { Finding, Locale, Severity } from '../types.ts'
import type { ReportAdvisory, ReportFinding } from './types.ts'

/** What a finding about an advisory tells in members of their own; its rule says it in arguments. */
export function describeAdvisory(
  { ruleId, severity, args }: Pick<Finding, 'ruleId' | 'severity' | 'args'>,
  locale: Locale,
): Pick<ReportFinding, 'package' | 'advisories'> {
  const { id, package: name, version, fixed = '' } = args
  if (!ruleId.startsWith('npm/') || id === undefined || name === undefined || version === undefined) return {}
  const title = args[locale === 'fr' ? 'titre' : 'title'] ?? id
  return { package: { name, version }, advisories: [toAdvisory(id, severity, title, fixed)] }
}

function toAdvisory(id: string, severity: Severity, title: string, fixed: string): ReportAdvisory {
  const url = id.startsWith('GHSA-') ? `https://github.com/advisories/${id}` : `https://osv.dev/vulnerability/${id}`
  return { id, aliases: [], severity, title, ...(fixed !== '' && { fixedIn: fixed }), url }
}
