import { isSet, readCsp, readResponseHeaders } from '../../model/approuter/index.ts'
import type { Match } from '../../types.ts'
import { gradeSetting } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A content security policy whose script source lets through what it is there to stop.
 *  Facts: W3C Content Security Policy Level 3; @sap/approuter 23.0.0 README (responseHeaders, httpHeaders, OMIT_LOGIN_CSP). */
export const cspUnsafe: Rule = defineRule({
  id: 'approuter/csp-unsafe',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [693],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#responseheaders-property',
  on: 'approuter',

  *check(approuter) {
    for (const { name, value, valuePlace } of readResponseHeaders(approuter)) {
      if (name !== 'content-security-policy') continue
      // one policy, one finding: its worst fault
      const [worst] = readCsp(value).faults
      if (worst === undefined) continue
      const { fault, source } = worst
      const grade: Pick<Match, 'variant' | 'severity'> =
        fault === 'inline' ? {} : { variant: fault, ...(fault === 'eval' && { severity: 'LOW' }) }
      yield { at: valuePlace, args: { source }, ...grade }
    }
    for (const setting of approuter.environment.settings('OMIT_LOGIN_CSP')) {
      if (isSet(setting, true))
        yield { at: setting.place, args: { source: '' }, variant: 'login', severity: gradeSetting(setting, 'LOW') }
    }
  },

  text: {
    en: {
      title: 'The content security policy lets injected scripts run',
      message: 'The script source of the policy has {source}.',
      why: 'A script that an attacker gets into a page runs: the policy does not stop it.',
      fix: 'Remove {source}; name hosts, and let single inline scripts through by nonce or hash.',
      variants: {
        any: {
          title: 'The content security policy lets scripts of any host run',
          why: 'An attacker loads his script from a host of his own: the policy does not stop it.',
          fix: 'Replace {source} by the hosts that scripts come from.',
        },
        eval: {
          title: 'The content security policy lets text run as code',
          why: 'Text that reaches eval or new Function runs as code: the policy does not stop it.',
          fix: 'Remove {source} if no library needs it; UI5 does without since its asynchronous loading.',
        },
        login: {
          title: 'The login page has no content security policy',
          message: 'OMIT_LOGIN_CSP is true: the approuter leaves out the policy in its login flow.',
          why: 'A script that gets into the login flow is not stopped by a policy.',
          fix: 'Remove OMIT_LOGIN_CSP.',
        },
      },
    },
    fr: {
      title: 'La politique de sécurité du contenu laisse s’exécuter des scripts injectés',
      message: 'La source des scripts de la politique contient {source}.',
      why: 'Un script qu’un attaquant introduit dans une page s’exécute : la politique ne l’arrête pas.',
      fix: 'Supprimez {source} ; nommez des hôtes, et autorisez les scripts en ligne un à un par nonce ou empreinte.',
      variants: {
        any: {
          title: 'La politique de sécurité du contenu laisse s’exécuter des scripts de tout hôte',
          why: 'Un attaquant charge son script depuis son propre hôte : la politique ne l’arrête pas.',
          fix: 'Remplacez {source} par les hôtes d’où viennent les scripts.',
        },
        eval: {
          title: 'La politique de sécurité du contenu laisse s’exécuter du texte',
          why: 'Un texte qui atteint eval ou new Function s’exécute comme du code : la politique ne l’arrête pas.',
          fix: 'Supprimez {source} si aucune bibliothèque n’en a besoin ; UI5 s’en passe depuis son chargement asynchrone.',
        },
        login: {
          title: 'La page de connexion n’a pas de politique de sécurité du contenu',
          message: 'OMIT_LOGIN_CSP vaut true : l’approuter n’envoie pas de politique pendant la connexion.',
          why: 'Un script introduit pendant la connexion n’est arrêté par aucune politique.',
          fix: 'Supprimez OMIT_LOGIN_CSP.',
        },
      },
    },
  },
})
