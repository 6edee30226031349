import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { valuesOf } from '../../facts/index.ts'
import { isWithin } from '../../facts/span-index.ts'
import { isPasswordName, isRepeatedPassword, mayNamePassword, PASSWORD_KEYWORDS } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'
import type { HandedTo } from './_app-methods.ts'
import { enteredPassword, namedFields, objectIn, sentObjects } from './_sent-bodies.ts'

/** A password that a page sets for a user who has forgotten it, with nothing in the request that proves who asks. */
export interface PageReset {
  readonly at: Span
  readonly field: string
  readonly by: HandedTo | undefined
}

/** A one-time code among the fields of a request. */
export const SENT_CODE: RegExp = /(?:^|[a-z_])otp$|^otp|one_?time|(?:reset|verif\w{1,10}|confirm\w{0,10}|security)_?(?:code|pin)/i
/** What a request may prove with that it comes from the owner of the account. */
export const PROVES: RegExp = /otp|token|old|current|previous|ticket|one_?time|signature|nonce|challenge|code$|^pin$/i
const RESET = /forg[eo]t|reset|vergess|oubli|olvid|esqueci/i

/**
 * `save("Logins", { data: { Password: entered }, filters: { UserID } })` of a page that asks for the one-time code in another request: the step between the two is the page's.
 */
export const pageResets: Extract<PageReset> = defineExtract({
  name: 'ui5-page-resets',
  keywords: PASSWORD_KEYWORDS,
  prefilter: (text, hits) => mayNamePassword(text, hits) && RESET.test(text) && /otp|one_?time|_?code/i.test(text),
  *collect({ facts, text, step }) {
    const codes: Span[] = []
    const proofs: Span[] = []
    for (const { value } of valuesOf(facts)) {
      if (value.kind !== 'object') continue
      step(value.fields.length)
      for (const { key } of value.fields) {
        if (key === undefined || !PROVES.test(key)) continue
        proofs.push(value)
        if (SENT_CODE.test(key)) codes.push(value)
      }
    }
    if (codes.length === 0) return
    for (const { call, object: sent, by } of sentObjects(facts, step)) {
      step(sent.fields.length)
      const objects = [sent, ...sent.fields.flatMap(({ value }) => objectIn(value) ?? [])].map(namedFields)
      const field = objects.map(enteredPassword).find((name) => name !== undefined)
      if (field === undefined) continue
      // the old password beside the new one
      const passwords = objects.flat().filter(({ key }) => isPasswordName(key) && !isRepeatedPassword(key))
      const around = call.function
      step(proofs.length + codes.length)
      if (passwords.length > 1 || proofs.some((proof) => isWithin(proof, around))) continue
      step(1 + (around.end - around.start) / 1000)
      if (codes.every((code) => isWithin(code, around)) || !RESET.test(`${around.name} ${text.slice(around.start, around.end)}`))
        continue
      yield { at: { start: call.start, end: call.end }, field, by }
    }
  },
})
