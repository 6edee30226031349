import type { StepCounter } from '../../budget.ts'
import { isWithin } from '../../facts/span-index.ts'
import type { FlowStep, Place } from '../../types.ts'
import type { LinkedFile } from '../app/links.ts'
import type { Origin } from '../types.ts'
import type { FlowPlace } from './fact-paths.ts'
import { toldStore } from '../pages/model-stores.ts'
import { lastName } from '../../paths.ts'

/** More are not shown: source, crossings, sink. */
const MAX_STEPS = 12

type Located = Required<Pick<Place, 'file' | 'span'>>

interface PathEnd {
  readonly origin: Origin
  readonly sink: string
  readonly at: Located
}

/** A path as a reader follows it; `part` is what is chosen by others, as it is written where the path begins. */
export interface ToldPath {
  readonly source: FlowPlace | undefined
  readonly part: string
  readonly steps: readonly FlowStep[]
}

/** Tells where a value comes from, where it goes into functions and into what code shares, where it becomes a part of a text, and what receives it. */
export function tellPath(
  path: readonly FlowPlace[],
  { origin, sink, at }: PathEnd,
  files: readonly LinkedFile[],
  step: StepCounter['step'],
): ToldPath {
  const first = beginOf(path, files)
  const source = path[first]
  const begin = source && placeOf(source, files)
  const part = shownOf(source, files) ?? (origin.endsWith('error') ? 'error' : 'req')
  const between = path
    .slice(first + 1)
    .flatMap((place, index) => [
      ...toCrossing(place, path[first + index], files, step),
      ...toJoin(place, begin === undefined ? [at] : [begin, at], files),
    ])
  const steps: FlowStep[] = [
    ...(begin === undefined ? [] : [{ at: begin, step: sourceStep(origin), args: { part } }]),
    ...between.slice(0, MAX_STEPS - 2),
    { at, step: 'sink', args: { sink } },
  ]
  return { source, part, steps }
}

/** The longest chain of members is what is written: `req.data.name` of `req.data`. */
function beginOf(path: readonly FlowPlace[], files: readonly LinkedFile[]): number {
  const begin = path.findIndex((place) => shownOf(place, files) !== undefined)
  let first =
    begin >= 0
      ? begin
      : Math.max(
          path.findIndex(({ file }) => (files[file]?.path ?? '') !== ''),
          0,
        )
  for (let next = first + 1; next < path.length; next++) {
    const shown = shownOf(path[next], files)
    if (shown === undefined) continue
    if (!shown.startsWith(shownOf(path[first], files) ?? ' ')) break
    first = next
  }
  return first
}

/** Where a text is put together it has to be mended: told where neither source nor sink stands there. */
function toJoin(place: FlowPlace, told: readonly Located[], files: readonly LinkedFile[]): FlowStep[] {
  if (place.joins !== true || place.file < 0) return []
  const at = placeOf(place, files)
  const isTold = told.some(({ file, span }) => file === at.file && (isWithin(span, at.span) || isWithin(at.span, span)))
  return isTold ? [] : [{ at, step: 'join', args: {} }]
}

/** Data of a server's client begins at the request; in a browser the origin says who chose it. */
function sourceStep(origin: Origin): string {
  return origin === 'request' || origin === 'upload' || origin === 'archive-entry' ? 'source' : `source-${origin}`
}

/** Where it goes into a function or into what code shares, or comes back from there. */
function toCrossing(
  place: FlowPlace,
  before: FlowPlace | undefined,
  files: readonly LinkedFile[],
  step: StepCounter['step'],
): FlowStep[] {
  if (before === undefined) return []
  if (place.store !== undefined && before.file >= 0)
    return [{ at: placeOf(before, files), step: 'store', args: { name: storeName(place.store) } }]
  if (before.file < 0 && place.file >= 0) return [{ at: placeOf(place, files), step: 'load', args: {} }]
  if (!place.crosses) return []
  step(files[place.file]?.flow.functions.length ?? 1)
  const entered = functionOf(place, files)
  if (entered !== undefined) return [{ at: placeOf(place, files), step: 'call', args: { name: entered } }]
  const left = resultOf(before, files)
  return [{ at: placeOf(place, files), step: left === undefined ? 'step' : 'return', args: { name: left ?? '' } }]
}

/** The function whose parameter a node is. */
function functionOf({ file, node }: FlowPlace, files: readonly LinkedFile[]): string | undefined {
  const found = files[file]?.flow.functions.find(({ parameters }) => parameters.includes(node))
  return found && nameOf(found.name)
}

/** The function whose result a node is. */
function resultOf({ file, node }: FlowPlace, files: readonly LinkedFile[]): string | undefined {
  const found = files[file]?.flow.functions.find(({ result }) => result === node)
  return found && nameOf(found.name)
}

/** `model view`, `event app/order`; of a module what it is. */
function storeName(store: string): string {
  return store.startsWith('module ') ? 'module' : toldStore(store).trim()
}

function nameOf(name: string): string {
  return lastName(name) || 'function'
}

/** What is shown of a place, as it is written. */
export function shownOf(place: FlowPlace | undefined, files: readonly LinkedFile[]): string | undefined {
  return place && files[place.file]?.flow.shown.get(place.node)
}

/** Where a place stands in its file. */
export function placeOf({ file, node }: FlowPlace, files: readonly LinkedFile[]): Located {
  const { path = '', flow } = files[file] ?? {}
  return { file: path, span: { start: flow?.nodes[node * 2] ?? 0, end: flow?.nodes[node * 2 + 1] ?? 0 } }
}
