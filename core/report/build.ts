import type { Rule } from '../rules/rule.ts'
import { marksOfFindings } from '../projects/marks.ts'
import { LOCALES } from '../scales.ts'
import { VERSION } from '../version.ts'
import { MAX_NOTICES } from '../limits.ts'
import { compareTexts, groupBy } from '../lists.ts'
import type {
  Area,
  Finding,
  HistoryEntry,
  Locale,
  Localized,
  Notice,
  Outcome,
  ProjectType,
  ScanFacts,
  ScanOptions,
} from '../types.ts'
import { describeAffected } from './advisories.ts'
import { createReportEncoder } from './encode-report.ts'
import type { SortedFindings } from './collect-findings.ts'
import { wordGrade } from './grade-words.ts'
import { wordStep } from './steps.ts'
import { wordNotice } from './notices.ts'
import { wordRule } from './rule-words.ts'
import { countSeverities, riskLevel, riskScore } from './score.ts'
import { sumUpgrades } from './upgrades.ts'
import type {
  Report,
  ReportAdvisories,
  ReportCapService,
  ReportFinding,
  ReportNotice,
  ReportPackage,
  ReportRoute,
  ReportUi5App,
} from './types.ts'

/** What the areas list beside their findings, in one language. */
export interface Inventory {
  readonly apps: readonly ReportUi5App[]
  readonly services: readonly ReportCapService[]
  readonly packages: readonly ReportPackage[]
  readonly advisories: ReportAdvisories
  readonly routes: readonly ReportRoute[]
}

/** All that a scan found out. */
export interface ScanResult {
  readonly options: ScanOptions
  readonly projectTypes: readonly ProjectType[]
  readonly filesScanned: number
  readonly findings: SortedFindings
  readonly notices: readonly Notice[]
  readonly inventory: Localized<Inventory>
  /** Blots out the credentials of the project. */
  readonly mask: (text: string) => string
  /** The same for paths of files: identities are made of the true ones, only what is told is masked. */
  readonly maskPath: (path: string) => string
}

/** Renders the report in every language: UTF-8 JSON, as it is stored and sent. */
export function buildOutcome(result: ScanResult, rules: ReadonlyMap<string, Rule>): Outcome {
  const sorted = result.findings
  const notices = capNotices([...result.notices, ...sorted.notices])
  const score = riskScore(sorted.shown)
  const entry: HistoryEntry = {
    scanId: result.options.scanId,
    projectName: result.options.projectName,
    scannedAt: result.options.scannedAt,
    riskScore: score,
    riskLevel: riskLevel(score),
    summary: countSeverities(sorted.shown),
    projectTypes: result.projectTypes,
  }
  const encode = createReportEncoder()
  const render = (locale: Locale): Uint8Array => {
    const { report, lists } = renderReport(entry, result, sorted, notices, rules, locale)
    return encode(maskLists(report, result), lists)
  }
  const [en, fr] = LOCALES.map(render)
  if (en === undefined || fr === undefined) throw new Error('a language is missing')
  const { branch, commit, release } = result.options.origin ?? {}
  const facts: ScanFacts = {
    ...(branch !== undefined && { branch }),
    ...(commit !== undefined && { commit }),
    ...(release !== undefined && { release }),
    scannerVersion: VERSION,
    complete: !notices.some(({ partial }) => partial),
    marks: marksOfFindings(sorted.shown),
  }
  return { entry, records: { en, fr }, facts }
}

/** The report, and the findings that stand for empty lists in it. */
function renderReport(
  entry: HistoryEntry,
  result: ScanResult,
  sorted: SortedFindings,
  notices: readonly Notice[],
  rules: ReadonlyMap<string, Rule>,
  locale: Locale,
): { readonly report: Report; readonly lists: ReadonlyMap<unknown, Iterable<ReportFinding>> } {
  const { mask, maskPath } = result
  const { apps, services, packages, advisories, routes } = result.inventory[locale]
  const findings = groupBy(sorted.shown, areaOf)
  function* render(area: Area): Iterable<ReportFinding> {
    for (const finding of findings.get(area) ?? [])
      yield renderFinding(maskFiles(finding, maskPath), rules.get(finding.ruleId), locale)
  }
  const lists = new Map<unknown, Iterable<ReportFinding>>()
  const of = (area: Area): ReportFinding[] => {
    const list: ReportFinding[] = []
    lists.set(list, render(area))
    return list
  }
  const report: Report = {
    ...entry,
    scannerVersion: VERSION,
    ...result.options.origin,
    filesScanned: result.filesScanned,
    complete: !notices.some(({ partial }) => partial),
    notices: notices.map((notice) => renderNotice(notice, locale, result)),
    suppressed: sorted.hidden.map(({ id, ruleId, at, suppressed = '' }) => ({
      id,
      ruleId,
      file: maskPath(at.file),
      reason: mask(suppressed),
    })),
    results: {
      ui5: { findings: of('ui5'), apps },
      cap: { findings: of('cap'), services },
      secrets: { findings: of('secrets') },
      btp: { issues: of('btp') },
      npm: { findings: of('npm'), packages, upgrades: sumUpgrades([...render('npm')]), advisories },
      approuter: { findings: of('approuter'), routes },
    },
  }
  return { report, lists }
}

