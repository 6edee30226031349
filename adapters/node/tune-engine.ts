import { setFlagsFromString } from 'node:v8'

/**
 * V8's optimizing compiler is made for programs that run for long: of a scan it took a third of the CPU, for functions that were then run for a second.
 * Six times the budget before a function is optimized, and a third of what is inlined into it: S, M and L of the bench cost 28, 32 and 25 % less, and
 * 10 MB less memory. Both are read at each compilation, so they may be set while a process runs.
 * Facts: `src/flags/flag-definitions.h` of V8, 67,584 and 920 by default.
 */
const FLAGS = ['--interrupt-budget=400000', '--max-inlined-bytecode-size-cumulative=300'] as const
/** The versions of Node.js 20 to 24, that know both; others would print that they don't. */
const KNOWN = /^1[1-3]\./

/** For a process that is Parapet's own; never in somebody else's, whose code would be tuned as well. */
export function tuneEngine(): void {
  const { v8, bun, deno }: Partial<Record<string, string>> = process.versions
  if (bun !== undefined || deno !== undefined || !KNOWN.test(v8 ?? '')) return
  for (const flag of FLAGS) setFlagsFromString(flag)
}
