import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, valuesOf, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { namedFields } from './_sent-bodies.ts'

const AUTHORIZATION = /^authorization$/i
/** A pair of user and password as RFC 7617 encodes it. */
const FIXED = /^Basic [A-Za-z0-9+/]{8,200}={0,2}$/

/** Where requests get the header `Authorization` from: `fixed` in the code, with one user for all, or `other`, which may be the login of the user. */
export const authorizationHeaders: Extract<'fixed' | 'other'> = defineExtract({
  name: 'ui5-authorization-headers',
  keywords: ['Authorization'],
  prefilter: (text) => /\bAuthorization\b/.test(text),
  *collect({ facts, step }) {
    for (const { value } of valuesOf(facts)) {
      step()
      if (value.kind !== 'object') continue
      for (const { key, value: given } of namedFields(value)) if (AUTHORIZATION.test(key)) yield kindOf(given)
    }
    for (const { target, value } of facts.assignments) if (AUTHORIZATION.test(target.name ?? '')) yield kindOf(value)
    for (const { callee, args } of facts.calls) {
      const [name, value] = args
      const isHeader = /^(?:setRequestHeader|set|append)$/.test(lastNameOf(callee) ?? '')
      if (!isHeader || !AUTHORIZATION.test(String((name && constantOf(name)) ?? ''))) continue
      yield kindOf(value)
    }
  },
})

function kindOf(value: Value | undefined): 'fixed' | 'other' {
  return FIXED.test(String((value && constantOf(value)) ?? '')) ? 'fixed' : 'other'
}
