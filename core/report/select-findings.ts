import { listFindings } from './list-findings.ts'
import { countSeverities } from './score.ts'
import { sumUpgrades } from './upgrades.ts'
import type { Report, ReportFinding } from './types.ts'

/** The same report about some of its findings: counts and upgrades follow; the risk and what was looked at stay those of the project. */
export function selectFindings(report: Report, isWanted: (finding: ReportFinding) => boolean): Report {
  const { ui5, cap, secrets, btp, npm, approuter } = report.results
  const packages = npm.findings.filter(isWanted)
  const results = {
    ui5: { ...ui5, findings: ui5.findings.filter(isWanted) },
    cap: { ...cap, findings: cap.findings.filter(isWanted) },
    secrets: { ...secrets, findings: secrets.findings.filter(isWanted) },
    btp: { ...btp, issues: btp.issues.filter(isWanted) },
    npm: { ...npm, findings: packages, upgrades: sumUpgrades(packages) },
    approuter: { ...approuter, findings: approuter.findings.filter(isWanted) },
  }
  return { ...report, summary: countSeverities(listFindings({ results })), results }
}
