import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findCallbacks } from '../../../facts/callbacks.ts'
import { constantOf, stringConstantOf, fieldOf, resolveValue, valuesOf, type CallValue } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isOfUi5App, isPasswordName, mayNamePassword, PASSWORD_KEYWORDS } from '../../../model/script/index.ts'
import { comparedAccount } from '../../ui5/_compared-accounts.ts'

/**
 * Names of what pages compare with the password that somebody enters: what they read of an answer (`oData.password === sPassword`), and what they have the service
 * compare (`new Filter("password", FilterOperator.EQ, sPassword)`). Fact: SAPUI5 API, sap.ui.model.Filter.
 */
export const pageLogins: Extract<string> = defineExtract({
  name: 'cap-page-logins',
  keywords: PASSWORD_KEYWORDS,
  prefilter: (text, hits) => mayNamePassword(text, hits) && (/[=!]==?/.test(text) || text.includes('Filter')),
  isFor: isOfUi5App,
  collect: ({ facts, step }) => {
    const callbacks = findCallbacks(facts)
    const compared = [...valuesOf(facts)].flatMap(({ value }) => {
      step()
      const found = comparedAccount(value, callbacks)
      return found?.kept === 'answer' ? [found.name] : []
    })
    return [...compared, ...facts.calls.flatMap((call) => filteredPassword(call) ?? [])]
  },
})

/** `new Filter("password", "EQ", entered)`, `new Filter({ path: "password", operator: "EQ", value1: entered })`. */
function filteredPassword({ callee, args: [first, operator, entered] }: CallValue): string | undefined {
  if (first === undefined || lastNameOf(callee) !== 'Filter') return undefined
  const given = resolveValue(first)
  const isNamed = 'fields' in given
  const path = stringConstantOf(isNamed ? (fieldOf(given, 'path')?.value ?? given) : given)
  const value = isNamed ? fieldOf(given, 'value1')?.value : entered
  const how = isNamed ? fieldOf(given, 'operator')?.value : operator
  if (path === undefined || !isPasswordName(path) || value === undefined || how === undefined) return undefined
  const isEqual = lastNameOf(how) === 'EQ' || constantOf(how) === 'EQ'
  // a fixed value is what a list looks for, such as accounts that have none
  return isEqual && constantOf(value) === undefined ? path : undefined
}
