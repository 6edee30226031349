import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findCallbacks } from '../../../facts/callbacks.ts'
import { valuesOf } from '../../../facts/index.ts'
import { isOfUi5App, mayNamePassword, PASSWORD_KEYWORDS } from '../../../model/script/index.ts'
import { comparedAccount } from '../../ui5/_compared-accounts.ts'

/** Names of what pages read of an answer and compare with the password that somebody enters: `oData.password === sPassword`. */
export const pageLogins: Extract<string> = defineExtract({
  name: 'cap-page-logins',
  keywords: PASSWORD_KEYWORDS,
  prefilter: (text, hits) => mayNamePassword(text, hits) && /[=!]==?/.test(text),
  isFor: isOfUi5App,
  collect: ({ facts, step }) => {
    const callbacks = findCallbacks(facts)
    return [...valuesOf(facts)].flatMap(({ value }) => {
      step()
      const found = comparedAccount(value, callbacks)
      return found?.kept === 'answer' ? [found.name] : []
    })
  },
})
