import { compareTexts } from '../../lists.ts'

/** What is asked of a line of the UI5 catalogue; a `CatalogueLine` is one. Days are ISO 8601, the last ones that count. */
export interface MaintainedLine {
  readonly minor: string
  readonly support: 'maintenance' | 'out-of-maintenance' | 'skipped'
  readonly longTerm: boolean
  readonly endOfMaintenance?: string
  readonly endOfProvisioning?: string
  readonly removed?: readonly string[]
  readonly removedFromAll?: readonly string[]
}

/** Where a UI5 version stands on a day. */
export interface VersionSupport {
  readonly line: MaintainedLine
  readonly state: 'maintained' | 'long-term' | 'ended'
  /** Last day of maintenance, where the catalogue says one. */
  readonly ended: string | undefined
  /** No longer served by SAP's content delivery network. */
  readonly removed: boolean
}

const ONE = /^1\.(\d{1,4})(?:\.\d{1,4})?(?:-[\w.-]{1,40})?$/u

/** The catalogue's line of a version; undefined for 2.x, legacy-free versions, and lines that it doesn't list. */
export function lineOf<Line extends { readonly minor: string }>(
  version: string,
  catalogue: { readonly lines: readonly Line[] },
): Line | undefined {
  const minor = ONE.exec(version)?.[1]
  if (minor === undefined || version.includes('legacy-free')) return undefined
  return catalogue.lines.find((line) => line.minor === `1.${minor}`)
}

/** The number of a patch, `3` of `1.120.3`; undefined for a line and for what is no plain release. */
export function patchOf(version: string): number | undefined {
  const patch = /^1\.\d{1,4}\.(\d{1,4})$/u.exec(version)?.[1]
  return patch === undefined ? undefined : Number(patch)
}

/** The number of a line, `120` of `1.120.3`; undefined for all but 1.x. */
export function minorOf(version: string): number | undefined {
  const minor = ONE.exec(version)?.[1]
  return minor === undefined ? undefined : Number(minor)
}

/**
 * What the catalogue says about a version on a day (ISO 8601). Undefined where nothing can be told: 2.x and legacy-free versions, lines that
 * it doesn't list, lines that were skipped. Dates decide where there are some: a catalogue may be older than the scan.
 */
export function supportOf(
  version: string,
  catalogue: { readonly lines: readonly MaintainedLine[] },
  day: string,
): VersionSupport | undefined {
  const line = lineOf(version, catalogue)
  if (line === undefined || line.support === 'skipped') return undefined
  const today = day.slice(0, 10)
  const ended = line.endOfMaintenance === undefined ? line.support === 'out-of-maintenance' : line.endOfMaintenance < today
  const removed = leavesBefore(line, catalogue.lines, today)
  const state = ended ? 'ended' : line.longTerm ? 'long-term' : 'maintained'
  return { line, state, ended: line.endOfMaintenance, removed }
}

/** Whether the catalogue says that SAP's networks no longer serve a patch, whatever they serve of its line; `isOpen`: of OpenUI5's network. */
export function isPatchRemoved(
  version: string,
  catalogue: { readonly lines: readonly MaintainedLine[] },
  isOpen: boolean,
): boolean {
  const line = lineOf(version, catalogue)
  const removed = isOpen ? (line?.removedFromAll ?? line?.removed) : line?.removed
  return removed?.includes(version) === true
}

/** Lines leave the network in their order, but for those with long-term maintenance: one without a day is gone when a later one is. */
function leavesBefore(line: MaintainedLine, lines: readonly MaintainedLine[], today: string): boolean {
  const isGone = ({ endOfProvisioning }: MaintainedLine): boolean => endOfProvisioning !== undefined && endOfProvisioning < today
  if (line.endOfProvisioning !== undefined || line.longTerm || line.support !== 'out-of-maintenance') return isGone(line)
  const own = minorOf(line.minor) ?? Infinity
  return lines.some((other) => !other.longTerm && (minorOf(other.minor) ?? 0) > own && isGone(other))
}

/**
 * The version to move to on a day, never an older line: of those with long-term maintenance the one that keeps it longest, else the newest one that is
 * maintained. A line becomes a line, a patch a patch: 1.98 becomes 1.136, 1.98.3 becomes 1.136.18.
 */
export function findTarget(
  version: string,
  catalogue: { readonly lines: readonly (MaintainedLine & { readonly patches: readonly string[] })[] },
  day: string,
): string {
  const lines = catalogue.lines.filter(({ minor }) => (minorOf(minor) ?? 0) >= (minorOf(version) ?? 0))
  const inState = (wanted: VersionSupport['state']): typeof lines =>
    lines.filter(({ minor }) => supportOf(minor, catalogue, day)?.state === wanted)
  const [longest] = inState('long-term').toSorted((a, b) => compareTexts(b.endOfMaintenance ?? '', a.endOfMaintenance ?? ''))
  const line = longest ?? inState('maintained')[0] ?? lines[0]
  if (line === undefined) return version
  const patch = patchOf(version) === undefined ? undefined : line.patches.find((listed) => patchOf(listed) !== undefined)
  return patch ?? line.minor
}
