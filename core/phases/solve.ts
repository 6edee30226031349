import { createBudget } from '../budget.ts'
import { solve, toHit, type FileFlow, type FlowHit, type LinkedFile } from '../flow/index.ts'
import { groupBy } from '../lists.ts'
import type { CapRoot } from '../model/cap/index.ts'
import type { ProjectModels } from '../rules/subjects.ts'
import type { ScanContext } from './scan-context.ts'

/** Steps of one app: some for a small one, and more for each node of a large one; so a hostile app costs itself alone. */
const APP_STEPS = 1_000_000
const STEPS_PER_NODE = 20

/** Follows data from where others choose it to where it must not arrive: app by app, since nothing flows between them. */
export function solveFlows(models: ProjectModels, { findings, control }: ScanContext): readonly FlowHit[] {
  const { files, capRoots } = models
  const rootOf = new Map(capRoots.flatMap(({ root, files: own }) => own.map(({ path }) => [path, root] as const)))
  const internal = internalImplementations(capRoots)
  const linked = [...files.values()].flatMap(({ path, flow }): LinkedFile[] =>
    flow === undefined ? [] : [{ path, flow: internal.has(path) ? withoutRequests(flow) : flow }],
  )
  const hits: FlowHit[] = []
  for (const [root, own] of groupBy(linked, ({ path }) => rootOf.get(path))) {
    const nodes = own.reduce((sum, { flow }) => sum + flow.nodes.length / 2, 0)
    const budget = createBudget(APP_STEPS + STEPS_PER_NODE * nodes, control.interruption)
    const { arrivals, isWhole } = solve(own, budget.step)
    if (!isWhole) findings.notice({ code: 'time-limit', reason: 'flow', args: { app: root ?? '' }, partial: true })
    for (const arrival of arrivals) hits.push(toHit(arrival, own))
  }
  return hits
}

/** Scripts beside .cds files of which no service is served by any protocol: what their handlers get comes from the project itself. */
function internalImplementations(capRoots: readonly CapRoot[]): ReadonlySet<string> {
  const services = groupBy(
    capRoots.flatMap((root) => root.services),
    ({ place }) => place.file,
  )
  return new Set(
    [...services].flatMap(([file, own]) => {
      const base = file.replace(/\.cds$/i, '')
      return own.every(({ exposure }) => exposure === 'internal') ? [`${base}.js`, `${base}.ts`] : []
    }),
  )
}

function withoutRequests(flow: FileFlow): FileFlow {
  return { ...flow, sources: flow.sources.filter(({ origin }) => origin !== 'cap-request') }
}
