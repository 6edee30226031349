import { ownerOf } from '../../paths.ts'
import { defineRule, type Rule } from '../rule.ts'
import { attemptLimits, passwordLogins } from './_callers/password-logins.ts'
import { isLimited } from './_callers/request-limits.ts'

/**
 * A login with accounts of its own that compares any number of passwords.
 * Facts: OWASP Authentication Cheat Sheet, "Protect Against Automated Attacks"; OWASP ASVS 4.0.3, 2.2.1. CAP and the approuter count no attempts; Identity Authentication locks its
 * accounts (SAP Help, Identity Authentication, "Configure Password Policies").
 * Impact: nothing by itself, a weak password has to be guessed. Silent where anything in the package speaks of attempts, locks or limits, or limits requests by a library.
 */
export const loginAttemptsUnlimited: Rule = defineRule({
  id: 'cap/login-attempts-unlimited',
  impact: 'defence',
  reach: 'anyone',
  confidence: 'medium',
  cwe: [307],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html#protect-against-automated-attacks',
  extracts: [passwordLogins, attemptLimits],
  on: 'project',

  *check({ scripts, npm, step }) {
    const logins = scripts.get(passwordLogins)
    if (logins.length === 0) return
    const packageOf = (file: string): string | undefined => ownerOf(file, npm.byFolder)
    const limiting = new Set(scripts.get(attemptLimits).map(({ file }) => packageOf(file)))
    for (const { file, value } of logins) {
      step()
      if (limiting.has(packageOf(file)) || isLimited(file, npm)) continue
      yield { at: { file, span: value.at }, args: { event: value.event }, groupKey: packageOf(file) ?? '' }
    }
  },

  text: () => ({
    en: {
      title: 'Login without a limit on attempts',
      message: 'The login {event} compares the password each time it is called, and nothing in the package limits how often.',
      why: 'An attacker tries passwords of one account, or one password on all accounts, until a login succeeds. A slow hash that is computed for each of these calls also keeps the server busy.',
      fix: 'Limit the attempts for each account and address, for example with express-rate-limit or rate-limiter-flexible in front of this handler, and answer 429 above the limit. Or let Identity Authentication (IAS) log users in, which locks accounts itself.',
    },
    fr: {
      title: 'Connexion sans limite de tentatives',
      message:
        'La connexion {event} compare le mot de passe à chaque appel, et rien dans le paquet ne limite le nombre de tentatives.',
      why: 'Un attaquant essaie des mots de passe pour un compte, ou un seul mot de passe pour tous les comptes, jusqu’à ce qu’une connexion réussisse. Une empreinte lente, calculée à chacun de ces appels, occupe en outre le serveur.',
      fix: 'Limitez les tentatives par compte et par adresse, par exemple avec express-rate-limit ou rate-limiter-flexible devant ce gestionnaire, et répondez 429 au-delà de la limite. Ou confiez la connexion à Identity Authentication (IAS), qui verrouille lui-même les comptes.',
    },
  }),
})
