/**
 * Two runs of the scanner compared, so that a refactoring can show that it changes no finding, and a change that each difference was judged:
 * `npm run compare -- write <out.ndjson> [--sets examples,labelled,sketches,projects] [--each <folder>] [folder or .zip ...]` scans what the repository brings along,
 * each project in the folders that `--each` or the variable PARAPET_PROJECTS names, and what is named; it writes one line per project.
 * `npm run compare -- diff <before.ndjson> <after.ndjson> [--all]` groups what differs by rule, kind of change and sink, and exits 1 if anything does.
 * An older checkout is measured with a copy of this folder in its folder test/compare.
 */
import { appendFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { Refusal } from '../../core/errors.ts'
import { createEngine, scan } from '../../core/scanner.ts'
import { RULES } from '../../core/rules/index.ts'
import { compareRuns, wordComparison } from './causes.ts'
import { readProjectLines, toProjectLine, type ProjectLine } from './lines.ts'
import { listProjects, optionsOf, SETS, type Project } from './projects.ts'

/** Places of one cause that are told without `--all`. */
const MOST_PLACES = 5

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sets: { type: 'string', default: SETS.join(',') },
    each: { type: 'string', multiple: true, default: [process.env['PARAPET_PROJECTS'] ?? ''] },
    all: { type: 'boolean', default: false },
  },
})
const [verb, first, ...others] = positionals
const sets = values.sets.split(',').filter(Boolean)
const unknown = sets.filter((name) => !SETS.includes(name))
if (unknown.length > 0) say(`no such set: ${unknown.join(', ')}; there are ${SETS.join(', ')}`)
if (unknown.length === 0 && verb === 'write' && first !== undefined) await write(first, others)
else if (verb === 'diff' && first !== undefined && others[0] !== undefined) process.exitCode = diff(first, others[0])
else {
  say(
    'usage: compare write <out.ndjson> [--sets a,b] [--each <folder>] [folder or .zip ...] | diff <before.ndjson> <after.ndjson> [--all]',
  )
  process.exitCode = 2
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

async function write(out: string, targets: readonly string[]): Promise<void> {
  const engine = createEngine(RULES)
  const ports = { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() }
  const names = new Map<string, number>()
  const counts = { projects: 0, findings: 0, notices: 0, refused: 0 }
  writeFileSync(out, '')
  for (const project of listProjects(sets, values.each.filter(Boolean), targets)) {
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

async function scanProject(
  name: string,
  project: Project,
  engine: Parameters<typeof scan>[2],
  ports: Parameters<typeof scan>[3],
): Promise<ProjectLine> {
  try {
    // no control, so no clock: budgets count steps, and two runs are the same
    const { records } = await scan(project.open(), optionsOf(project.name, project.date), engine, ports, {})
    return toProjectLine(name, records)
  } catch (error) {
    if (!(error instanceof Refusal)) throw new Error(`the scan of ${name} failed`, { cause: error })
    return { name, refused: error.code, digest: '', findings: [], notices: [] }
  }
}

function diff(beforePath: string, afterPath: string): number {
  const comparison = compareRuns(readProjectLines(beforePath), readProjectLines(afterPath))
  for (const line of wordComparison(comparison, values.all ? Infinity : MOST_PLACES)) say(line)
  // a project that is new has nothing to differ from, and a text may change without a finding: both are told, neither fails
  return comparison.causes.length + comparison.onlyBefore.length === 0 ? 0 : 1
}
