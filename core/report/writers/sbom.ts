import { toJsonText } from '../json-text.ts'
import { listFindings } from '../list-findings.ts'
import type { Report, ReportAdvisory, ReportDecision, ReportPackage } from '../types.ts'
import { toLine, toVisible } from './characters.ts'
import { drawDependencies } from './dependency-graph.ts'
import { SECURITY_SEVERITY } from './sarif-rules.ts'
import type { WriterOptions } from './writer.ts'

const ROOT = 'project'

interface Vulnerability {
  readonly advisory: ReportAdvisory
  readonly cwes: Set<number>
  readonly affects: Set<string>
  readonly findings: string[]
  /** One for each finding; undefined where nothing holds for it. */
  readonly decisions: (ReportDecision | undefined)[]
}

/** CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/): the npm packages of a project, how they come in, and the advisories about them. */
export function* writeSbom(report: Report, { version }: WriterOptions): Iterable<string> {
  const head = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${report.scanId}`,
    version: 1,
    metadata: {
      timestamp: report.scannedAt,
      tools: { components: [{ type: 'application', name: 'parapet', version }] },
      component: { type: 'application', 'bom-ref': ROOT, name: toVisible(report.projectName) },
    },
  }
  yield `${toJsonText(head).slice(0, -1)},"components":[`
  const components = new Map(report.results.npm.packages.map((item) => [toPurl(item), item]))
  let separator = ''
  for (const [purl, item] of components) {
    yield separator + toJsonText(toComponent(item, purl))
    separator = ','
  }
  const graph = drawDependencies(report.results.npm.packages, toPurl, ROOT)
  yield `],"dependencies":${toJsonText([...graph].map(([ref, dependsOn]) => ({ ref, dependsOn })))}`
  // the report tells one chain for each package, not every way in
  yield `,"compositions":${toJsonText([{ aggregate: 'incomplete', dependencies: [...graph.keys()] }])},"vulnerabilities":[`
  separator = ''
  for (const vulnerability of listVulnerabilities(report, components)) {
    yield separator + toJsonText(describeVulnerability(vulnerability))
    separator = ','
  }
  yield ']}\n'
}

/** A package URL of npm, without a version where nothing resolves it: https://github.com/package-url/purl-spec. */
export function toPurl({ name, version }: Pick<ReportPackage, 'name' | 'version'>): string {
  const encode = (text: string): string => encodeURIComponent(text.toWellFormed())
  const purl = `pkg:npm/${name.split('/').map(encode).join('/')}`
  return version === undefined ? purl : `${purl}@${encode(version)}`
}

/** What only development needs is excluded from what runs; npm's own generator marks it with this property. */
function toComponent({ name, version, range, scope }: ReportPackage, purl: string): object {
  const isDevelopment = scope === 'development'
  const slash = name.startsWith('@') ? name.indexOf('/') : -1
  return {
    type: 'library',
    'bom-ref': purl,
    ...(slash > 0 && { group: toVisible(name.slice(0, slash)) }),
    name: toVisible(name.slice(slash + 1)),
    // a component need not have one (CycloneDX 1.6, components/version), and a range is none
    ...(version !== undefined && { version: toLine(version) }),
    ...(scope !== undefined && { scope: scope === 'production' ? 'required' : 'excluded' }),
    purl,
    ...((isDevelopment || range !== undefined) && {
      properties: [
        ...(isDevelopment ? [{ name: 'cdx:npm:package:development', value: 'true' }] : []),
        ...(range === undefined ? [] : [{ name: 'parapet:range', value: toLine(range) }]),
      ],
    }),
  }
}

/** The advisories of the findings: each once, with all components that it affects and the ids of the findings that tell it. */
function listVulnerabilities(report: Report, components: ReadonlyMap<string, ReportPackage>): Iterable<Vulnerability> {
  const known = new Map<string, Vulnerability>()
  for (const { id, cwe, package: affected, advisories = [], decision } of listFindings(report)) {
    for (const advisory of advisories) {
      const vulnerability = known.get(advisory.id) ?? {
        advisory,
        cwes: new Set(),
        affects: new Set(),
        findings: [],
        decisions: [],
      }
      known.set(advisory.id, vulnerability)
      // a finding about a range names that: its component has no version
      const purls = affected === undefined ? [] : [toPurl(affected), toPurl({ name: affected.name })]
      vulnerability.affects.add(purls.find((purl) => components.has(purl)) ?? ROOT)
      vulnerability.findings.push(id)
      vulnerability.decisions.push(decision?.expired === false ? decision : undefined)
      for (const name of cwe) if (/^CWE-[1-9]\d{0,5}$/.test(name)) vulnerability.cwes.add(Number(name.slice(4)))
    }
  }
  return known.values()
}

function describeVulnerability({ advisory, cwes, affects, findings, decisions }: Vulnerability): object {
  const { id, title, severity, url, aliases, fixedIn } = advisory
  return {
    id: toVisible(id),
    source: { name: id.startsWith('GHSA-') ? 'GitHub Advisory Database' : 'OSV', url },
    references: aliases.map((alias) => ({
      id: toVisible(alias),
      source: { name: 'OSV', url: `https://osv.dev/vulnerability/${encodeURIComponent(alias.toWellFormed())}` },
    })),
    ratings: [{ severity: severity.toLowerCase(), score: Number(SECURITY_SEVERITY[severity]), method: 'other' }],
    cwes: [...cwes],
    description: toVisible(title),
    ...(fixedIn !== undefined && { recommendation: `>= ${toVisible(fixedIn)}` }),
    advisories: [{ url }],
    ...describeAnalysis(decisions),
    affects: [...affects].map((ref) => ({ ref })),
    properties: findings.map((finding) => ({ name: 'parapet:finding', value: finding })),
  }
}

const ANALYSIS = {
  accepted: { state: 'exploitable', response: ['will_not_fix'] },
  'will-repair': { state: 'exploitable', response: ['update'] },
  'false-positive': { state: 'false_positive' },
  'not-affected': { state: 'not_affected' },
} as const

/** What was decided (CycloneDX 1.6, vulnerabilities/analysis): only where the same holds for every package that the advisory is about. */
function describeAnalysis(decisions: readonly (ReportDecision | undefined)[]): object {
  const [first] = decisions
  if (first === undefined || decisions.some((decision) => decision?.state !== first.state)) return {}
  const detail = [...new Set(decisions.flatMap((decision) => decision?.reason ?? []))].map(toVisible).join('\n')
  return { analysis: { ...ANALYSIS[first.state], detail, lastUpdated: first.at } }
}
