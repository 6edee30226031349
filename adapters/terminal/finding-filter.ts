import { SEVERITIES, type ReportFinding } from '../../core/index.ts'
import type { Arguments } from './arguments.ts'

/** What --area, --rule and --min-severity ask for. */
export function createFilter({
  areas,
  rules,
  minSeverity,
}: Pick<Arguments, 'areas' | 'rules' | 'minSeverity'>): (finding: ReportFinding) => boolean {
  const least = minSeverity === undefined ? SEVERITIES.length : SEVERITIES.indexOf(minSeverity)
  return ({ ruleId, severity }) =>
    (areas.length === 0 || areas.some((area) => ruleId.startsWith(`${area}/`))) &&
    (rules.length === 0 || rules.includes(ruleId)) &&
    SEVERITIES.indexOf(severity) <= least
}
