import { createBudget, StopSignal, withinSteps } from '../budget.ts'
import type { ProjectFile } from '../files.ts'
import type { FlowHit } from '../flow/index.ts'
import { groupBy } from '../lists.ts'
import { untilCancelled } from '../meter.ts'
import { createSwitchReader, rankOf } from '../model/reach/index.ts'
import { decodeText } from '../project/decode.ts'
import type { PlannedFile } from '../project/open.ts'
import { createMatchCollector } from '../report/collect-matches.ts'
import { toFindings } from '../report/finish.ts'
import { gravestOf } from '../report/yielding.ts'
import type { ModelSubjects, Project, Subjects } from '../rules/subjects.ts'
import { runRules, type RuleSink } from '../run-rules.ts'
import type { Exposure, PendingMatch } from '../types.ts'
import { contextOf } from './context.ts'
import { pendingClaim, severityIn } from './grading.ts'
import type { ScanContext } from './scan-context.ts'

/** What joins files is bounded by what was read: steps for a small project, and some per item of a large one. */
const PROJECT_STEPS = 20_000_000
/** The same where the time is over: tens of milliseconds. */
const LATE_STEPS = 1_000_000

/** Runs the rules on models, in a fixed order, and finishes what they yield: each file with a match is read once more. */
export function checkProject(project: Project, hits: Iterable<FlowHit>, context: ScanContext): void {
  const { plan, engine, control, findings } = context
  const matches = runModelRules(project, hits, context)
  const planned = new Map(plan.files.map((file) => [file.path, file]))
  const linesOf = (file: string): ProjectFile['lines'] | undefined => project.files.get(file)?.lines
  const settings = findings.settings(engine.rules, severityIn(project.reach), linesOf)
  for (const [path, own] of groupBy(matches, ({ match }) => match.at.file)) {
    control.onProgress?.({ phase: 'checking', done: 0, total: 1 })
    const file = project.files.get(path)
    const text = file && readAgain(planned.get(path), file)
    // a match of a model in a page is told by its element alone, wherever scripts stand in it
    const functions = file?.content.as === 'markup' ? undefined : file?.functions
    const contextAt = file === undefined ? (): string => '' : contextOf(file.content, functions)
    const lines = file?.lines ?? Uint32Array.of(0)
    const finished = { path, lines, text, contextAt, markers: findings.markersOf(path), isLock: file?.kind.language === 'lock' }
    findings.add(toFindings(own, finished, settings))
  }
}

