import { availableParallelism } from 'node:os'
import type { Arguments } from './arguments.ts'

/** Beyond, the one that joins results keeps the others waiting. */
const MOST = 8

/** Threads that share a scan: as many as were asked for, else one for each processor. */
export function jobsOf({ jobs }: Pick<Arguments, 'jobs'>): number {
  return jobs ?? Math.min(availableParallelism(), MOST)
}
