import { readFileSync } from 'node:fs'

/**
 * Peak resident memory of a process in kB. Not `resourceUsage().maxRSS`: Linux hands a parent's peak on to its children across exec, so that a large
 * parent hides what they need. Elsewhere that figure is all there is.
 */
export function peakMemory(pid: number | 'self' = 'self'): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
}
