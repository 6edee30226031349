import type { ScanLimits } from './types.ts'

const KiB = 1024
const MiB = 1024 * KiB

/** Default limits of one scan; the README lists them as settings. */
export const DEFAULT_LIMITS: ScanLimits = {
  // a central directory of 100,000 entries is read in 0.1 s; real monorepos have under 40,000 files
  entries: 100_000,
  // only what is analysed counts, one file at a time, so this bounds time, not memory
  inflated: 512 * MiB,
  // larger files in projects are media, dumps and bundles
  file: 5 * MiB,
  // a syntax tree is 40 to 185 times its text; the largest sources that people write have 1.5 MiB
  parse: 2 * MiB,
  // lock files have readers of their own that build no tree
  lockFile: 20 * MiB,
  // the last resort: budgets count steps
  scanTime: 60_000,
}

/** One request body. The edge has 128 MB for everything. */
export const MAX_UPLOAD: number = 100 * MiB
export const MAX_UPLOAD_EDGE: number = 20 * MiB
export const MAX_PARSE_EDGE: number = 256 * KiB
/** Of texts without lines, which nobody wrote: their trees are the largest. */
export const MAX_PARSE_DENSE: number = 512 * KiB
/** Of PHP: larger files are libraries and data. */
export const MAX_PARSE_PHP: number = 400 * KiB

/** Limits that no setting changes. */
export const MAX_PATH_BYTES = 1024
export const MAX_PATH_SEGMENTS = 64
export const MAX_NOTICES = 1000
export const MAX_FINDINGS = 10_000
/** Places of findings beside their first one: of one finding, and of all in a report. */
export const MAX_OCCURRENCES_PER_FINDING = 1000
export const MAX_OCCURRENCES = 50_000
export const MAX_FINDINGS_PER_RULE_AND_FILE = 100
/** A lock file is the inventory of a whole project: a hundred known faults in a thousand packages are no sign of a hostile file. */
export const MAX_FINDINGS_PER_RULE_AND_LOCK = 2000
/** Of a lock file, whose limit of 20 MiB is that of its text: real ones of that size have half a million. */
export const MAX_JSON_VALUES = 1_500_000
/** Bracket and element nesting: real code has 87 at most, the parsers' stacks hold 256 at least. */
export const MAX_NESTING = 200
