import type { JobState } from './types.ts'

/** In the order in which a job passes through them; it ends in one of the last three. */
export const JOB_STATES: readonly JobState[] = ['waiting', 'running', 'done', 'failed', 'cancelled']
