import { setFlagsFromString } from 'node:v8'

/**
 * V8's optimizing compiler is made for programs that run for long: of a scan it took a third of the CPU, for functions that were then run for a second.
 * Six times the budget before a function is optimized, and a third of what is inlined into it: S, M and L of the bench cost 28, 32 and 25 % less, and
 * 10 MB less memory. All are read when they are needed, so they may be set while a process runs.
 * The heap may double, not grow fourfold, before what is left of trees and facts is collected: L peaks 80 MB lower, for 1 % of CPU at most.
 * Where objects that live long are allocated is not learned: each time it was, code that had been optimized was thrown away. L costs 6 % less without, and
 * peaks 20 MB lower.
 * One thread collects what is new: several wait for each other more than they share. On two processors L costs 6 % less CPU and ends 6 % earlier, M 4 and 8 %.
 * Facts: `src/flags/flag-definitions.h` of V8, 67,584 and 920 by default; `src/heap/memory-controller.cc`, a factor of 4 at most; `src/heap/scavenger.cc`, `NumberOfScavengeTasks`.
 */
const FLAGS = [
  '--max-inlined-bytecode-size-cumulative=300',
  '--heap-growing-percent=100',
  '--no-allocation-site-pretenuring',
  '--no-parallel-scavenge',
] as const
/**
 * How fast the place for what is new grows. A scan allocates more at its start than anything that follows: where the place grows at once as far as it may, a
 * cold one costs 8 % less. A service hands its scans to other processes and keeps 65 MB more for its whole life if that place grows at all, since V8 gives it
 * back to nobody but the idle; its start costs no more.
 * Fact: `src/heap/heap.cc` of V8, `Heap::Scavenge` and `NewSpace::Grow`.
 */
const YOUNG = { scans: '--semi-space-growth-factor=8', hands: '--semi-space-growth-factor=1' } as const
/**
 * What was compiled stays: V8 drops functions that did not run for a while, and a large first scan kept 4.8 MB of compiled code in the place of 7.8 MB, so that each
 * later scan compiled the rest anew.
 * Fact: `src/flags/flag-definitions.h` of V8, `flush_bytecode`, read at each collection.
 */
const KEEP_COMPILED = '--no-flush-bytecode'
/** The versions of Node.js 20 to 24, that know them; others would print that they don't. */
const KNOWN = /^1[1-3]\./
/** Of Node.js 20 to 23: in version 24 a function is optimized after a number of calls. */
const BUDGET = '--interrupt-budget=400000'
const KNOW_BUDGET = /^1[12]\./

/** For a process that is Parapet's own, which scans or hands scans to others; never in somebody else's, whose code would be tuned as well. */
export function tuneEngine(role: keyof typeof YOUNG): void {
  const { v8, bun, deno }: Partial<Record<string, string>> = process.versions
  if (bun !== undefined || deno !== undefined || !KNOWN.test(v8 ?? '')) return
  for (const flag of [...FLAGS, YOUNG[role]]) setFlagsFromString(flag)
  if (role === 'scans') setFlagsFromString(KEEP_COMPILED)
  if (KNOW_BUDGET.test(v8 ?? '')) setFlagsFromString(BUDGET)
}
