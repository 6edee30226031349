import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isDeveloperFile, isOfUi5App, isRequestName } from '../../../model/script/index.ts'
import { documentPairs, OF_MONGO } from './condition-values.ts'

/** Names of claims by which queries of MongoDB select rows as they are: `Order.find({ owner: req.user.email })`. */
export const claimConditions: Extract<string> = defineExtract({
  name: 'cap-claim-conditions',
  keywords: ['findOne', '.find(', 'updateOne', 'updateMany', 'deleteOne', 'deleteMany'],
  prefilter: (text) => /\breq/.test(text),
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collect({ facts, step }) {
    const claims = new Set<string>()
    for (const call of facts.calls) {
      step()
      if (!OF_MONGO.test(lastNameOf(call.callee) ?? '')) continue
      for (const { value } of documentPairs(call, step)) for (const claim of claimsIn(value)) claims.add(claim)
    }
    yield* claims
  },
})

/** Parts of a request that no middleware makes of a token. */
const SENT = /^(?:body|query|params|headers|cookies|signedCookies|files?|session|data)$/

function claimsIn(value: Value): readonly string[] {
  return accessesOf(value).flatMap(({ binding, steps: [kept = '', claim, ...more] }) =>
    binding?.kind === 'parameter' && isRequestName(binding.name) && !SENT.test(kept) && claim !== undefined && more.length === 0
      ? [claim]
      : [],
  )
}
