import type { StepCounter } from '../../budget.ts'
import { isAround } from '../../facts/span-index.ts'
import type { LinkedFile } from '../app/links.ts'
import { READ } from './operations.ts'
import type { FlowSink } from '../types.ts'
import type { FlowPlace } from './fact-paths.ts'

const COLUMNS = 4

/** Whether a value was last read from a property or control whose name those have tested who call the method with the sink. */
export function isTestedBefore(
  path: readonly FlowPlace[],
  { file, sink }: { readonly file: number; readonly sink: FlowSink },
  files: readonly LinkedFile[],
  step: StepCounter['step'],
): boolean {
  const tested = files[file]?.flow.page?.tested?.filter((one) => isAround(one, sink.start)) ?? []
  if (tested.length === 0) return false
  const names = namesRead(path, files, step)
  return tested.some((one) => names.some((name) => one.names.includes(name)))
}

/** From the sink back to the first property that is read, with the controls on the way there. */
function namesRead(path: readonly FlowPlace[], files: readonly LinkedFile[], step: StepCounter['step']): readonly string[] {
  const names: string[] = []
  for (let at = path.length - 1; at > 0; at--) {
    const [here, before] = [path[at], path[at - 1]]
    if (here === undefined || before === undefined) break
    const [, control] = /^shown (#[^.]{1,200})\./.exec(here.store ?? '') ?? []
    if (control !== undefined) names.push(control)
    const field = fieldRead(here, before, files, step)
    if (field !== undefined) return [...names, field]
  }
  return names
}

/** The field that leads from a place to the next one, by a port or in the file. */
function fieldRead(
  { file, node }: FlowPlace,
  before: FlowPlace,
  files: readonly LinkedFile[],
  step: StepCounter['step'],
): string | undefined {
  const flow = files[file]?.flow
  if (flow === undefined) return undefined
  step(flow.ports.length)
  if (before.file !== file) return flow.ports.find((port) => port.node === node && port.access === 'read')?.path.at(-1)
  const { edges, names } = flow
  step(edges.length / COLUMNS)
  for (let at = 0; at < edges.length; at += COLUMNS)
    if (edges[at] === before.node && edges[at + 1] === node && edges[at + 2] === READ) return names[edges[at + 3] ?? -1]
  return undefined
}
