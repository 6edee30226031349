import type { Locale, AffectedPackage } from '../types.ts'
import type { ReportAdvisory, ReportFinding } from './types.ts'

/** What a finding about a package tells in members of their own. */
export function describeAffected(
  affected: AffectedPackage | undefined,
  locale: Locale,
): Pick<ReportFinding, 'package' | 'upgrade' | 'advisories'> {
  if (affected === undefined) return {}
  const { name, version, upgrade, advisories } = affected
  return {
    package: { name, version },
    ...(upgrade !== undefined && { upgrade }),
    advisories: advisories.map(({ id, aliases, severity, title, fixed }): ReportAdvisory => ({
      id,
      aliases,
      severity,
      title: title[locale],
      ...(fixed !== undefined && { fixedIn: fixed }),
      url: pageOf(id, name),
    })),
  }
}

/** The public page of an advisory. Incidents without one are found among GitHub's advisories about the package. */
function pageOf(id: string, name: string): string {
  if (id.startsWith('GHSA-')) return `https://github.com/advisories/${id}`
  if (id.startsWith('CVE-')) return `https://nvd.nist.gov/vuln/detail/${id}`
  if (id.startsWith('SAP-NOTE-')) return `https://me.sap.com/notes/${id.slice('SAP-NOTE-'.length)}`
  // the change log of an SAP package is part of its page
  if (id.startsWith('PSINC')) return `https://www.npmjs.com/package/${name}`
  if (id.startsWith('INCIDENT-')) return `https://github.com/advisories?query=${encodeURIComponent(name.toWellFormed())}`
  return `https://osv.dev/vulnerability/${id}`
}
