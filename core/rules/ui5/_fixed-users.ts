import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, valuesOf } from '../../facts/index.ts'
import type { Span } from '../../types.ts'
import { textsSent } from './_sent-fields.ts'

/** A constant in the query of an address: whom it names, the other requests of the app tell. */
export interface FixedUser {
  readonly at: Span
  readonly field: string
  readonly value: string
}

/** The number of a person, or a mail address. Nobody has the number zero. */
const ONE_PERSON = /^(?:[1-9]\d{0,11}|[\w.-]{1,60}@[\w.-]{1,60})$/
/** `?eid=5` in the address of a service. */
const FIXED = /[?&](\w{2,60})=([1-9]\d{0,11}|[\w.-]{1,60}@[\w.-]{1,60})(?=&|$)/g

/** `"/rest/visits?eid=5&date=" + today`, `"/rest/visits?eid=" + employee` of a constant. */
export const fixedUsers: Extract<FixedUser> = defineExtract({
  name: 'ui5-fixed-users',
  keywords: ['.ajax(', 'fetch(', 'axios', 'XMLHttpRequest'],
  prefilter: (text) => /\/[^\s"'`?]{1,200}\?[^\s"'`]{0,200}=/.test(text),
  *collect({ facts, text, step }) {
    for (const { field, value } of textsSent(facts, text)) {
      const constant = String(constantOf(value) ?? '')
      if (ONE_PERSON.test(constant)) yield { at: { start: value.start, end: value.end }, field, value: constant }
    }
    for (const { value } of valuesOf(facts)) {
      if (value.kind !== 'literal' || typeof value.value !== 'string' || !value.value.startsWith('/')) continue
      step(1 + value.value.length / 1000)
      for (const [, field = '', constant = ''] of value.value.matchAll(FIXED))
        yield { at: { start: value.start, end: value.end }, field, value: constant }
    }
  },
})
