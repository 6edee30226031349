import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { isPasswordName } from './password-names.ts'

/** `password === API_PASSWORD`, `API_PASSWORD !== password`, `timingSafeEqual(Buffer.from(password), Buffer.from(API_PASSWORD))`. */
const COMPARED = /(?<![\w$.])([\w$]{1,60})\s{0,4}[=!]==?\s{0,4}([\w$]{1,60})(?![\w$.([])/g
const EQUALS =
  /(?:equal|compare)\w{0,20}\(\s{0,9}(?:Buffer\.from\(\s{0,4})?([\w$]{1,60})\s{0,4}\)?\s{0,4},\s{0,9}(?:Buffer\.from\(\s{0,4})?([\w$]{1,60})\s{0,4}\)/gi
const CONSTANT = /^[A-Z][A-Z0-9_]{2,60}$/

/** Constants of a script that its server compares with the password of Basic authentication: what they hold opens the server itself, whose address nobody has to find elsewhere. */
export const askedPasswords: Extract<string> = defineExtract({
  name: 'asked-passwords',
  keywords: ['base64', 'atob'],
  prefilter: (text) => /\bauthorization\b/i.test(text) && /["'`]Basic\b/.test(text) && /\b40[13]\b/.test(text),
  *collectText(text) {
    for (const form of [COMPARED, EQUALS])
      for (const [, one = '', other = ''] of text.matchAll(form)) {
        const [constant, given] = CONSTANT.test(one) ? [one, other] : [other, one]
        if (CONSTANT.test(constant) && !CONSTANT.test(given) && isPasswordName(given)) yield constant
      }
  },
})
