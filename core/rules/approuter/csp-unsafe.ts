import { isSet, readCsp, readResponseHeaders } from '../../model/approuter/index.ts'
import type { Localized, RuleText } from '../../types.ts'
import { defineRule, variantOfCases, type Rule } from '../rule.ts'
import { isSetByCommand, unsetCommand } from './_settings.ts'

const CONFIGURATIONS = 'https://www.npmjs.com/package/@sap/approuter#configurations'

/** What only default-src allows is needed by styles, images and fonts of UI5 too: scripts get a directive of their own. */
const OWN: Localized<string> = {
  en: "Add a script-src directive with 'self' and the hosts that serve your scripts to the policy: default-src then no longer applies to scripts.",
  fr: "Ajoutez à la politique une directive script-src avec 'self' et les hôtes qui fournissent vos scripts : default-src ne s’applique alors plus aux scripts.",
}
const HASH: Localized<string> = {
  en: 'If you need an inline script, allow it by its hash.',
  fr: 'Si un script intégré à la page (inline) est nécessaire, autorisez-le par son empreinte.',
}
const EVAL: Localized<Pick<RuleText, 'title' | 'why'>> = {
  en: {
    title: 'Content-Security-Policy allows eval',
    why: 'If attacker-controlled text reaches eval or new Function, it runs as code: the policy does not block it.',
  },
  fr: {
    title: 'Content-Security-Policy : eval autorisé',
    why: 'Si un texte contrôlé par un attaquant atteint eval ou new Function, il s’exécute comme du code : la politique ne le bloque pas.',
  },
}
const ASYNC: Localized<string> = {
  en: 'A UI5 app must then load its modules asynchronously: data-sap-ui-async="true" in the bootstrap script.',
  fr: 'Une application UI5 doit alors charger ses modules de façon asynchrone : data-sap-ui-async="true" dans le script d’amorçage.',
}
const ANY: Localized<Pick<RuleText, 'title' | 'why'>> = {
  en: {
    title: 'Content-Security-Policy allows scripts from any host',
    why: 'If an attacker can inject markup into a page (XSS), a script from the attacker’s host runs: the policy does not block it.',
  },
  fr: {
    title: 'Content-Security-Policy : scripts autorisés depuis n’importe quel hôte',
    why: 'Si un attaquant peut injecter du balisage dans une page (XSS), un script chargé depuis l’hôte de l’attaquant s’exécute : la politique ne le bloque pas.',
  },
}

const LOGIN: Localized<Omit<RuleText, 'fix'>> = {
  en: {
    title: 'Content-Security-Policy omitted during login',
    message: 'OMIT_LOGIN_CSP is true: the approuter sends no Content-Security-Policy during the login flow.',
    why: 'No policy blocks a script that an attacker injects into a page of the login flow.',
  },
  fr: {
    title: 'Content-Security-Policy absente pendant la connexion',
    message: 'OMIT_LOGIN_CSP vaut true : l’approuter n’envoie pas de Content-Security-Policy pendant la connexion.',
    why: 'Un script qu’un attaquant injecte dans une page du parcours de connexion n’est bloqué par aucune politique.',
  },
}

/** A Content-Security-Policy whose effective script source allows what the policy is there to block.
 *  Facts: W3C Content Security Policy Level 3; @sap/approuter 23.0.0 README (responseHeaders, httpHeaders, OMIT_LOGIN_CSP).
 *  Impact: nothing by itself, a script must be injected first. */
export const cspUnsafe: Rule = defineRule({
  id: 'approuter/csp-unsafe',
  impact: 'defence',
  reach: 'anyone',
  confidence: 'high',
  cwe: [693],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#content-security-policy',
  docsByVariant: { login: CONFIGURATIONS, loginCommand: CONFIGURATIONS },
  on: 'approuter',

  *check(approuter) {
    for (const { name, value, valuePlace } of readResponseHeaders(approuter)) {
      if (name !== 'content-security-policy') continue
      // one policy, one finding: the worst fault gives the title, all of them are listed
      const { faults, directive } = readCsp(value)
      const [worst] = faults
      if (worst === undefined) continue
      const args = { sources: faults.map(({ source }) => source).join(', '), directive }
      const isDefault = directive === 'default-src' && 'default'
      yield { at: valuePlace, args, ...variantOfCases(isDefault, worst.fault !== 'inline' && worst.fault) }
    }
    for (const setting of approuter.environment.settings('OMIT_LOGIN_CSP')) {
      if (isSet(setting, true))
        yield {
          at: setting.place,
          args: { sources: '', directive: '', unset: unsetCommand(setting) },
          variant: isSetByCommand(setting) ? 'loginCommand' : 'login',
        }
    }
  },

  text: () => ({
    en: {
      title: 'Content-Security-Policy allows inline scripts',
      message: 'The {directive} directive of the Content-Security-Policy contains {sources:and}.',
      why: 'If an attacker can inject markup into a page (XSS), the injected script runs: the policy does not block it.',
      fix: `Remove {sources:and} from {directive}, so that it contains only 'self' and the hosts that serve your scripts. ${HASH.en}`,
      variants: {
        default: { fix: `${OWN.en} ${HASH.en}` },
        'default-any': { ...ANY.en, fix: OWN.en },
        'default-eval': { ...EVAL.en, fix: OWN.en },
        any: {
          ...ANY.en,
          fix: "Replace {sources:and} in {directive} with 'self' and the hosts that serve your scripts.",
        },
        eval: {
          ...EVAL.en,
          fix: `Remove {sources:and} from {directive}. ${ASYNC.en}`,
        },
        login: { ...LOGIN.en, fix: 'Remove OMIT_LOGIN_CSP from the approuter’s environment.' },
        loginCommand: {
          ...LOGIN.en,
          fix: 'Remove this command{unset}.',
        },
      },
    },
    fr: {
      title: 'Content-Security-Policy : scripts intégrés à la page (inline) autorisés',
      message: 'La directive {directive} de la Content-Security-Policy contient {sources:et}.',
      why: 'Si un attaquant peut injecter du balisage dans une page (XSS), le script injecté s’exécute : la politique ne le bloque pas.',
      fix: `Supprimez {sources:et} de {directive}, afin que la directive ne contienne que 'self' et les hôtes qui fournissent vos scripts. ${HASH.fr}`,
      variants: {
        default: { fix: `${OWN.fr} ${HASH.fr}` },
        'default-any': { ...ANY.fr, fix: OWN.fr },
        'default-eval': { ...EVAL.fr, fix: OWN.fr },
        any: {
          ...ANY.fr,
          fix: "Remplacez {sources:et} dans {directive} par 'self' et les hôtes qui fournissent vos scripts.",
        },
        eval: {
          ...EVAL.fr,
          fix: `Supprimez {sources:et} de {directive}. ${ASYNC.fr}`,
        },
        login: { ...LOGIN.fr, fix: 'Supprimez OMIT_LOGIN_CSP de l’environnement de l’approuter.' },
        loginCommand: {
          ...LOGIN.fr,
          fix: 'Supprimez cette commande{unset}.',
        },
      },
    },
  }),
})
