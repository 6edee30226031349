import { readdirSync, readFileSync } from 'node:fs'
import { RULES } from '../../core/rules/index.ts'
import { allFindings, scanFiles } from '../scan-files.ts'

/** A line of a labelled project: what a reviewer would say of it. */
export interface Label {
  readonly file: string
  /** 1-based. */
  readonly line: number
  readonly rule: string
  readonly isPositive: boolean
  readonly severity: string | undefined
}

/** A small project written by hand, with marks at the lines that are faults and at those that only look like some. */
export interface LabelledProject {
  readonly name: string
  readonly files: ReadonlyMap<string, string>
  readonly labels: readonly Label[]
}

const FOLDER = new URL('../projects/flow/', import.meta.url)
const MARKS = /[ \t]*(?:\/\/|<!--|--|#|\{\/\*)[ \t]*(@(?:positive|negative) [^\n]*?)(?:[ \t]*(?:-->|\*\/\}))?[ \t]*$/
/** A label that is not read asks for nothing. */
const UNREAD = / @(?:positive|negative) [a-z0-9]+\//
const MARK = /@(positive|negative) (\S+)(?: (CRITICAL|HIGH|MEDIUM|LOW|INFO))?/g

/** Reads the projects below test/projects/flow; the marks are taken out of the files, so a scan does not see them. */
export function readLabelledProjects(area: string): LabelledProject[] {
  const folder = new URL(`${area}/`, FOLDER)
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => readProject(`${area}/${name}`, readFileSync(new URL(name, folder), 'utf8')))
}

function readProject(name: string, markdown: string): LabelledProject {
  const files = new Map<string, string>()
  const labels: Label[] = []
  let file: { readonly path: string; readonly lines: string[] } | undefined
  for (const line of markdown.split('\n')) {
    const [, path] = /^```\S+ (\S+)$/.exec(line) ?? []
    if (file === undefined && path !== undefined) file = { path, lines: [] }
    else if (file !== undefined && line === '```') {
      files.set(file.path, `${file.lines.join('\n')}\n`)
      file = undefined
    } else if (file !== undefined) {
      const [, marks = ''] = MARKS.exec(line) ?? []
      if (marks === '' && UNREAD.test(line)) throw new Error(`${name}: a mark that cannot be read: ${line}`)
      file.lines.push(line.replace(MARKS, ''))
      for (const [, kind, rule = '', severity] of marks.matchAll(MARK))
        labels.push({ file: file.path, line: file.lines.length, rule, isPositive: kind === 'positive', severity })
    }
  }
  if (file !== undefined || files.size === 0) throw new Error(`${name}: a fence without end, or none`)
  return { name, files, labels }
}

/** A finding that counts: of a rule that the labels of its area speak of. */
interface Found {
  readonly file: string
  readonly line: number
  readonly rule: string
  readonly severity: string
}

/** What a scan made of one project. */
export interface Judged {
  readonly project: string
  readonly hits: readonly { readonly label: Label; readonly found: Found }[]
  readonly missed: readonly Label[]
  readonly wrong: readonly Found[]
}

/** Rules that follow data. */
const FOLLOWING: ReadonlySet<string> = new Set(RULES.flatMap(({ id, checks }) => (checks.flow === undefined ? [] : id)))

/** A call that begins in the marked line may have its argument a few lines below. */
const MAX_LINES_BELOW = 3

/** Scans a labelled project and compares: each positive wants a finding of its rule, and every other finding of such a rule is a false alarm. */
export async function judge({ name, files, labels }: LabelledProject, rules: ReadonlySet<string>): Promise<Judged> {
  const { en } = await scanFiles(files)
  const named = new Set(labels.map(({ rule }) => rule))
  // of rules that follow no data a project is a witness only where its author speaks of them
  const isJudged = (rule: string): boolean => rules.has(rule) && (FOLLOWING.has(rule) || named.has(rule))
  const open = allFindings(en).flatMap(({ ruleId, severity, file, line, occurrences }): Found[] =>
    isJudged(ruleId)
      ? [{ file, line }, ...(occurrences ?? [])].map((at) => ({ file: at.file, line: at.line ?? 0, rule: ruleId, severity }))
      : [],
  )
  const hits: { label: Label; found: Found }[] = []
  const missed: Label[] = []
  for (const label of labels) {
    if (!label.isPositive) continue
    const fits = ({ file, rule, line }: Found): boolean =>
      file === label.file && rule === label.rule && line >= label.line && line <= label.line + MAX_LINES_BELOW
    const found = open.find((one) => fits(one) && one.line === label.line) ?? open.find(fits)
    if (found === undefined) missed.push(label)
    else {
      hits.push({ label, found })
      // a value may be reported once per way at the same place
      for (const one of open.filter(({ file, rule, line }) => file === found.file && rule === found.rule && line === found.line))
        open.splice(open.indexOf(one), 1)
    }
  }
  return { project: name, hits, missed, wrong: open }
}

/** Shares of 1 over many projects. `severe`: of the findings at HIGH and above those that are right. */
export function sum(judged: readonly Judged[]): { recall: number; precision: number; severe: number } {
  const hits = judged.flatMap((one) => one.hits)
  const missed = judged.flatMap((one) => one.missed)
  const wrong = judged.flatMap((one) => one.wrong)
  const isSevere = ({ severity }: { readonly severity: string }): boolean => severity === 'HIGH' || severity === 'CRITICAL'
  const right = hits.filter(({ found }) => isSevere(found)).length
  const ratio = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole)
  return {
    recall: ratio(hits.length, hits.length + missed.length),
    precision: ratio(hits.length, hits.length + wrong.length),
    severe: ratio(right, right + wrong.filter(isSevere).length),
  }
}
