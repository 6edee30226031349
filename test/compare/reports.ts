/**
 * Two runs of the scanner compared, so that a refactoring can show that it changes no finding:
 * `tsx test/compare/reports.ts write <out.ndjson> [folder or .zip ...]` scans every example of every rule, every folder of test/projects and what is named,
 * and writes one line per project; `... diff <before.ndjson> <after.ndjson>` lists what differs and exits 1 if anything does.
 * An older checkout is measured with a copy of this file in its folder test/compare.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { openDirectory } from '../../adapters/node/directory.ts'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { Refusal } from '../../core/errors.ts'
import { createEngine, openSource, scan } from '../../core/host.ts'
import { DEFAULT_LIMITS } from '../../core/limits.ts'
import { NOTICE_KEYS, wordNotice } from '../../core/report/notices.ts'
import type { Report, ReportNotice } from '../../core/report/types.ts'
import { RULES } from '../../core/rules/index.ts'
import type { NoticeCode, ProjectSource } from '../../core/types.ts'
import { readExamples } from '../rules/examples.ts'
import { allFindings, toSource } from '../scan-files.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const DEFAULT_DATE = '2026-11-20'

/** Rule, file, line, column, severity, confidence, id. */
const FINDING = z.tuple([z.string(), z.string(), z.number(), z.number(), z.string(), z.string(), z.string()])
/** Code, reason, file, rule. */
const NOTICE = z.tuple([z.string(), z.string(), z.string(), z.string()])
const PROJECT = z.strictObject({
  name: z.string(),
  /** The code of the refusal, where there is no report. */
  refused: z.string().optional(),
  /** SHA-256 of the reports in both languages: tells texts, snippets and inventories apart. */
  digest: z.string(),
  findings: z.array(FINDING),
  notices: z.array(NOTICE),
})

type FindingLine = z.infer<typeof FINDING>
type NoticeLine = z.infer<typeof NOTICE>
type ProjectLine = z.infer<typeof PROJECT>

interface Project {
  readonly name: string
  readonly date: string
  open(): ProjectSource
}

const [verb, first, ...others] = process.argv.slice(2)
if (verb === 'write' && first !== undefined) await write(first, others)
else if (verb === 'diff' && first !== undefined && others[0] !== undefined) process.exitCode = diff(first, others[0])
else {
  say('usage: compare-reports.ts write <out.ndjson> [folder or .zip ...] | diff <before.ndjson> <after.ndjson>')
  process.exitCode = 2
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

// ── write ─────────────────────────────────────────────────────────────────────────────────────────────────────────

async function write(out: string, targets: readonly string[]): Promise<void> {
  const engine = createEngine(RULES)
  const ports = { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() }
  const names = new Map<string, number>()
  const counts = { projects: 0, findings: 0, notices: 0, refused: 0 }
  writeFileSync(out, '')
  for (const project of listProjects(targets)) {
    const nth = (names.get(project.name) ?? 0) + 1
    names.set(project.name, nth)
    const line = await scanProject(nth === 1 ? project.name : `${project.name} #${nth}`, project, engine, ports)
    appendFileSync(out, `${JSON.stringify(line)}\n`)
    counts.projects++
    counts.findings += line.findings.length
    counts.notices += line.notices.length
    if (line.refused !== undefined) counts.refused++
  }
  say(JSON.stringify(counts))
}

function* listProjects(targets: readonly string[]): Generator<Project> {
  for (const path of readdirSync(join(ROOT, 'core/rules'), { recursive: true, encoding: 'utf8' }).sort()) {
    if (!path.endsWith('.md')) continue
    const [area = ''] = path.split('/')
    const id = `${area}/${basename(path, '.md')}`
    for (const { title, files, date } of readExamples(readFileSync(join(ROOT, 'core/rules', path), 'utf8'), id)) {
      // a file beside the folders, so that none of them is the one top folder that is left out
      const open = (): ProjectSource => toSource(new Map([...files, ['README.md', '']]))
      yield { name: `example ${id}: ${title}`, date: date ?? DEFAULT_DATE, open }
    }
  }
  for (const name of readdirSync(join(ROOT, 'test/projects')).sort())
    yield { name: `project ${name}`, date: DEFAULT_DATE, open: () => openPath(join(ROOT, 'test/projects', name)) }
  for (const target of targets) yield { name: basename(target), date: DEFAULT_DATE, open: () => openPath(target) }
}

function openPath(target: string): ProjectSource {
  const [path, name] = [realpathSync(target), basename(target)]
  const options = optionsOf(name, DEFAULT_DATE)
  if (statSync(path).isDirectory()) return openSource({ kind: 'directory', path, name }, options, openDirectory)
  return openSource({ kind: 'archive', bytes: new Uint8Array(readFileSync(path)), name }, options, undefined)
}

function optionsOf(projectName: string, date: string): Parameters<typeof scan>[1] {
  return {
    scanId: '00000000-0000-7000-8000-000000000000',
    scannedAt: `${date}T12:00:00.000Z`,
    projectName,
    limits: DEFAULT_LIMITS,
    suppressions: true,
  }
}

async function scanProject(
  name: string,
  project: Project,
  engine: Parameters<typeof scan>[2],
  ports: Parameters<typeof scan>[3],
): Promise<ProjectLine> {
  try {
    // no control, so no clock: budgets count steps, and two runs are the same
    const { records } = await scan(project.open(), optionsOf(project.name, project.date), engine, ports, {})
    const report: Report = JSON.parse(new TextDecoder().decode(records.en))
    return {
      name,
      digest: createHash('sha256').update(records.en).update(records.fr).digest('hex'),
      findings: allFindings(report)
        .map(({ ruleId, file, line = 0, column = 0, severity, confidence, id }): FindingLine => {
          return [ruleId, file, line, column, severity, confidence, id]
        })
        .sort(byText),
      notices: report.notices
        .map((notice): NoticeLine => [notice.code, reasonOf(notice), notice.file ?? '', notice.ruleId ?? ''])
        .sort(byText),
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw new Error(`the scan of ${name} failed`, { cause: error })
    return { name, refused: error.code, digest: '', findings: [], notices: [] }
  }
}

function byText(a: readonly unknown[], b: readonly unknown[]): number {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)]
  return left < right ? -1 : Number(left > right)
}

