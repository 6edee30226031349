import { defineExtract, type Extract } from '../../extracts/extract.ts'

/** Beside words for passwords, logins that take any account. */
const WORDS = /passw|kennwort|\bpwd\b|passcode|contrase|senha|bcrypt|\blog_?in\s{0,4}[(=:]/i

/** One item for each script that has to do with passwords, so that somebody may log in with those of a table. */
export const passwordWords: Extract<true> = defineExtract({
  name: 'password-words',
  keywords: ['passw', 'kennwort', 'pwd', 'passcode', 'contrase', 'senha', 'bcrypt', 'login', 'log_in'],
  *collectText(text) {
    if (WORDS.test(text)) yield true
  },
})
