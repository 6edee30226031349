import type { HostileArchive } from './hostile-archive.ts'
import { HOSTILE_HEADERS } from './hostile-headers.ts'
import { HOSTILE_NAMES } from './hostile-names.ts'
import { HOSTILE_OVERLAPS } from './hostile-overlaps.ts'
import { HOSTILE_SIZES } from './hostile-sizes.ts'

/** Every hostile archive, for a gate with the limits below. */
export const HOSTILE: readonly HostileArchive[] = [...HOSTILE_NAMES, ...HOSTILE_HEADERS, ...HOSTILE_OVERLAPS, ...HOSTILE_SIZES]

/** Small, so that what exceeds them is quickly built. */
export const HOSTILE_LIMITS = { entries: 20_000, inflated: 16 * 1024 * 1024 } as const
