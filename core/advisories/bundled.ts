import { createMatchingPort } from './match.ts'
import { createSnapshot } from './snapshot-index.ts'
import type { AdvisoryPort } from './types.ts'

/** Answers from the bundled snapshot alone, on purpose: nothing is missing. */
export function createBundledAdvisories(): AdvisoryPort {
  const load = createSnapshot()
  return createMatchingPort({
    kind: 'bundled',
    find: async () => ({ date: (await load()).date, ids: undefined }),
    load: async () => undefined,
  })
}
