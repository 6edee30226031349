import { createMatchingPort } from './match.ts'
import { ADVISORY_DATE } from './snapshot.ts'
import type { AdvisoryPort } from './types.ts'

/** Answers from the bundled snapshot alone, on purpose: nothing is missing. */
export function createBundledAdvisories(): AdvisoryPort {
  return createMatchingPort({
    kind: 'bundled',
    find: async () => ({ date: ADVISORY_DATE, ids: undefined }),
    load: async () => undefined,
  })
}
