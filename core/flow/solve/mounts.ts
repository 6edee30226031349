import type { StepCounter } from '../../budget.ts'
import type { LinkedFile } from '../app/links.ts'
import type { Arrival } from './arrivals.ts'
import type { FlowPlace } from './fact-paths.ts'
import { shownOf } from './path-steps.ts'

/** Routers that are mounted one below the other. */
const MAX_MOUNTS = 20

/** A router of another file on the way to a route, and the file that it belongs to. */
export interface Mount {
  readonly place: FlowPlace
  readonly mounted: number
}

/**
 * Finds the mount that is the fault of an open route: the first one on the way from the app below which nothing is protected. Of a router with protected routes or routers each open
 * one stands by itself: undefined.
 */
export function createMountFinder(
  arrivals: readonly Arrival[],
  files: readonly LinkedFile[],
  step: StepCounter['step'],
): (file: number, path: readonly FlowPlace[]) => FlowPlace | undefined {
  const open = new Map<number, number>()
  /** Files that are mounted from a file, by the place of the mount. */
  const below = new Map<number, Map<number, number>>()
  for (const { file, sink, path } of arrivals) {
    if (sink.of !== 'open-app' || sink.detail === 'entrance') continue
    open.set(file, (open.get(file) ?? 0) + 1)
    for (const { place, mounted } of mountsOn(file, path(), files, step))
      below.set(place.file, (below.get(place.file) ?? new Map<number, number>()).set(place.node, mounted))
  }
  const known = new Map<number, boolean>()
  const isOpen = (file: number, depth = 0): boolean => {
    const before = known.get(file)
    if (before !== undefined || depth > MAX_MOUNTS) return before === true
    // routers that mount each other
    known.set(file, false)
    const registered = files[file]?.flow.server?.routes ?? []
    const own = registered.filter(({ verb }) => verb !== 'use')
    const mounted = [...(below.get(file)?.values() ?? [])]
    const routers = registered.filter(({ mounts }) => mounts !== undefined)
    const found =
      (open.get(file) ?? 0) >= own.length && mounted.length >= routers.length && mounted.every((one) => isOpen(one, depth + 1))
    known.set(file, found)
    return found
  }
  return (file, path) => mountsOn(file, path, files, step).find(({ mounted }) => isOpen(mounted))?.place
}

/** The mounts on the way to a route of a file, that of the app first. */
export function mountsOn(
  file: number,
  path: readonly FlowPlace[],
  files: readonly LinkedFile[],
  step: StepCounter['step'],
): readonly Mount[] {
  const places = path.filter((place) => {
    if (place.file === file) return false
    const mounts = files[place.file]?.flow.server?.mounts ?? []
    step(mounts.length + 1)
    return mounts.some(([node]) => node === place.node)
  })
  return places.map((place, index) => ({ place, mounted: places[index + 1]?.file ?? file }))
}

/** The path of a route as a client calls it: that of its own router, below those of the mounts on the way to it. */
export function addressOf(path: string, mounts: readonly Mount[], files: readonly LinkedFile[]): string {
  const above = mounts.map(({ place }) => (shownOf(place, files) ?? '').replace(/\/$/, ''))
  const isBelow = above.join('') !== ''
  const own = isBelow && path === '/' ? '' : isBelow && !path.startsWith('/') ? '/…' : path
  return `${above.join('')}${own}`
}
