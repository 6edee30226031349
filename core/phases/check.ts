import { createBudget, StopSignal } from '../budget.ts'
import type { Engine } from '../engine.ts'
import type { ProjectFile } from '../files.ts'
import { groupBy } from '../lists.ts'
import { decodeText } from '../project/decode.ts'
import type { PlannedFile, ScanPlan } from '../project/open.ts'
import { finishMatches, type Draft } from '../report/finish.ts'
import type { ModelSubjects, Project } from '../rules/subjects.ts'
import { runRules, type RuleSink } from '../run-rules.ts'
import type { ScanControl } from '../types.ts'
import { contextOf } from './context.ts'
import type { Findings } from './findings.ts'

/** What joins files is bounded by what was read: steps for a small project, and some per fact of a large one. */
const PROJECT_STEPS = 20_000_000

/** Characters of scripts whose facts were made again within one task, some ten times as many bytes. */
const HELD_CHARACTERS = 512 * 1024

/** Until a task is over whatever a WeakRef gave out in it stays in memory (ECMAScript, 9.9 "KeepDuringJob"). */
function endTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}

/** Runs the rules that need models, in a fixed order, and finishes what they yield: each file with a match is read once more. */
export async function checkProject(
  project: Project,
  plan: ScanPlan,
  engine: Engine,
  control: ScanControl,
  findings: Findings,
  remade: () => number,
): Promise<void> {
  const drafts: Draft[] = []
  const sink: RuleSink = { draft: (draft) => void drafts.push(draft), notice: findings.notice }
  const budget = createBudget(PROJECT_STEPS, control.interruption)
  let held = 0
  const run = async <Name extends keyof ModelSubjects>(name: Name, subjects: Iterable<ModelSubjects[Name]>): Promise<void> => {
    for (const subject of subjects) {
      for (const rule of engine.on(name)) {
        runRules([rule], subject, project, { budget, sink })
        if (remade() - held < HELD_CHARACTERS) continue
        held = remade()
        await endTask()
      }
    }
  }
  try {
    await run('ui5-app', project.ui5Apps)
    await run('cap-root', project.capRoots)
    await run('approuter', project.approuters)
    await run('packages', project.packages)
    await run('deployment', [project.deployment])
    await run('project', [project])
  } catch (error) {
    if (!(error instanceof StopSignal) || error.reason === 'cancelled') throw error
    findings.outOfTime()
  }
  const planned = new Map(plan.files.map((file) => [file.path, file]))
  const linesOf = (file: string): ProjectFile['lines'] | undefined => project.files.get(file)?.lines
  for (const [path, matched] of groupBy(drafts, ({ match }) => match.at.file)) {
    control.onProgress?.({ phase: 'checking', done: 0, total: 1 })
    const file = project.files.get(path)
    const text = file && readAgain(planned.get(path), file)
    const contextAt = file === undefined ? (): string => '' : contextOf(file.content)
    const lines = file?.lines ?? Uint32Array.of(0)
    const finished = { path, lines, text, contextAt, markers: findings.markersOf(path), isLock: file?.kind.language === 'lock' }
    findings.add(await finishMatches(matched, finished, findings.settings(linesOf)))
  }
}

/** Undefined where the file is gone or is not what it was: a wrong snippet is worse than none. */
function readAgain(planned: PlannedFile | undefined, file: ProjectFile): string | undefined {
  const raw = planned?.entry.read()
  const text = raw && decodeText(raw)?.text
  if (text === undefined) return undefined
  const last = file.lines[file.lines.length - 1] ?? 0
  return text.length >= last ? text : undefined
}