/** A finding with the paths of its places as they are told. */
function maskFiles(finding: Finding, maskPath: (path: string) => string): Finding {
  const hide = <Place extends { readonly file: string }>(at: Place): Place => ({ ...at, file: maskPath(at.file) })
  return {
    ...finding,
    at: hide(finding.at),
    ...(finding.flow !== undefined && { flow: finding.flow.map((step) => ({ ...step, at: hide(step.at) })) }),
    ...(finding.occurrences !== undefined && { occurrences: finding.occurrences.map(hide) }),
  }
}

/** A finding in words. Throws where its rule is not among `rules`: findings never outlive the rules of their scan. */
export function renderFinding(finding: Finding, rule: Rule | undefined, locale: Locale): ReportFinding {
  if (rule === undefined) throw new Error(`no rule ${finding.ruleId}`)
  const words = rule.text()[locale]
  const { file, ...place } = finding.at
  return {
    id: finding.id,
    ...describeFormerIds(finding),
    ruleId: finding.ruleId,
    severity: finding.severity,
    ...describeGrade(finding, locale),
    confidence: finding.confidence,
    ...wordRule(words, finding, locale),
    cwe: rule.cwe.map((number) => `CWE-${number}`),
    docs: (finding.variant !== undefined && rule.docsByVariant?.[finding.variant]) || rule.docs,
    file,
    ...place,
    ...(finding.snippet !== undefined && { snippet: finding.snippet }),
    ...(finding.flow !== undefined && {
      flow: finding.flow.map((step) => renderStep(step, words.steps ?? {}, locale)),
    }),
    ...(finding.occurrences !== undefined && { occurrences: finding.occurrences }),
    ...(finding.assumes !== undefined && { assumes: finding.assumes }),
    ...describeAffected(finding.affected, locale),
  }
}

function describeGrade({ grade, severity }: Finding, locale: Locale): Pick<ReportFinding, 'grade'> {
  if (grade === undefined) return {}
  const { impact, reach, usage, evidence } = grade
  return { grade: { impact, reach, usage, evidence, because: wordGrade(grade, severity, locale) } }
}

function describeFormerIds({ formerIds, replaces = formerIds }: Finding): Pick<ReportFinding, 'formerIds'> {
  return replaces === undefined ? {} : { formerIds: replaces }
}

function renderStep(
  step: NonNullable<Finding['flow']>[number],
  own: Readonly<Record<string, string>>,
  locale: Locale,
): NonNullable<ReportFinding['flow']>[number] {
  const { file, line, column } = step.at
  return {
    file,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    message: wordStep(step, own, locale),
  }
}

function renderNotice(notice: Notice, locale: Locale, { mask, maskPath }: Pick<ScanResult, 'mask' | 'maskPath'>): ReportNotice {
  // `app` is the folder of one
  const args = Object.entries(notice.args ?? {}).map(([name, value]) => [name, name === 'app' ? maskPath(value) : mask(value)])
  return {
    code: notice.code,
    ...(notice.file !== undefined && { file: maskPath(notice.file) }),
    ...(notice.ruleId !== undefined && { ruleId: notice.ruleId }),
    detail: wordNotice({ ...notice, args: Object.fromEntries(args) }, locale),
  }
}

/** Once each: where the time is over, a rule says so for each of a hundred packages. */
function capNotices(notices: readonly Notice[]): readonly Notice[] {
  const different = new Map(notices.map((notice) => [JSON.stringify(notice), notice]))
  // the partial ones first: a cap must not hide that a report is not complete
  const ordered = [...different.values()].sort((a, b) => Number(b.partial) - Number(a.partial) || compareTexts(a.code, b.code))
  if (ordered.length <= MAX_NOTICES) return ordered
  const left = ordered.length - (MAX_NOTICES - 1)
  return [
    ...ordered.slice(0, MAX_NOTICES - 1),
    { code: 'file-skipped', reason: 'notices', args: { count: String(left) }, partial: false },
  ]
}

const AREAS_BY_NAME: Readonly<Record<string, Area>> = {
  ui5: 'ui5',
  cap: 'cap',
  secrets: 'secrets',
  btp: 'btp',
  npm: 'npm',
  approuter: 'approuter',
}

function areaOf({ ruleId }: Finding): Area {
  const area = AREAS_BY_NAME[ruleId.slice(0, ruleId.indexOf('/'))]
  if (area === undefined) throw new Error(`no area of ${ruleId}`)
  return area
}

/** Lists beside the findings, whose texts come straight from the files of the project. */
const LISTS: ReadonlySet<string> = new Set(['apps', 'services', 'packages', 'routes'])

/** A report with the texts of its lists masked. */
function maskLists(report: Report, { mask, maskPath }: Pick<ScanResult, 'mask' | 'maskPath'>): object {
  const results = Object.entries(report.results).map(([area, result]) => [
    area,
    Object.fromEntries(
      Object.entries(result).map(([key, value]: [string, unknown]) => [
        key,
        LISTS.has(key) ? maskTexts(value, mask, maskPath) : value,
      ]),
    ),
  ])
  return { ...report, results: Object.fromEntries(results) }
}

type Mask = (text: string) => string

/** All texts masked; of the path of a file only what is surely no word, since it leads there. */
function maskTexts(value: unknown, mask: Mask, maskPath: Mask): unknown {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map((item: unknown) => maskTexts(item, mask, maskPath))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    // a word of ours, whatever a password is
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'reach' ? inner : maskTexts(inner, key === 'file' ? maskPath : mask, maskPath),
    ]),
  )
}
