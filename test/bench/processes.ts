import { readdirSync, readFileSync } from 'node:fs'

/** A process and those that it has started. */
export function processesOf(parent: number): number[] {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && fieldOf(Number(name), 'PPid') === parent)
  return [parent, ...children.map(Number)]
}

/** Of its status; 0 for one that is gone. Memory in kB. */
export function fieldOf(pid: number, field: 'PPid' | 'VmRSS' | 'VmHWM'): number {
  try {
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Of all of them, in MB. */
export const memoryOf = (pids: readonly number[], field: 'VmRSS' | 'VmHWM'): number =>
  pids.reduce((all, pid) => all + fieldOf(pid, field), 0) / 1000
