import { groupBy } from '../lists.ts'
import { isKnownFinding } from './known-findings.ts'
import { listFindings } from './list-findings.ts'
import type { Report, ReportAdvisory, ReportFinding, ReportGrade } from './types.ts'

/** What two reports of a project have in common, and what not. Findings are the same where their id is, or one that they had before. */
export interface Comparison {
  /** Only in the later one. */
  readonly found: readonly ReportFinding[]
  /** Only in the earlier one; none where the later one is incomplete. */
  readonly gone: readonly ReportFinding[]
  /** Only in the earlier one, where the later one is incomplete: what it lacks may only not have been seen. */
  readonly unseen: readonly ReportFinding[]
  /** In both, as the later one tells them. */
  readonly same: readonly ReportFinding[]
  /** Of these the ones whose severity changed. */
  readonly levels: readonly LevelChange[]
  /** Packages whose versions or advisories changed; an incomplete later report fixes none. */
  readonly packages: readonly PackageChange[]
}

export interface LevelChange {
  readonly before: ReportFinding
  readonly after: ReportFinding
  /** `rules`: another version of Parapet made the later report, so that its rules or table may have changed; `advisories`: what is published about a package. */
  readonly cause: 'code' | 'rules' | 'advisories'
  /** What the severity is computed of, as far as it differs. */
  readonly facts: readonly GradeFactChange[]
}

type GradeFact = Exclude<keyof ReportGrade, 'because'>

export type GradeFactChange = {
  readonly [Fact in GradeFact]: { readonly fact: Fact; readonly before: ReportGrade[Fact]; readonly after: ReportGrade[Fact] }
}[GradeFact]

export interface PackageChange {
  readonly name: string
  readonly file: string
  /** Affected versions; none where no advisory was about it. */
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly found: readonly ReportAdvisory[]
  readonly fixed: readonly ReportAdvisory[]
  /** Advisories that are in both. */
  readonly unchanged: number
}

/** Compares two reports in one language, the earlier one first. */
export function compareReports(before: Report, after: Report): Comparison {
  const [earlier, later] = [listFindings(before), listFindings(after)]
  const known = new Set(earlier.map(({ id }) => id))
  const same = later.filter((finding) => isKnownFinding(finding, known))
  const ids = new Set(later.flatMap(({ id, formerIds = [] }) => [id, ...formerIds]))
  const byId = new Map(earlier.map((finding) => [finding.id, finding]))
  const isOther = before.scannerVersion === undefined || before.scannerVersion !== after.scannerVersion
  const lacking = earlier.filter(({ id }) => !ids.has(id))
  return {
    found: later.filter((finding) => !isKnownFinding(finding, known)),
    gone: after.complete ? lacking : [],
    unseen: after.complete ? [] : lacking,
    same,
    levels: same.flatMap((finding) => {
      const former = [finding.id, ...(finding.formerIds ?? [])].flatMap((id) => byId.get(id) ?? [])[0]
      return former === undefined || former.severity === finding.severity ? [] : describeChange(former, finding, isOther)
    }),
    packages: comparePackages(earlier, later, after.complete),
  }
}

function describeChange(before: ReportFinding, after: ReportFinding, isOther: boolean): LevelChange {
  const facts = before.grade === undefined || after.grade === undefined ? [] : compareGrades(before.grade, after.grade)
  const isPublished = facts.length === 0 && tellAdvisories(before) !== tellAdvisories(after)
  return { before, after, cause: isPublished ? 'advisories' : isOther ? 'rules' : 'code', facts }
}

function compareGrades(before: ReportGrade, after: ReportGrade): GradeFactChange[] {
  const facts: readonly GradeFactChange[] = [
    { fact: 'impact', before: before.impact, after: after.impact },
    { fact: 'reach', before: before.reach, after: after.reach },
    { fact: 'usage', before: before.usage, after: after.usage },
    { fact: 'evidence', before: before.evidence, after: after.evidence },
  ]
  return facts.filter((change) => change.before !== change.after)
}

const tellAdvisories = ({ advisories = [] }: ReportFinding): string =>
  advisories.map(({ id, severity }) => `${id} ${severity}`).join()

function comparePackages(
  earlier: readonly ReportFinding[],
  later: readonly ReportFinding[],
  isComplete: boolean,
): PackageChange[] {
  const keyOf = ({ file, package: affected }: ReportFinding): string => JSON.stringify([affected?.name, file])
  const affecting = (findings: readonly ReportFinding[]): ReadonlyMap<string, readonly ReportFinding[]> =>
    groupBy(
      findings.filter((finding) => finding.package !== undefined),
      keyOf,
    )
  const [before, after] = [affecting(earlier), affecting(later)]
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((key) => {
    const [old, now] = [before.get(key) ?? [], after.get(key) ?? []]
    const [first] = [...now, ...old]
    const [was, is] = [advisoriesOf(old), advisoriesOf(now)]
    const [versionsBefore, versionsAfter] = [versionsOf(old), versionsOf(now)]
    const found = [...is.values()].filter(({ id }) => !was.has(id))
    const fixed = isComplete ? [...was.values()].filter(({ id }) => !is.has(id)) : []
    if (first?.package === undefined || (!isComplete && now.length === 0)) return []
    if (found.length + fixed.length === 0 && versionsBefore.join() === versionsAfter.join()) return []
    return {
      name: first.package.name,
      file: first.file,
      before: versionsBefore,
      after: versionsAfter,
      found,
      fixed,
      unchanged: is.size - found.length,
    }
  })
}

const advisoriesOf = (findings: readonly ReportFinding[]): ReadonlyMap<string, ReportAdvisory> =>
  new Map(findings.flatMap(({ advisories = [] }) => advisories.map((advisory) => [advisory.id, advisory])))

const versionsOf = (findings: readonly ReportFinding[]): readonly string[] => [
  ...new Set(findings.flatMap(({ package: affected }) => affected?.version ?? [])),
]
