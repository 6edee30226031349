import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, valuesOf } from '../../facts/index.ts'
import type { Span } from '../../types.ts'
import { fieldsSent, textsSent, USER_FIELD, type Sent } from './_sent-fields.ts'
import { NOBODY } from './_sent-identities.ts'

/** A constant in the query of an address: whom it names, the other requests of the app tell. */
export interface FixedUser {
  readonly at: Span
  readonly field: string
  readonly value: string
  /** It becomes part of what is stored, or selects rows: two that are alike say that it is the user of the page. */
  readonly use?: 'written' | 'filter'
}

/** The number of a person, or a mail address. Nobody has the number zero. */
const ONE_PERSON = /^(?:[1-9]\d{0,11}|[\w.-]{1,60}@[\w.-]{1,60})$/
/** As systems name one: a word alone is as often a kind of owner. */
const PERSON = /^[A-Z](?=[A-Z_-]{0,10}\d)[A-Z\d_-]{3,11}$|^[\w.-]{1,60}@[\w.-]{1,60}$/
/** `?eid=5` in the address of a service. */
const FIXED = /[?&](\w{2,60})=([1-9]\d{0,11}|[\w.-]{1,60}@[\w.-]{1,60})(?=&|$)/g

/** `owner: "CLERK07"` in a new row, `new Filter("owner", FilterOperator.EQ, "CLERK07")`. */
export const fixedOwners: Extract<FixedUser> = defineExtract({
  name: 'ui5-fixed-owners',
  keywords: ['.create(', '.createEntry(', 'FilterOperator'],
  prefilter: (text) => /(?:owner|usuario|benutzer|bname)(?:_?(?:id|name))?["']?\s{0,4}[:,]/i.test(text),
  *collect({ facts, step }) {
    const personIn = ({ field, value }: Sent): string | undefined => {
      const constant = USER_FIELD.test(field) ? constantOf(value) : undefined
      return typeof constant === 'string' && PERSON.test(constant) && !NOBODY.test(constant) ? constant : undefined
    }
    for (const sent of fieldsSent(facts, (one) => personIn(one) !== undefined, step)) {
      const { field, value, filter, isWritten } = sent
      const person = personIn(sent)
      const use = isWritten ? 'written' : filter && 'filter'
      if (person !== undefined && use !== undefined)
        yield { at: { start: value.start, end: value.end }, field, value: person, use }
    }
  },
})

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
