import { defineExtract, type Extract } from '../../extracts/extract.ts'

/** Words for passwords, and for logins that take any account. */
const WORDS =
  /passw|kennwort|\bp(?:ass|wd)\b|passcode|contrase|senha|mot_?de_?passe|bcrypt|argon|scrypt|pbkdf|credential|authenticat|sign_?in|\blog_?in/i

/** One item for each script that has to do with passwords, so that somebody may log in with those of a table. */
export const passwordWords: Extract<true> = defineExtract({
  name: 'password-words',
  keywords: (
    'pass kennwort pwd contrase senha motdepasse mot_de_passe motde_passe mot_depasse bcrypt argon scrypt pbkdf credential authenticat ' +
    'signin sign_in login log_in'
  ).split(' '),
  *collectText(text) {
    if (WORDS.test(text)) yield true
  },
})