/** A report words the reason of its notices; the words lead back to it. */
function reasonOf({ code, detail }: ReportNotice): string {
  const key = NOTICE_KEYS.find((key) => key.startsWith(`${code}/`) && patternOf(code, key.slice(code.length + 1)).test(detail))
  return key?.slice(code.length + 1) ?? detail
}

function patternOf(code: NoticeCode, reason: string): RegExp {
  const words = wordNotice({ code, reason, partial: false }, 'en')
  const literals = words.split(/\{\w+\}/).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
  return new RegExp(`^${literals.join('.*')}$`, 's')
}

// ── diff ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function diff(beforePath: string, afterPath: string): number {
  const [before, after] = [readProjects(beforePath), readProjects(afterPath)]
  const counts = { projects: after.size, gone: 0, new: 0, changed: 0, projectsGone: 0, projectsNew: 0, otherwiseDifferent: 0 }
  for (const [name, old] of before) {
    const now = after.get(name)
    if (now === undefined) {
      counts.projectsGone++
      say(`${name}: only before`)
      continue
    }
    const lines = compareProjects(old, now, counts)
    if (lines.length > 0) say([name, ...lines.map((line) => `  ${line}`)].join('\n'))
    else if (old.digest !== now.digest) {
      counts.otherwiseDifferent++
      say(`${name}: same findings and notices, different report`)
    }
  }
  for (const name of after.keys()) {
    if (before.has(name)) continue
    counts.projectsNew++
    say(`${name}: only after`)
  }
  say(JSON.stringify(counts))
  // a project that is new has nothing to differ from, and a text may change without a finding: both are told, neither fails
  return counts.gone + counts.new + counts.changed + counts.projectsGone === 0 ? 0 : 1
}

function readProjects(path: string): Map<string, ProjectLine> {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return new Map(lines.map((line) => PROJECT.parse(JSON.parse(line))).map((project) => [project.name, project]))
}

function compareProjects(
  before: ProjectLine,
  after: ProjectLine,
  counts: { gone: number; new: number; changed: number },
): string[] {
  const lines: string[] = []
  if (before.refused !== after.refused) {
    counts.changed++
    lines.push(`changed: refused ${before.refused ?? 'no'} -> ${after.refused ?? 'no'}`)
  }
  const gone = without(before.findings, after.findings)
  const added = without(after.findings, before.findings)
  for (const old of gone) {
    const index = added.findIndex((other) => placeOf(other) === placeOf(old))
    const [now] = index < 0 ? [] : added.splice(index, 1)
    if (now === undefined) {
      counts.gone++
      lines.push(`gone: ${placeOf(old)} ${gradeOf(old)}`)
    } else {
      counts.changed++
      lines.push(`changed: ${placeOf(old)} ${gradeOf(old)} -> ${gradeOf(now)}`)
    }
  }
  counts.new += added.length
  lines.push(...added.map((finding) => `new: ${placeOf(finding)} ${gradeOf(finding)}`))
  const noticesGone = without(before.notices, after.notices)
  const noticesAdded = without(after.notices, before.notices)
  counts.gone += noticesGone.length
  counts.new += noticesAdded.length
  lines.push(...noticesGone.map((notice) => `gone: notice ${notice.join(' ').trim()}`))
  lines.push(...noticesAdded.map((notice) => `new: notice ${notice.join(' ').trim()}`))
  return lines
}

/** Those of one list that the other lacks; equal ones are counted. */
function without<Line extends readonly unknown[]>(list: readonly Line[], other: readonly Line[]): Line[] {
  const counts = new Map<string, number>()
  for (const line of other) counts.set(JSON.stringify(line), (counts.get(JSON.stringify(line)) ?? 0) + 1)
  return list.filter((line) => {
    const left = counts.get(JSON.stringify(line)) ?? 0
    counts.set(JSON.stringify(line), left - 1)
    return left <= 0
  })
}

function placeOf([ruleId, file, line, column]: FindingLine): string {
  return `${ruleId} ${file}${line === 0 ? '' : `:${line}:${column}`}`
}

function gradeOf([, , , , severity, confidence, id]: FindingLine): string {
  return `${severity} ${confidence} ${id}`
}
