import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** A code or a token as a parameter of an address. Facts: RFC 6749, 4.1.2 (code) and 4.2.2 (access_token). */
const IN_TEXT = /[?&#](?:code|access_token|token|id_token)=/
const AS_PARAMETER = /\.(?:set|append)\(\s{0,4}['"`](?:code|access_token|token|id_token)['"`]/

/** Arguments of redirects that carry an authorization code or a token. */
export const codeRedirects: Extract<Span> = defineExtract({
  name: 'cap-code-redirects',
  keywords: ['redirect'],
  prefilter: (text) => IN_TEXT.test(text) || AS_PARAMETER.test(text),
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collect({ facts, text, step }) {
    for (const { callee, args, function: within } of facts.calls) {
      step()
      const name = lastNameOf(callee) ?? ''
      if (name !== 'redirect' && name !== 'location') continue
      for (const { start, end } of args) {
        const isPut = AS_PARAMETER.test(text.slice(within.start, start))
        if (isPut || IN_TEXT.test(text.slice(start, end))) yield { start, end }
      }
    }
  },
})
