import * as z from 'zod'
import type { CatalogueLine } from './types.ts'

/** Made when a document comes: most scans are answered by the bundled snapshot. */
const overview = z.lazy(() => {
  const text = z.string().nullish()
  return z.object({
    versions: z.array(z.object({ version: z.string(), support: text, lts: z.boolean().nullish(), eom: text, eocp: text })),
    patches: z.array(z.object({ version: z.string(), removed: z.boolean().nullish().catch(null) })).nullish(),
  })
})

const MINOR = /^(\d{1,3}\.\d{1,4})\.\*$/
const PATCH = /^(\d{1,3}\.\d{1,4})\.(\d{1,4})(-[a-z0-9.-]{1,40})?$/
const QUARTER = /\bQ([1-4])\s{0,3}\/\s{0,3}(\d{4})\b/
const QUARTER_ENDS = ['03-31', '06-30', '09-30', '12-31']

/**
 * The rows of `versionoverview.json`, newest first; undefined where it has another shape or no usable row. The spelling of `support` varies,
 * `eom` may hold a sentence, and a row whose `support` is unknown tells nothing; patches that are no longer served are `removed` (documents of SAPUI5 and OpenUI5, June 2026).
 */
export function toCatalogueLines(document: unknown): CatalogueLine[] | undefined {
  const { data } = overview.safeParse(document)
  if (data === undefined) return undefined
  const patches = new Map<string, string[]>()
  const removed = new Set<string>()
  for (const patch of data.patches ?? []) {
    const { version } = patch
    const minor = PATCH.exec(version)?.[1]
    if (minor === undefined) continue
    if (patch.removed === true) removed.add(version)
    const known = patches.get(minor)
    if (known === undefined) patches.set(minor, [version])
    else known.push(version)
  }
  const lines = new Map<string, CatalogueLine>()
  for (const row of data.versions) {
    const minor = MINOR.exec(row.version)?.[1]
    const support = readSupport(row.support ?? '')
    if (minor === undefined || support === undefined || lines.has(minor)) continue
    const own = sortPatches(patches.get(minor) ?? [])
    const gone = own.filter((patch) => removed.has(patch))
    lines.set(minor, {
      minor,
      support,
      longTerm: row.lts === true,
      endOfMaintenance: quarterEnd(row.eom ?? ''),
      endOfProvisioning: quarterEnd(row.eocp ?? ''),
      patches: own,
      ...(gone.length > 0 && { removed: gone }),
    })
  }
  return lines.size === 0 ? undefined : [...lines.values()].sort((a, b) => minorNumber(b) - minorNumber(a))
}

function readSupport(words: string): CatalogueLine['support'] | undefined {
  switch (words.trim().toLowerCase()) {
    case 'maintenance':
      return 'maintenance'
    case 'out of maintenance':
      return 'out-of-maintenance'
    case 'skipped':
      return 'skipped'
    default:
      return undefined
  }
}

/** The last day of the quarter (`Q4/2030`) that a text names, ISO 8601. */
export function quarterEnd(words: string): string | undefined {
  const [, quarter, year] = QUARTER.exec(words) ?? []
  return quarter === undefined ? undefined : `${year}-${QUARTER_ENDS[Number(quarter) - 1]}`
}

/** The quarter that a day ends, `Q4/2030`: how the catalogue writes it. */
export function quarterOf(day: string): string {
  return `Q${Math.ceil(Number(day.slice(5, 7)) / 3)}/${day.slice(0, 4)}`
}

/** Newest first and each once; `1.136.4-legacy-free` after `1.136.4`. */
export function sortPatches(patches: Iterable<string>): string[] {
  return [...new Set(patches)].sort((a, b) => patchNumber(b) - patchNumber(a) || a.length - b.length)
}

function patchNumber(version: string): number {
  return Number(PATCH.exec(version)?.[2] ?? -1)
}

function minorNumber({ minor }: CatalogueLine): number {
  const [major = 0, minorPart = 0] = minor.split('.').map(Number)
  return major * 10_000 + minorPart
}