function runModelRules(
  project: Project,
  hits: Iterable<FlowHit>,
  { engine, control, findings, meter, isLate }: ScanContext,
): readonly PendingMatch[] {
  const severityOf = severityIn(project.reach)
  const collector = createMatchCollector(
    (pending) => severityOf(pendingClaim(engine, pending), pending.match.at),
    (file) => project.files.get(file)?.kind.language === 'lock',
  )
  const sink: RuleSink = {
    match: collector.add,
    notice: findings.notice,
    fault: (error, ruleId) => control.onFault?.({ error, ruleId }),
  }
  const budget = createBudget(isLate === true ? LATE_STEPS : PROJECT_STEPS, control.interruption)
  meter.use(budget)
  const run = <Name extends keyof ModelSubjects>(name: Name, subjects: Iterable<Subjects[Name]>): void => {
    for (const subject of subjects) runRules(engine.on(name), name, subject, project, { budget, sink })
  }
  try {
    // what costs least comes first, and the data flow last: a project that runs out of time in it has all the rest
    run('approuter', project.approuters)
    run('packages', project.packages)
    run('deployment', [project.deployment])
    run('project', [project])
    run('cap-root', project.capRoots)
    run('ui5-app', project.ui5Apps)
    const isOff = createSwitchReader(project)
    for (const found of hits) {
      const rule = engine.rules.get(found.fault)
      if (rule === undefined) continue
      const { hit, exposure } = easiest(found, project.reach)
      const isUnsure = isOff(found.at)
      // what a rule knows of the reach itself counts more
      const withReach = ({ ruleId, match: own }: PendingMatch, exposed: Exposure): PendingMatch => {
        const reached = own.exposure ?? ((own.reach ?? rule.reach) === undefined ? exposed : undefined)
        const seen = reached && isUnsure ? { ...reached, evidence: 'assumed' as const } : reached
        return { ruleId, match: seen === undefined ? own : { ...own, exposure: seen } }
      }
      const judge = (one: FlowHit, exposed: Exposure): readonly PendingMatch[] => {
        const told: PendingMatch[] = []
        const match = (pending: PendingMatch): void => void told.push(withReach(pending, exposed))
        runRules([rule], 'flow', one, project, { budget, sink: { ...sink, match } })
        return told
      }
      const gravityOf = (told: readonly PendingMatch[]): number =>
        gravestOf(told.map((one) => severityOf(pendingClaim(engine, one), one.match.at)))
      gravest(found, judge(hit, exposure), gravityOf, (other) => judge(other, project.reach.ofSink(other))).forEach(sink.match)
    }
  } catch (error) {
    if (!(error instanceof StopSignal) || error.reason === 'cancelled') throw error
    findings.outOfTime()
    // apps that are not followed any more are told
    meter.use(untilCancelled(control))
    drain(hits)
  }
  // what was found is graded though no step is left to find more
  meter.use(untilCancelled(control))
  const { matches, notices, left } = collector.take()
  notices.forEach(findings.notice)
  findings.leaveOut(left)
  return matches
}

/** What handlers of services and routes begin with: of these some are easier to reach than others. */
const HANDLED: ReadonlySet<string> = new Set(['cap-request', 'http-request', 'message', 'upload'])

/** Where several callers hand data to one function, the way counts that the fewest have to be let in for. Out of steps: of those that were seen. */
function easiest(found: FlowHit, reach: Project['reach']): { readonly hit: FlowHit; readonly exposure: Exposure } {
  let [hit, exposure] = [found, reach.ofSink(found)]
  withinSteps(() => {
    if (rankOf(exposure) === 0 || !HANDLED.has(found.entry)) return
    for (const other of found.others?.() ?? []) {
      const own = reach.ofSink(other)
      if (rankOf(own) < rankOf(exposure)) [hit, exposure] = [other, own]
    }
  })
  return { hit, exposure }
}

/** So many other ways to one place are judged. */
const MOST_JUDGED = 20

/** Of several flows in a page into one place the one counts that its rule grades highest: which of them is the first, the names of files decide. Out of steps: of those that were seen. */
function gravest(
  found: FlowHit,
  first: readonly PendingMatch[],
  gravityOf: (told: readonly PendingMatch[]) => number,
  judge: (other: FlowHit) => readonly PendingMatch[],
): readonly PendingMatch[] {
  let best = first
  withinSteps(() => {
    if (HANDLED.has(found.entry) || gravityOf(best) <= gravestOf(['HIGH'])) return
    let left = MOST_JUDGED
    for (const other of found.others?.() ?? []) {
      if (left-- === 0) return
      const own = judge(other)
      if (gravityOf(own) < gravityOf(best)) best = own
    }
  })
  return best
}

function drain(items: Iterable<unknown>): void {
  const iterator = items[Symbol.iterator]()
  let next = iterator.next()
  while (next.done !== true) next = iterator.next()
}

/** Undefined where the file is gone or is not what it was: a wrong snippet is worse than none. */
function readAgain(planned: PlannedFile | undefined, file: ProjectFile): string | undefined {
  const raw = planned?.entry.read()
  const text = raw && decodeText(raw)?.text
  if (text === undefined) return undefined
  const last = file.lines[file.lines.length - 1] ?? 0
  return text.length >= last ? text : undefined
}
