import { createBudget, withinSteps } from '../budget.ts'
import type { KeywordIndex } from '../keywords/index.ts'
import { findShapedTokens } from './find-tokens.ts'
import { createFileLayer } from './layers.ts'

/** For a path of usual length; a token costs some hundred. */
const STEPS_PER_PATH = 2_000

/** Values of tokens that paths hold: what a credential is called by its owner, or a tool, when it is saved. */
export function findPathTokens(paths: readonly string[], keywords: KeywordIndex): readonly string[] {
  const text = paths.join('\n')
  const hits = keywords.find(new TextEncoder().encode(text))
  const budget = createBudget(STEPS_PER_PATH * (paths.length + 1))
  const found: string[] = []
  withinSteps(() => {
    for (const { token } of findShapedTokens(createFileLayer({ text, hits, budget }), hits.found(), budget))
      found.push(token.value)
  })
  return found
}
